/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-chart-rows-private.h"
#include "roast-chart-scale-private.h"
#include "roast/roast-scene.h"

G_BEGIN_DECLS

typedef enum
{
  ROAST_CHART_SWATCH_LINE,
  ROAST_CHART_SWATCH_AREA,
  ROAST_CHART_SWATCH_DOT,
} RoastChartSwatch;

/* How a series is drawn. */
typedef struct
{
  char *name;
  RoastSceneRole role;
  guint palette;
  RoastSceneDash dash;
  gboolean is_step;  /* a point holds until the next point */
  gboolean is_right; /* drawn on the right axis */
} RoastChartLook;

/* Everything around the data: title, legend, axes, grid, guides and notes. Callers first state what needs room. Then
 * begin () places the box of the data and draws what is below the data, and end () draws what is above it. */
typedef struct
{
  RoastScene *scene;
  double width, height;
  double left, top, right, bottom; /* the box of the data */

  RoastChartScale x, y, y2;
  gboolean has_y, has_y2; /* the axis has numbers; otherwise it has names, which the caller draws */
  gboolean vertical_grid;
  gboolean has_guides_x; /* there are vertical lines, whose labels get a row above the box, where they hide no data */
  double names_width;    /* room for names at the left */
  char *x_label, *y_label, *y2_label; /* without units */
  char *note;                         /* or NULL */

  GArray *legend; /* of LegendEntry */
  GArray *taken;  /* of double[4]: boxes of texts drawn within the box of the data */
} RoastChartFrame;

void roast_chart_frame_init (RoastChartFrame *self, RoastChartInfo *chart, double width, double height);
void roast_chart_frame_clear (RoastChartFrame *self);
/* Add a note, joined to earlier notes. Take ownership of @note; NULL adds nothing. */
void roast_chart_frame_add_note (RoastChartFrame *self, char *note);
/* Reserve room for a name at the left, up to @most px. */
void roast_chart_frame_measure_name (RoastChartFrame *self, const char *name, double most);
void roast_chart_frame_begin (RoastChartFrame *self);
/* Draw a name at the left, centred vertically on @middle. */
void roast_chart_frame_draw_name (RoastChartFrame *self, RoastSceneRole role, double middle, const char *name);
void roast_chart_frame_end (RoastChartFrame *self);

/* Draw a horizontal line at y, with a label if there is room for it. */
void roast_chart_frame_add_guide_y (RoastChartFrame *self, double y, const char *label);
/* Draw a vertical line at x. */
void roast_chart_frame_add_line_x (RoastChartFrame *self, double x, const char *name);
void roast_chart_frame_add_guide_x (RoastChartFrame *self, double x, const char *label, gboolean left);
/* Draw any line, given in px. Its label is placed near its last point. */
void roast_chart_frame_add_guide (RoastChartFrame *self, const double *xy, guint n_xy, const char *label);

G_END_DECLS
