/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-recording.h"

/* What is wrong with the lines of programs: counted by program and reason, each reported once. */
typedef struct _RoastRunFaults RoastRunFaults;

typedef enum
{
  ROAST_RUN_FAULT_REFUSED, /* a connection */
  ROAST_RUN_FAULT_LINE,    /* does not count */
  ROAST_RUN_FAULT_UNKNOWN, /* a part of a message that was ignored */
  ROAST_RUN_N_FAULTS,
} RoastRunFault;

RoastRunFaults *roast_run_faults_new (void);
void roast_run_faults_free (RoastRunFaults *self);
/* @program and @pid are those of the connection; NULL and 0 if unknown. */
void roast_run_faults_add (RoastRunFaults *self, RoastRunFault fault, const char *program, gint64 pid,
                           const char *reason);
/* Adds an event for each program and reason, and forgets them. */
void roast_run_faults_report (RoastRunFaults *self, RoastRecording *recording, const char *source);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastRunFaults, roast_run_faults_free)
