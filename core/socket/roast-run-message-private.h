/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <json-glib/json-glib.h>

#include "roast-run-table-private.h"

/* A type of messages. Messages are rows written differently: their members are columns of a table, times are in
 * seconds. */
typedef struct _RoastRunMessage RoastRunMessage;

/* NULL if there is no such type. */
const RoastRunMessage *roast_run_message_find (const char *type);
const char *roast_run_message_get_table (const RoastRunMessage *self);
/* Adds names of members that are not columns to @unknown; they belong to @object. */
gboolean roast_run_message_add (const RoastRunMessage *self, JsonObject *object, RoastRunTable *table,
                                GPtrArray *unknown, GError **error);
