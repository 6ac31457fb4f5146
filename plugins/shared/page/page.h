/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "each.h"

/* Contents of the first page of a report, independent of how an exporter draws the page. The page consists of sections,
 * and a section consists of items. The most important items come first. */

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
  double seconds; /* seconds or core-seconds that a bar stands for */
  RoastCompleteness completeness;
  GArray *values; /* elements are double: the values of a series over time, or of a row's cells (NaN for a text) */
  char **cells;
  guint order;           /* position of a row in the display; the rows to show are the first ones of the array */
  RoastFinding *finding; /* finding that the item shows, or NULL */
  RoastMetric *metric;   /* metric that the item shows, or NULL */
} PageItem;

#define PAGE_REST "the rest" /* label of the bar for all parts that are too small for their own bar */

typedef struct
{
  const char *name; /* name of the section in the option “sections” */
  char *title;      /* heading of the section, or NULL */
  GPtrArray *items;
  guint least;                 /* minimum number of items to show; if they do not fit, the section is left out */
  guint shown;                 /* number of items from the start that fit into the page */
  const char *const *headings; /* column headings; NULL-terminated */
  const guint *ranks;          /* rank of each column; columns with low ranks are left out first */
  guint n_texts;               /* number of text columns at the start */
  gboolean is_open;            /* print the number of hidden items below the shown items */
} PageSection;

/* Data from which sections are made. */
typedef struct
{
  RoastRecordingSnapshot *recording;
  RoastReport *report;
  RoastSchema *schema;
  GHashTable *backends; /* maps the name of a source to the name of its backend */
  const char *backend;  /* backend of the executors with workers; NULL if there is none or if they have several */
  gboolean has_tasks;
  gboolean has_chunks;
  gboolean is_comparison; /* the recording is a comparison of runs, not a run */

  /* members that the exporter sets: */
  char *(*printable) (gconstpointer data, const char *text); /* makes a recorded text safe to show */
  gconstpointer printable_data;
  const char *where_rules; /* text that says where readers find the list of rules */
  gboolean is_utc;         /* show times in UTC instead of local time */
} PageSource;

void page_source_init (PageSource *self, RoastRecordingSnapshot *recording, RoastReport *report);
void page_source_clear (PageSource *self);

PageSection *page_section_new (const char *name, const char *title, guint least);
void page_section_free (PageSection *self);
/* Adds an item to the section. @label and @text are made printable. */
PageItem *page_section_add (PageSection *self, const PageSource *source, PageItemKind kind, const char *label,
                            const char *text);
PageItem *page_section_add_row (PageSection *self, char **cells);
/* Returns (transfer container) the first @n rows, in the order in which they are displayed. */
GPtrArray *page_section_list_rows (const PageSection *self, guint n);
/* Returns the largest of the known values; 0 if none is positive or known. */
double page_find_largest (const GArray *values);
/* Divides @values into @n parts of the same length. Returns the mean of the known values in the part with number @part;
 * NaN if this part has no known value. */
double page_find_mean (const GArray *values, guint part, guint n);

char *page_printable (const PageSource *source, const char *text);
/* Returns the word that the executor uses for @word. */
const char *page_word (const PageSource *source, const char *word);
RoastTableReader *page_read_table (const PageSource *source, const char *table, const char *const *columns);
/* Returns a metric of the report; NULL if the report does not contain it, or if it is not available. */
RoastMetric *page_get_metric (const PageSource *source, const char *name);
double page_get_double (const PageSource *source, const char *name);
char *page_format_metric (const PageSource *source, RoastMetric *metric);
const char *page_metric_label (const PageSource *source, RoastMetric *metric);
/* Returns a text about the share of the core time that a finding explains, or the share of the run if that is larger;
 * NULL if both shares are unknown. */
char *page_describe_share (RoastFinding *finding);

/* Formats @time, which is in µs since the epoch. Returns NULL if it is out of range. */
char *page_format_time (const PageSource *source, gint64 time, const char *format);
/* Return texts about where and when the run took place, and about its tags; NULL if unknown. The texts come from the
 * recording and must be made printable before they are shown. */
char *page_describe_place (const PageSource *source, const char *time_format, gboolean with_id);
char *page_describe_tags (const PageSource *source);

/* Returns the number of runs on one side of a comparison; 0 if the recording is not a comparison. */
guint page_count_compared (const PageSource *source, const char *side);

/* Sections of the page. */
PageSection *page_make_outcome (const PageSource *source);
PageSection *page_make_findings (const PageSource *source);
PageSection *page_make_numbers (const PageSource *source);
PageSection *page_make_core_time (const PageSource *source);
PageSection *page_make_timeline (const PageSource *source);
PageSection *page_make_costliest (const PageSource *source);
/* These functions return NULL if the section has nothing to show. */
PageSection *page_make_what_if (const PageSource *source);
PageSection *page_make_verdicts (const PageSource *source);
PageSection *page_make_scaling (const PageSource *source);
PageSection *page_make_differences (const PageSource *source);
PageSection *page_make_properties (const PageSource *source);
PageSection *page_make_notes (const PageSource *source);
PageSection *page_make_missing (const PageSource *source);
/* Returns whether the metric was declared as always shown by the user or by a third-party plugin. */
gboolean page_metric_is_own (const PageSource *source, RoastMetric *metric);
/* Makes a section that does not belong to the first page. */
PageSection *page_make_rules (const PageSource *source);

/* Returns all sections of the first page, in the order of the page. */
GPtrArray *page_make (const PageSource *source);
/* Makes the section with the name @name. Returns FALSE if there is no such section. If the section has nothing to show,
 * sets @section to NULL. */
gboolean page_make_section (const PageSource *source, const char *name, PageSection **section);
/* Returns the names of all sections, separated by commas. */
char *page_dup_section_names (void);
