/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Interface between the exporter and its module for PNG and PDF. The module exports the symbol below. */

#define PLOTS_CAIRO_SYMBOL "roast_plots_cairo"

typedef enum
{
  PLOTS_SVG,
  PLOTS_PNG,
  PLOTS_PDF,
} PlotsFormat;

typedef struct
{
  PlotsFormat format;
  RoastTheme theme;
  double dpi;          /* for PNG */
  const char *created; /* for PDF: ISO 8601, or NULL */
} PlotsLook;

typedef struct
{
  /* Version of roast. The exporter refuses a module of another version. */
  const char *version;
  gboolean (*write) (RoastScene *scene, const PlotsLook *look, GOutputStream *stream, GCancellable *cancellable,
                     GError **error);
} PlotsCairo;
