/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Write the table workers_over_time, if an executor recorded samples of its workers. */
gboolean workers_write_over_time (RoastRecordingSnapshot *recording, RoastReport *report, GError **error);

/* Add metrics of the executors' workers as roastcoffea defines them. Processes of process trees do not count. */
void workers_add_sampled (RoastRecordingSnapshot *recording, RoastReport *report);

G_END_DECLS
