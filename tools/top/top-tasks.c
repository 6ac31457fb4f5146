/* SPDX-License-Identifier: BSD-3-Clause */

/* Draws the categories of tasks with their progress, and the tasks that have run longest. */

#include "top.h"

#include <math.h>

#include "tasks-tables.h"
#include "under-way.h"

#define MINUTE 60.0 /* s; length of the time over which the rate of a category is computed */

/* ---- collecting ---- */

static void
category_clear (TopCategory *self)
{
  g_free (self->name);
}

static TopCategory *
find_category (GArray *categories, GHashTable *places, const char *name)
{
  gpointer place;
  TopCategory new = { .first = NAN };

  if (!g_hash_table_lookup_extended (places, name, NULL, &place))
    {
      new.name = g_strdup (name);
      place = GUINT_TO_POINTER (categories->len);
      g_hash_table_insert (places, new.name, place);
      g_array_append_val (categories, new);
    }

  return &g_array_index (categories, TopCategory, GPOINTER_TO_UINT (place));
}

/* Reads how many tasks of each category have which outcome, as the report counts them. */
static void
read_outcomes (const TopLook *look, GArray *categories, GHashTable *places)
{
  g_autoptr (RoastTableReader) table = roast_task_outcomes_read (look->report);

  while (roast_table_reader_next (table))
    {
      const char *name = roast_table_reader_get_string (table, ROAST_TASK_OUTCOMES_CATEGORY);
      TopCategory *category = find_category (categories, places, name != NULL ? name : "");
      double tasks = roast_table_reader_get_double (table, ROAST_TASK_OUTCOMES_TASKS);

      switch (roast_table_reader_get_word (table, ROAST_TASK_OUTCOMES_STATUS))
        {
        case ROAST_STATUS_DONE:
          category->done += tasks;
          break;
        case ROAST_STATUS_RUNNING:
        case ROAST_STATUS_UNFINISHED:
          category->running += tasks;
          break;
        case ROAST_STATUS_WAITING:
        case ROAST_STATUS_NEVER_RAN:
          category->waiting += tasks;
          break;
        case ROAST_STATUS_FAILED:
        case ROAST_STATUS_KILLED_WORKER:
        case ROAST_STATUS_EXHAUSTED:
          category->failed += tasks;
          break;
        default:
          break;
        }
    }
}

/* Adds the time of a finished task to its category. */
static void
take_task (TopCategory *self, RoastTableReader *tasks, double now)
{
  double started = roast_table_reader_get_double (tasks, ROAST_TASKS_STARTED);
  double ended = roast_table_reader_get_double (tasks, ROAST_TASKS_ENDED);

  self->first = fmin (self->first, started);
  if (roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS) != ROAST_STATUS_DONE || isnan (ended - started))
    return;
  self->timed++;
  self->busy += (ended - started) / G_USEC_PER_SEC;
  self->longest = fmax (self->longest, (ended - started) / G_USEC_PER_SEC);
  self->recent += ended > now - MINUTE * G_USEC_PER_SEC;
}

/* Returns whether the task in the current row waits, and requests more of a resource than any worker has. */
static gboolean
fits_no_worker (RoastTableReader *tasks, double cores, double memory)
{
  return !roast_table_reader_has (tasks, ROAST_TASKS_DISPATCHED) &&
         !roast_table_reader_has (tasks, ROAST_TASKS_ENDED) &&
         (roast_table_reader_get_double (tasks, ROAST_TASKS_CORES_REQUESTED) > cores ||
          roast_table_reader_get_double (tasks, ROAST_TASKS_MEMORY_REQUESTED) > memory);
}

/* Finds the largest number of cores and the largest memory of a worker that is present; NaN if there is no worker, and
 * infinity if they are unknown for one. */
static void
find_largest (const TopLook *look, double *cores, double *memory)
{
  guint n;
  const RoastRunWorker *workers = roast_run_model_get_workers (roast_run_model_get (look->snapshot), &n);

  *cores = *memory = NAN;
  for (guint i = 0; i < n; i++)
    {
      double limit = workers[i].memory_limit >= 0 ? (double) workers[i].memory_limit : NAN;

      if (workers[i].is_process || !isnan (workers[i].left))
        continue;
      *cores = fmax (*cores, isnan (workers[i].cores) ? INFINITY : workers[i].cores);
      *memory = fmax (*memory, isnan (limit) ? INFINITY : limit);
    }
}

