/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

/* Interface between the exporter and its HTTP server, a separate module. The module exports an OpenMetricsListen under
 * this name. */

#define OPEN_METRICS_LISTEN_SYMBOL "roast_openmetrics_listen"

typedef struct
{
  /* Version of roast. If the module has another version, the exporter refuses it. */
  const char *version;
  /* Begins to listen at @address. The server runs in the default main context. It answers with the text that was last
   * passed to set_text (). Requests must contain @token; if @token is NULL, all requests are allowed. */
  gpointer (*begin) (GSocketAddress *address, const char *token, GError **error);
  void (*set_text) (gpointer listener, const char *text);
  void (*end) (gpointer listener);
} OpenMetricsListen;
