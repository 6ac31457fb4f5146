/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "process-twins.h"

G_BEGIN_DECLS

/* Processes that ended by signal 9: the kernel's, because memory ran out, or that of a program. The control group of
 * the program has the number of the former. */
typedef struct
{
  gint64 n_of_kernel; /* -1 if not known */
  gint64 n;           /* of all whose cause is unknown */
} ActivityKills;

void activity_kills_init (ActivityKills *self, RoastRecordingSnapshot *recording, ProcessTwins *twins);

typedef enum
{
  ACTIVITY_KILL_UNKNOWN,
  ACTIVITY_KILL_OF_KERNEL,
  ACTIVITY_KILL_OF_PROGRAM,
} ActivityKill;

/* Of a worker that ended by signal 9. @twin may be NULL. */
ActivityKill activity_kills_find (const ActivityKills *self, RoastTableReader *workers, const ProcessTwin *twin);
/* Why that is unknown. Free it with g_free(). */
char *activity_kills_dup_why (const ActivityKills *self, const ProcessTwin *twin);

G_END_DECLS
