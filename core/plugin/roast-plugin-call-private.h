/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-plugin.h"

/* While code of a plugin runs, its name and that of the slot are kept for a process that may have to explain what
 * happened: see roast_plugin_watch_calls (). */
typedef struct
{
  char before[96];
} RoastPluginCall;

RoastPluginCall roast_plugin_call_begin (GObject *object, const char *slot);
RoastPluginCall roast_plugin_call_begin_named (const char *plugin, const char *slot);
void roast_plugin_call_end (RoastPluginCall *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RoastPluginCall, roast_plugin_call_end)

/* Runs a statement that calls code of the plugin that made @object. */
#define ROAST_IN_PLUGIN(object, slot, statement)                                                                       \
  G_STMT_START                                                                                                         \
  {                                                                                                                    \
    G_GNUC_UNUSED g_auto (RoastPluginCall) plugin_call = roast_plugin_call_begin (G_OBJECT (object), slot);            \
                                                                                                                       \
    statement;                                                                                                         \
  }                                                                                                                    \
  G_STMT_END

/* The outcome of a slot that takes a GError; takes @local. Makes an error where an implementation forgot it, and drops
 * one that came with success. */
gboolean roast_plugin_call_settle (GObject *object, gboolean ok, GError *local, const char *slot, GQuark domain,
                                   int bad_implementation, GError **error);
/* For an implementation that has no options: FALSE if it is given any. */
gboolean roast_plugin_call_refuse_options (GObject *object, GVariant *options, GError **error);
/* The options that a slot gets; takes a floating reference. */
GVariant *roast_plugin_call_take_options (GVariant *options);
