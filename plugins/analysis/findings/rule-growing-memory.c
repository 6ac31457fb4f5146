/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds chunks or tasks that leave memory allocated after they end. */

#include "findings.h"
#include "group-element.h"
#include "order.h"
#include "workload-tables.h"

#define GROWING_MEMORY_LEAST_CHUNKS 4 /* look only at processes with at least this many chunks */
#define GROWING_MEMORY_LEAST_TASKS 10 /* look only at workers that ran at least this many tasks */
#define LEAST_SAMPLES 4
#define GROWTH 5e6      /* report only if memory grew by at least this, B per chunk or task */
#define GROWN 0.3       /* report only if memory grew by at least this share of the peak memory in total */
#define STEADY 0.9      /* report only if memory and the number of ended tasks have at least this correlation */
#define SECOND_HALF 0.3 /* report only if at least this part of the growth is in the second half of the tasks */
#define GROWING_MEMORY_LOADING 0.02 /* s; a processor that takes longer to load contains much data */

/* ---- chunks ---- */

/* Growth of the process whose memory grew most after its first chunk. What the first chunk loads once is not growth,
 * and neither is what each chunk loads and later frees, such as a copy of the processor. */
typedef struct
{
  double each, grown; /* growth per chunk, and in total, B; -INFINITY if no process had several chunks */
} ChunksGrowth;

static ChunksGrowth
read_growth (Findings *self)
{
  g_autoptr (RoastTableReader) processes = roast_chunk_processes_read (self->report);
  ChunksGrowth most = { -INFINITY, -INFINITY };

  while (roast_table_reader_next (processes))
    {
      double n = roast_table_reader_get_double (processes, ROAST_CHUNK_PROCESSES_CHUNKS);
      double each = roast_table_reader_get_double (processes, ROAST_CHUNK_PROCESSES_GROWTH);

      if (n >= GROWING_MEMORY_LEAST_CHUNKS && each * (n - 1) > most.grown)
        most = (ChunksGrowth) { each, each * (n - 1) };
    }

  return most;
}

/* Returns TRUE if a finding was added. */
static gboolean
look_at_chunks (Findings *self, const ChunksGrowth *growth, double peak)
{
  RoastFinding *finding = NULL;

  if (growth->each < GROWTH || !(growth->grown >= GROWN * peak))
    return FALSE;
  finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, NAN,
                          "The memory of a process grew by %s per chunk on average after its first chunk, by %s in "
                          "total.",
                          findings_bytes (self, growth->each), findings_bytes (self, growth->grown));
  roast_finding_add_number (finding, "growth_per_chunk", growth->each, "B");
  roast_finding_add_number (finding, "growth", growth->grown, "B");
  /* Python may free copies of the processor only much later. */
  findings_add (self, finding, "%s",
                findings_evaluate (self, "mean (load_time over chunks where known (load_time))") >=
                        GROWING_MEMORY_LOADING
                    ? "Each chunk loads a copy of the processor. Keep large tables out of its attributes first. If the "
                      "memory still grows, check what the function process () keeps. The growth limits how many chunks "
                      "a process can run."
                    : "Check what the function process () keeps in memory, such as arrays in attributes of the "
                      "processor, caches, or growing results. The growth limits how many chunks a process can run.");

  return TRUE;
}

/* ---- tasks of an executor ---- */

/* Memory of one worker, minus the results that the worker holds, and the times at which its tasks ended. */
typedef struct
{
  const char *name;
  const char *category; /* category of the worker's first task that has a category */
  GArray *ends;         /* ends of the worker's tasks, µs, sorted */
  GArray *times;        /* times of samples, µs */
  GArray *memory;       /* memory at each of @times, B */
} GrowingMemoryWorker;

static void
worker_free (GrowingMemoryWorker *self)
{
  g_array_unref (self->ends);
  g_array_unref (self->times);
  g_array_unref (self->memory);
  g_free (self);
}

static GrowingMemoryWorker *
growing_memory_get_worker (Findings *self, GHashTable *workers, const char *name)
{
  GrowingMemoryWorker *worker = g_hash_table_lookup (workers, name);

  if (worker == NULL)
    {
      worker = g_new0 (GrowingMemoryWorker, 1);
      worker->name = findings_keep (self, name);
      worker->ends = g_array_new (FALSE, FALSE, sizeof (double));
      worker->times = g_array_new (FALSE, FALSE, sizeof (double));
      worker->memory = g_array_new (FALSE, FALSE, sizeof (double));
      g_hash_table_insert (workers, (gpointer) worker->name, worker);
    }

  return worker;
}

static void
growing_memory_read_samples (Findings *self, GHashTable *workers)
{
  g_autoptr (RoastTableReader) samples = roast_worker_samples_read (self->recording);

  while (roast_table_reader_next (samples))
    {
      const char *name = roast_table_reader_get_string (samples, ROAST_WORKER_SAMPLES_WORKER);
      double time = roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_TIME);
      double memory = roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_MEMORY) -
                      roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_MANAGED);
      GrowingMemoryWorker *worker = NULL;

      if (name == NULL || isnan (time) || isnan (memory))
        continue;
      worker = growing_memory_get_worker (self, workers, name);
      g_array_append_val (worker->times, time);
      g_array_append_val (worker->memory, memory);
    }
}

/* Returns whether the memory of a worker grew by less than @least. Workers with steady memory are removed first,
 * because reading their tasks would be slow. */
static gboolean
is_steady (gpointer name, gpointer worker, gpointer least)
{
  const GArray *memory = ((const GrowingMemoryWorker *) worker)->memory;
  double first = g_array_index (memory, double, 0);
  double last = g_array_index (memory, double, memory->len - 1);

  (void) name;

  return last - first < *(const double *) least;
}

