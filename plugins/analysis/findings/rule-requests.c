/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds tasks that get more resources than they use while other tasks wait. */

#include "elapsed.h"
#include "findings.h"
#include "group-element.h"
#include "task-lifecycle-tables.h"

#define UNUSED 0.15 /* share of the core time: cores that tasks held but did not use */
#define NO_FIT 0.1  /* share of the core time: free cores, but too little for the waiting tasks */
#define TWICE 2.0
#define FULL 0.9

typedef struct
{
  const char *category;
  double given, used;
} Request;

/* Returns the category that uses the smallest part of its allocation. @column: cores or memory */
static Request
find_request (Findings *self, guint column, guint used_column)
{
  g_autoptr (RoastTableReader) table =
      roast_report_read_table (self->report, ROAST_TABLE_PER_RESOURCE, roast_per_resource_columns, NULL);
  g_autoptr (GHashTable) given = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  Request worst = { NULL, 0, 0 };

  while (table != NULL && roast_table_reader_next (table))
    {
      const char *category = roast_table_reader_get_string (table, ROAST_PER_RESOURCE_CATEGORY);
      int kind = roast_table_reader_get_word (table, ROAST_PER_RESOURCE_KIND);
      double amount =
          roast_table_reader_get_double (table, kind == ROAST_RESOURCE_KIND_MEASURED ? used_column : column);
      const double *found = NULL;

      if (category == NULL || !(amount > 0))
        continue;
      if (kind == ROAST_RESOURCE_KIND_ALLOCATED)
        {
          double *copy = g_new (double, 1);

          *copy = amount;
          g_hash_table_replace (given, (gpointer) findings_keep (self, category), copy);
        }
      found = kind == ROAST_RESOURCE_KIND_MEASURED ? g_hash_table_lookup (given, category) : NULL;
      if (found == NULL || (worst.category != NULL && *found / amount <= worst.given / worst.used))
        continue;
      worst = (Request) { findings_keep (self, category), *found, amount };
    }

  return worst;
}

/* Attempts of one category whose CPU time is known. */
typedef struct
{
  const char *category;
  double time, held, cpu; /* s, core-seconds */
} Held;

/* Like find_request () for cores, but from the CPU time of attempts. Returns the category that leaves the most
 * core-seconds unused. */
static Request
find_request_by_cpu (Findings *self)
{
  static const guint key = ROAST_TASKS_CATEGORY;
  g_autoptr (RoastTableReader) tasks =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_TASKS, roast_tasks_columns, NULL);
  g_autoptr (GArray) categories = g_array_new (FALSE, FALSE, sizeof (Held));
  const Held *worst = NULL;

  roast_table_reader_group_by (tasks, &key, 1);
  while (roast_table_reader_next (tasks))
    {
      Held *held = group_element (categories, tasks);
      double time = elapsed_get (tasks, ROAST_TASKS_STARTED, ROAST_TASKS_ENDED);
      double cores = roast_table_reader_get_double (tasks, ROAST_TASKS_CORES_ALLOCATED);
      double cpu = roast_table_reader_get_double (tasks, ROAST_TASKS_CPU);

      held->category = roast_table_reader_get_string (tasks, key);
      if (!(time > 0) || !(cores > 0) || !(cpu >= 0))
        continue;
      held->time += time;
      held->held += time * cores;
      held->cpu += cpu;
    }
  for (guint i = 0; i < categories->len; i++)
    {
      const Held *held = &g_array_index (categories, Held, i);

      if (held->category != NULL && held->time > 0 &&
          held->held - held->cpu > (worst != NULL ? worst->held - worst->cpu : 0))
        worst = held;
    }

  return worst != NULL
             ? (Request) { findings_keep (self, worst->category), worst->held / worst->time, worst->cpu / worst->time }
             : (Request) { NULL, 0, 0 };
}

