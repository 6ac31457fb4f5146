/* SPDX-License-Identifier: BSD-3-Clause */

/* How many values a CPU-second the store writes into a run file and reads back, in how many bytes each, beside zstd
 * alone on the same bytes.
 *
 * The rows are worker_samples of 1000 workers in turn, once a second, with ten series each. Integers: resident memory,
 * a random walk of pages of 4 KiB around a level of its own; managed memory, which changes at every fifth sample by a
 * chunk; spilled memory, 0 for most workers; the bytes of results; threads, nearly constant; tasks assigned and
 * executed, small numbers. Doubles: CPU time so far, in ticks of 10 ms; CPU use in tenths of a percent; received bytes
 * a second, a quotient that uses all bits. */

#include <roast/roast.h>

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <zstd.h>

#define WORKERS 1000
#define SERIES 10
#define ROWS 1000000
#define BLOCK 4096 /* rows, for the limit */
#define RATE_GOAL 25e6
#define BYTES_GOAL 3.0

static const char *const columns[] = {
  "time",         "worker",          "memory", "managed",     "spilled_memory", "nbytes", "threads",
  "active_tasks", "executing_tasks", "cpu",    "cpu_percent", "net_read_rate",  NULL,
};

#define FIRST_SERIES 2
#define FIRST_DOUBLE 9

typedef struct
{
  gint64 memory, managed, spilled, nbytes, threads, active;
  double cpu;
} Worker;

static double
cpu_seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);

  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

/* ---- the series ---- */

static void
start_worker (Worker *worker, GRand *rand)
{
  worker->memory = (gint64) g_rand_int_range (rand, 50000, 400000) * 4096;
  worker->spilled = g_rand_int_range (rand, 0, 20) == 0 ? g_rand_int (rand) : 0;
  worker->threads = g_rand_int_range (rand, 8, 12);
}

static void
step_worker (Worker *worker, GRand *rand)
{
  worker->memory += (gint64) g_rand_int_range (rand, -200, 201) * 4096;
  if (g_rand_int_range (rand, 0, 5) == 0)
    worker->managed = (gint64) g_rand_int_range (rand, 0, 1000) * 65536;
  if (g_rand_int_range (rand, 0, 10) == 0)
    worker->nbytes += g_rand_int_range (rand, 0, 100000);
  if (worker->spilled != 0 && g_rand_int_range (rand, 0, 10) == 0)
    worker->spilled += g_rand_int_range (rand, 0, 1 << 20);
  worker->active = g_rand_int_range (rand, 0, 10);
  worker->cpu += (double) g_rand_int_range (rand, 60, 101);
}

static void
write_series (RoastTableWriter *writer, const Worker *worker, GRand *rand)
{
  double used = g_rand_int_range (rand, 600, 1010);

  roast_table_writer_set_int64 (writer, 2, worker->memory);
  roast_table_writer_set_int64 (writer, 3, worker->managed);
  roast_table_writer_set_int64 (writer, 4, worker->spilled);
  roast_table_writer_set_int64 (writer, 5, worker->nbytes);
  roast_table_writer_set_int64 (writer, 6, worker->threads);
  roast_table_writer_set_int64 (writer, 7, worker->active);
  roast_table_writer_set_int64 (writer, 8, MIN (worker->active, 2));
  roast_table_writer_set_double (writer, 9, worker->cpu / 100);
  roast_table_writer_set_double (writer, 10, used / 10);
  roast_table_writer_set_double (writer, 11, g_rand_double (rand) * 1e6 / 0.9998);
}

