/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "process-trees.h"

G_BEGIN_DECLS

/* Write the table workers_over_time, if an executor recorded samples of its workers. Processes of @trees do not count.
 */
gboolean workers_write_over_time (RoastRecordingSnapshot *recording, RoastReport *report, const ProcessTrees *trees,
                                  GError **error);

G_END_DECLS