static void
speak_of_cores (Findings *self, double unused)
{
  Request request = find_request (self, ROAST_PER_RESOURCE_CORES, ROAST_PER_RESOURCE_CORES);
  RoastFinding *finding = NULL;

  if (request.category == NULL)
    request = find_request_by_cpu (self);
  if (request.category != NULL)
    finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, unused,
                            "Tasks held %.0f %% of the core time but did not use it: tasks of category “%s” got %.1f "
                            "cores and used %.1f on average.",
                            100 * unused, request.category, request.given, request.used);
  else
    finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, unused,
                            "Tasks held %.0f %% of the core time but did not use it.", 100 * unused);
  if (request.category != NULL)
    {
      roast_finding_add_text (finding, "category", request.category);
      roast_finding_add_number (finding, "given", request.given, "cores");
      roast_finding_add_number (finding, "used", request.used, "cores");
    }
  /* Round down an average slightly above an integer: 5.02 cores become 5. */
  if (request.category != NULL)
    {

      findings_add (self, finding, "Request %s for each of these tasks.",
                    findings_cores (self, fmax (ceil (request.used - 0.05), 1)));
    }
  else
    findings_add (self, finding, "Request fewer cores for each of these tasks.");
}

static void
speak_of_memory (Findings *self, const Request *request, double no_fit)
{
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_WARNING, no_fit,
                    "Cores were free for %.0f %% of the core time while all waiting tasks needed more than was free: "
                    "tasks of category “%s” got %s of memory and used at most %s.",
                    100 * no_fit, request->category, findings_bytes (self, request->given),
                    findings_bytes (self, request->used));

  roast_finding_add_text (finding, "category", request->category);
  roast_finding_add_number (finding, "given", request->given, "B");
  roast_finding_add_number (finding, "used", request->used, "B");
  findings_add (self, finding, "Request %s for each of these tasks.", findings_bytes (self, request->used * 1.25));
}

/* Tasks that no worker received because they request more of a resource than any worker had. */
typedef struct
{
  gint64 n;             /* number of such tasks */
  const char *category; /* category of the first such task */
  double asked;         /* its request, in cores or bytes */
  double most;          /* amount that the largest worker had */
  gboolean is_memory;
} Oversize;

static void
look_at_size (Findings *self, RoastTableReader *tasks, Oversize *found)
{
  double cores = roast_table_reader_get_double (tasks, ROAST_TASKS_CORES_REQUESTED);
  double memory = (double) roast_table_reader_get_int64 (tasks, ROAST_TASKS_MEMORY_REQUESTED, 0);
  gboolean has_too_many_cores = self->workers.largest > 0 && cores > self->workers.largest;
  gboolean has_too_much_memory = self->workers.memory > 0 && memory > self->workers.memory;

  if ((!has_too_many_cores && !has_too_much_memory) || roast_table_reader_has (tasks, ROAST_TASKS_WORKER) ||
      roast_table_reader_has (tasks, ROAST_TASKS_DISPATCHED) || roast_table_reader_has (tasks, ROAST_TASKS_STARTED) ||
      found->n++ > 0)
    return;
  found->category = findings_keep (self, roast_table_reader_get_string (tasks, ROAST_TASKS_CATEGORY));
  found->is_memory = !has_too_many_cores;
  found->asked = has_too_many_cores ? cores : memory;
  found->most = has_too_many_cores ? self->workers.largest : self->workers.memory;
}

static Oversize
find_oversize (Findings *self)
{
  g_autoptr (RoastTableReader) tasks =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_TASKS, roast_tasks_columns, NULL);
  Oversize found = { 0 };

  while (roast_table_reader_next (tasks))
    look_at_size (self, tasks, &found);

  return found;
}

/* Returns "8 cores" or "3.00 GiB of memory". */
static const char *
describe_amount (Findings *self, double amount, gboolean is_memory)
{
  const char *bytes = is_memory ? findings_bytes (self, amount) : NULL;

  return is_memory ? findings_text (self, "%s of memory", bytes) : findings_cores (self, amount);
}

