/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "openmetrics-listen.h"

G_BEGIN_DECLS

/* Write or serve the metrics while the run goes on. */
typedef struct
{
  gint64 every;           /* s */
  GSocketAddress *listen; /* NULL: it writes */
  char *name;             /* of that address */
  char *token;            /* that requests must have, or NULL */
  gboolean is_asked;      /* to be live */
  const OpenMetricsListen *functions;
  gpointer listener; /* NULL until it listens */
} OpenMetricsLive;

gboolean open_metrics_live_configure (OpenMetricsLive *self, GVariant *options, GError **error);
/* The time between two reports, µs; 0 if the options do not ask for more than one. */
gint64 open_metrics_live_begin (OpenMetricsLive *self);
gboolean open_metrics_live_is_asked (const OpenMetricsLive *self);
/* Begins to listen the first time. Of a run that has ended nothing is served. */
gboolean open_metrics_live_serve (OpenMetricsLive *self, const char *text, GError **error);
void open_metrics_live_clear (OpenMetricsLive *self);

G_END_DECLS
