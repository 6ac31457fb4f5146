/* SPDX-License-Identifier: BSD-3-Clause */

/* Collects the numbers that a comparison needs about the task categories of a run, or about its datasets if the run
 * only has chunks: how long attempts took, how certain their mean is, which worker was slow, and which attempts took
 * far longer than the median. */

#include "roast-session-compare-private.h"

#include <math.h>
#include <string.h>

#include "recording/roast-recording-snapshot-private.h"
#include "roast/roast-tables.h"

#define DIGEST 16      /* a shorter end of hexadecimal digits is not regarded as a digest */
#define FAR_LONGER 5.0 /* attempts that took longer than this times the median are outliers */
#define FEW 0.05       /* outliers are ignored if they are more than this share of the attempts */
#define ENOUGH 10      /* attempts; outliers are ignored in categories with fewer attempts */
#define AT_LEAST 0.005 /* outliers are ignored if their excess is less than this share of the elapsed time */
#define SLOWER 1.3     /* a worker is slow if its mean exceeds this times the mean of all other workers */
#define SOME 5         /* minimum number of attempts of a worker, and of all other workers, to judge the worker */
#define SMALL 0.02     /* categories with a smaller share of the time of all attempts are merged into one line */
#define SURE 4         /* the mean of a slow worker is this many standard errors above the mean of other workers */

enum
{
  TIME,
  CPU,
  N_AMOUNTS
};

/* Sums over the attempts of a category, on all workers or on one worker. Each worker has its own sums, because attempts
 * on the same worker vary less than attempts on different workers. */
typedef struct
{
  double sums[N_AMOUNTS], squares[N_AMOUNTS]; /* sums of the amounts in s, and of their squares in s² */
  guint64 n;
} SessionCompareCategoriesSums;

typedef struct
{
  SessionCompareCategoriesSums all;
  guint64 n_cpu;      /* number of attempts with known CPU time */
  GArray *durations;  /* doubles: durations of the attempts, in s */
  GHashTable *blocks; /* maps a worker to the sums of its attempts */
  double *bins;       /* mean number of attempts that ran at the same time in each bin: see compared_add_busy () */
  double longest;     /* duration of the longest attempt, in s */
  char *longest_name;
} Category;

static Category *
category_new (void)
{
  Category *self = g_new0 (Category, 1);

  self->durations = g_array_new (FALSE, FALSE, sizeof (double));
  self->bins = g_new0 (double, COMPARED_BINS);
  self->blocks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  return self;
}

static void
category_free (gpointer data)
{
  Category *self = data;

  g_array_unref (self->durations);
  g_hash_table_unref (self->blocks);
  g_free (self->longest_name);
  g_free (self->bins);
  g_free (self);
}

/* Return a category's name without a digest at its end, as in "f-0123456789abcdef", because the digest differs in each
 * run. */
static char *
dup_without_digest (const char *name)
{
  gsize length = strlen (name), end = length;

  while (end > 0 && g_ascii_isxdigit (name[end - 1]))
    end--;

  return end > 1 && name[end - 1] == '-' && length - end >= DIGEST ? g_strndup (name, end - 1) : g_strdup (name);
}

static Category *
get_category (GHashTable *categories, const char *name)
{
  g_autofree char *known = dup_without_digest (name != NULL ? name : "");
  Category *self = g_hash_table_lookup (categories, known);

  if (self == NULL)
    {
      self = category_new ();
      g_hash_table_insert (categories, g_steal_pointer (&known), self);
    }

  return self;
}

static SessionCompareCategoriesSums *
get_block (Category *self, const char *worker)
{
  SessionCompareCategoriesSums *block = g_hash_table_lookup (self->blocks, worker != NULL ? worker : "");

  if (block == NULL)
    {
      block = g_new0 (SessionCompareCategoriesSums, 1);
      g_hash_table_insert (self->blocks, g_strdup (worker != NULL ? worker : ""), block);
    }

  return block;
}

static void
sums_add (SessionCompareCategoriesSums *self, const double *amounts)
{
  self->n++;
  for (guint i = 0; i < N_AMOUNTS; i++)
    {
      self->sums[i] += amounts[i];
      self->squares[i] += amounts[i] * amounts[i];
    }
}

