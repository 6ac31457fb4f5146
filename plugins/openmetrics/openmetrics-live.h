/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "openmetrics-listen.h"

G_BEGIN_DECLS

/* State for writing or serving metrics during the run. */
typedef struct
{
  gint64 every;           /* s */
  GSocketAddress *listen; /* NULL: write files */
  char *name;             /* name of the address, as given */
  char *token;            /* token that requests must have, or NULL */
  gboolean is_asked;      /* updates during the run are requested */
  const OpenMetricsListen *functions;
  gpointer listener; /* NULL until listening begins */
} OpenMetricsLive;

gboolean open_metrics_live_configure (OpenMetricsLive *self, GVariant *options, GError **error);
/* Returns the time between two reports in µs; 0 if the options request only one report. */
gint64 open_metrics_live_begin (OpenMetricsLive *self);
gboolean open_metrics_live_is_asked (const OpenMetricsLive *self);
/* Serves @text; the first call begins to listen. Does nothing unless updates during the run are requested. */
gboolean open_metrics_live_serve (OpenMetricsLive *self, const char *text, GError **error);
void open_metrics_live_clear (OpenMetricsLive *self);

G_END_DECLS
