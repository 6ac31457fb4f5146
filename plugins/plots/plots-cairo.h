/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Interface between the exporter and its module for PNG and PDF. The module exports a PlotsCairo with this name. */

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
  double dpi;          /* resolution of a PNG */
  const char *created; /* creation date of a PDF, in ISO 8601; NULL to write none */
} PlotsLook;

typedef struct
{
  /* Version of roast. If the module has another version, the exporter refuses it. */
  const char *version;
  gboolean (*write) (RoastScene *scene, const PlotsLook *look, GOutputStream *stream, GCancellable *cancellable,
                     GError **error);
} PlotsCairo;
