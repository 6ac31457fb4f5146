/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <json-glib/json-glib.h>

#include "roast-run-table-private.h"

/* A type of message. A message is another notation for a row of a table: its members have the names of columns, but its
 * times are in seconds. */
typedef struct _RoastRunMessage RoastRunMessage;

/* Finds the type of message with a name. Returns NULL if there is no such type. */
const RoastRunMessage *roast_run_message_find (const char *type);
const char *roast_run_message_get_table (const RoastRunMessage *self);
/* Adds a message as rows of @table. Names of members that are not columns are added to @unknown; @object owns these
 * names. */
gboolean roast_run_message_add (const RoastRunMessage *self, JsonObject *object, RoastRunTable *table,
                                GPtrArray *unknown, GError **error);
