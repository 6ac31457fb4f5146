/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Writes the table workers_over_time, if an executor recorded samples of its workers. @process_sources: names of the
 * sources whose workers are processes, which do not count. */
gboolean workers_write_over_time (RoastRecordingSnapshot *recording, RoastReport *report, GHashTable *process_sources,
                                  GError **error);

G_END_DECLS
