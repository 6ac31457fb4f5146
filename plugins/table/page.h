/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <libsmartcols.h>
#include <roast/roast.h>

#define BOLD "\033[1m"
#define DIM "\033[2m"
#define RED "\033[31m"
#define YELLOW "\033[33m"
#define PLAIN "\033[0m"

/* What is being written, and for whom. */
typedef struct
{
  GString *text;
  gsize width;      /* in columns of the terminal */
  gboolean colors;
  gboolean ascii;   /* the locale has no other characters */
  gboolean detail;  /* whether to show everything */
  guint64 rows;     /* of each table; 0: all */
} Page;

const char *page_style       (const Page *page, const char *sequence);
/* Text from outside as it may be shown: it must not steer the terminal. */
char       *page_printable   (const Page *page, const char *text);
/* A heading, a line, a paragraph with a hanging indent below @first. */
void        page_heading     (Page *page, const char *text);
void        page_line        (Page *page, const char *sequence, const char *text);
void        page_paragraph   (Page *page, const char *sequence, const char *first, const char *text);
struct libscols_table *page_new_table (const Page *page, const char *separator);
void        page_add_column  (struct libscols_table *table, int flags);
void        page_print_table (Page *page, struct libscols_table *table);

/* In columns of a terminal. */
gsize       text_width       (const char *text);
char       *text_cut         (const Page *page, const char *text, gsize width);
char      **text_wrap        (const char *text, gsize width);

void        page_put_head    (Page *page, RoastRecordingSnapshot *recording, RoastReport *report);
void        page_put_metrics (Page *page, RoastReport *report);
void        page_put_tables  (Page *page, RoastReport *report);
/* Recorded ones that plugins added, or added columns to. */
void        page_put_added_tables (Page *page, RoastRecordingSnapshot *recording);
void        page_put_notes   (Page *page, RoastRecordingSnapshot *recording, RoastReport *report);

/* Metrics as parts of a page see them. */
RoastMetricInfo *page_info      (RoastReport *report, RoastMetric *metric);
gboolean         page_shows     (const Page *page, RoastMetric *metric, RoastMetricInfo *info);
gboolean         page_long_text (RoastMetric *metric);
