/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* What is on the first page of a report, without how it is drawn: sections of items, the most important ones first. */

typedef enum
{
  PAGE_PLAIN,
  PAGE_GOOD,
  PAGE_WARNING,
  PAGE_BAD,
} PageTone;

typedef enum
{
  PAGE_LINE,      /* `text`, cut off at the width */
  PAGE_PARAGRAPH, /* `label` in `tone`, then `text`, wrapped */
  PAGE_NUMBER,    /* `label` and `text`, several of them in a line */
  PAGE_BAR,       /* `label`, `share` and `text` */
  PAGE_SERIES,    /* `label`, `values` over time and `text` */
  PAGE_ROW,       /* `cells`, below the headings of its section */
} PageItemKind;

typedef struct
{
  PageItemKind kind;
  PageTone tone;
  char *label;
  char *text;
  double share;
  double seconds; /* of a bar */
  RoastCompleteness completeness;
  GArray *values; /* double: over time; of a row, the numbers of its cells, NaN for a text */
  char **cells;
  guint order;           /* of rows, of which those to show are chosen in another order */
  RoastFinding *finding; /* whose words these are; or NULL */
  RoastMetric *metric;   /* whose value this is; or NULL */
} PageItem;

#define PAGE_REST "the rest" /* what is too little for a bar of its own */

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
  RoastRecordingSnapshot *recording;
  RoastReport *report;
  RoastSchema *schema;
  GHashTable *backends; /* by source */
  char *backend;        /* of the only executor; NULL if there is none, or several */
  gboolean has_tasks;
  gboolean has_chunks;
  gboolean is_comparison; /* of runs: there is no run of its own */

  /* set by the exporter */
  char *(*printable) (gconstpointer data, const char *text); /* what can be shown of a text from outside */
  gconstpointer printable_data;
  const char *where_rules; /* for the reader, where the rules are listed */
  gboolean is_utc;         /* times of day; else those of this machine */
} PageSource;

void page_source_init (PageSource *self, RoastRecordingSnapshot *recording, RoastReport *report);
void page_source_clear (PageSource *self);

PageSection *page_section_new (const char *name, const char *title, guint least);
void page_section_free (PageSection *self);
/* The text is made printable. */
PageItem *page_section_add (PageSection *self, const PageSource *source, PageItemKind kind, const char *label,
                            const char *text);
void page_section_add_row (PageSection *self, char **cells);

char *page_printable (const PageSource *source, const char *text);
/* What an executor's users call something. */
const char *page_word (const PageSource *source, const char *word);
RoastTableReader *page_read_table (const PageSource *source, const char *table, const char *const *columns);
/* NULL if the report does not have it, or it is not available. */
RoastMetric *page_get_metric (const PageSource *source, const char *name);
double page_get_double (const PageSource *source, const char *name);
char *page_format_metric (const PageSource *source, RoastMetric *metric);
const char *page_metric_label (const PageSource *source, RoastMetric *metric);
/* The share of the core time that a finding explains, or of the run if that is more, in words; NULL if unknown. */
char *page_describe_share (RoastFinding *finding);

/* The command, where and when it ran, its tags; NULL if unknown. As it was recorded, not printable. */
char *page_describe_command (const PageSource *source);
/* A time, in µs since the epoch; NULL if it is none. */
char *page_format_time (const PageSource *source, gint64 time, const char *format);
char *page_describe_place (const PageSource *source, const char *time_format, gboolean with_id);
char *page_describe_tags (const PageSource *source);

/* Runs on a side of a comparison; 0 if the recording is none. */
guint page_count_compared (const PageSource *source, const char *side);

/* A section of the page; NULL if there is nothing to say. */
PageSection *page_make_outcome (const PageSource *source);
PageSection *page_make_findings (const PageSource *source);
PageSection *page_make_numbers (const PageSource *source);
PageSection *page_make_core_time (const PageSource *source);
PageSection *page_make_timeline (const PageSource *source);
PageSection *page_make_costliest (const PageSource *source);
/* NULL if there is nothing to say. */
PageSection *page_make_what_if (const PageSource *source);
PageSection *page_make_verdicts (const PageSource *source);
PageSection *page_make_scaling (const PageSource *source);
PageSection *page_make_differences (const PageSource *source);
PageSection *page_make_properties (const PageSource *source);
PageSection *page_make_notes (const PageSource *source);
PageSection *page_make_missing (const PageSource *source);
/* Only where everything is shown. */
PageSection *page_make_rules (const PageSource *source);

/* All sections of the first page that have something to say, in its order. */
GPtrArray *page_make (const PageSource *source);
/* FALSE if there is no section of this name; NULL if it has nothing to say. */
gboolean page_make_section (const PageSource *source, const char *name, PageSection **section);
