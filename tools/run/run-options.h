/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "export-option.h"

G_BEGIN_DECLS

/* The command line of roast-run, as typed. */
typedef struct
{
  GPtrArray *backends; /* of char *: NAME[,OPTION=VALUE...] */
  GPtrArray *exports;  /* of ExportOption */
  GPtrArray *tags;     /* of char *: KEY, VALUE, KEY, VALUE, ... */
  gint64 interval;     /* µs */
  double deadline;     /* s after the end of the program */
  char *attach;        /* address, or NULL */
  char *save;          /* file in which the run is kept, “” for one among the other runs, or NULL */
  char *color;         /* auto, always, never, or NULL */
  char **program;      /* program and arguments, or NULL */
  gboolean help;
  gboolean version;
  gboolean quiet;
} RunOptions;

RunOptions *run_options_parse (int argc, char **argv, GError **error);
void run_options_free (RunOptions *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunOptions, run_options_free)

G_END_DECLS
