/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "html-text.h"
#include "page/page.h"

/* Characters that are shown of a text. Everything is in the exporters for programs. */
#define HTML_NAME 160
#define HTML_SENTENCE 1200

/* A page while it is made. It has a limit for each of its parts, since it has one as a whole whatever the run. */
typedef struct
{
  GString *body;
  GString *contents;
  PageSource *source;
  GHashTable *ids;     /* that are taken */
  gsize limit;         /* length of `body` at which the part that is being written is full */
  guint64 rows;        /* of each table; 0: as many as fit */
  GPtrArray *charts;   /* that are worth showing and not on the page yet */
  gint64 refresh;      /* s after which a browser loads it again; 0: never */
  gsize json_length;   /* of the report for programs, which is made first */
  gsize charts_left;   /* bytes that they may still have */
  GString *chart_data; /* members of a JSON object: what each chart was drawn from, by its id */
  gsize data_left;     /* bytes that they may still have */
  gboolean has_lines;  /* a chart needs the library */
} HtmlPage;

void html_page_init (HtmlPage *self, PageSource *source, guint64 rows);
void html_page_clear (HtmlPage *self);

/* Markup, as it is. */
void html_put (HtmlPage *self, const char *markup);
void html_printf (HtmlPage *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Text, at most so many characters. */
void html_text (HtmlPage *self, const char *text, glong most);
/* A start tag and an end tag around a text; @attributes begin with a space, or are empty. */
void html_element (HtmlPage *self, const char *tag, const char *attributes, const char *text, glong most);

/* The next part may have so many bytes. */
void html_begin_part (HtmlPage *self, gsize n_bytes);
/* Whether what was written since @start fits; removes it if not. */
gboolean html_fits (HtmlPage *self, gsize start);

/* An identifier that is not used yet, made of a name. Full. */
char *html_new_id (HtmlPage *self, const char *prefix, const char *name);
/* A section with its heading, which the table of contents lists. */
void html_begin_section (HtmlPage *self, const char *id, const char *title);
void html_end_section (HtmlPage *self);

/* Whether roast was built with the library for zooming into charts. */
gboolean html_has_library (void);

/* The page as a whole. Full. */
char *html_page_finish (HtmlPage *self, const char *json, gsize *length);

/* Parts, in the order of the page. */
void html_put_head (HtmlPage *self);
void html_put_summary (HtmlPage *self);
void html_put_metrics (HtmlPage *self);
void html_put_tables (HtmlPage *self);
void html_put_notes (HtmlPage *self);
void html_put_about (HtmlPage *self);
/* What the page has for programs: the report without its tables. Full. */
char *html_make_json (const PageSource *source, gsize n_bytes);

/* Finds the charts that are worth showing; puts those of a heading, or the remaining ones if it is NULL. */
void html_find_charts (HtmlPage *self);
gboolean html_has_charts (HtmlPage *self, const char *heading);
void html_put_charts (HtmlPage *self, const char *heading);

/* Helpers of the parts. */
/* @caption is a text. */
void html_put_table (HtmlPage *self, RoastTableReader *table, const char *id, const char *caption, gsize n_bytes);
