/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

typedef enum
{
  REPORT_COMMAND_REPORT,
  REPORT_COMMAND_LIST,
  REPORT_COMMAND_SHOW,
  REPORT_COMMAND_REMOVE,
  REPORT_COMMAND_QUERY,
  REPORT_COMMAND_EXPORT,
  REPORT_COMMAND_IMPORT,
  REPORT_COMMAND_WHAT_IF,
} ReportCommand;

typedef enum
{
  REPORT_FORMAT_TABLE,
  REPORT_FORMAT_CSV,
  REPORT_FORMAT_JSON,
} ReportFormat;

/* The command line of roast-report, as typed. */
typedef struct
{
  ReportCommand command;
  char **arguments;    /* after the command: runs, the query, a file */
  GPtrArray *exports;  /* of ExportOption */
  GPtrArray *fallback; /* of ExportOption: one or none, for when the plugins of all the others are left out */
  char **without;      /* names of plugins, or NULL */
  char **metrics;      /* NAME=FORMULA, or NULL */
  char **remarks;      /* to add to the report, or NULL */
  int wait_status;     /* of the program, if the run does not have it; -1 if unknown */
  ReportFormat format;
  char *color; /* auto, always, never, or NULL */
  char *save;  /* file that import or export writes, or NULL */
  char *slots;
  char *sort;        /* a key of the list, or NULL */
  char *format_name; /* as typed, or NULL */
  char *raw_tables;  /* of --raw: all, none, or names joined by +; NULL: all */
  gboolean follow;   /* only write while the run goes on */
  gboolean stream;
  gboolean raw; /* export tables as plain arrays */
  gboolean help;
  gboolean version;
} ReportOptions;

ReportOptions *report_options_parse (int argc, char **argv, GError **error);
void report_options_free (ReportOptions *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ReportOptions, report_options_free)

G_END_DECLS
