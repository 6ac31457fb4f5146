/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* What the exporter and its module for PNG and PDF agree on. The module exports the symbol below. */

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
  double dpi;          /* of PNG */
  const char *created; /* of PDF: ISO 8601, or NULL */
} PlotsLook;

typedef struct
{
  /* Both are of one version of roast, or the module is refused. */
  const char *version;
  gboolean (*write) (RoastScene *scene, const PlotsLook *look, GOutputStream *stream, GCancellable *cancellable,
                     GError **error);
} PlotsCairo;
