/* SPDX-License-Identifier: BSD-3-Clause */

#include <gmodule.h>
#include <langinfo.h>
#include <libsmartcols.h>
#include <math.h>
#include <roast/roast.h>
#include <stdlib.h>
#include <string.h>

#define ROAST_TYPE_TABLE_EXPORTER (roast_table_exporter_get_type ())
G_DECLARE_FINAL_TYPE (RoastTableExporter, roast_table_exporter, ROAST, TABLE_EXPORTER, GObject)

struct _RoastTableExporter
{
  GObject parent_instance;

  char *color;
  gboolean detail;
  gint64 rows;
  gint64 width;
};

static void exporter_iface_init (RoastExporterInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (RoastTableExporter,
                               roast_table_exporter,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_EXPORTER, exporter_iface_init))

#define DEFAULT_WIDTH 100
#define MIN_WIDTH 72
#define MAX_WIDTH 1000
#define LABEL_WIDTH 30
#define VALUE_WIDTH 13
#define MAX_EVENTS 12

/* One page being written. */
typedef struct
{
  RoastTableExporter *self;
  GString *text;
  gsize width;
  gboolean colors;
  gboolean ascii;
} Page;

static const char *
style (const Page *page, const char *sequence)
{
  return page->colors ? sequence : "";
}

#define BOLD "\033[1m"
#define DIM "\033[2m"
#define YELLOW "\033[33m"
#define PLAIN "\033[0m"

/* Text from outside must not steer the terminal. */
static char *
printable (const char *text)
{
  GString *plain = g_string_new (NULL);

  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c))
    {
      gunichar u = g_utf8_get_char (c);

      if (g_unichar_iscntrl (u) || g_unichar_type (u) == G_UNICODE_FORMAT)
        g_string_append_printf (plain, "\\x%02x", u);
      else
        g_string_append_unichar (plain, u);
    }

  return g_string_free (plain, FALSE);
}

static struct libscols_table *
new_table (const Page *page, gboolean headings)
{
  struct libscols_table *table = scols_new_table ();

  scols_table_enable_noheadings (table, !headings);
  scols_table_enable_colors (table, page->colors);
  scols_table_enable_ascii (table, page->ascii);
  scols_table_set_termforce (table, SCOLS_TERMFORCE_ALWAYS);
  scols_table_set_termwidth (table, page->width);
  scols_table_set_column_separator (table, "  ");

  return table;
}

static void
print_table (Page *page, struct libscols_table *table)
{
  char *text = NULL;

  if (scols_print_table_to_string (table, &text) == 0 && text != NULL)
    {
      g_auto (GStrv) lines = g_strsplit (g_strchomp (text), "\n", -1);

      for (guint i = 0; lines[i] != NULL; i++)
        g_string_append_printf (page->text, "%s\n", g_strchomp (lines[i]));
    }
  free (text);
  scols_unref_table (table);
}

static void
heading (Page *page, const char *text)
{
  g_string_append_printf (page->text, "\n%s%s%s\n", style (page, BOLD), text, style (page, PLAIN));
}

/* ---- head ---- */

static char *
command_text (RoastRecordingSnapshot *recording)
{
  g_autoptr (GVariant) command = roast_recording_snapshot_lookup_metadata (recording, "command", G_VARIANT_TYPE_STRING_ARRAY);
  g_autofree const char **argv = command != NULL ? g_variant_get_strv (command, NULL) : NULL;
  g_autofree char *joined = NULL;

  if (argv == NULL)
    return NULL;
  joined = g_strjoinv (" ", (char **) argv);

  return printable (joined);
}

