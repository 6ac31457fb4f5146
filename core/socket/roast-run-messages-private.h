/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <json-glib/json-glib.h>

#include "roast-run-table-private.h"

G_BEGIN_DECLS

/* Messages are rows under other names: their members go to columns of a table, times in seconds instead of
 * microseconds. */
typedef struct _RoastRunMessage RoastRunMessage;

/* A type of messages, or NULL. */
const RoastRunMessage *roast_run_message_find (const char *type);
/* The table that such messages go to. */
RoastRunTable *roast_run_message_open_table (const RoastRunMessage *self, RoastRecording *recording, const char *source,
                                             gint64 pid, GError **error);
gboolean roast_run_message_add (const RoastRunMessage *self, JsonObject *object, RoastRunTable *table, GError **error);
/* Whether such messages have that member. */
gboolean roast_run_message_has_member (const RoastRunMessage *self, const char *name);

G_END_DECLS
