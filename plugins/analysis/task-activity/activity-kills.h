/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Processes that died by signal 9. The signal was sent by the kernel because memory ran out, or by a program. The
 * control group of the program counts the kills by the kernel. */
typedef struct
{
  gint64 n_of_kernel; /* kills by the kernel; -1 if unknown */
  gint64 n;           /* processes that died by signal 9 from an unknown sender */
} ActivityKills;

void activity_kills_init (ActivityKills *self, RoastRecordingSnapshot *recording);

typedef enum
{
  ACTIVITY_KILL_UNKNOWN,
  ACTIVITY_KILL_OF_KERNEL,
  ACTIVITY_KILL_OF_PROGRAM,
} ActivityKill;

/* Return who sent the signal 9 that killed a worker. */
ActivityKill activity_kills_find (const ActivityKills *self, const RoastRunWorker *worker);
/* Return the reason why the sender is unknown. Free it with g_free(). */
char *activity_kills_dup_why (const ActivityKills *self, const RoastRunWorker *worker);