static void
put_head (Page *page, RoastRecordingSnapshot *recording)
{
  g_autofree char *command = command_text (recording);
  g_autoptr (GVariant) host = roast_recording_snapshot_lookup_metadata (recording, "host", G_VARIANT_TYPE_STRING);
  g_autoptr (GVariant) started = roast_recording_snapshot_lookup_metadata (recording, "started", G_VARIANT_TYPE_INT64);
  g_autoptr (GVariant) tags = roast_recording_snapshot_lookup_metadata (recording, "tags", G_VARIANT_TYPE ("a{ss}"));

  g_string_append_printf (page->text, "%sroast%s", style (page, BOLD), style (page, PLAIN));
  if (command != NULL)
    {
      gsize room = page->width > 12 ? page->width - 8 : 4;

      if ((gsize) g_utf8_strlen (command, -1) > room)
        {
          char *cut = g_utf8_offset_to_pointer (command, (glong) room - 1);

          *cut = '\0';
          g_string_append_printf (page->text, "  %s%s", command, page->ascii ? "." : "…");
        }
      else
        g_string_append_printf (page->text, "  %s", command);
    }
  g_string_append_c (page->text, '\n');
  if (host != NULL && started != NULL)
    {
      g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (g_variant_get_int64 (started) / G_USEC_PER_SEC);
      g_autofree char *when = time != NULL ? g_date_time_format (time, "%Y-%m-%d %H:%M:%S") : NULL;

      g_string_append_printf (page->text, "%son %s, %s%s\n", style (page, DIM), g_variant_get_string (host, NULL),
                              when != NULL ? when : "", style (page, PLAIN));
    }
  if (tags != NULL)
    {
      GVariantIter iter;
      const char *key = NULL;
      const char *value = NULL;

      g_variant_iter_init (&iter, tags);
      while (g_variant_iter_next (&iter, "{&s&s}", &key, &value))
        {
          g_autofree char *safe_key = printable (key);
          g_autofree char *safe_value = printable (value);

          g_string_append_printf (page->text, "%s%s: %s%s\n", style (page, DIM), safe_key, safe_value, style (page, PLAIN));
        }
    }
}

/* ---- metrics ---- */

/* Breaks a text at spaces into lines of a width: libsmartcols breaks only where it is told to, or anywhere. */
static char *
wrap_words (const char *text, gsize width)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  GString *lines = g_string_new (NULL);
  gsize column = 0;

  for (guint i = 0; words[i] != NULL; i++)
    {
      gsize length = (gsize) g_utf8_strlen (words[i], -1);

      if (i > 0 && column + 1 + length > width)
        {
          g_string_append_c (lines, '\n');
          column = 0;
        }
      else if (i > 0)
        {
          g_string_append_c (lines, ' ');
          column++;
        }
      g_string_append (lines, words[i]);
      column += length;
    }

  return g_string_free (lines, FALSE);
}

static gboolean
is_shown (const Page *page, RoastMetric *metric, RoastMetricInfo *info)
{
  const char *show = info != NULL ? roast_metric_info_get_show (info) : "always";

  if (page->self->detail || g_str_equal (show, "always"))
    return TRUE;
  if (g_str_equal (show, "detail") || !roast_metric_is_available (metric))
    return FALSE;

  return !g_str_equal (show, "nonzero") || roast_metric_get_double (metric) != 0;
}

static char *
value_text (const Page *page, RoastMetric *metric, RoastMetricInfo *info)
{
  g_autofree char *value = NULL;
  const char *mark = "";

  if (!roast_metric_is_available (metric))
    return g_strdup ("n/a");
  if (roast_metric_get_completeness (metric) == ROAST_PARTIAL)
    mark = page->ascii ? ">= " : "≥ ";
  else if (roast_metric_get_completeness (metric) == ROAST_ESTIMATED)
    mark = "~ ";
  value = roast_format_value (roast_metric_get_value (metric), info != NULL ? roast_metric_info_get_format (info) : "number");

  return g_strconcat (mark, value, NULL);
}

static char *
remark_text (const Page *page, RoastMetric *metric)
{
  const char *note = roast_metric_get_note (metric);
  g_autofree char *remark = roast_metric_is_available (metric)
                                ? g_strdup (note != NULL ? note : "")
                                : g_strdup_printf ("not available: %s", roast_metric_get_reason (metric));
  g_autofree char *safe = printable (remark);

  return wrap_words (safe, page->width > LABEL_WIDTH + VALUE_WIDTH + 16 ? page->width - LABEL_WIDTH - VALUE_WIDTH - 4 : 12);
}

static void
add_metric (Page *page, struct libscols_table *table, RoastMetric *metric, RoastMetricInfo *info)
{
  struct libscols_line *line = scols_table_new_line (table, NULL);
  g_autofree char *label =
      g_strconcat ("  ", info != NULL ? roast_metric_info_get_label (info) : roast_metric_get_name (metric), NULL);
  g_autofree char *value = value_text (page, metric, info);
  g_autofree char *remark = remark_text (page, metric);

  scols_line_set_data (line, 0, label);
  scols_line_set_data (line, 1, value);
  scols_line_set_data (line, 2, remark);
  if (!roast_metric_is_available (metric))
    scols_line_set_color (line, YELLOW);
  else
    scols_cell_set_color (scols_line_get_cell (line, 2), DIM);
}