GArray *
top_categories_read (const TopLook *look)
{
  static const guint key[] = { ROAST_TASKS_CATEGORY };
  GArray *categories = g_array_new (FALSE, FALSE, sizeof (TopCategory));
  g_autoptr (GHashTable) places = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GArray) groups = g_array_new (FALSE, TRUE, sizeof (guint)); /* place + 1 of the category of each group */
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (look->snapshot);
  double cores, memory;

  g_array_set_clear_func (categories, (GDestroyNotify) category_clear);
  read_outcomes (look, categories, places);
  find_largest (look, &cores, &memory);
  if (tasks != NULL)
    roast_table_reader_group_by (tasks, key, G_N_ELEMENTS (key));
  while (tasks != NULL && roast_table_reader_next (tasks))
    {
      guint group = roast_table_reader_get_group (tasks);
      const char *name;
      TopCategory *category;

      if (group >= groups->len)
        g_array_set_size (groups, group + 1);
      if (g_array_index (groups, guint, group) == 0)
        {
          name = roast_table_reader_get_string (tasks, ROAST_TASKS_CATEGORY);
          category = find_category (categories, places, name != NULL ? name : "");
          g_array_index (groups, guint, group) = (guint) (category - (TopCategory *) (gpointer) categories->data) + 1;
        }
      category = &g_array_index (categories, TopCategory, g_array_index (groups, guint, group) - 1);
      take_task (category, tasks, (double) look->reach);
      category->misfits += fits_no_worker (tasks, cores, memory);
    }

  return categories;
}

/* ---- the categories ---- */

#define CATEGORY_FORMAT(n) "%s %8" n " %6" n " %7" n " %8" n " %9s  %s"
#define CATEGORY_WIDTH 70 /* width of a line, not counting the name of the category */

static void
append_category (const TopCategory *self, double now, int width, GPtrArray *lines)
{
  double since = fmin (now - self->first / G_USEC_PER_SEC, MINUTE);
  double rate = self->recent / since, mean = self->timed / (now - self->first / G_USEC_PER_SEC);
  double left = self->running + self->waiting;
  g_autofree char *name = top_pad (*self->name != '\0' ? self->name : "-", width);
  g_autofree char *speed = top_describe_number (since > 0 ? rate : NAN, "rate");
  g_autofree char *time =
      left == 0           ? g_strdup ("-")
      : self->timed == 0  ? g_strdup ("none done yet")
      : self->misfits > 0 ? g_strdup ("some fit no worker")
      : !(self->recent > 0)
          ? g_strdup ("none done lately")
          : top_describe_range (left / fmax (rate, mean), fmax (left / fmin (rate, mean), self->longest), self->timed);

  g_ptr_array_add (lines, g_strdup_printf (CATEGORY_FORMAT (".0f"), name, self->done, self->failed, self->running,
                                           self->waiting, speed, time));
}

gboolean
top_tasks_append_categories (const TopLook *look, int width, GPtrArray *lines)
{
  int name_width = CLAMP (width - CATEGORY_WIDTH, 10, 40);
  g_autofree char *title = top_pad ("Category", name_width);

  if (!top_look_goes_on (look) || look->categories->len == 0)
    return FALSE;
  g_ptr_array_add (lines, g_strdup (""));
  g_ptr_array_add (lines, g_strdup_printf (CATEGORY_FORMAT ("s"), title, "done", "failed", "running", "waiting", "rate",
                                           "time left"));
  for (guint i = 0; i < look->categories->len; i++)
    append_category (&g_array_index (look->categories, TopCategory, i), (double) look->reach / G_USEC_PER_SEC,
                     name_width, lines);

  return TRUE;
}

/* ---- the tasks that run ---- */

typedef struct
{
  char *task, *category, *worker;
  double age, cpu; /* s */
} Running;

static void
running_clear (Running *self)
{
  g_free (self->task);
  g_free (self->category);
  g_free (self->worker);
}

static int
compare_age (const Running *a, const Running *b)
{
  return (a->age < b->age) - (a->age > b->age);
}

