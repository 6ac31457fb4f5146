/* SPDX-License-Identifier: BSD-3-Clause */

#include "plots-figures.h"

/* Charts that correspond to figures in the notebook for the 200 Gbps challenge of IRIS-HEP. */
static const char *const figures_200gbps[] = { "data_rate", "event_rate", "chunk_times", "file_time_by_events", NULL };

static void
figure_free (PlotsFigure *self)
{
  g_object_unref (self->chart);
  g_free (self->reason);
  g_strfreev (self->lines);
  g_free (self);
}

static PlotsFigure *
plots_figures_add (GPtrArray *figures, RoastChartInfo *chart)
{
  PlotsFigure *self = g_new0 (PlotsFigure, 1);

  self->chart = g_object_ref (chart);
  g_ptr_array_add (figures, self);

  return self;
}

static PlotsFigure *
find (GPtrArray *figures, const char *name)
{
  FOR_EACH_POINTER (PlotsFigure, figure, figures)
    if (g_str_equal (roast_chart_info_get_name (figure->chart), name))
      return figure;

  return NULL;
}

static void
set_unknown (const char *name, gboolean is_set, GError **error)
{
  if (is_set)
    g_set_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                 "option figures: no plugin in use declares the chart “%s”. Is the plugin “workload” left out?", name);
  else
    g_set_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                 "option charts: there is no chart “%s”; “roast-inspect --charts” lists the charts. Separate names by "
                 "“;”, and quote the option in a shell",
                 name);
}

static gboolean
ask_for (GPtrArray *figures, const char *const *names, gboolean is_set, GError **error)
{
  for (guint i = 0; names[i] != NULL; i++)
    {
      PlotsFigure *figure = find (figures, names[i]);

      if (figure == NULL)
        {
          set_unknown (names[i], is_set, error);
          return FALSE;
        }
      figure->asked = TRUE;
    }

  return TRUE;
}

/* Split a list of names at “;”. Empty names are skipped, so “a; b;” contains two names. */
static char **
split (const char *charts)
{
  g_auto (GStrv) parts = g_strsplit (charts, ";", -1);
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; parts[i] != NULL; i++)
    if (*g_strstrip (parts[i]) != '\0')
      g_ptr_array_add (names, g_strdup (parts[i]));
  g_ptr_array_add (names, NULL);

  return (char **) g_ptr_array_free (names, FALSE);
}

static gboolean
is_all (const PlotsChoice *choice)
{
  return g_strcmp0 (choice->charts, "all") == 0;
}

static gboolean
choose (const PlotsChoice *choice, GPtrArray *figures, GError **error)
{
  g_auto (GStrv) names = NULL;

  if (choice->is_200gbps)
    return ask_for (figures, figures_200gbps, TRUE, error);
  if (choice->charts == NULL || is_all (choice))
    return TRUE;
  names = split (choice->charts);

  return ask_for (figures, (const char *const *) names, FALSE, error);
}

/* Return the reason why the chart is not worth drawing; NULL if it is worth drawing. */
static char *
find_reason (const PlotsFigure *figure, RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (RoastScene) scene = NULL;
  g_autoptr (GError) local = NULL;

  if (roast_chart_is_worth (figure->chart, recording, report))
    return NULL;
  /* Draw the chart only to get the error message. The size does not matter, because the picture is not used. */
  scene = roast_chart_draw (figure->chart, recording, report, 100, 100, &local);

  return g_strdup (scene == NULL ? local->message : "the data are too few for a useful chart");
}

static void
keep_asked (GPtrArray *figures)
{
  for (guint i = figures->len; i > 0; i--)
    if (!((const PlotsFigure *) g_ptr_array_index (figures, i - 1))->asked)
      g_ptr_array_remove_index (figures, i - 1);
}

GPtrArray *
plots_figures_list (const PlotsChoice *choice, RoastRecordingSnapshot *recording, RoastReport *report, GError **error)
{
  g_autoptr (GPtrArray) charts = roast_report_list_charts (report, recording);
  g_autoptr (GPtrArray) figures = g_ptr_array_new_with_free_func ((GDestroyNotify) figure_free);

  for (guint i = 0; i < charts->len; i++)
    plots_figures_add (figures, g_ptr_array_index (charts, i));
  if (!choose (choice, figures, error))
    return NULL;
  if (choice->is_200gbps || (choice->charts != NULL && !is_all (choice)))
    keep_asked (figures);
  FOR_EACH_POINTER (PlotsFigure, figure, figures)
    {
      figure->is_detail = !figure->asked && !is_all (choice) && roast_chart_info_get_show_detail (figure->chart);
      if (!figure->asked && !figure->is_detail && !is_all (choice))
        figure->reason = find_reason (figure, recording, report);
      if (choice->is_200gbps && g_str_equal (roast_chart_info_get_name (figure->chart), figures_200gbps[0]))
        figure->lines = plots_rate_dup_lines (report);
    }

  return g_steal_pointer (&figures);
}
