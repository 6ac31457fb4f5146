/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib-object.h>

#include <roast/roast-wire-reader.h>

G_BEGIN_DECLS

#define ROAST_TYPE_RUN_CONNECTION (roast_run_connection_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastRunConnection, roast_run_connection, ROAST, RUN_CONNECTION, GObject)

ROAST_AVAILABLE_IN_0_9
RoastWireReader *roast_run_connection_get_reader (RoastRunConnection *self);
ROAST_AVAILABLE_IN_0_9
gboolean roast_run_connection_send (RoastRunConnection *self, const char *line, GError **error);

G_END_DECLS
