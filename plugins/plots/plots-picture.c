/* SPDX-License-Identifier: BSD-3-Clause */

#include "plots-picture.h"

/* Sizes in px. They are the same as in core/chart/roast-chart-frame.c, so that these texts look like the texts of
 * charts. */
#define MARGIN 12.0
#define SIZE 11.0
#define TITLE_SIZE 14.0
#define BOLD 1.12
#define ROW 15.0

/* Wrap a text into lines of @width. A word that is wider than this gets its own line. */
static GPtrArray *
wrap (const char *text, double size, double width)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_auto (GStrv) words = g_strsplit (valid, " ", -1);
  g_autofree char *line = NULL;

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree char *longer = line != NULL ? g_strconcat (line, " ", words[i], NULL) : g_strdup (words[i]);

      if (line != NULL && roast_scene_measure_text (longer, size) > width)
        {
          g_ptr_array_add (lines, g_steal_pointer (&line));
          line = g_strdup (words[i]);
          continue;
        }
      g_free (line);
      line = g_steal_pointer (&longer);
    }
  if (line != NULL)
    g_ptr_array_add (lines, g_steal_pointer (&line));

  return lines;
}

static GPtrArray *
wrap_all (const char *const *lines, double width)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; lines[i] != NULL; i++)
    g_ptr_array_extend_and_steal (all, wrap (lines[i], SIZE, width - 2 * MARGIN));

  return all;
}

static double
get_height (const GPtrArray *lines)
{
  return lines->len > 0 ? lines->len * ROW + MARGIN / 2 : 0;
}

double
plots_picture_measure_lines (const char *const *lines, double width)
{
  g_autoptr (GPtrArray) wrapped = wrap_all (lines, width);

  return get_height (wrapped);
}

static void
add_background (RoastScene *scene)
{
  double all[] = { 0, 0, 0, 0 };

  roast_scene_get_size (scene, &all[2], &all[3]);
  roast_scene_add_rectangles (scene, ROAST_SCENE_ROLE_BACKGROUND, 0, all, G_N_ELEMENTS (all));
}

static void
copy_mark (const RoastSceneMark *mark, gpointer user_data)
{
  RoastScene *scene = user_data;

  roast_scene_set_name (scene, mark->name);
  switch (mark->kind)
    {
    case ROAST_SCENE_MARK_KIND_RECTANGLES:
      roast_scene_add_rectangles (scene, mark->role, mark->palette, mark->xy, mark->n_xy);
      break;
    case ROAST_SCENE_MARK_KIND_CIRCLES:
      roast_scene_add_circles (scene, mark->role, mark->palette, mark->xy, mark->n_xy, mark->radius);
      break;
    case ROAST_SCENE_MARK_KIND_TEXT:
      roast_scene_add_text (scene, mark->role, mark->xy[0], mark->xy[1], mark->text, mark->anchor, mark->size,
                            mark->rotate);
      break;
    case ROAST_SCENE_MARK_KIND_POLYLINE:
    default:
      if (mark->fill)
        roast_scene_add_polygon (scene, mark->role, mark->palette, mark->xy, mark->n_xy);
      else
        roast_scene_add_polyline (scene, mark->role, mark->palette, mark->xy, mark->n_xy, mark->width, mark->dash);
      break;
    }
}

RoastScene *
plots_picture_add_lines (RoastScene *picture, const char *const *lines)
{
  g_autoptr (GPtrArray) wrapped = NULL;
  RoastScene *scene = NULL;
  double width = 0;
  double height = 0;

  roast_scene_get_size (picture, &width, &height);
  wrapped = wrap_all (lines, width);
  scene = roast_scene_new (width, height + get_height (wrapped));
  roast_scene_set_title (scene, roast_scene_get_title (picture));
  roast_scene_set_description (scene, roast_scene_get_description (picture));
  add_background (scene);
  roast_scene_visit (picture, copy_mark, scene);
  roast_scene_set_name (scene, NULL);
  for (guint i = 0; i < wrapped->len; i++)
    roast_scene_add_text (scene, ROAST_SCENE_ROLE_LABEL, MARGIN, height + i * ROW + SIZE - 2, wrapped->pdata[i],
                          ROAST_SCENE_ANCHOR_START, SIZE, 0);

  return scene;
}

RoastScene *
plots_picture_new_reason (RoastChartInfo *chart, const char *reason, double width, double height)
{
  RoastScene *scene = roast_scene_new (width, height);
  g_autofree char *text = g_strdup_printf ("Not available: %s", reason);
  g_autoptr (GPtrArray) title = wrap (roast_chart_info_get_title (chart), TITLE_SIZE * BOLD, width - 2 * MARGIN);
  g_autoptr (GPtrArray) lines = wrap (text, SIZE, width - 2 * MARGIN);
  double y = MARGIN + TITLE_SIZE - 3;

  roast_scene_set_title (scene, roast_chart_info_get_title (chart));
  roast_scene_set_description (scene, text);
  add_background (scene);
  for (guint i = 0; i < title->len; i++, y += TITLE_SIZE + 4)
    roast_scene_add_text (scene, ROAST_SCENE_ROLE_TITLE, MARGIN, y, title->pdata[i], ROAST_SCENE_ANCHOR_START,
                          TITLE_SIZE, 0);
  y += 4;
  for (guint i = 0; i < lines->len; i++, y += ROW)
    roast_scene_add_text (scene, ROAST_SCENE_ROLE_NOTE, MARGIN, y, lines->pdata[i], ROAST_SCENE_ANCHOR_START, SIZE, 0);

  return scene;
}
