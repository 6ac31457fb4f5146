/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-plugin.h"

/* A call into plugin code. While the call runs, the names of the plugin and of the virtual method are in memory that a
 * parent process can read to explain a crash or a hang: see roast_plugin_watch_calls (). */
typedef struct
{
  char before[96];
} RoastPluginCall;

RoastPluginCall roast_plugin_call_begin (GObject *object, const char *slot);
RoastPluginCall roast_plugin_call_begin_named (const char *plugin, const char *slot);
void roast_plugin_call_end (RoastPluginCall *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RoastPluginCall, roast_plugin_call_end)

/* Runs a statement that calls code of the plugin that created @object. */
#define ROAST_IN_PLUGIN(object, slot, statement)                                                                       \
  G_STMT_START                                                                                                         \
  {                                                                                                                    \
    G_GNUC_UNUSED g_auto (RoastPluginCall) plugin_call = roast_plugin_call_begin (G_OBJECT (object), slot);            \
                                                                                                                       \
    statement;                                                                                                         \
  }                                                                                                                    \
  G_STMT_END

/* Makes the return value and the error of a virtual method consistent. Creates an error if the implementation failed
 * without an error, and drops an error that was set on success. Takes ownership of @local. Returns @ok. */
gboolean roast_plugin_call_settle (GObject *object, gboolean ok, GError *local, const char *slot, GQuark domain,
                                   int bad_implementation, GError **error);
/* Handles options for an implementation that has no options. Returns FALSE with an error if @options is not empty. */
gboolean roast_plugin_call_refuse_options (GObject *object, GVariant *options, GError **error);
/* Prepares options to be passed to a virtual method. Sinks a floating reference. NULL becomes an empty dictionary. */
GVariant *roast_plugin_call_take_options (GVariant *options);
