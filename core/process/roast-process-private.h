/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-supervisor-wire.h"
#include "roast/roast-process.h"

/* A process, or with id 0 the sum of several. */
RoastProcess *roast_process_new (guint64 id, guint64 parent_id, const char *command);
/* The process was seen for the first time, or has a new name after an exec. */
void roast_process_set_start (RoastProcess *self, const RoastWireProcess *record, const char *command_line);
void roast_process_set_sample (RoastProcess *self, const RoastWireSample *sample);
void roast_process_set_end (RoastProcess *self, const RoastWireProcessEnd *end);
/* Adds what another process used. */
gboolean roast_process_is_final (RoastProcess *self);
void roast_process_add (RoastProcess *self, RoastProcess *other);
/* The id, at an address that lives as long as the process: a key for tables. */
const guint64 *roast_process_peek_key (RoastProcess *self);
