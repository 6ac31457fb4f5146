/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>
#include <sys/resource.h>

G_BEGIN_DECLS

/* What the parts of this benchmark share. */

typedef struct
{
  double scale;          /* of all sizes; 1 is that of the goals */
  const char *directory; /* for files */
  gboolean keep;         /* these files */
  const char *report;    /* roast-report */
  const char *peer;      /* a Python that has roastcoffea */
  const char *peer_script;
} BenchOptions;

/* Each prints its figures beside their goals. FALSE if a goal that does not depend on the machine is missed. */
gboolean bench_speed (const BenchOptions *options);
gboolean bench_series_report (const BenchOptions *options);
gboolean bench_tasks_report (const BenchOptions *options);
gboolean bench_peer (const BenchOptions *options);
gboolean bench_memory (const BenchOptions *options);

/* ---- processes ---- */

#define BENCH_MAX_RESULTS 8

/* What a process found out, and what it used. */
typedef struct
{
  double results[BENCH_MAX_RESULTS];
  double elapsed, cpu; /* s */
  double memory;       /* B: most that it had in memory at once */
} BenchChild;

typedef void (*BenchFunc) (gpointer data, double *results);

/* In a process of its own, which begins with the little memory that this one has: this one uses no run file. */
BenchChild bench_call (BenchFunc func, gpointer data);
/* A program; its standard output goes to a file. */
BenchChild bench_run (char **argv, const char *output);

double bench_get_cpu (void);        /* s, of this process */
double bench_get_thread_cpu (void); /* s, of this thread */
double bench_get_peak (void);       /* B of memory, of this process */
/* Gives back what was freed, and lets the peak begin with what is left, which is returned. */
double bench_forget_peak (void);
double bench_get_size (const char *path);
void bench_remove (const BenchOptions *options, const char *path);

/* ---- files ---- */

/* A run of workers with a sample of each a second, and tasks evenly over this time. */
typedef struct
{
  const char *path;
  guint n_workers, seconds;
  guint64 n_tasks;
  gboolean has_limits; /* of memory, in the samples */
} BenchRun;

enum
{
  BENCH_ROWS_CPU,  /* of the thread that writes rows */
  BENCH_STORE_CPU, /* of all others: the store's thread */
  BENCH_BYTES,
  BENCH_BEFORE, /* memory: before the recording began, */
  BENCH_MOST,   /* and the most */
};

/* A BenchFunc that records a BenchRun. */
void bench_record (gpointer data, double *results);
/* A transaction. */
void bench_flush (RoastRunFile *file);
/* B, of this process */
double bench_get_most_memory (void);

/* A run file that records a new recording. */
RoastRunFile *bench_create (const char *path, RoastRecording **recording);
/* As at the end of a run. */
void bench_close (RoastRunFile *file, RoastRecording *recording, gint64 started, gint64 ended);

G_END_DECLS
