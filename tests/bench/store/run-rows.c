/* SPDX-License-Identifier: BSD-3-Clause */
#include "run-rows.h"

#include "series.h"

#define THREADS_PER_WORKER 8
#define CORES 8
#define N_CATEGORIES 5
#define FAILURES 1000 /* of so many tasks, one fails */

static const char *const categories[N_CATEGORIES] = { "MyProcessor", "accumulate", "get_metadata", "preprocess",
                                                      "write_output" };

static RoastTableWriter *
open_table (RoastRecording *recording, const char *table, const char *const *columns)
{
  g_autoptr (GError) error = NULL;
  RoastTableWriter *writer = roast_recording_write_table (recording, table, RUN_SOURCE, columns, &error);

  if (writer == NULL)
    g_error ("%s", error->message);

  return writer;
}

static void
end_row (RoastTableWriter *writer)
{
  g_autoptr (GError) error = NULL;

  if (!roast_table_writer_close (writer, &error) && !roast_table_writer_end (writer, &error))
    g_error ("%s", error->message);
}

void
run_rows_add_workers (RoastRecording *recording, const char *const *names, guint n_workers, gint64 started,
                      gint64 ended)
{
  g_autoptr (RoastTableWriter) sources = open_table (recording, ROAST_TABLE_SOURCES, roast_sources_columns);
  g_autoptr (RoastTableWriter) roles = open_table (recording, ROAST_TABLE_CATEGORIES, roast_categories_columns);
  g_autoptr (RoastTableWriter) workers = open_table (recording, ROAST_TABLE_WORKERS, roast_workers_columns);

  roast_table_writer_set_string (sources, ROAST_SOURCES_SOURCE, RUN_SOURCE);
  roast_table_writer_set_string (sources, ROAST_SOURCES_BACKEND, "dask");
  end_row (sources);
  for (guint i = 0; i < N_CATEGORIES; i++)
    {
      gboolean is_analysis = i == 0 || i == N_CATEGORIES - 1;

      roast_table_writer_set_string (roles, ROAST_CATEGORIES_CATEGORY, categories[i]);
      roast_table_writer_set_word (roles, ROAST_CATEGORIES_ROLE,
                                   is_analysis ? ROAST_ROLE_ANALYSIS : ROAST_ROLE_FRAMEWORK);
      end_row (roles);
    }
  for (guint i = 0; i < n_workers; i++)
    {
      char host[32];

      g_snprintf (host, sizeof host, "node%u", i / 8);
      roast_table_writer_set_string (workers, ROAST_WORKERS_WORKER, names[i]);
      roast_table_writer_set_string (workers, ROAST_WORKERS_HOST, host);
      roast_table_writer_set_int64 (workers, ROAST_WORKERS_PID, 1000 + i % 8);
      roast_table_writer_set_double (workers, ROAST_WORKERS_CORES, CORES);
      roast_table_writer_set_int64 (workers, ROAST_WORKERS_MEMORY_LIMIT, RUN_MEMORY_LIMIT);
      roast_table_writer_set_int64 (workers, ROAST_WORKERS_JOINED, started);
      roast_table_writer_set_int64 (workers, ROAST_WORKERS_LEFT, ended);
      end_row (workers);
    }
}

void
run_rows_add_activities (RoastRecording *recording, const char *const *names, guint n_workers, gint64 ended)
{
  static const guint words[] = { ROAST_ACTIVITY_THREAD_CPU, ROAST_ACTIVITY_THREAD_NONCPU };
  g_autoptr (RoastTableWriter) writer = open_table (recording, ROAST_TABLE_ACTIVITIES, roast_activities_columns);

  for (guint i = 0; i < n_workers; i++)
    for (guint k = 0; k < N_CATEGORIES; k++)
      for (guint word = 0; word < G_N_ELEMENTS (words); word++)
        {
          roast_table_writer_set_int64 (writer, ROAST_ACTIVITIES_TIME, ended);
          roast_table_writer_set_string (writer, ROAST_ACTIVITIES_WORKER, names[i]);
          roast_table_writer_set_word (writer, ROAST_ACTIVITIES_CONTEXT, ROAST_CONTEXT_EXECUTE);
          roast_table_writer_set_string (writer, ROAST_ACTIVITIES_CATEGORY, categories[k]);
          roast_table_writer_set_word (writer, ROAST_ACTIVITIES_ACTIVITY, words[word]);
          roast_table_writer_set_word (writer, ROAST_ACTIVITIES_UNIT, ROAST_UNIT_SECONDS);
          roast_table_writer_set_double (writer, ROAST_ACTIVITIES_VALUE, 10.0 * k + i % 100 + word);
          end_row (writer);
        }
}

/* ---- tasks ---- */

/* One thread of a worker, and what it runs. */
typedef struct
{
  guint worker, category, attempt;
  guint64 name[2];
  gint64 started, ended;
  gboolean fails;
} Thread;

