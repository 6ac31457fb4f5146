/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "export-option.h"

G_BEGIN_DECLS

typedef enum
{
  RUN_SAVE_DEFAULT, /* keep the run among the other runs, if that is possible */
  RUN_SAVE_RUNS,    /* keep the run among the other runs */
  RUN_SAVE_FILE,    /* keep the run in a file that the user named */
  RUN_SAVE_NOT,     /* keep the run only until it ends, so that the keeper can make a report if the session dies */
} RunSave;

/* The command line of roast-run, as typed. */
typedef struct
{
  GPtrArray *backends; /* array of char *, each NAME[,OPTION=VALUE...] */
  GPtrArray *exports;  /* array of ExportOption */
  GPtrArray *tags;     /* array of char *, alternately a key and its value */
  gint64 interval;     /* µs */
  double deadline;     /* s; time limit for the start, and for the work after the end of the program */
  double patience;     /* s; time limit for a wait in a plugin after the end of the program */
  char *attach;        /* PID or address to attach to, or NULL */
  RunSave save;        /* place in which the run is kept, if any */
  char *save_file;     /* name of the run file for RUN_SAVE_FILE */
  char *control;       /* descriptors for orders and answers, as “IN,OUT”; or NULL */
  char *color;         /* value of --color: auto, always, never, or NULL */
  char **program;      /* program and its arguments, or NULL */
  gboolean help;
  gboolean version;
  gboolean quiet;
  gboolean top;           /* show the run in progress */
  gboolean no_instrument; /* inject no code into the program */
} RunOptions;

RunOptions *run_options_parse (int argc, char **argv, GError **error);
void run_options_free (RunOptions *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunOptions, run_options_free)

G_END_DECLS