static void
add_heading (struct libscols_table *table, const char *text)
{
  struct libscols_line *line = NULL;

  if (scols_table_get_nlines (table) > 0)
    scols_table_new_line (table, NULL);
  line = scols_table_new_line (table, NULL);
  scols_line_set_data (line, 0, text);
  scols_line_set_color (line, BOLD);
}

static gboolean
is_long_text (RoastMetric *metric)
{
  GVariant *value = roast_metric_get_value (metric);

  return value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_STRING) && strlen (g_variant_get_string (value, NULL)) > 40;
}

/* Metrics in the order of the catalogue, each group under its heading; long texts come at the end, as paragraphs. */
static void
put_metrics (Page *page, RoastReport *report)
{
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (report);
  struct libscols_table *table = new_table (page, FALSE);
  struct libscols_column *remark = NULL;
  const char *group = NULL;

  scols_table_new_column (table, "label", LABEL_WIDTH, 0);
  scols_table_new_column (table, "value", VALUE_WIDTH, 0);
  remark = scols_table_new_column (table, "remark", 0.5, SCOLS_FL_WRAP);
  scols_column_set_wrapfunc (remark, scols_wrapnl_chunksize, scols_wrapnl_nextchunk, NULL);
  scols_column_set_safechars (remark, "\n");
  for (guint i = 0; i < metrics->len; i++)
    {
      RoastMetric *metric = g_ptr_array_index (metrics, i);
      RoastMetricInfo *info =
          roast_catalogue_lookup (roast_report_get_catalogue (report), roast_metric_get_name (metric), NULL);
      const char *its_group = info != NULL ? roast_metric_info_get_group (info) : "Other";

      if (!is_shown (page, metric, info) || is_long_text (metric))
        continue;
      if (g_strcmp0 (group, its_group) != 0)
        add_heading (table, its_group);
      group = its_group;
      add_metric (page, table, metric, info);
    }
  g_string_append_c (page->text, '\n');
  print_table (page, table);
}

/* ---- derived tables ---- */

static const char *
format_of_column (RoastColumn *column)
{
  const char *unit = roast_column_get_unit (column);

  if (g_strcmp0 (unit, "s") == 0)
    return "duration";
  if (g_strcmp0 (unit, "B") == 0)
    return "bytes";
  if (g_strcmp0 (unit, "B/s") == 0)
    return "bytes-rate";
  if (g_strcmp0 (unit, "1/s") == 0)
    return "rate";
  if (g_strcmp0 (unit, "ratio") == 0)
    return "percent";

  return roast_column_get_column_type (column) == ROAST_COLUMN_INT64 ? "count" : "number";
}

static gboolean
is_empty_column (RoastTableSnapshot *table, guint column)
{
  guint64 n_rows = roast_table_snapshot_get_n_rows (table);

  for (guint64 row = 0; row < n_rows; row++)
    if (roast_table_snapshot_is_valid (table, row, column))
      return FALSE;

  return TRUE;
}

static char *
human_name (const char *name)
{
  char *human = g_strdup (name);

  return g_strdelimit (human, "_", ' ');
}

static char *
cell_text (RoastTableSnapshot *table, guint64 row, guint column)
{
  g_autoptr (GVariant) value = roast_table_snapshot_dup_value (table, row, column);
  g_autofree char *text = NULL;

  if (value == NULL)
    return g_strdup ("-");
  text = roast_format_value (value, format_of_column (roast_table_snapshot_get_column (table, column)));

  return printable (text);
}

