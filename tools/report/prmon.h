/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>
#include <stdio.h>

G_BEGIN_DECLS

/* What prmon measures of a process tree, as it stands in both of its files: the sum over the processes that live at a
 * sample. Memory is in kB, the rest in bytes and seconds, all of them whole numbers. */
typedef enum
{
  PRMON_WTIME,
  PRMON_PSS,
  PRMON_RSS,
  PRMON_RCHAR,
  PRMON_READ_BYTES,
  PRMON_WCHAR,
  PRMON_WRITE_BYTES,
  PRMON_STIME,
  PRMON_UTIME,
  PRMON_NPROCS,
  PRMON_NTHREADS,
} PrmonField;

#define PRMON_N_FIELDS (PRMON_NTHREADS + 1)
#define PRMON_KB 1024
/* A whole number in prmon's files may be as great as this. */
#define PRMON_MAX (G_MAXINT64 / G_USEC_PER_SEC)

/* A field, and where roast has it. Column 0 stands for none. */
typedef struct
{
  const char *name;
  gboolean is_sum;         /* it only grows */
  gint64 factor;           /* from prmon's unit to that of the column */
  guint tree;              /* column of cluster_samples */
  guint sample;            /* column of worker_samples: of input and output */
  guint process;           /* column of processes, in bytes or in seconds */
  const char *peak, *mean; /* metadata for samples that are not there, see the aggregator “processes”; or NULL */
  const char *unit, *rate; /* of the highest value and of the average; NULL: there is no average */
} PrmonFieldInfo;

extern const PrmonFieldInfo prmon_fields[PRMON_N_FIELDS];

/* -1 if no field has this name. */
int prmon_find (const char *name, gsize length);

/* ---- import ---- */

/* Writes samples into a recording. */
typedef struct _PrmonRows PrmonRows;

PrmonRows *prmon_rows_new (RoastRecording *recording);
void prmon_rows_free (PrmonRows *self);
/* @time: seconds since the epoch. A value is -1 if it is missing. */
gboolean prmon_rows_add (PrmonRows *self, gint64 time, const gint64 *values, GError **error);
/* Writes the sums, and when the run took place. FALSE if there was no sample. */
gboolean prmon_rows_finish (PrmonRows *self, GError **error);

/* What is the same for both files: the source, and why some metrics have no value. Returns the name of the source. */
char *prmon_begin (RoastRecording *recording, const char *capabilities, const char *version);
/* The row that stands for all processes, with the last values. */
gboolean prmon_add_sums (RoastRecording *recording, const char *source, const gint64 *values, gint64 started,
                         GError **error);

/* prmon's text. @left_out: gets names of columns that roast has no place for. */
gboolean prmon_text_take (RoastRecording *recording, FILE *file, GPtrArray *left_out, GError **error);

/* prmon's JSON. @ended: when the file was written, µs since the epoch. @left_out: gets names. */
gboolean prmon_json_take (RoastRecording *recording, const char *text, gsize length, gint64 ended, GPtrArray *left_out,
                          GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PrmonRows, prmon_rows_free)

G_END_DECLS
