/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-process-observer.h"

G_BEGIN_DECLS

/* Writes what the supervisor says of a process tree into `sources`, `processes`, `events` and the metadata:
 * the one accounting of the tree, whatever the backend. */

#define ROAST_TYPE_PROCESS_ACCOUNTING (roast_process_accounting_get_type ())

G_DECLARE_FINAL_TYPE (RoastProcessAccounting, roast_process_accounting, ROAST, PROCESS_ACCOUNTING, GObject)

RoastProcessAccounting *roast_process_accounting_new (RoastRecording *recording, gboolean attached);
/* Name of the source in the recording: NULL until the tree has started. */
const char *roast_process_accounting_get_source (RoastProcessAccounting *self);
/* The main process: which it is, and how it ended. */
void roast_process_accounting_set_pid (RoastProcessAccounting *self, int pid);
void roast_process_accounting_main_ended (RoastProcessAccounting *self, int wait_status);
/* The supervisor is gone without its last word: what is known is kept, and an event says so. */
void roast_process_accounting_abandon (RoastProcessAccounting *self, const char *message);

G_END_DECLS
