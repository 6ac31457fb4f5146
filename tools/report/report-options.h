/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

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

/* The parsed command line of roast-report. */
typedef struct
{
  ReportCommand command;
  char **arguments;    /* arguments after the command: runs, a query or a file */
  GPtrArray *exports;  /* elements are ExportOption */
  GPtrArray *fallback; /* elements are ExportOption: at most one, used if the plugins of all others are left out */
  char **without;      /* names of plugins that are left out, or NULL */
  char **metrics;      /* the user's metrics as NAME=FORMULA, or NULL */
  char **remarks;      /* remarks that are added to the report, or NULL */
  int wait_status;     /* wait status of the program, used if it is not in the run file; -1 if unknown */
  ReportFormat format;
  char *color; /* when to use colors: auto, always, never, or NULL */
  char *save;  /* output file of import or export, or NULL */
  char *slots;
  char *sort;        /* sort key of the command list, or NULL */
  char *format_name; /* value of --format as typed, or NULL */
  char *raw_tables;  /* value of --raw: all, none, or names separated by +; NULL stands for all */
  gboolean follow;   /* write reports only while the run goes on */
  gboolean stream;
  gboolean raw; /* export tables as plain arrays */
  gboolean help;
  gboolean version;
} ReportOptions;

ReportOptions *report_options_parse (int argc, char **argv, GError **error);
const char *report_options_suggest_command (const char *name);
void report_options_free (ReportOptions *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ReportOptions, report_options_free)
