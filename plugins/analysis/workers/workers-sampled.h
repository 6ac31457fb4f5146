/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Add metrics of the executors' workers as roastcoffea defines them. Processes of @trees do not count. */
void workers_add_sampled (RoastRecordingSnapshot *recording, RoastReport *report);

G_END_DECLS
