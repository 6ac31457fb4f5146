/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-chart-rows-private.h"
#include "roast-chart-scale-private.h"
#include "roast/roast-scene.h"

typedef enum
{
  ROAST_CHART_SWATCH_LINE,
  ROAST_CHART_SWATCH_AREA,
  ROAST_CHART_SWATCH_DOT,
} RoastChartSwatch;

/* The name, colour and line style of a series. */
typedef struct
{
  char *name;
  RoastSceneRole role;
  guint palette;
  RoastSceneDash dash;
  gboolean is_step;  /* TRUE if the line keeps the y of a point until the next point */
  gboolean is_right; /* TRUE if the series uses the right y axis */
} RoastChartLook;

/* Everything around the data: title, legend, axes, grid, guides and notes. Callers first set the labels, names and
 * notes that need room. Next, roast_chart_frame_begin () places the box of the data, and draws background and grid.
 * After the data have been drawn, roast_chart_frame_end () draws the axis lines on top of the data. */
typedef struct
{
  RoastScene *scene;
  double width, height;
  double left, top, right, bottom; /* the box of the data */

  RoastChartScale x, y, y2;
  gboolean has_y, has_y2; /* TRUE if the y axis, or the right y axis, has numbers. If has_y is FALSE, the caller draws
                             names at the left */
  gboolean vertical_grid;
  gboolean has_guides_x;              /* TRUE to reserve a row above the box for labels of vertical guides */
  double names_width;                 /* width reserved for names at the left, in px */
  char *x_label, *y_label, *y2_label; /* labels of the axes, without units */
  char *note;                         /* all notes, joined by semicolons; may be NULL */

  GArray *legend; /* entries of the legend, of LegendEntry */
  GArray *taken;  /* left, top, width and height of each guide label drawn so far, of double[4] */
} RoastChartFrame;

void roast_chart_frame_init (RoastChartFrame *self, RoastChartInfo *chart, double width, double height);
void roast_chart_frame_clear (RoastChartFrame *self);
/* Append a note to the notes below the title. Take ownership of @note; do nothing if it is NULL. */
void roast_chart_frame_add_note (RoastChartFrame *self, char *note);
/* Reserve room at the left for a name, but at most @most px. */
void roast_chart_frame_measure_name (RoastChartFrame *self, const char *name, double most);
void roast_chart_frame_begin (RoastChartFrame *self);
/* Draw a name at the left, centred vertically on @middle. */
void roast_chart_frame_draw_name (RoastChartFrame *self, RoastSceneRole role, double middle, const char *name);
void roast_chart_frame_end (RoastChartFrame *self);

/* Draw a horizontal line at y, with a label if there is room for the label. */
void roast_chart_frame_add_guide_y (RoastChartFrame *self, double y, const char *label);
/* Draw a vertical line at x. */
void roast_chart_frame_add_line_x (RoastChartFrame *self, double x, const char *name);
void roast_chart_frame_add_guide_x (RoastChartFrame *self, double x, const char *label, gboolean left);
/* Draw a guide through points, whose coordinates are in px. Its label is placed near the last point. */
void roast_chart_frame_add_guide (RoastChartFrame *self, const double *xy, guint n_xy, const char *label);
