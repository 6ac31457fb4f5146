/* SPDX-License-Identifier: BSD-3-Clause */

/* Draws the screen: three lines about the current state, one part of the report, and a line of keys. */

#include "top.h"

#include <string.h>

#include "harmless.h"
#include "text-width.h"

#define REVERSED "\033[7m"
#define PLAIN "\033[0m"

/* The views. Each view shows one part of the report, in the same form as the exporter “table” writes it. */
static const struct
{
  const char *name, *sections;
} views[] = {
  { "now", "outcome+core_time+findings+timeline+per_category" },
  { "workers", "per_worker" }, /* while the run goes on, this view shows a grid instead */
  { "tasks", "per_category+task_outcomes+distributions" },
  { "longest", "costliest" },
  { "hosts", NULL },
  { "processes", "per_command+processes" },
  { "events", "events+missing" },
  { "workers", "per_worker" },
  { "keys", NULL },
  { "details", NULL },
};

const char *
top_get_cut (void)
{
  return g_get_charset (NULL) ? "…" : ">";
}

char *
top_fit (const char *text, int width)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *line = g_string_new (NULL);
  gsize left = (gsize) MAX (width, 0);
  gsize uncut = 0; /* length of the line at which the sign of a cut has room */

  for (const char *c = valid; *c != '\0'; c = g_utf8_next_char (c))
    {
      gunichar given = g_utf8_get_char (c);
      gunichar character = is_harmless (given) ? given : ' ';

      if (text_char_width (character) > left)
        {
          g_string_truncate (line, uncut);
          g_string_append (line, top_get_cut ());
          break;
        }
      left -= text_char_width (character);
      g_string_append_unichar (line, character);
      uncut = left > 0 ? line->len : uncut;
    }

  return g_string_free (line, FALSE);
}

char *
top_view_strip (const char *line)
{
  GString *text = g_string_new (NULL);

  for (const char *c = line; *c != '\0'; c++)
    if (*c != '\033')
      g_string_append_c (text, *c);
    else
      c += strcspn (c, "m") - (strchr (c, 'm') == NULL);

  return g_string_free (text, FALSE);
}

char *
top_view_select (const char *line, int width)
{
  g_autofree char *text = top_view_strip (line);
  g_autofree char *padded = top_pad (text, width);

  return g_strconcat (REVERSED, padded, PLAIN, NULL);
}

/* Cuts a line to the width. Color sequences in the line do not count, because they take no width. */
static char *
fit_line (const char *line, int width)
{
  const char *end = line;
  gsize used = 0;

  for (; *end != '\0'; end = *end == '\033' ? end + strcspn (end, "m") + 1 : g_utf8_next_char (end))
    {
      used += *end == '\033' ? 0 : text_char_width (g_utf8_get_char (end));
      if (used > (gsize) width)
        break;
    }
  if (*end == '\0')
    return g_strdup (line);

  return g_strdup_printf ("%.*s%s", (int) (end - line), line, strchr (line, '\033') != NULL ? PLAIN : "");
}

static char *
make_title (const TopLook *look, const char *note, int view, int width)
{
  g_autofree char *command = roast_run_file_dup_meta (look->run->file, "command");
  g_autofree char *state = top_describe_state (look);
  gboolean has_command = command != NULL && *command != '\0'; /* FALSE if the run was made from logs */
  g_autofree char *text =
      g_strconcat (state, note, " · ", views[view - 1].name, has_command ? " · " : "", command, NULL);

  return top_fit (text, width);
}

