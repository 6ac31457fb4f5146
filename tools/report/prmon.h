/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>
#include <stdio.h>

G_BEGIN_DECLS

/* Quantities that prmon measures of a process tree, as in both of its files: sums over the processes alive at a sample.
 * Memory is in kB, all other quantities in bytes or seconds. All are whole numbers. */
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
/* Largest whole number accepted in prmon's files. */
#define PRMON_MAX (G_MAXINT64 / G_USEC_PER_SEC)

/* A field and the corresponding columns of roast. Column 0 means none. */
typedef struct
{
  const char *name;
  gboolean is_sum;         /* the value only grows */
  gint64 factor;           /* from prmon's unit to the unit of the column */
  guint tree;              /* column of cluster_samples */
  guint sample;            /* column of worker_samples, for input and output */
  guint process;           /* column of processes, in bytes or in seconds */
  const char *peak, *mean; /* metadata that replace missing samples, see the aggregator “processes”; NULL if none */
  const char *unit, *rate; /* units of the highest value and of the average; rate is NULL if there is no average */
} PrmonFieldInfo;

extern const PrmonFieldInfo prmon_fields[PRMON_N_FIELDS];

/* Returns a PrmonField; -1 if no field has this name. */
int prmon_find (const char *name, gsize length);

/* ---- import ---- */

/* Writes samples into a recording. */
typedef struct _PrmonRows PrmonRows;

PrmonRows *prmon_rows_new (RoastRecording *recording);
void prmon_rows_free (PrmonRows *self);
/* Adds a sample. @time: s since the epoch. Missing values are -1. */
gboolean prmon_rows_add (PrmonRows *self, gint64 time, const gint64 *values, GError **error);
/* Writes the sums and the times of the run. Returns FALSE if there was no sample. */
gboolean prmon_rows_finish (PrmonRows *self, GError **error);

/* Adds the source and the reasons for missing metrics, which are the same for both files. Returns the name of the
 * source. */
char *prmon_begin (RoastRecording *recording, const char *capabilities, const char *version);
/* Writes the row that stands for all processes, with the last values. */
gboolean prmon_add_sums (RoastRecording *recording, const char *source, const gint64 *values, gint64 started,
                         GError **error);

/* Imports prmon's text. @left_out: receives the names of columns that roast cannot store */
gboolean prmon_text_take (RoastRecording *recording, FILE *file, GPtrArray *left_out, GError **error);

/* Imports prmon's JSON. @ended: when the file was written, µs since the epoch. @left_out: receives the names of members
 * that roast cannot store */
gboolean prmon_json_take (RoastRecording *recording, const char *text, gsize length, gint64 ended, GPtrArray *left_out,
                          GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PrmonRows, prmon_rows_free)

G_END_DECLS