static void
put_table (Page *page, RoastTableSnapshot *snapshot)
{
  guint64 n_rows = roast_table_snapshot_get_n_rows (snapshot);
  guint64 n_shown = page->self->rows > 0 ? MIN (n_rows, (guint64) page->self->rows) : n_rows;
  g_autofree char *title = human_name (roast_table_snapshot_get_name (snapshot));
  struct libscols_table *table = NULL;
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (guint));

  if (n_rows == 0)
    return;
  *title = g_ascii_toupper (*title);
  heading (page, title);

  table = new_table (page, TRUE);
  for (guint i = 0; i < roast_table_snapshot_get_n_columns (snapshot); i++)
    {
      RoastColumn *column = roast_table_snapshot_get_column (snapshot, i);
      RoastColumnType type = roast_column_get_column_type (column);
      gboolean is_text = type == ROAST_COLUMN_STRING || type == ROAST_COLUMN_CATEGORY;
      g_autofree char *name = human_name (roast_column_get_name (column));

      if (is_empty_column (snapshot, i))
        continue;
      scols_table_new_column (table, name, is_text ? 0.1 : 0, is_text ? SCOLS_FL_TRUNC : SCOLS_FL_RIGHT);
      g_array_append_val (columns, i);
    }
  for (guint64 row = 0; row < n_shown; row++)
    {
      struct libscols_line *line = scols_table_new_line (table, NULL);

      for (guint i = 0; i < columns->len; i++)
        {
          g_autofree char *text = cell_text (snapshot, row, g_array_index (columns, guint, i));

          scols_line_set_data (line, i, text);
        }
    }
  print_table (page, table);
  if (n_shown < n_rows)
    g_string_append_printf (page->text, "%sand %" G_GUINT64_FORMAT " more%s\n", style (page, DIM), n_rows - n_shown,
                            style (page, PLAIN));
}

static void
put_derived_tables (Page *page, RoastReport *report)
{
  g_autoptr (GPtrArray) tables = roast_report_list_tables (report);

  for (guint i = 0; i < tables->len; i++)
    {
      g_autoptr (RoastTableSnapshot) table = roast_table_snapshot (g_ptr_array_index (tables, i));

      put_table (page, table);
    }
}

/* ---- what to know ---- */

/* A paragraph with a hanging indent. */
static void
put_paragraph (Page *page, const char *first, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  gsize column = (gsize) g_utf8_strlen (first, -1);

  g_string_append (page->text, first);
  for (guint i = 0; words[i] != NULL; i++)
    {
      gsize length = (gsize) g_utf8_strlen (words[i], -1);

      if (i > 0 && column + 1 + length > page->width)
        {
          g_string_append (page->text, "\n   ");
          column = 3;
        }
      else if (i > 0)
        {
          g_string_append_c (page->text, ' ');
          column++;
        }
      g_string_append (page->text, words[i]);
      column += length;
    }
  g_string_append_c (page->text, '\n');
}

static guint
put_events (Page *page, RoastRecordingSnapshot *recording)
{
  RoastTableSnapshot *events = roast_recording_snapshot_get_table (recording, "events");
  guint64 n_rows = events != NULL ? roast_table_snapshot_get_n_rows (events) : 0;
  guint shown = 0;
  guint left_out = 0;

  for (guint64 row = 0; row < n_rows; row++)
    {
      const char *severity =
          roast_table_snapshot_get_string (events, row, (guint) roast_table_snapshot_find_column (events, "severity"));
      const char *message =
          roast_table_snapshot_get_string (events, row, (guint) roast_table_snapshot_find_column (events, "message"));
      g_autofree char *text = NULL;
      g_autofree char *first = NULL;

      if (message == NULL || (g_strcmp0 (severity, "info") == 0 && !page->self->detail))
        continue;
      if (shown >= MAX_EVENTS && !page->self->detail)
        {
          left_out++;
          continue;
        }
      text = printable (message);
      first = g_strconcat (page->ascii ? " * " : " • ", severity, ": ", NULL);
      put_paragraph (page, first, text);
      shown++;
    }
  if (left_out > 0)
    g_string_append_printf (page->text, "   and %u more\n", left_out);

  return shown;
}

static void
put_notes (Page *page, RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_auto (GStrv) notes = roast_report_dup_notes (report);
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (report);
  gsize before = 0;
  gsize start = page->text->len;

  heading (page, "What to know about these numbers");
  before = page->text->len;
  for (guint i = 0; i < metrics->len; i++)
    {
      RoastMetric *metric = g_ptr_array_index (metrics, i);
      RoastMetricInfo *info =
          roast_catalogue_lookup (roast_report_get_catalogue (report), roast_metric_get_name (metric), NULL);
      g_autofree char *first = NULL;
      g_autofree char *text = NULL;

      if (!is_long_text (metric) || !is_shown (page, metric, info))
        continue;
      first = g_strdup_printf (page->ascii ? " * %s: " : " • %s: ",
                               info != NULL ? roast_metric_info_get_label (info) : roast_metric_get_name (metric));
      text = printable (g_variant_get_string (roast_metric_get_value (metric), NULL));
      put_paragraph (page, first, text);
    }
  for (guint i = 0; notes[i] != NULL; i++)
    {
      g_autofree char *text = printable (notes[i]);

      put_paragraph (page, page->ascii ? " * " : " • ", text);
    }
  put_events (page, recording);
  if (page->text->len == before)
    g_string_truncate (page->text, start);
}

