/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* A call of the analysis' executor that raised an error, and whose datasets no later call of the same processor
 * processed. */
typedef struct
{
  char *call, *executor, *processor, *error, *message; /* NULL if unknown */
  gint64 items;                                        /* chunks that it was given; -1 if unknown */
  double ended;                                        /* µs */
} FailedCall;

/* Full: those of a program, as FailedCall. NULL if it reported no call that processes chunks. */
GPtrArray *failed_calls_find (RoastRecordingSnapshot *recording);

G_END_DECLS
