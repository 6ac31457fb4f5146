/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-process-observer.h"

/* Writes the supervisor's reports into the tables `sources`, `processes` and `events` and into the metadata. These
 * numbers of the process tree do not depend on backends. */

#define ROAST_TYPE_PROCESS_ACCOUNTING (roast_process_accounting_get_type ())

G_DECLARE_FINAL_TYPE (RoastProcessAccounting, roast_process_accounting, ROAST, PROCESS_ACCOUNTING, GObject)

RoastProcessAccounting *roast_process_accounting_new (RoastRecording *recording, gboolean attached);
/* The first function sets the process id of the main process. The second function records that the main process has
 * ended. */
void roast_process_accounting_set_pid (RoastProcessAccounting *self, int pid);
void roast_process_accounting_main_ended (RoastProcessAccounting *self, int wait_status);
/* Handles the loss of the supervisor: keeps the data that it has reported, and adds an event. */
void roast_process_accounting_abandon (RoastProcessAccounting *self, const char *message);