static void
speak_of_oversize (Findings *self, const Oversize *oversize, double no_fit)
{
  const char *most = describe_amount (self, oversize->most, oversize->is_memory);
  const char *unit = oversize->is_memory ? "B" : "cores";
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_ERROR, no_fit,
                    "%s fitted no worker: %s category “%s”, requested %s, but the largest worker had %s. Cores were "
                    "free for %.0f %% of the core time while no other task was ready.",
                    findings_count (self, oversize->n, "task", "tasks"), oversize->n > 1 ? "the first, in" : "it is in",
                    oversize->category != NULL ? oversize->category : "",
                    describe_amount (self, oversize->asked, oversize->is_memory), most, 100 * no_fit);

  if (oversize->category != NULL)
    roast_finding_add_text (finding, "category", oversize->category);
  roast_finding_add_number (finding, "requested", oversize->asked, unit);
  roast_finding_add_number (finding, "largest_worker", oversize->most, unit);
  roast_finding_add_number (finding, "tasks", (double) oversize->n, NULL);
  findings_add (self, finding, "Request at most %s for each of these tasks, or start larger workers.", most);
  self->has_too_large = TRUE;
}

/* ---- memory for few tasks ---- */

/* Requests of the tasks of a category. */
typedef struct
{
  const char *category;
  double memory, cores; /* maximum of an attempt; memory in B */
  double time;          /* total time of all attempts, s */
} Packing;

/* Returns how many of these tasks fit into the memory of a worker. */
static double
count_fitting (Findings *self, const Packing *packing)
{
  return floor (self->workers.memory / packing->memory);
}

/* Among the categories whose memory requests leave at least half of a worker's cores unused, returns the category with
 * the most time; NULL if there is none. */
static const Packing *
find_packing (Findings *self, RoastTableReader *tasks, GArray *categories)
{
  static const guint key = ROAST_TASKS_CATEGORY;
  const Packing *worst = NULL;

  roast_table_reader_group_by (tasks, &key, 1);
  while (roast_table_reader_next (tasks))
    {
      Packing *packing = group_element (categories, tasks);
      double time = elapsed_get (tasks, ROAST_TASKS_STARTED, ROAST_TASKS_ENDED);
      double cores = roast_table_reader_get_double (tasks, ROAST_TASKS_CORES_ALLOCATED);
      double memory = (double) roast_table_reader_get_int64 (tasks, ROAST_TASKS_MEMORY_REQUESTED, 0);

      packing->category = roast_table_reader_get_string (tasks, key);
      packing->cores = fmax (packing->cores, cores > 0 ? cores : 1);
      packing->memory = fmax (packing->memory, memory);
      packing->time += time > 0 ? time : 0;
    }
  for (guint i = 0; i < categories->len; i++)
    {
      const Packing *packing = &g_array_index (categories, Packing, i);
      double used = packing->memory > 0 ? count_fitting (self, packing) * packing->cores : INFINITY;

      if (packing->category != NULL && used > 0 && used <= self->workers.largest / 2 &&
          (worst == NULL || packing->time > worst->time))
        worst = packing;
    }

  return worst;
}

static void
speak_of_packing (Findings *self, const Packing *packing, double waiting)
{
  double n = count_fitting (self, packing);
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_WARNING, waiting,
                    "Cores were free for %.0f %% of the core time while tasks were ready: each task of category “%s” "
                    "requested %s of memory, and a worker with %g cores and %s has room for only %.0f at a time.",
                    100 * waiting, packing->category, findings_bytes (self, packing->memory), self->workers.largest,
                    findings_bytes (self, self->workers.memory), n);

  roast_finding_add_text (finding, "category", packing->category);
  roast_finding_add_number (finding, "requested", packing->memory, "B");
  roast_finding_add_number (finding, "largest_worker", self->workers.memory, "B");
  roast_finding_add_number (finding, "at_a_time", n, NULL);
  findings_add (self, finding,
                "Request less memory if the tasks need less, or start workers with more memory per core.");
}

