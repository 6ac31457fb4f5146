/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Interface between the exporter and its listening module. The module exports the symbol below. */

#define OPEN_METRICS_LISTEN_SYMBOL "roast_openmetrics_listen"

typedef struct
{
  /* Version of roast. The exporter refuses a module of another version. */
  const char *version;
  /* Begins to serve the latest text of set_text () in the default main context. @token may be NULL: none required. */
  gpointer (*begin) (GSocketAddress *address, const char *token, GError **error);
  void (*set_text) (gpointer listener, const char *text);
  void (*end) (gpointer listener);
} OpenMetricsListen;

G_END_DECLS