static double
get_seconds (RoastTableReader *table, guint started, guint ended)
{
  return (roast_table_reader_get_double (table, ended) - roast_table_reader_get_double (table, started)) /
         G_USEC_PER_SEC;
}

/* Slots of the columns that are read from a table of attempts. */
typedef struct
{
  guint started, ended, cpu;
} Columns;

static void
session_compare_categories_take (Facts *run, Category *self, RoastTableReader *table, const Columns *columns,
                                 const char *attempt, const char *worker)
{
  double from = roast_table_reader_get_double (table, columns->started) / G_USEC_PER_SEC - run->started;
  double to = roast_table_reader_get_double (table, columns->ended) / G_USEC_PER_SEC - run->started;
  double cpu = roast_table_reader_get_double (table, columns->cpu);
  double seconds = get_seconds (table, columns->started, columns->ended);
  double amounts[N_AMOUNTS] = { seconds, isnan (cpu) ? 0 : cpu };

  if (isnan (seconds))
    return;
  self->n_cpu += isnan (cpu) ? 0 : 1;
  sums_add (&self->all, amounts);
  sums_add (get_block (self, worker), amounts);
  g_array_append_val (self->durations, seconds);
  compared_add_busy (self->bins, run->elapsed, from, to);
  if (seconds > self->longest)
    {
      self->longest = seconds;
      g_free (self->longest_name);
      self->longest_name = g_strdup (attempt);
    }
}

/* ---- rows ---- */

/* Add the attempts that gave a result to their categories. Ignore other attempts, because the core time shows their
 * time as lost. */
static void
read_tasks (Facts *self, GHashTable *categories)
{
  static const Columns columns = { ROAST_TASKS_STARTED, ROAST_TASKS_ENDED, ROAST_TASKS_CPU };
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (self->recording);

  while (roast_table_reader_next (tasks))
    if (roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS) == ROAST_STATUS_DONE)
      session_compare_categories_take (self,
                                       get_category (categories,
                                                     roast_table_reader_get_string (tasks, ROAST_TASKS_CATEGORY)),
                                       tasks, &columns, roast_table_reader_get_string (tasks, ROAST_TASKS_TASK),
                                       roast_table_reader_get_string (tasks, ROAST_TASKS_WORKER));
}

static void
read_chunk (Facts *self, RoastTableReader *chunks, GHashTable *categories)
{
  static const Columns columns = { ROAST_CHUNKS_STARTED, ROAST_CHUNKS_ENDED, ROAST_CHUNKS_THREAD_CPU };
  const char *host = roast_table_reader_get_string (chunks, ROAST_CHUNKS_HOST);
  const char *file = roast_table_reader_get_string (chunks, ROAST_CHUNKS_FILE);
  g_autofree char *process = g_strdup_printf ("%s %" G_GINT64_FORMAT, host != NULL ? host : "",
                                              roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_PID, 0));
  g_autofree char *name = g_strdup_printf ("%s from entry %" G_GINT64_FORMAT, file != NULL ? file : "chunk",
                                           roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_ENTRY_START, 0));

  if (!roast_table_reader_has (chunks, ROAST_CHUNKS_ERROR) &&
      roast_table_reader_get_word (chunks, ROAST_CHUNKS_ROLE) != ROAST_ROLE_FRAMEWORK)
    session_compare_categories_take (self,
                                     get_category (categories,
                                                   roast_table_reader_get_string (chunks, ROAST_CHUNKS_DATASET)),
                                     chunks, &columns, name, process);
}

static void
read_chunks (Facts *self, GHashTable *categories)
{
  g_autoptr (RoastTableReader) chunks = roast_chunks_read (self->recording);

  while (roast_table_reader_next (chunks))
    read_chunk (self, chunks, categories);
}

/* ---- how sure the mean is ---- */

/* Return the variance of the mean under the assumption that attempts are independent. */
static double
get_variance (const SessionCompareCategoriesSums *self, guint amount)
{
  double n = (double) self->n;

  return fmax (self->squares[amount] - self->sums[amount] * self->sums[amount] / n, 0) / (n - 1) / n;
}