/* ---- the exporter ---- */

static gsize
choose_width (RoastTableExporter *self, guint columns)
{
  const char *variable = g_getenv ("COLUMNS");
  gint64 width = self->width;

  if (width <= 0 && columns > 0)
    width = columns;
  if (width <= 0 && variable != NULL)
    width = g_ascii_strtoll (variable, NULL, 10);
  if (width <= 0)
    width = DEFAULT_WIDTH;

  return (gsize) CLAMP (width, MIN_WIDTH, MAX_WIDTH);
}

static gboolean
choose_colors (RoastTableExporter *self, gboolean is_terminal)
{
  const char *no_color = g_getenv ("NO_COLOR");

  if (g_str_equal (self->color, "always"))
    return TRUE;

  return g_str_equal (self->color, "auto") && is_terminal && (no_color == NULL || *no_color == '\0');
}

static gboolean
table_export_report (RoastExporter          *exporter,
                     RoastRecordingSnapshot *recording,
                     RoastReport            *report,
                     RoastOutput            *output,
                     GCancellable           *cancellable,
                     GError                **error)
{
  RoastTableExporter *self = ROAST_TABLE_EXPORTER (exporter);
  g_autoptr (GOutputStream) stream = roast_output_open (output, "report.txt", error);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) local = NULL;
  guint columns = 0;
  Page page = { self, text, 0, FALSE, g_ascii_strcasecmp (nl_langinfo (CODESET), "UTF-8") != 0 };

  if (stream == NULL)
    return FALSE;

  page.colors = choose_colors (self, roast_output_is_terminal (output, &columns));
  page.width = choose_width (self, columns);
  put_head (&page, recording);
  put_metrics (&page, report);
  put_derived_tables (&page, report);
  put_notes (&page, recording, report);

  if (page.ascii)
    {
      g_autofree char *plain = g_str_to_ascii (text->str, "C");

      g_string_assign (text, plain);
    }
  if (!g_output_stream_write_all (stream, text->str, text->len, NULL, cancellable, &local) ||
      !g_output_stream_close (stream, cancellable, &local))
    {
      g_set_error (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT, "cannot write %s: %s", roast_output_get_name (output),
                   local->message);
      return FALSE;
    }

  return TRUE;
}

static gboolean
table_configure (RoastExporter *exporter, GVariant *options, GError **error)
{
  RoastTableExporter *self = ROAST_TABLE_EXPORTER (exporter);
  char *color = NULL;

  if (g_variant_lookup (options, "color", "s", &color))
    {
      g_free (self->color);
      self->color = color;
    }
  g_variant_lookup (options, "detail", "b", &self->detail);
  g_variant_lookup (options, "rows", "x", &self->rows);
  g_variant_lookup (options, "width", "x", &self->width);

  return TRUE;
}

static RoastExporterFlags
table_get_flags (RoastExporter *exporter)
{
  return ROAST_EXPORTER_TERMINAL;
}

static void
exporter_iface_init (RoastExporterInterface *iface)
{
  iface->get_flags = table_get_flags;
  iface->configure = table_configure;
  iface->export_report = table_export_report;
}

static void
roast_table_exporter_finalize (GObject *object)
{
  g_free (ROAST_TABLE_EXPORTER (object)->color);

  G_OBJECT_CLASS (roast_table_exporter_parent_class)->finalize (object);
}

static void
roast_table_exporter_class_init (RoastTableExporterClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_table_exporter_finalize;
}

static void
roast_table_exporter_init (RoastTableExporter *self)
{
  self->color = g_strdup ("auto");
  self->rows = 8;
}

ROAST_DEFINE_PLUGIN ("table", PLUGIN_VERSION, ROAST_PLUGIN_EXPORTER ("table", roast_table_exporter_get_type))
