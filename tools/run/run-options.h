/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* The command line of roast-run, as typed. */
typedef struct
{
  GPtrArray *backends; /* of char *: NAME[,OPTION=VALUE...] */
  GPtrArray *exports;  /* of RunExport */
  GPtrArray *tags;     /* of char *: KEY, VALUE, KEY, VALUE, ... */
  gint64 interval;     /* µs */
  char *attach;        /* address, or NULL */
  char *color;         /* auto, always, never, or NULL */
  char **program;      /* program and arguments, or NULL */
  gboolean help;
  gboolean version;
  gboolean quiet;
} RunOptions;

/* --export=NAME[:TARGET][,OPTION=VALUE...] */
typedef struct
{
  char *name;
  char *target;  /* "-" for standard output, NULL for standard error */
  char *options; /* the rest, which the registry parses; or NULL */
} RunExport;

RunOptions *run_options_parse (int argc, char **argv, GError **error);
void run_options_free (RunOptions *self);
RunExport *run_export_parse (const char *text, GError **error);
void run_export_free (RunExport *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunOptions, run_options_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunExport, run_export_free)

G_END_DECLS