/* Return the variance of the mean of all attempts under the assumption that workers are a random sample of clusters:
 * the variance of a ratio of two sums over clusters (Cochran, Sampling Techniques, 1977, section 11.7). */
static double
get_variance_of_workers (const Category *self, guint amount)
{
  double mean = self->all.sums[amount] / (double) self->all.n, sum = 0, n = g_hash_table_size (self->blocks);
  GHashTableIter iter;
  gpointer value = NULL;

  g_hash_table_iter_init (&iter, self->blocks);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const SessionCompareCategoriesSums *block = value;

      sum += pow (block->sums[amount] - mean * (double) block->n, 2);
    }

  return n > 1 ? sum * n / (n - 1) / pow ((double) self->all.n, 2) : 0;
}

static void
put_error (Facts *self, const char *name, const Category *category, guint amount)
{
  static const int kinds[N_AMOUNTS][2] = { { ROAST_COMPARED_KIND_ERROR, ROAST_COMPARED_KIND_FREEDOM },
                                           { ROAST_COMPARED_KIND_CPU_ERROR, ROAST_COMPARED_KIND_CPU_FREEDOM } };
  const SessionCompareCategoriesSums *all = &category->all;
  double of_attempts, of_workers, freedom;

  if (all->n < 2 || !(all->sums[amount] > 0))
    return;
  of_attempts = get_variance (all, amount);
  of_workers = get_variance_of_workers (category, amount);
  freedom = of_workers > of_attempts ? g_hash_table_size (category->blocks) : (double) all->n;
  compared_put (self, kinds[amount][0], name,
                sqrt (fmax (of_attempts, of_workers)) * (double) all->n / all->sums[amount], NULL, -1);
  compared_put (self, kinds[amount][1], name, freedom - 1, NULL, -1);
}

/* ---- slow workers ---- */

/* Return the factor by which attempts take longer on a worker than on the other workers. Return NaN if the difference
 * may be chance. */
static double
get_slowness (const Category *self, const SessionCompareCategoriesSums *block)
{
  double mean = block->sums[TIME] / (double) block->n;
  double others = (self->all.sums[TIME] - block->sums[TIME]) / (double) (self->all.n - block->n);

  return mean > others * SLOWER && mean > others + SURE * sqrt (get_variance (block, TIME)) ? mean / others : NAN;
}

static void
put_slow_worker (Facts *self, const char *name, const Category *category)
{
  const char *slowest = NULL;
  double most = NAN;
  GHashTableIter iter;
  gpointer worker = NULL, value = NULL;

  g_hash_table_iter_init (&iter, category->blocks);
  while (g_hash_table_iter_next (&iter, &worker, &value))
    {
      const SessionCompareCategoriesSums *block = value;
      gboolean is_known = block->n >= SOME && category->all.n - block->n >= SOME;
      double slowness = is_known ? get_slowness (category, block) : NAN;

      if (slowness > most || (isnan (most) && !isnan (slowness)))
        {
          most = slowness;
          slowest = worker;
        }
    }
  if (slowest != NULL)
    compared_put (self, ROAST_COMPARED_KIND_SLOW_WORKER, name, most, slowest, -1);
}

/* ---- single attempts ---- */

static int
compare_doubles (const double *a, const double *b)
{
  return (*a > *b) - (*a < *b);
}

/* If a few attempts took much longer than the median, write their number and their excess time over the median. */
static void
put_single (Facts *self, const char *name, const Category *category, double median)
{
  double elapsed = 0, excess = 0;
  guint n = 0;

  for (guint i = category->durations->len; i-- > 0;)
    {
      double seconds = g_array_index (category->durations, double, i);

      if (seconds <= FAR_LONGER * median)
        break;
      excess += seconds - median;
      n++;
    }
  if (n == 0 || category->all.n < ENOUGH || n > fmax (1, FEW * (double) category->all.n) ||
      !roast_report_get_double (self->report, "elapsed_time_seconds", &elapsed) || excess < AT_LEAST * elapsed)
    return;
  compared_put (self, ROAST_COMPARED_KIND_SINGLE, name, excess, category->longest_name, -1);
  compared_put (self, ROAST_COMPARED_KIND_SINGLE_COUNT, name, n, NULL, -1);
}

