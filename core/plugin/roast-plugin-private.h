/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-plugin.h"

G_BEGIN_DECLS

/* From now on @self is broken: takes @error, to which its path is put before. The first error stays. */
void roast_plugin_take_error (RoastPlugin *self, GError *error);

/* Remembers which plugin made @object, and returns its name; NULL of an object that no registry made. */
void roast_plugin_mark (RoastPlugin *self, GObject *object);
const char *roast_plugin_name_maker (GObject *object);

RoastPluginOption *roast_plugin_find_option (RoastPlugin *self, RoastRole role, const char *name, const char *option);

G_END_DECLS
