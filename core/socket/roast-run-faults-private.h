/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-recording.h"

/* Faults in the lines that programs send. Faults with the same program and reason are counted together and reported
 * once. */
typedef struct _RoastRunFaults RoastRunFaults;

typedef enum
{
  ROAST_RUN_FAULT_REFUSED, /* a connection was refused */
  ROAST_RUN_FAULT_LINE,    /* a line was refused */
  ROAST_RUN_FAULT_UNKNOWN, /* a part of a message was ignored */
  ROAST_RUN_FAULT_CELL,    /* a cell of a row was left out */
  ROAST_RUN_N_FAULTS,
} RoastRunFault;

RoastRunFaults *roast_run_faults_new (void);
void roast_run_faults_free (RoastRunFaults *self);
/* Counts a fault. @program and @pid identify the connection; NULL and 0 if unknown. */
void roast_run_faults_add (RoastRunFaults *self, RoastRunFault fault, const char *program, gint64 pid,
                           const char *reason);
/* Adds an event for each pair of program and reason, and clears all counts. */
void roast_run_faults_report (RoastRunFaults *self, RoastRecording *recording, const char *source);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastRunFaults, roast_run_faults_free)