static RoastRecording *
record (void)
{
  RoastRecording *recording = roast_recording_new (NULL);
  g_autoptr (RoastTableWriter) writer =
      roast_recording_write_table (recording, "worker_samples", "dask-1", columns, NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autofree Worker *workers = g_new0 (Worker, WORKERS);
  gint64 start = G_GINT64_CONSTANT (1700000000000000);

  for (guint i = 0; i < WORKERS; i++)
    start_worker (&workers[i], rand);
  for (guint row = 0; row < ROWS; row++)
    {
      guint number = row % WORKERS;
      char name[32];

      g_snprintf (name, sizeof name, "tcp://10.0.0.%u:%u", number % 250, 40000 + number);
      step_worker (&workers[number], rand);
      roast_table_writer_set_int64 (writer, 0, start + (gint64) (row / WORKERS) * G_USEC_PER_SEC + number * 731);
      roast_table_writer_set_string (writer, 1, name);
      write_series (writer, &workers[number], rand);
      if (!roast_table_writer_end (writer, NULL))
        g_error ("a row was refused");
    }

  return recording;
}

/* ---- the limit ---- */

/* zstd at the same level on the same blocks, as they are in memory. */
static void
measure_limit (RoastRecording *recording, double *seconds, double *bytes)
{
  g_autoptr (RoastTableReader) reader = roast_recording_read_table (recording, "worker_samples", columns, NULL);
  gsize room = ZSTD_compressBound (BLOCK * sizeof (double));
  g_autofree char *to = g_malloc (room);
  ZSTD_CCtx *context = ZSTD_createCCtx ();
  gsize size = 0;
  double begin = cpu_seconds ();

  while (roast_table_reader_next_block (reader))
    for (guint slot = FIRST_SERIES; slot < FIRST_SERIES + SERIES; slot++)
      {
        g_autoptr (GBytes) data = roast_table_reader_dup_block_data (reader, slot);

        size += ZSTD_compressCCtx (context, to, room, g_bytes_get_data (data, NULL), g_bytes_get_size (data), 1);
      }
  *seconds = cpu_seconds () - begin;
  *bytes = (double) size;
  ZSTD_freeCCtx (context);
}

/* ---- the store ---- */

static double
store (RoastRecording *recording, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastRunFile) file = roast_run_file_create (path, &error);
  double begin = cpu_seconds ();

  if (file == NULL)
    g_error ("%s", error->message);
  roast_run_file_attach (file, recording);
  if (!roast_run_file_close (file, &error))
    g_error ("%s", error->message);

  return cpu_seconds () - begin;
}

static double
sum_all (RoastRecording *recording, double *seconds)
{
  double total = 0;
  double begin = cpu_seconds ();

  for (guint slot = FIRST_SERIES; slot < FIRST_SERIES + SERIES; slot++)
    {
      g_autoptr (RoastTableReader) one =
          roast_recording_read_table (recording, "worker_samples", (const char *const[]) { columns[slot], NULL }, NULL);
      double sum = 0;

      roast_table_reader_sum (one, 0, &sum, NULL);
      total += sum;
    }
  *seconds = cpu_seconds () - begin;

  return total;
}

int
main (void)
{
  g_autoptr (RoastRecording) recording = record ();
  g_autoptr (RoastRecording) again = NULL;
  g_autofree char *directory = g_dir_make_tmp ("roast-bench-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "run.roast", NULL);
  double values = (double) ROWS * SERIES;
  double limit = 0;
  double limit_bytes = 0;
  double ignored = 0;
  double written = 0;
  double seconds = 0;
  double expected = sum_all (recording, &ignored);
  GStatBuf status;

  measure_limit (recording, &limit, &limit_bytes);
  written = store (recording, path);
  if (g_stat (path, &status) != 0)
    g_error ("the file is not there");
  again = roast_recording_open (path, NULL);
  if (again == NULL || sum_all (again, &seconds) != expected)
    g_error ("the file has other values");
  g_unlink (path);
  g_rmdir (directory);

  printf ("%.0f M values of %d workers, %d series each\n", values / 1e6, WORKERS, SERIES);
  printf ("limit: zstd -1 alone      %6.1f M values/CPU-s, %5.2f B each\n", values / limit / 1e6, limit_bytes / values);
  printf ("written into a run file   %6.1f M values/CPU-s, %5.2f B each: %.2f × the time of the limit, %.2f × its "
          "bytes "
          "(goals: %.0f M, %.1f B)\n",
          values / written / 1e6, (double) status.st_size / values, written / limit,
          (double) status.st_size / limit_bytes, RATE_GOAL / 1e6, BYTES_GOAL);
  printf ("read and added up         %6.1f M values/CPU-s\n", values / seconds / 1e6);

  return (double) status.st_size / values <= BYTES_GOAL ? 0 : 1;
}