static void
growing_memory_read_ends (Findings *self, GHashTable *workers)
{
  static const guint key = ROAST_TASKS_WORKER;
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (self->recording);
  g_autoptr (GArray) groups = g_array_new (FALSE, TRUE, sizeof (GrowingMemoryWorker *));
  GHashTableIter iter;
  GrowingMemoryWorker *worker = NULL;

  roast_table_reader_group_by (tasks, &key, 1);
  while (roast_table_reader_next (tasks))
    {
      GrowingMemoryWorker **found = group_element (groups, tasks);
      double ended = roast_table_reader_get_double (tasks, ROAST_TASKS_ENDED);
      const char *name = roast_table_reader_get_string (tasks, key);

      if (isnan (ended) || name == NULL)
        continue;
      if (*found == NULL)
        *found = g_hash_table_lookup (workers, name);
      if (*found == NULL)
        continue;
      g_array_append_val ((*found)->ends, ended);
      if ((*found)->category == NULL)
        (*found)->category = findings_keep (self, roast_table_reader_get_string (tasks, ROAST_TASKS_CATEGORY));
    }
  g_hash_table_iter_init (&iter, workers);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &worker))
    g_array_sort (worker->ends, order_doubles);
}

/* Result of a linear fit of memory to the number of tasks. */
typedef struct
{
  double each, correlation, grown; /* each: growth per task, B; grown: total growth, B */
} Growth;

/* Fits memory to the number of ended tasks. Starts at the last sample before the first task ended, because the worker
 * imports modules before. Returns FALSE if memory does not grow steadily. */
static gboolean
fit (const GrowingMemoryWorker *worker, Growth *growth)
{
  const double *ends = (double *) (gpointer) worker->ends->data;
  double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  double begin = NAN, middle = NAN, end = NAN;
  guint ended = 0;

  if (worker->ends->len < GROWING_MEMORY_LEAST_TASKS)
    return FALSE;
  for (guint i = 0; i < worker->times->len && ended < worker->ends->len; i++)
    {
      double memory = g_array_index (worker->memory, double, i);

      while (ended < worker->ends->len && ends[ended] <= g_array_index (worker->times, double, i))
        ended++;
      if (ended == 0)
        n = x = y = xx = yy = xy = 0;
      n++;
      x += ended;
      y += memory;
      xx += (double) ended * ended;
      yy += memory * memory;
      xy += ended * memory;
      begin = n == 1 ? memory : begin;
      middle = ended <= worker->ends->len / 2 || isnan (middle) ? memory : middle;
      end = memory;
    }
  if (n < LEAST_SAMPLES || !(n * xx > x * x) || !(n * yy > y * y))
    return FALSE;
  growth->each = (n * xy - x * y) / (n * xx - x * x);
  growth->correlation = (n * xy - x * y) / sqrt ((n * xx - x * x) * (n * yy - y * y));
  growth->grown = end - begin;

  return growth->each >= GROWTH && growth->correlation >= STEADY && end - middle >= SECOND_HALF * growth->grown;
}

static void
speak_of_worker (Findings *self, const GrowingMemoryWorker *worker, const Growth *growth)
{
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_WARNING, NAN,
                    "The memory of worker %s, without the results that the worker holds, grew by %s per task, and by "
                    "%s in total.",
                    worker->name, findings_bytes (self, growth->each), findings_bytes (self, growth->grown));

  roast_finding_add_text (finding, "worker", worker->name);
  roast_finding_add_text (finding, "category", worker->category);
  roast_finding_add_number (finding, "growth_per_task", growth->each, "B");
  roast_finding_add_number (finding, "growth", growth->grown, "B");
  roast_finding_add_number (finding, "correlation", growth->correlation, NULL);
  findings_add (self, finding,
                "Check what these tasks keep in memory, such as global variables, caches, or memory that the allocator "
                "does not return. The growth limits how many of these tasks a worker can run.");
}

static gboolean
look_at_workers (Findings *self, double peak)
{
  g_autoptr (GHashTable) workers = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) worker_free);
  const GrowingMemoryWorker *most = NULL;
  Growth of_most = { 0 };
  double least = GROWN * peak;
  GHashTableIter iter;
  const GrowingMemoryWorker *worker = NULL;

  growing_memory_read_samples (self, workers);
  g_hash_table_foreach_remove (workers, is_steady, &least);
  if (g_hash_table_size (workers) == 0)
    return FALSE;
  growing_memory_read_ends (self, workers);
  g_hash_table_iter_init (&iter, workers);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &worker))
    {
      Growth growth;

      if (!fit (worker, &growth) || growth.grown < least || growth.grown <= of_most.grown)
        continue;
      most = worker;
      of_most = growth;
    }
  if (most != NULL)
    speak_of_worker (self, most, &of_most);

  return most != NULL;
}

void
rule_growing_memory (Findings *self)
{
  ChunksGrowth growth = read_growth (self);
  double of_worker = findings_get_metric (self, "worker_memory_peak_bytes");
  double peak = fmax (findings_get_metric (self, "process_memory_peak_bytes"), of_worker);
  gboolean is_known = isfinite (growth.each) && !isnan (peak);

  if (is_known && look_at_chunks (self, &growth, peak))
    return;
  if (!isnan (of_worker) && look_at_workers (self, of_worker))
    return;
  if (is_known)
    findings_be_silent (self, "the memory of processes grew by %s per chunk or less after the first chunk",
                        findings_bytes (self, fmax (growth.each, 0)));
  else if (!isnan (of_worker))
    findings_be_silent (self, "no worker's memory grew steadily with its tasks");
  else
    findings_lack (self, "no process reported its memory for %d chunks or more", GROWING_MEMORY_LEAST_CHUNKS);
}
