/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "export-option.h"

typedef enum
{
  RUN_SAVE_DEFAULT, /* keep the run together with other runs, if this is possible */
  RUN_SAVE_RUNS,    /* keep the run together with other runs; it is an error if this is impossible */
  RUN_SAVE_FILE,    /* keep the run in the file that the user named */
  RUN_SAVE_NOT,     /* keep the run only until it ends, so that the keeper can make a report if the session dies */
} RunSave;

/* The command line of roast-run, as typed. */
typedef struct
{
  GPtrArray *backends; /* elements are char *: NAME[,OPTION=VALUE...] */
  GPtrArray *exports;  /* elements are ExportOption */
  GPtrArray *tags;     /* elements are char *: a key, its value, the next key, … */
  gint64 interval;     /* µs between two samples */
  double deadline;     /* s; time limit for the start, and for the work after the program has ended */
  double patience;     /* s; time limit for a plugin that waits after the program has ended */
  char *attach;        /* PID or address of the process to which roast attaches, or NULL */
  RunSave save;        /* whether and where the run is kept */
  char *save_file;     /* name of the run file for RUN_SAVE_FILE */
  char *control;       /* descriptors for orders and for answers, as “IN,OUT”; or NULL */
  char *color;         /* value of --color: auto, always, never, or NULL */
  char **program;      /* program and its arguments, or NULL */
  gboolean help;
  gboolean version;
  gboolean quiet;
  gboolean top;           /* show the run in progress */
  gboolean no_instrument; /* do not inject code into the program */
} RunOptions;

RunOptions *run_options_parse (int argc, char **argv, GError **error);
void run_options_free (RunOptions *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunOptions, run_options_free)
