/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* A call of the analysis' executor that raised an error, and whose datasets no later call of the same processor
 * processed. */
typedef struct
{
  char *call, *executor, *processor, *error, *message; /* NULL if unknown */
  gint64 items;                                        /* chunks that the call was given; -1 if unknown */
  double started, ended;                               /* µs since the epoch */
} FailedCall;

/* Return the failed calls of a program, as FailedCall; NULL if the program reported no call that processes chunks. The
 * caller owns the array. */
GPtrArray *failed_calls_find (RoastRecordingSnapshot *recording);

G_END_DECLS
