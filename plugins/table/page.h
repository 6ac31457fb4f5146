/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "text-renderer.h"

/* What is on the first page, without how it is drawn: sections of items, the most important ones first. */

typedef enum
{
  PAGE_LINE,      /* `text`, cut off at the width */
  PAGE_PARAGRAPH, /* `label` in `style`, then `text`, wrapped */
  PAGE_NUMBER,    /* `label` and `text`, several of them in a line */
  PAGE_BAR,       /* `label`, `share` and `text` */
  PAGE_SERIES,    /* `label`, `values` over time and `text` */
  PAGE_ROW,       /* `cells`, below the headings of its section */
} PageItemKind;

typedef struct
{
  PageItemKind kind;
  const char *style;
  char *label;
  char *text;
  double share;
  GArray *values; /* double */
  char **cells;
  guint order; /* of rows, of which those to show are chosen in another order */
} PageItem;

typedef struct
{
  const char *name; /* for the option “sections” */
  char *title;      /* NULL: none */
  GPtrArray *items;
  guint least;                 /* items without which the section says nothing: it is shown with them or not at all */
  guint shown;                 /* the first items, as many as fit into the page */
  const char *const *headings; /* of rows; NULL-terminated */
  const guint *ranks;          /* of columns, where not all fit: those of a lower one are left out first */
  guint n_texts;               /* the first columns are texts */
  gboolean is_open;            /* the items that are not shown are counted below the others */
} PageSection;

/* Where items come from. */
typedef struct
{
  const TextRenderer *renderer; /* how text is made printable */
  RoastRecordingSnapshot *recording;
  RoastReport *report;
  const char *backend; /* of the only executor; NULL if there is none, or several */
  gboolean has_tasks;
  gboolean has_chunks;
} PageSource;

PageSection *page_section_new (const char *name, const char *title, guint least);
void page_section_free (PageSection *self);
/* The text is made printable. */
PageItem *page_section_add (PageSection *self, const PageSource *source, PageItemKind kind, const char *label,
                            const char *text);
void page_section_add_row (PageSection *self, char **cells);

/* What an executor's users call something. */
const char *page_word (const PageSource *source, const char *word);
RoastTableReader *page_read_table (const PageSource *source, const char *table, const char *const *columns);
/* NULL if the report does not have it, or it is not available. */
RoastMetric *page_get_metric (const PageSource *source, const char *name);
double page_get_double (const PageSource *source, const char *name);
char *page_format_metric (const PageSource *source, RoastMetric *metric);
const char *page_metric_label (const PageSource *source, RoastMetric *metric);

/* A section of the page; NULL if there is nothing to say. */
PageSection *page_make_outcome (const PageSource *source);
PageSection *page_make_findings (const PageSource *source);
PageSection *page_make_numbers (const PageSource *source);
PageSection *page_make_core_time (const PageSource *source);
PageSection *page_make_timeline (const PageSource *source);
PageSection *page_make_costliest (const PageSource *source);
PageSection *page_make_notes (const PageSource *source);
PageSection *page_make_missing (const PageSource *source);
/* Only where everything is shown. */
PageSection *page_make_rules (const PageSource *source);

/* All sections of the first page that have something to say, in its order. */
GPtrArray *page_make (const PageSource *source);
/* One section, with all of its items; FALSE if there is none of this name. */
gboolean page_put_section (const PageSource *source, const char *name, TextRenderer *renderer);

/* Sets how many items are shown, so that the page has at most @lines lines; 0: all are shown. */
void page_fit (GPtrArray *sections, const TextRenderer *renderer, guint lines);
void page_draw (GPtrArray *sections, TextRenderer *renderer);
void page_draw_section (PageSection *section, TextRenderer *renderer);
