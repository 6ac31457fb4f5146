/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "html-text.h"
#include "page/page.h"

/* Greatest number of characters shown of a text. The exporters for programs write complete texts. */
#define HTML_NAME 160
#define HTML_SENTENCE 1200

/* A page under construction. Each part has a size limit, which bounds the size of the page regardless of the run. */
typedef struct
{
  GString *body;
  GString *contents;
  PageSource *source;
  GHashTable *ids;     /* identifiers in use */
  gsize limit;         /* length of `body` at which the current part is full */
  guint64 rows;        /* greatest number of rows per table; 0: as many as fit */
  GPtrArray *charts;   /* charts worth showing that are not on the page yet */
  gint64 refresh;      /* s after which a browser reloads the page; 0: never */
  gsize json_length;   /* length of the embedded JSON report, which is made first */
  gsize charts_left;   /* bytes left for pictures of charts */
  GString *chart_data; /* members of a JSON object: data of the charts by id */
  gsize data_left;     /* bytes left for data of charts */
  gboolean has_lines;  /* a chart needs the chart library */
} HtmlPage;

void html_page_init (HtmlPage *self, PageSource *source, guint64 rows);
void html_page_clear (HtmlPage *self);

/* Append markup unescaped. */
void html_put (HtmlPage *self, const char *markup);
void html_printf (HtmlPage *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Appends escaped text of at most @most characters. */
void html_text (HtmlPage *self, const char *text, glong most);
/* Appends an element with a text. @attributes begins with a space or is empty. */
void html_element (HtmlPage *self, const char *tag, const char *attributes, const char *text, glong most);

/* Begins a part of at most @n_bytes. */
void html_begin_part (HtmlPage *self, gsize n_bytes);
/* Returns whether the text written since @start fits, and removes it if not. */
gboolean html_fits (HtmlPage *self, gsize start);

/* Returns (transfer full) a new identifier made from @name. */
char *html_new_id (HtmlPage *self, const char *prefix, const char *name);
/* Begins a section with a heading and lists it in the table of contents. */
void html_begin_section (HtmlPage *self, const char *id, const char *title);
void html_end_section (HtmlPage *self);

/* Returns whether roast was built with the chart library, which allows zooming. */
gboolean html_has_library (void);

/* Returns (transfer full) the complete page. */
char *html_page_finish (HtmlPage *self, const char *json, gsize *length);

/* Parts in page order. */
void html_put_head (HtmlPage *self);
void html_put_summary (HtmlPage *self);
void html_put_metrics (HtmlPage *self);
void html_put_tables (HtmlPage *self);
void html_put_notes (HtmlPage *self);
void html_put_about (HtmlPage *self);
/* Returns (transfer full) the report without tables as JSON, for programs. */
char *html_make_json (const PageSource *source, gsize n_bytes);

/* Find the charts worth showing, and put the charts of @heading; NULL means all remaining charts. */
void html_find_charts (HtmlPage *self);
gboolean html_has_charts (HtmlPage *self, const char *heading);
void html_put_charts (HtmlPage *self, const char *heading);

/* Helpers of the parts. */
/* @caption is plain text, not markup. */
void html_put_table (HtmlPage *self, RoastTableReader *table, const char *id, const char *caption, gsize n_bytes);
/* Puts a table cell that shows the text @shown for @value (or NULL). If @value is a number shown in another form, the
 * exact number is added as an attribute. */
void html_put_cell (HtmlPage *self, GVariant *value, const char *shown, const char *tag);

/* The rows to show of a table that is too long: the rows with the largest values of a column, or else the first rows.
 * */
typedef struct
{
  GArray *rows; /* guint64 row numbers in display order */
  char *column; /* column by which the rows were chosen; NULL: table order */
} HtmlTop;

void html_top_init (HtmlTop *self, RoastTableReader *table, guint64 n);
void html_top_clear (HtmlTop *self);
