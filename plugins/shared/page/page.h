/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Contents of the first page of a report, independent of how it is drawn: sections of items, most important first. */

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
  PAGE_NUMBER,    /* `label` and `text`, several items per line */
  PAGE_BAR,       /* `label`, `share` and `text` */
  PAGE_SERIES,    /* `label`, `values` over time and `text` */
  PAGE_ROW,       /* `cells`, below the headings of the section */
} PageItemKind;

typedef struct
{
  PageItemKind kind;
  PageTone tone;
  char *label;
  char *text;
  double share;
  double seconds; /* length of a bar */
  RoastCompleteness completeness;
  GArray *values; /* doubles: a series over time, or the cells of a row (NaN for a text) */
  char **cells;
  guint order;           /* display order of rows; which rows to show is chosen in array order */
  RoastFinding *finding; /* finding that the item shows; or NULL */
  RoastMetric *metric;   /* metric that the item shows; or NULL */
} PageItem;

#define PAGE_REST "the rest" /* label of the bar that merges small parts */

typedef struct
{
  const char *name; /* for the option “sections” */
  char *title;      /* or NULL */
  GPtrArray *items;
  guint least;                 /* fewest items to show; with less room the section is left out */
  guint shown;                 /* number of leading items that fit into the page */
  const char *const *headings; /* column headings; NULL-terminated */
  const guint *ranks;          /* ranks of columns; lower ranks are left out first */
  guint n_texts;               /* number of leading text columns */
  gboolean is_open;            /* print the number of hidden items below the others */
} PageSection;

/* Input of the sections. */
typedef struct
{
  RoastRecordingSnapshot *recording;
  RoastReport *report;
  RoastSchema *schema;
  GHashTable *backends; /* source to backend */
  const char *backend;  /* backend of the only executor; NULL if none or several */
  gboolean has_tasks;
  gboolean has_chunks;
  gboolean is_comparison; /* the recording compares runs instead of being one */

  /* set by the exporter */
  char *(*printable) (gconstpointer data, const char *text); /* makes recorded text safe to show */
  gconstpointer printable_data;
  const char *where_rules; /* hint for the reader: where the rules are listed */
  gboolean is_utc;         /* show times in UTC instead of local time */
} PageSource;

void page_source_init (PageSource *self, RoastRecordingSnapshot *recording, RoastReport *report);
void page_source_clear (PageSource *self);

PageSection *page_section_new (const char *name, const char *title, guint least);
void page_section_free (PageSection *self);
/* Makes @label and @text printable. */
PageItem *page_section_add (PageSection *self, const PageSource *source, PageItemKind kind, const char *label,
                            const char *text);
PageItem *page_section_add_row (PageSection *self, char **cells);
/* Returns (transfer container) the first @n rows in the order in which they are shown. */
GPtrArray *page_section_list_rows (const PageSection *self, guint n);
/* Returns the largest of the known values, at least 0. */
double page_find_largest (const GArray *values);
/* Returns the mean of the known values of @part of @n equal parts; NaN if there is none. */
double page_find_mean (const GArray *values, guint part, guint n);

char *page_printable (const PageSource *source, const char *text);
/* Returns the executor's own term for @word. */
const char *page_word (const PageSource *source, const char *word);
RoastTableReader *page_read_table (const PageSource *source, const char *table, const char *const *columns);
/* Returns NULL if the report lacks the metric or the metric is not available. */
RoastMetric *page_get_metric (const PageSource *source, const char *name);
double page_get_double (const PageSource *source, const char *name);
char *page_format_metric (const PageSource *source, RoastMetric *metric);
const char *page_metric_label (const PageSource *source, RoastMetric *metric);
/* Describes the share of the core time that a finding explains, or the share of the run if that is greater; NULL if
 * unknown. */
char *page_describe_share (RoastFinding *finding);

/* Formats @time, in µs since the epoch; NULL if it is out of range. */
char *page_format_time (const PageSource *source, gint64 time, const char *format);
/* Return recorded text (not printable) on the place and time, and tags; NULL if unknown. */
char *page_describe_place (const PageSource *source, const char *time_format, gboolean with_id);
char *page_describe_tags (const PageSource *source);

/* Returns the number of runs on one side of a comparison; 0 if the recording is no comparison. */
guint page_count_compared (const PageSource *source, const char *side);

/* Sections of the page. */
PageSection *page_make_outcome (const PageSource *source);
PageSection *page_make_findings (const PageSource *source);
PageSection *page_make_numbers (const PageSource *source);
PageSection *page_make_core_time (const PageSource *source);
PageSection *page_make_timeline (const PageSource *source);
PageSection *page_make_costliest (const PageSource *source);
/* Return NULL if there is nothing to show. */
PageSection *page_make_what_if (const PageSource *source);
PageSection *page_make_verdicts (const PageSource *source);
PageSection *page_make_scaling (const PageSource *source);
PageSection *page_make_differences (const PageSource *source);
PageSection *page_make_properties (const PageSource *source);
PageSection *page_make_notes (const PageSource *source);
PageSection *page_make_missing (const PageSource *source);
/* Whether the user or a third-party plugin declares the metric as always shown. */
gboolean page_metric_is_own (const PageSource *source, RoastMetric *metric);
/* Not on the first page. */
PageSection *page_make_rules (const PageSource *source);

/* Returns all sections of the first page, in order. */
GPtrArray *page_make (const PageSource *source);
/* Returns FALSE if no section has this name. Sets @section to NULL if there is nothing to show. */
gboolean page_make_section (const PageSource *source, const char *name, PageSection **section);
