/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "openmetrics-listen.h"

/* State for writing or serving metrics during the run. */
typedef struct
{
  gint64 every;           /* s; time between two updates during the run; 0 if the option is not set */
  GSocketAddress *listen; /* address at which roast listens; NULL if it writes files instead */
  char *name;             /* the address as given in the option listen */
  char *token;            /* token that requests must contain; NULL if all requests are allowed */
  gboolean is_asked;      /* TRUE if the user requested updates during the run */
  const OpenMetricsListen *functions;
  gpointer listener; /* NULL until the server starts */
} OpenMetricsLive;

gboolean open_metrics_live_configure (OpenMetricsLive *self, GVariant *options, GError **error);
/* Returns the time between two reports in µs; 0 if only one report was requested. */
gint64 open_metrics_live_begin (OpenMetricsLive *self);
/* Makes the server answer requests with @text. The first call starts the server. Does nothing unless updates during the
 * run are requested. */
gboolean open_metrics_live_serve (OpenMetricsLive *self, const char *text, GError **error);
void open_metrics_live_clear (OpenMetricsLive *self);
