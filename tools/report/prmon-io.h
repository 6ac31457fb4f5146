/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "prmon.h"

G_BEGIN_DECLS

/* Input and output of a whole process tree over time: worker_samples has that of each process, when it changed, and
 * processes that of each one that ended. */
typedef struct _PrmonIo PrmonIo;

PrmonIo *prmon_io_new (RoastRecording *recording, const char *source);
void prmon_io_free (PrmonIo *self);
/* The sums of prmon_io_columns at a time, which must not be before that of the last call; -1 where no process was read.
 */
void prmon_io_advance (PrmonIo *self, gint64 time, gint64 *sums);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PrmonIo, prmon_io_free)

G_END_DECLS
