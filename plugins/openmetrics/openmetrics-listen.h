/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What the exporter and its module that listens agree on. The module exports the symbol below. */

#define OPEN_METRICS_LISTEN_SYMBOL "roast_openmetrics_listen"

typedef struct
{
  /* Both are of one version of roast, or the module is refused. */
  const char *version;
  /* Serves what set_text () gave last, in the default main context. @token: NULL if anyone may read it. */
  gpointer (*begin) (GSocketAddress *address, const char *token, GError **error);
  void (*set_text) (gpointer listener, const char *text);
  void (*end) (gpointer listener);
} OpenMetricsListen;

G_END_DECLS
