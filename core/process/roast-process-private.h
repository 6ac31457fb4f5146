/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-supervisor-wire.h"
#include "roast/roast-process.h"

/* Creates a process. An object with id 0 is a sum of several processes. */
RoastProcess *roast_process_new (guint64 id, guint64 parent_id, const char *command);
/* Sets the start and the name of a process. Called when the process is seen for the first time, and when its name has
 * changed by an exec. */
void roast_process_set_start (RoastProcess *self, const RoastWireProcess *record, const char *command_line);
void roast_process_set_sample (RoastProcess *self, const RoastWireSample *sample);
void roast_process_set_end (RoastProcess *self, const RoastWireProcessEnd *end);
/* Returns whether the kernel's final numbers of the process are known, and are in its row or in a sum. */
gboolean roast_process_is_final (RoastProcess *self);
void roast_process_add (RoastProcess *self, RoastProcess *other);
/* Returns the address of the process's id, to be used as a key of hash tables. The address is valid as long as the
 * process. */
const guint64 *roast_process_peek_key (RoastProcess *self);