struct _RunTasks
{
  GRand *rand;
  const char *const *names;
  Thread *threads; /* a heap: the one that ends first is the first */
  guint n_threads;
  gint64 end;
};

static guint64
get_bits (GRand *rand)
{
  return (guint64) g_rand_int (rand) << 32 | g_rand_int (rand);
}

static void
start_task (RunTasks *self, Thread *thread, gint64 now)
{
  guint kind = (guint) g_rand_int_range (self->rand, 0, 40);

  if (thread->fails)
    thread->attempt++;
  else
    {
      thread->attempt = 1;
      thread->category = kind < N_CATEGORIES ? kind : 0;
      thread->name[0] = get_bits (self->rand);
      thread->name[1] = get_bits (self->rand);
    }
  thread->fails = thread->attempt == 1 && g_rand_int_range (self->rand, 0, FAILURES) == 0;
  thread->started = now + g_rand_int_range (self->rand, 300, 5000);
  thread->ended = thread->started + (gint64) (2e6 * g_rand_int_range (self->rand, 1000, 30000) / 1000) +
                  g_rand_int_range (self->rand, 0, 1000);
}

static void
sink (RunTasks *self, guint at)
{
  Thread thread = self->threads[at];

  for (guint child = 2 * at + 1; child < self->n_threads; child = 2 * at + 1)
    {
      if (child + 1 < self->n_threads && self->threads[child + 1].ended < self->threads[child].ended)
        child++;
      if (thread.ended <= self->threads[child].ended)
        break;
      self->threads[at] = self->threads[child];
      at = child;
    }
  self->threads[at] = thread;
}

RunTasks *
run_tasks_new (const char *const *names, guint n_workers)
{
  RunTasks *self = g_new0 (RunTasks, 1);

  self->rand = g_rand_new_with_seed (2);
  self->names = names;
  self->n_threads = n_workers * THREADS_PER_WORKER;
  self->threads = g_new0 (Thread, self->n_threads);
  for (guint i = 0; i < self->n_threads; i++)
    {
      self->threads[i].worker = i / THREADS_PER_WORKER;
      start_task (self, &self->threads[i], SERIES_START + G_USEC_PER_SEC);
    }
  for (guint i = self->n_threads / 2; i-- > 0;)
    sink (self, i);

  return self;
}

void
run_tasks_free (RunTasks *self)
{
  g_rand_free (self->rand);
  g_free (self->threads);
  g_free (self);
}

gint64
run_tasks_get_end (RunTasks *self)
{
  return self->end;
}

static void
write_task (RunTasks *self, RoastTableWriter *writer, const Thread *thread)
{
  double seconds = (double) (thread->ended - thread->started) / 1e6;
  char name[64];

  g_snprintf (name, sizeof name, "%s-%016" G_GINT64_MODIFIER "x%016" G_GINT64_MODIFIER "x",
              categories[thread->category], thread->name[0], thread->name[1]);
  roast_table_writer_set_string (writer, ROAST_TASKS_TASK, name);
  roast_table_writer_set_int64 (writer, ROAST_TASKS_ATTEMPT, thread->attempt);
  roast_table_writer_set_string (writer, ROAST_TASKS_CATEGORY, categories[thread->category]);
  roast_table_writer_set_string (writer, ROAST_TASKS_WORKER, self->names[thread->worker]);
  roast_table_writer_set_int64 (writer, ROAST_TASKS_SUBMITTED, SERIES_START);
  roast_table_writer_set_int64 (writer, ROAST_TASKS_DISPATCHED, thread->started - 250 - thread->started % 50);
  roast_table_writer_set_int64 (writer, ROAST_TASKS_DELIVERED, thread->started - 40 - thread->started % 10);
  roast_table_writer_set_int64 (writer, ROAST_TASKS_STARTED, thread->started);
  roast_table_writer_set_int64 (writer, ROAST_TASKS_ENDED, thread->ended);
  roast_table_writer_set_int64 (writer, ROAST_TASKS_NOTICED, thread->ended + 100 + thread->ended % 400);
  roast_table_writer_set_word (writer, ROAST_TASKS_STATUS, thread->fails ? ROAST_STATUS_FAILED : ROAST_STATUS_DONE);
  if (thread->fails)
    {
      roast_table_writer_set_string (writer, ROAST_TASKS_ERROR, "OSError");
      roast_table_writer_set_string (writer, ROAST_TASKS_MESSAGE, "XRootD error: [ERROR] Operation expired");
    }
  roast_table_writer_set_double (writer, ROAST_TASKS_CPU, seconds * (0.5 + 0.5 * g_rand_double (self->rand)));
  roast_table_writer_set_int64 (writer, ROAST_TASKS_BYTES_OUT, g_rand_int_range (self->rand, 10000, 10000000));
  end_row (writer);
}

void
run_tasks_write (RunTasks *self, RoastTableWriter *writer, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      write_task (self, writer, &self->threads[0]);
      self->end = self->threads[0].ended;
      start_task (self, &self->threads[0], self->end);
      sink (self, 0);
    }
}