/* Appends a part of the report. Leaves out its first lines, which repeat the title. */
static void
append_report (TopLook *look, int view, int width, int height, gboolean color, GPtrArray *lines)
{
  GVariantDict options;
  g_autoptr (GVariant) values = NULL;
  g_autoptr (RoastExporter) table = NULL;
  g_autoptr (RoastOutput) output = roast_output_new_for_memory ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) parts = NULL;
  g_autofree char *text = NULL;
  guint skipped = 0;
  gboolean is_empty = TRUE;

  g_variant_dict_init (&options, NULL);
  g_variant_dict_insert (&options, "color", "s", color ? "always" : "never");
  g_variant_dict_insert (&options, "sections", "s", views[view - 1].sections);
  g_variant_dict_insert (&options, "width", "x", (gint64) width);
  g_variant_dict_insert (&options, "rows", "x", (gint64) height);
  values = g_variant_ref_sink (g_variant_dict_end (&options));
  table = roast_registry_create_exporter (look->registry, "table", values, &error);
  if (table == NULL || !roast_exporter_export_report (table, look->snapshot, look->report, output, NULL, &error) ||
      !roast_output_commit (output, &error))
    {
      g_ptr_array_add (lines, top_fit (error->message, width));
      return;
    }
  bytes = roast_output_dup_bytes (output, "report.txt");
  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  parts = g_strsplit (text, "\n", -1);
  while (parts[skipped] != NULL && *parts[skipped] != '\0')
    skipped++;
  for (char **line = parts + skipped; *line != NULL; line++)
    {
      is_empty = is_empty && **line == '\0';
      g_ptr_array_add (lines, fit_line (*line, width));
    }
  if (is_empty)
    g_ptr_array_add (lines, top_fit ("This run has nothing to show here.", width));
}

static void
append_keys (int width, GPtrArray *lines)
{
  static const char *const keys[] = {
    "",
    "1 … 7          choose a view",
    "Up, Down       select a line; also k and j",
    "PgUp, PgDn     move half a page",
    "Enter          open the selected line: what is known about its worker, category,",
    "               task, host or process; Escape goes back. In view 2: list the workers",
    "/              show only lines with a text; Escape shows all lines again",
    "",
    "Left, Right    replay: step 1 % of the run back or forward, at least 0.1 s",
    "< >            step 10 %; also Shift with Left and Right",
    "Home, End      go to the start of the run, or to its present end",
    "space          pause, or play from the shown time",
    "+ -            play twice as fast, or half as fast",
    "",
    "?              show or leave this help",
    "Ctrl-Z         suspend",
    "q              quit",
  };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    g_ptr_array_add (lines, top_fit (keys[i], width));
}

static void
append_view (TopLook *look, int view, int width, int height, gboolean color, GPtrArray *lines)
{
  if (view == TOP_VIEW_KEYS)
    append_keys (width, lines);
  else if (view == TOP_VIEW_DETAILS)
    top_details_append (look, look->opened, width, lines);
  else if (view == TOP_VIEW_HOSTS)
    top_workers_append_hosts (look, width, lines);
  else if (view == TOP_VIEW_TASKS && top_tasks_append_categories (look, width, lines))
    append_report (look, view, width, height, color, lines);
  else if (view == TOP_VIEW_LONGEST && top_tasks_append_longest (look, width, height, lines))
    append_report (look, view, width, height, color, lines);
  else if ((view != TOP_VIEW_WORKERS || !top_workers_append_grid (look, width, color, lines)) &&
           (view != TOP_VIEW_PROCESSES || !top_processes_append (look, width, lines)))
    append_report (look, view, width, height, color, lines);
}

int
top_view_find (const char *name)
{
  for (int i = 0; i < TOP_N_VIEWS; i++)
    if (g_str_equal (name, views[i].name) || (name[0] == '1' + i && name[1] == '\0'))
      return i + 1;

  return 0;
}

char *
top_view_make_keys (int view, const char *filter, int width)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (filter != NULL)
    {
      g_string_printf (text, "/%s   only lines with this text; Escape shows all", filter);
      return top_fit (text->str, width);
    }

  for (int i = 1; i <= TOP_N_VIEWS; i++)
    g_string_append_printf (text, i == view ? "[%d %s]" : " %d %s ", i, views[i - 1].name);
  g_string_append (text, " ?keys q");

  return top_fit (text->str, width);
}

char **
top_view_draw (TopLook *look, TopMinute *minute, const char *note, int view, int width, int height, gboolean color)
{
  GPtrArray *lines = g_ptr_array_new ();
  g_autofree char *progress = top_describe_progress (look);
  g_autofree char *lately = top_minute_describe (minute, look);
  g_autofree char *title = make_title (look, note, view, width);

  g_ptr_array_add (lines, color ? g_strconcat (REVERSED, title, PLAIN, NULL) : g_steal_pointer (&title));
  g_ptr_array_add (lines, top_fit (progress, width));
  g_ptr_array_add (lines, top_fit (lately, width));
  append_view (look, view, width, height, color, lines);
  g_ptr_array_add (lines, NULL);

  return (char **) g_ptr_array_free (lines, FALSE);
}
