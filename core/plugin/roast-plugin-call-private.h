/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-plugin.h"

G_BEGIN_DECLS

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

/* Until the end of the block. */
#define ROAST_IN_PLUGIN(object, slot)                                                                                  \
  G_GNUC_UNUSED g_auto (RoastPluginCall) plugin_call = roast_plugin_call_begin (G_OBJECT (object), slot)

G_END_DECLS