static GArray *
collect_running (const TopLook *look)
{
  GArray *running = g_array_new (FALSE, FALSE, sizeof (Running));
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (look->snapshot);
  double from, to;

  g_array_set_clear_func (running, (GDestroyNotify) running_clear);
  while (tasks != NULL && roast_table_reader_next (tasks))
    if (!roast_table_reader_has (tasks, ROAST_TASKS_ENDED) && !roast_table_reader_has (tasks, ROAST_TASKS_NOTICED) &&
        under_way_get (tasks, (double) look->reach, &from, &to))
      {
        Running one = { g_strdup (roast_table_reader_get_string (tasks, ROAST_TASKS_TASK)),
                        g_strdup (roast_table_reader_get_string (tasks, ROAST_TASKS_CATEGORY)),
                        g_strdup (roast_table_reader_get_string (tasks, ROAST_TASKS_WORKER)),
                        (to - from) / G_USEC_PER_SEC, roast_table_reader_get_double (tasks, ROAST_TASKS_CPU) };

        g_array_append_val (running, one);
      }
  g_array_sort (running, (GCompareFunc) compare_age);

  return running;
}

/* Returns the mean time of the finished tasks of a category; NaN if it is unknown. */
static double
get_mean (const TopLook *look, const char *name)
{
  for (guint i = 0; i < look->categories->len; i++)
    {
      const TopCategory *category = &g_array_index (look->categories, TopCategory, i);

      if (g_str_equal (category->name, name != NULL ? name : ""))
        return category->busy / category->timed;
    }

  return NAN;
}

/* Returns text that takes exactly @width columns. Cuts its middle, because the names of tasks often differ at their
 * ends. */
static char *
pad_name (const char *text, int width)
{
  g_autofree char *name = top_fit (text != NULL ? text : "-", G_MAXINT);
  glong n = g_utf8_strlen (name, -1), start = (width - 1) / 3;
  g_autofree char *head = n > width ? g_utf8_substring (name, 0, start) : g_strdup ("");
  g_autofree char *whole = g_strconcat (head, n > width ? top_get_cut () : "",
                                        g_utf8_offset_to_pointer (name, n > width ? n - (width - 1 - start) : 0), NULL);

  return top_pad (whole, width);
}

#define RUNNING_FORMAT "%11s %11s %9s  %s  %s  %s"
#define RUNNING_WIDTH 39 /* width of a line, not counting the names */

static void
append_running (const Running *self, double mean, const int *widths, GPtrArray *lines)
{
  g_autofree char *task = pad_name (self->task, widths[0]);
  g_autofree char *category = pad_name (self->category, widths[1]);
  g_autofree char *worker = pad_name (self->worker, widths[2]);
  g_autofree char *age = top_describe_number (self->age, "duration");
  g_autofree char *usual = top_describe_number (mean, "duration");
  g_autofree char *cpu = top_describe_number (self->cpu, "duration");

  g_ptr_array_add (lines, g_strdup_printf (RUNNING_FORMAT, age, usual, cpu, task, category, worker));
}

gboolean
top_tasks_append_longest (const TopLook *look, int width, int height, GPtrArray *lines)
{
  g_autoptr (GArray) running = top_look_goes_on (look) ? collect_running (look) : NULL;
  int room = MAX (width - RUNNING_WIDTH, 24);
  int widths[] = { room - 2 * (room / 3), room / 3, room / 3 };
  g_autofree char *task = top_pad ("task", widths[0]);
  g_autofree char *category = top_pad ("category", widths[1]);
  g_autofree char *worker = top_pad ("worker", widths[2]);
  g_autofree char *text =
      g_strdup_printf (RUNNING_FORMAT, "Running for", "mean time", "CPU time", task, category, worker);

  if (running == NULL || running->len == 0)
    return FALSE;
  g_ptr_array_add (lines, g_strdup (""));
  g_ptr_array_add (lines, top_fit (text, width));
  for (guint i = 0; i < running->len && i < (guint) height; i++)
    {
      const Running *one = &g_array_index (running, Running, i);

      append_running (one, get_mean (look, one->category), widths, lines);
    }

  return TRUE;
}
