/* SPDX-License-Identifier: BSD-3-Clause */

/* CPU time of roast-report query on a run with 1e7 rows, beside the same query that has to look at each row: where
 * LIMIT is between the table and the comparison, SQLite gets all rows and no block is left out.
 *
 * The rows are worker_samples of two sources, one after the other, of 1000 workers in turn, once a second: time,
 * worker, memory (a random walk) and CPU time. */

#include <roast/roast.h>

#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define WORKERS 1000
#define START G_GINT64_CONSTANT (1700000000000000)
#define GOAL 10.0 /* times less CPU time for a range of time */

static const char *const columns[] = { "time", "worker", "memory", "cpu", NULL };

static void
write_source (RoastRecording *recording, const char *source, guint first, guint n_rows)
{
  g_autoptr (RoastTableWriter) writer =
      roast_recording_write_table (recording, "worker_samples", source, columns, NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  gint64 memory[WORKERS] = { 0 };
  char name[32];

  for (guint row = first; row < first + n_rows; row++)
    {
      guint worker = row % WORKERS;

      g_snprintf (name, sizeof name, "tcp://10.0.0.%u:%u", worker % 250, 40000 + worker);
      memory[worker] += (gint64) g_rand_int_range (rand, 0, 401) * 4096;
      roast_table_writer_set_int64 (writer, 0, START + (gint64) (row / WORKERS) * G_USEC_PER_SEC + worker * 731);
      roast_table_writer_set_string (writer, 1, name);
      roast_table_writer_set_int64 (writer, 2, memory[worker]);
      roast_table_writer_set_double (writer, 3, row / WORKERS * 0.9);
      if (!roast_table_writer_end (writer, NULL))
        g_error ("a row was refused");
    }
}

static void
write_file (const char *path, guint n_rows)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastRunFile) file = roast_run_file_create (path, &error);

  if (file == NULL)
    g_error ("%s", error->message);
  roast_run_file_attach (file, recording);
  write_source (recording, "dask-1", 0, n_rows / 10);
  if (!roast_run_file_flush (file, &error))
    g_error ("%s", error->message);
  write_source (recording, "dask-2", n_rows / 10, n_rows - n_rows / 10);
  if (!roast_run_file_close (file, &error))
    g_error ("%s", error->message);
}

/* Runs a query, gives its answer, and adds its CPU time and peak memory. */
static char *
ask (const char *path, const char *select, const char *table, const char *where, double *cpu, long *peak)
{
  g_autofree char *sql = g_strdup_printf ("SELECT %s FROM %s WHERE %s", select, table, where);
  char *argv[] = { (char *) "roast-report", (char *) "query", sql, (char *) path, (char *) "--format=csv", NULL };
  g_autoptr (GError) error = NULL;
  GPid pid = 0;
  int out = -1;
  int status = 0;
  struct rusage usage;
  g_autoptr (GIOChannel) channel = NULL;
  char *answer = NULL;

  if (!g_spawn_async_with_pipes (NULL, argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid,
                                 NULL, &out, NULL, &error))
    g_error ("%s", error->message);
  channel = g_io_channel_unix_new (out);
  g_io_channel_set_close_on_unref (channel, TRUE);
  g_io_channel_read_to_end (channel, &answer, NULL, NULL);
  if (wait4 (pid, &status, 0, &usage) != pid || status != 0)
    g_error ("the query failed: %s", sql);
  *cpu = (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
  *peak = usage.ru_maxrss;

  return answer;
}

/* Returns how many times less CPU time the query takes. */
static double
compare (const char *path, const char *what, const char *select, const char *where)
{
  static const char everything[] = "(SELECT source, time, worker, memory, cpu FROM worker_samples LIMIT -1)";
  double cpu = 0;
  double full = 0;
  long peak = 0;
  long ignored = 0;
  g_autofree char *answer = ask (path, select, "worker_samples", where, &cpu, &peak);
  g_autofree char *expected = ask (path, select, everything, where, &full, &ignored);

  if (!g_str_equal (answer, expected))
    g_error ("%s: %s instead of %s", where, answer, expected);
  printf ("%-36s %7.3f CPU-s, %4ld MB; all rows in SQLite %7.3f CPU-s: %.1f times less\n", what, cpu, peak / 1024, full,
          full / cpu);

  return full / cpu;
}

int
main (int argc, char **argv)
{
  guint n_rows = argc > 1 ? (guint) atoi (argv[1]) : 10000000;
  g_autofree char *directory = g_dir_make_tmp ("roast-bench-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "run.roast", NULL);
  g_autofree char *range = g_strdup_printf ("time BETWEEN %" G_GINT64_FORMAT " AND %" G_GINT64_FORMAT,
                                            START + n_rows / WORKERS / 2 * G_USEC_PER_SEC,
                                            START + (n_rows / WORKERS / 2 + 60) * G_USEC_PER_SEC);
  double ratio = 0;

  write_file (path, n_rows);
  printf ("%u rows, %d workers\n", n_rows, WORKERS);
  ratio = compare (path, "one minute", "count(*), sum(memory), max(cpu)", range);
  compare (path, "one source of two, a tenth", "count(*), sum(memory)", "source = 'dask-1'");
  compare (path, "one worker", "count(*), max(memory), max(cpu)", "worker = 'tcp://10.0.0.7:40007'");
  compare (path, "a source that is not there", "count(*)", "source = 'dask-3'");
  compare (path, "everything", "count(*), sum(memory)", "1");
  g_unlink (path);
  g_rmdir (directory);

  return ratio >= GOAL ? 0 : 1;
}
