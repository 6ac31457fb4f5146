/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-process-observer.h"

G_BEGIN_DECLS

/* Writes what the supervising program says of a process tree into `sources`, `processes`, `events` and the metadata:
 * the one accounting of the tree, whatever the backend. */

#define ROAST_TYPE_PROCESS_ACCOUNTING (roast_process_accounting_get_type ())

G_DECLARE_FINAL_TYPE (RoastProcessAccounting, roast_process_accounting, ROAST, PROCESS_ACCOUNTING, GObject)

RoastProcessAccounting *roast_process_accounting_new (RoastRecording *recording, gboolean attached);

G_END_DECLS
