/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

/* Interface between the exporter and its HTTP server, a separate module. The module exports an OpenMetricsListen under
 * this name. */

#define OPEN_METRICS_LISTEN_SYMBOL "roast_openmetrics_listen"

typedef struct
{
  /* Version of roast. The exporter refuses a module of another version. */
  const char *version;
  /* Begins to listen at @address. The server runs in the default main context, and serves the text of the latest
   * set_text (). Requests must have @token; NULL allows all requests. */
  gpointer (*begin) (GSocketAddress *address, const char *token, GError **error);
  void (*set_text) (gpointer listener, const char *text);
  void (*end) (gpointer listener);
} OpenMetricsListen;
