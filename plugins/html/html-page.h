/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "html-text.h"
#include "page/page.h"

/* Maximum lengths of texts in the page, in characters, first for names and then for sentences. Longer texts are
 * shortened. The exporters json and csv write complete texts. */
#define HTML_NAME 160
#define HTML_SENTENCE 1200

/* A page that is being made. Each part of it has a maximum size. So the size of the page is limited even if the run is
 * very large. */
typedef struct
{
  GString *body;
  GString *contents;
  PageSource *source;
  GHashTable *ids;     /* set of the identifiers that the page uses so far */
  gsize limit;         /* length of `body` at which the current part of the page is full */
  guint64 rows;        /* maximum number of rows per table; 0 for as many as fit */
  GPtrArray *charts;   /* charts that will be shown, but are not yet on the page */
  gint64 refresh;      /* s; time after which a browser reloads the page; 0 for never */
  gsize json_length;   /* length of the embedded JSON report, which is made before the page */
  gsize charts_left;   /* bytes left for pictures of charts */
  GString *chart_data; /* members of a JSON object that maps the ID of a chart to its data */
  gsize data_left;     /* bytes left for data of charts */
  gboolean has_lines;  /* TRUE if a chart on the page needs the chart library */
} HtmlPage;

void html_page_init (HtmlPage *self, PageSource *source, guint64 rows);
void html_page_clear (HtmlPage *self);

/* Append markup without escaping. */
void html_put (HtmlPage *self, const char *markup);
void html_printf (HtmlPage *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Appends text, escaped and shortened to @most characters. */
void html_text (HtmlPage *self, const char *text, glong most);
/* Appends an element with text that is escaped and shortened to @most characters. @attributes is empty or begins with a
 * space. */
void html_element (HtmlPage *self, const char *tag, const char *attributes, const char *text, glong most);

/* Begins a part of the page, which may have at most @n_bytes. */
void html_begin_part (HtmlPage *self, gsize n_bytes);
/* Returns whether the current part has not exceeded its limit. If it has, removes the markup from position
 * @start on. */
gboolean html_fits (HtmlPage *self, gsize start);

/* Returns (transfer full) a new identifier for the page, made from @prefix and @name. */
char *html_new_id (HtmlPage *self, const char *prefix, const char *name);
/* Begins a section with the heading @title, and adds the section to the table of contents. */
void html_begin_section (HtmlPage *self, const char *id, const char *title);
void html_end_section (HtmlPage *self);

/* Returns whether roast was built with the chart library, which is needed for zooming. */
gboolean html_has_library (void);

/* Returns (transfer full) the complete page. */
char *html_page_finish (HtmlPage *self, const char *json, gsize *length);

/* These functions put the parts of the page, in this order. */
void html_put_head (HtmlPage *self);
void html_put_summary (HtmlPage *self);
void html_put_metrics (HtmlPage *self);
void html_put_tables (HtmlPage *self);
void html_put_notes (HtmlPage *self);
void html_put_about (HtmlPage *self);
/* Returns (transfer full) the report as JSON, but without tables, for programs that read the page. */
char *html_make_json (const PageSource *source, gsize n_bytes);

/* html_find_charts () finds the charts that will be shown. html_put_charts () puts the charts with the heading
 * @heading. If @heading is NULL, it puts all charts that are not on the page yet. */
void html_find_charts (HtmlPage *self);
gboolean html_has_charts (HtmlPage *self, const char *heading);
void html_put_charts (HtmlPage *self, const char *heading);

/* Puts a table, which may take at most @n_bytes. @caption is plain text, not markup. */
void html_put_table (HtmlPage *self, RoastTableReader *table, const char *id, const char *caption, gsize n_bytes);
/* Puts a table cell that shows the text @shown. @value is the value of the cell, or NULL. If @value is a number and
 * @shown is not its exact form, the cell also gets an attribute with the exact number. */
void html_put_cell (HtmlPage *self, GVariant *value, const char *shown, const char *tag);

/* The rows of a table that the page shows. If the table is too long, these are the rows with the largest values in one
 * column, or else the first rows. */
typedef struct
{
  GArray *rows; /* elements are guint64: row numbers, in the order in which the rows are shown */
  char *column; /* column whose values decided which rows are shown; NULL if they are the first rows of the table */
} HtmlTop;

void html_top_init (HtmlTop *self, RoastTableReader *table, guint64 n);
void html_top_clear (HtmlTop *self);
