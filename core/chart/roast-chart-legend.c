/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-chart-legend-private.h"

#include "roast-scene-text-private.h"

#define SIZE ROAST_CHART_LABEL_SIZE
#define ROW 18.0
#define LEGEND_MAX_ROWS 3
#define SWATCH 18.0
#define LEGEND_GAP 5.0
#define BETWEEN 16.0
#define LEGEND_MAX_NAME 280.0
#define MOST_BESIDE 3 /* names are shortened only until this many names fit into a row */

typedef struct
{
  RoastChartSwatch swatch;
  RoastChartLook look;
  char *name; /* name of the entry, which may be shortened */
  double width;
} LegendEntry;

static void
clear_entry (gpointer data)
{
  LegendEntry *entry = data;

  g_free (entry->look.name);
  g_free (entry->name);
}

static void
fit_entry (LegendEntry *entry, double width)
{
  g_free (entry->name);
  entry->name = roast_scene_text_fit (entry->look.name, SIZE, width);
  entry->width = SWATCH + LEGEND_GAP + roast_scene_measure_text (entry->name, SIZE);
}

GArray *
roast_chart_legend_new (void)
{
  GArray *self = g_array_new (FALSE, FALSE, sizeof (LegendEntry));

  g_array_set_clear_func (self, clear_entry);

  return self;
}

void
roast_chart_legend_add (GArray *self, RoastChartSwatch swatch, const RoastChartLook *look)
{
  LegendEntry entry = { .swatch = swatch, .look = *look };

  entry.look.name = g_strdup (look->name);
  fit_entry (&entry, LEGEND_MAX_NAME);
  g_array_append_val (self, entry);
}

static void
draw_entry (RoastScene *scene, const LegendEntry *entry, double x, double y)
{
  double middle = y + ROW / 2;
  const double line[] = { x, middle, x + SWATCH, middle };
  const double area[] = { x + 2, middle - 5.5, 11, 11 };
  const double dot[] = { x + SWATCH / 2, middle };

  switch (entry->swatch)
    {
    case ROAST_CHART_SWATCH_AREA:
      roast_scene_add_rectangles (scene, entry->look.role, entry->look.palette, area, G_N_ELEMENTS (area));
      break;
    case ROAST_CHART_SWATCH_DOT:
      roast_scene_add_circles (scene, entry->look.role, entry->look.palette, dot, G_N_ELEMENTS (dot), 3.5);
      break;
    case ROAST_CHART_SWATCH_LINE:
    default:
      roast_scene_add_polyline (scene, entry->look.role, entry->look.palette, line, G_N_ELEMENTS (line), 2,
                                entry->look.dash);
      break;
    }
  roast_scene_add_text (scene, ROAST_SCENE_ROLE_LABEL,
                        x + (entry->swatch == ROAST_CHART_SWATCH_AREA ? 13 : SWATCH) + LEGEND_GAP, middle + SIZE * 0.36,
                        entry->name, ROAST_SCENE_ANCHOR_START, SIZE, 0);
}

/* Return the width to reserve for a text such as "and 14 more"; 0 if @n is 0. */
static double
measure_more (guint n)
{
  return n == 0 ? 0 : roast_scene_measure_text ("and 00000 more", SIZE);
}

/* Return how many entries fit into a row that begins with entry @first. */
static guint
count_in_row (GArray *self, guint first, double width, gboolean is_last)
{
  double used = 0;
  guint n = 0;

  for (guint i = first; i < self->len; i++)
    {
      const LegendEntry *entry = &g_array_index (self, LegendEntry, i);
      double more = is_last ? measure_more (self->len - i - 1) : 0;

      used += entry->width;
      if (used + (more > 0 ? BETWEEN + more : 0) > width && (n > 0 || more > 0))
        break;
      used += BETWEEN;
      n++;
    }

  return n;
}

static gboolean
legend_has_room (GArray *self, double width)
{
  guint n = 0;

  for (guint row = 0; row < LEGEND_MAX_ROWS && n < self->len; row++)
    n += count_in_row (self, n, width, row == LEGEND_MAX_ROWS - 1);

  return n >= self->len;
}

/* If not all entries fit, shorten names until two or three entries fit into each row, because shortened names are
 * better than missing names. */
static void
shorten_names (GArray *self, double width)
{
  for (guint n = 2; n <= MOST_BESIDE && !legend_has_room (self, width); n++)
    for (guint i = 0; i < self->len; i++)
      fit_entry (&g_array_index (self, LegendEntry, i), (width - (n - 1) * BETWEEN) / n - SWATCH - LEGEND_GAP);
}

double
roast_chart_legend_draw (GArray *self, RoastScene *scene, double x, double y, double width)
{
  guint drawn = 0;
  guint row = 0;

  shorten_names (self, width);
  for (; drawn < self->len && row < LEGEND_MAX_ROWS; row++)
    {
      guint n = count_in_row (self, drawn, width, row == LEGEND_MAX_ROWS - 1);
      double at = x;

      for (guint i = 0; i < n; i++)
        {
          const LegendEntry *entry = &g_array_index (self, LegendEntry, drawn + i);

          draw_entry (scene, entry, at, y + row * ROW);
          at += entry->width + BETWEEN;
        }
      drawn += n;
      if (row == LEGEND_MAX_ROWS - 1 && drawn < self->len)
        {
          g_autofree char *more = g_strdup_printf ("and %u more", self->len - drawn);

          roast_scene_add_text (scene, ROAST_SCENE_ROLE_NOTE, at, y + row * ROW + ROW / 2 + SIZE * 0.36, more,
                                ROAST_SCENE_ANCHOR_START, SIZE, 0);
        }
    }

  return row * ROW;
}