static void
speak_of_no_fit (Findings *self, double no_fit)
{
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_WARNING, no_fit,
                    "Cores were free for %.0f %% of the core time, but all ready tasks needed more than was free.",
                    100 * no_fit);

  roast_finding_add_number (finding, "free_but_too_small", no_fit, NULL);
  findings_add (self, finding,
                "Request fewer resources for each task, or start workers whose cores, memory and disk are multiples of "
                "a task's request.");
}

/* Explains cores that were free while a task waited that may not have fitted. */
static void
look_at_free (Findings *self, double no_fit, double waiting)
{
  g_autoptr (RoastTableReader) tasks =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_TASKS, roast_tasks_columns, NULL);
  g_autoptr (GArray) categories = g_array_new (FALSE, TRUE, sizeof (Packing));
  Request memory = find_request (self, ROAST_PER_RESOURCE_MEMORY, ROAST_PER_RESOURCE_MEMORY_MAX);
  Oversize oversize = find_oversize (self);
  const Packing *packing = find_packing (self, tasks, categories);

  if (oversize.n > 0)
    speak_of_oversize (self, &oversize, waiting);
  else if (memory.category != NULL && memory.given >= TWICE * memory.used && no_fit >= NO_FIT)
    speak_of_memory (self, &memory, no_fit);
  else if (packing != NULL)
    speak_of_packing (self, packing, waiting);
  else if (no_fit >= NO_FIT)
    speak_of_no_fit (self, no_fit);
}

/* ---- tasks without a request ---- */

/* Tasks that request no cores may get all cores of a worker. Whether they use them is unknown unless the executor
 * measures tasks. */
static void
look_at_whole (Findings *self)
{
  g_autoptr (RoastTableReader) tasks =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_TASKS, roast_tasks_columns, NULL);
  guint n = 0, n_whole = 0;
  RoastFinding *finding = NULL;

  while (roast_table_reader_next (tasks))
    {
      double cores = roast_table_reader_get_double (tasks, ROAST_TASKS_CORES_ALLOCATED);

      n += cores > 0 ? 1 : 0;
      n_whole += cores > 1 && cores >= self->workers.largest && !roast_table_reader_has (tasks, ROAST_TASKS_CPU) &&
                         !roast_table_reader_has (tasks, ROAST_TASKS_CORES_REQUESTED) &&
                         !roast_table_reader_has (tasks, ROAST_TASKS_CORES_USED)
                     ? 1
                     : 0;
    }
  if (n_whole < n || n_whole <= self->workers.n)
    return;
  finding =
      findings_new (self, ROAST_FINDING_SEVERITY_INFO, NAN,
                    "Tasks requested no cores, so each of %u tasks got all %g cores of its worker. How many cores "
                    "they used was not measured.",
                    n_whole, self->workers.largest);
  roast_finding_add_number (finding, "tasks", n_whole, NULL);
  roast_finding_add_number (finding, "cores", self->workers.largest, "cores");
  findings_add (self, finding, "If a task uses fewer cores, request as many as it uses, so that others run beside it.");
}

void
rule_requests (Findings *self)
{
  double unused = findings_get_part (self, ROAST_CORE_PART_RESERVED_UNUSED);
  double no_fit = findings_get_part (self, ROAST_CORE_PART_IDLE_NO_FIT);
  double waiting = no_fit + findings_get_part (self, ROAST_CORE_PART_IDLE_UNDETERMINED);

  if (unused >= UNUSED)
    speak_of_cores (self, unused);
  if (waiting >= NO_FIT)
    look_at_free (self, no_fit, waiting);
  look_at_whole (self);
  findings_be_silent (self, "tasks left %.1f %% of the core time unused, and no waiting task fitted for %.1f %%",
                      100 * unused, 100 * no_fit);
}
