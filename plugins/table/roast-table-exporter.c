/* SPDX-License-Identifier: BSD-3-Clause */

#include <gmodule.h>
#include <langinfo.h>
#include <roast/roast.h>

#include "exporter.h"
#include "page-draw.h"
#include "page/page-table.h"
#include "page/page.h"
#include "text-renderer.h"

G_DECLARE_FINAL_TYPE (RoastTableExporter, roast_table_exporter, ROAST, TABLE_EXPORTER, GObject)

struct _RoastTableExporter
{
  GObject parent_instance;

  char *color; /* when to use colors; NULL stands for auto */
  gboolean detail;
  gint64 rows;
  gint64 width;
  char *sections; /* names of sections or tables; NULL or empty stands for the first page */
};

#define DEFAULT_WIDTH 100
#define MIN_WIDTH 60
#define MAX_WIDTH 1000
#define DEFAULT_ROWS 8
#define PAGE_LINES 40

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
  const char *terminal = g_getenv ("TERM");

  if (g_strcmp0 (self->color, "always") == 0)
    return TRUE;

  return g_strcmp0 (self->color, "never") != 0 && is_terminal && (no_color == NULL || *no_color == '\0') &&
         g_strcmp0 (terminal, "dumb") != 0;
}

/* ---- parts of a report ---- */

static void
put_page (const PageSource *source, TextRenderer *renderer)
{
  g_autoptr (GPtrArray) sections = page_make (source);
  guint used = 0;

  for (const char *c = renderer->text->str; *c != '\0'; c++)
    used += *c == '\n';
  page_fit (sections, renderer, PAGE_LINES > used ? PAGE_LINES - used : 1);
  page_draw (sections, renderer);
}

/* Put the section with the name @name, with all of its items. Return FALSE if there is no such section. */
static gboolean
put_section (const PageSource *source, const char *name, TextRenderer *renderer)
{
  PageSection *section = NULL;

  if (!page_make_section (source, name, &section))
    return FALSE;
  if (section != NULL)
    {
      section->shown = section->items->len;
      page_draw_section (section, renderer);
      page_section_free (section);
    }

  return TRUE;
}

/* Put the section with the name @name. If there is no such section, put the table of the report or of the recording
 * that has this name. */
static void
put_named (const PageSource *source, const char *name, TextRenderer *renderer)
{
  g_autoptr (RoastTableReader) table = NULL;
  g_autofree char *sections = NULL;
  g_autofree char *text = NULL;
  g_autofree char *safe = NULL;

  if (put_section (source, name, renderer))
    return;
  if (g_str_equal (name, "metrics"))
    {
      text_renderer_put_metrics (renderer, source->report);
      return;
    }
  table = roast_report_read_table (source->report, name, NULL, NULL);
  if (table == NULL)
    table = roast_recording_snapshot_read_table (source->recording, name, NULL, NULL);
  if (table != NULL)
    {
      text_renderer_put_table (renderer, table);
      return;
    }
  sections = page_dup_section_names ();
  text =
      g_strdup_printf ("This report has no section or table “%s”. The sections are: metrics, %s. docs/tables.md lists "
                       "the tables.",
                       name, sections);
  safe = text_renderer_printable (renderer, text);
  g_string_append_c (renderer->text, '\n');
  text_renderer_paragraph (renderer, YELLOW, "", safe);
}

static void
put_sections (const PageSource *source, const char *sections, TextRenderer *renderer)
{
  g_auto (GStrv) names = g_strsplit (sections, "+", -1);

  for (guint i = 0; names[i] != NULL; i++)
    put_named (source, names[i], renderer);
}

static void
put_everything (const PageSource *source, TextRenderer *renderer)
{
  put_sections (source, "outcome+findings+core_time+timeline", renderer);
  text_renderer_put_metrics (renderer, source->report);
  text_renderer_put_tables (renderer);
  text_renderer_put_added_tables (renderer);
  put_sections (source, "rules", renderer);
  text_renderer_put_notes (renderer, source->recording, source->report);
}

static char *
printable (gconstpointer renderer, const char *text)
{
  return text_renderer_printable (renderer, text);
}

static gboolean
table_export_report (RoastExporter *exporter, RoastRecordingSnapshot *recording, RoastReport *report,
                     RoastOutput *output, GCancellable *cancellable, GError **error)
{
  RoastTableExporter *self = ROAST_TABLE_EXPORTER (exporter);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *plain = NULL;
  guint columns = 0;
  TextRenderer renderer = { .text = text };
  PageSource source;

  page_source_init (&source, recording, report);
  source.printable = printable;
  source.printable_data = &renderer;
  source.where_rules = "-e table,sections=rules";
  renderer.source = &source;
  renderer.colors = choose_colors (self, roast_output_is_terminal (output, &columns));
  renderer.width = choose_width (self, columns);
  renderer.ascii = g_ascii_strcasecmp (nl_langinfo (CODESET), "UTF-8") != 0;
  renderer.detail = self->detail;
  renderer.rows = (guint64) MAX (self->rows, 0);
  text_renderer_put_head (&renderer);
  if (self->sections != NULL && *self->sections != '\0')
    put_sections (&source, self->sections, &renderer);
  else if (self->detail)
    put_everything (&source, &renderer);
  else
    put_page (&source, &renderer);
  page_source_clear (&source);
  /* Convert the rest of the text to ASCII, which changes no widths. Names, whose widths would change, were already
   * converted. */
  plain = renderer.ascii ? g_str_to_ascii (text->str, "C") : NULL;

  return exporter_write (output, "report.txt", plain != NULL ? plain : text->str,
                         plain != NULL ? strlen (plain) : text->len, cancellable, error);
}

static gboolean
table_configure (RoastExporter *exporter, GVariant *options, GError **error)
{
  RoastTableExporter *self = ROAST_TABLE_EXPORTER (exporter);

  g_variant_lookup (options, "color", "s", &self->color);
  g_variant_lookup (options, "sections", "s", &self->sections);
  g_variant_lookup (options, "detail", "b", &self->detail);
  g_variant_lookup (options, "rows", "x", &self->rows);
  g_variant_lookup (options, "width", "x", &self->width);

  return TRUE;
}

EXPORTER_DEFINE_TYPE_WITH (RoastTableExporter, roast_table_exporter, table, ROAST_EXPORTER_FLAGS_TERMINAL,
                           (g_free (self->color), g_free (self->sections)), (void) 0)

static void
roast_table_exporter_init (RoastTableExporter *self)
{
  self->rows = DEFAULT_ROWS;
}

ROAST_DEFINE_PLUGIN ("table", PLUGIN_VERSION, ROAST_PLUGIN_EXPORTER ("table", roast_table_exporter_get_type))