static void
put_durations (Facts *self, const char *name, const Category *category)
{
  GArray *durations = category->durations;
  double median;

  if (durations->len == 0)
    return;
  g_array_sort (durations, (GCompareFunc) compare_doubles);
  median = (g_array_index (durations, double, (durations->len - 1) / 2) +
            g_array_index (durations, double, durations->len / 2)) /
           2;
  compared_put (self, ROAST_COMPARED_KIND_MEDIAN, name, median, NULL, -1);
  put_single (self, name, category, median);
}

static void
put_longest (Facts *self, GHashTable *categories)
{
  const Category *longest = NULL;
  GHashTableIter iter;
  gpointer value = NULL;

  g_hash_table_iter_init (&iter, categories);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const Category *category = value;

      if (category->longest_name != NULL && (longest == NULL || category->longest > longest->longest))
        longest = category;
    }
  if (longest != NULL)
    compared_put (self, ROAST_COMPARED_KIND_LONGEST, NULL, longest->longest, longest->longest_name, -1);
}

static void
set_times (Facts *self)
{
  g_autoptr (GVariant) started =
      roast_recording_snapshot_lookup_metadata (self->recording, "started", G_VARIANT_TYPE_INT64);

  self->started = started != NULL ? (double) g_variant_get_int64 (started) / G_USEC_PER_SEC : NAN;
  if (!roast_report_get_double (self->report, "elapsed_time_seconds", &self->elapsed))
    self->elapsed = 0;
}

/* Merge small categories into one line. */
static void
put_lines (Facts *self, GHashTable *categories)
{
  double all = 0, small[COMPARED_BINS] = { 0 };
  gboolean is_any_small = FALSE;
  GHashTableIter iter;
  gpointer name = NULL, value = NULL;

  g_hash_table_iter_init (&iter, categories);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    all += ((const Category *) value)->all.sums[TIME];
  g_hash_table_iter_init (&iter, categories);
  while (g_hash_table_iter_next (&iter, &name, &value))
    {
      const Category *category = value;
      gboolean is_small = category->all.sums[TIME] / all < SMALL;

      if (!is_small)
        compared_add_line (self, name, category->bins);
      for (guint i = 0; is_small && i < COMPARED_BINS; i++)
        small[i] += category->bins[i];
      is_any_small |= is_small;
    }
  if (is_any_small)
    compared_add_line (self, NULL, small);
}

void
compared_put_categories (Facts *self)
{
  g_autoptr (GHashTable) categories = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, category_free);
  const char *table = ROAST_TABLE_TASKS;
  int completeness = ROAST_COMPLETENESS_COMPLETE;
  GHashTableIter iter;
  gpointer name = NULL, value = NULL;

  set_times (self);
  read_tasks (self, categories);
  if (g_hash_table_size (categories) == 0)
    {
      table = ROAST_TABLE_CHUNKS;
      read_chunks (self, categories);
    }
  if (roast_recording_snapshot_find_gap (self->recording, table) != NULL)
    completeness = ROAST_COMPLETENESS_PARTIAL;
  put_longest (self, categories);
  put_lines (self, categories);
  g_hash_table_iter_init (&iter, categories);
  while (g_hash_table_iter_next (&iter, &name, &value))
    {
      const Category *category = value;

      gboolean has_cpu = category->n_cpu == category->all.n;

      compared_put (self, ROAST_COMPARED_KIND_SECONDS, name, category->all.sums[TIME], NULL, completeness);
      compared_put (self, ROAST_COMPARED_KIND_COUNT, name, (double) category->all.n, NULL, completeness);
      if (has_cpu)
        compared_put (self, ROAST_COMPARED_KIND_CPU, name, category->all.sums[CPU], NULL, completeness);
      put_durations (self, name, category);
      for (guint i = 0; i < (has_cpu ? N_AMOUNTS : 1); i++)
        put_error (self, name, category, i);
      put_slow_worker (self, name, category);
    }
}
