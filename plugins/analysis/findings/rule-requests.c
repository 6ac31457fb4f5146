/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds tasks that receive more resources than they use, while other tasks wait. */

#include "findings.h"
#include "task-lifecycle-tables.h"

#define UNUSED 0.15 /* report if tasks held cores without using them for at least this share of the core time */
#define NO_FIT 0.1  /* report if free cores were not enough for waiting tasks for this share of the core time */
#define TWICE 2.0

typedef struct
{
  const char *category;
  double given, used;
} Request;

/* Returns the category that uses the smallest part of its allocation. @column: the allocated resource, cores or
 * memory */
static Request
find_request (Findings *self, guint column, guint used_column)
{
  g_autoptr (RoastTableReader) table = roast_per_resource_read (self->report);
  g_autoptr (GHashTable) given = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  Request worst = { NULL, 0, 0 };

  while (roast_table_reader_next (table))
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

/* Returns the category that leaves the most core-seconds unused. In contrast to find_request (), derives the used cores
 * from the CPU time of attempts. */
static Request
find_request_by_cpu (Findings *self)
{
  Request worst = { NULL, 0, 0 };
  double most = 0;

  FOR_EACH (const FindingsCategory, category, self->tasks.categories)
    {
      double unused = category->allocated - category->allocated_cpu;

      if (*category->name == '\0' || unused <= most)
        continue;
      most = unused;
      worst = (Request) { category->name, category->allocated / category->allocated_time,
                          category->allocated_cpu / category->allocated_time };
    }

  return worst;
}

static void
speak_of_cores (Findings *self, double unused)
{
  Request request = find_request (self, ROAST_PER_RESOURCE_CORES, ROAST_PER_RESOURCE_CORES);
  RoastFinding *finding = NULL;

  if (request.category == NULL)
    request = find_request_by_cpu (self);
  if (request.category == NULL)
    {
      finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, unused,
                              "Tasks held %.0f %% of the core time but did not use it.", 100 * unused);
      findings_add (self, finding, "Request fewer cores for each of these tasks.");
      return;
    }
  finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, unused,
                          "Tasks held %.0f %% of the core time but did not use it: tasks of category “%s” got %.1f "
                          "cores and used %.1f on average.",
                          100 * unused, request.category, request.given, request.used);
  roast_finding_add_text (finding, "category", request.category);
  roast_finding_add_number (finding, "given", request.given, "cores");
  roast_finding_add_number (finding, "used", request.used, "cores");
  /* Round down an average that is slightly above an integer, such as 5.02 cores. */
  findings_add (self, finding, "Request %s for each of these tasks.",
                findings_cores (self, fmax (ceil (request.used - 0.05), 1)));
}

static void
speak_of_memory (Findings *self, const Request *request, double no_fit)
{
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_WARNING, no_fit,
                    "Cores were free for %.0f %% of the core time while all waiting tasks needed more resources than "
                    "were free: tasks of category “%s” got %s of memory and used at most %s.",
                    100 * no_fit, request->category, findings_bytes (self, request->given),
                    findings_bytes (self, request->used));

  roast_finding_add_text (finding, "category", request->category);
  roast_finding_add_number (finding, "given", request->given, "B");
  roast_finding_add_number (finding, "used", request->used, "B");
  findings_add (self, finding, "Request %s for each of these tasks.", findings_bytes (self, request->used * 1.25));
}

/* Returns a text such as "8 cores" or "3.00 GiB of memory". */
static const char *
describe_amount (Findings *self, double amount, gboolean is_memory)
{
  const char *bytes = is_memory ? findings_bytes (self, amount) : NULL;

  return is_memory ? findings_text (self, "%s of memory", bytes) : findings_cores (self, amount);
}

/* Reports tasks that no worker received because they request more of a resource than any worker had. */
static void
speak_of_too_large (Findings *self, double no_fit)
{
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (self->recording);
  double cores = NAN;
  gboolean is_memory;
  double asked, most;
  const char *category, *unit, *largest;
  RoastFinding *finding = NULL;

  roast_table_reader_seek (tasks, self->tasks.too_large);
  cores = roast_table_reader_get_double (tasks, ROAST_TASKS_CORES_REQUESTED);
  category = roast_table_reader_get_string (tasks, ROAST_TASKS_CATEGORY);
  is_memory = !(cores > self->workers.largest);
  asked = is_memory ? roast_table_reader_get_double (tasks, ROAST_TASKS_MEMORY_REQUESTED) : cores;
  most = is_memory ? self->workers.memory : self->workers.largest;
  unit = is_memory ? "B" : "cores";
  largest = describe_amount (self, most, is_memory);
  finding =
      findings_new (self, ROAST_FINDING_SEVERITY_ERROR, no_fit,
                    "%s fitted no worker: %s category “%s”, requested %s, but the largest worker had %s. Cores "
                    "were free for %.0f %% of the core time while no other task was ready.",
                    findings_count (self, self->tasks.n_too_large, "task", "tasks"),
                    self->tasks.n_too_large > 1 ? "the first, in" : "the task, in", category != NULL ? category : "",
                    describe_amount (self, asked, is_memory), largest, 100 * no_fit);
  roast_finding_add_text (finding, "category", category);
  roast_finding_add_number (finding, "requested", asked, unit);
  roast_finding_add_number (finding, "largest_worker", most, unit);
  roast_finding_add_number (finding, "tasks", self->tasks.n_too_large, NULL);
  findings_add (self, finding, "Request at most %s for each of these tasks, or start larger workers.", largest);
  self->has_too_large = TRUE;
}

/* ---- memory for few tasks ---- */

/* Returns how many tasks of a category fit into the memory of a worker. */
static double
count_fitting (Findings *self, const FindingsCategory *category)
{
  return floor (self->workers.memory / category->memory);
}

/* Returns the category with the most time among those whose memory requests leave at least half of a worker's cores
 * unused; NULL if there is none. */
static const FindingsCategory *
find_packing (Findings *self)
{
  const FindingsCategory *worst = NULL;

  FOR_EACH (const FindingsCategory, category, self->tasks.categories)
    {
      double used = category->memory > 0 ? count_fitting (self, category) * category->cores : INFINITY;

      if (*category->name != '\0' && used > 0 && used <= self->workers.largest / 2 &&
          (worst == NULL || category->time > worst->time))
        worst = category;
    }

  return worst;
}

static void
speak_of_packing (Findings *self, const FindingsCategory *packing, double waiting)
{
  double n = count_fitting (self, packing);
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_WARNING, waiting,
                    "Cores were free for %.0f %% of the core time while tasks were ready: each task of category “%s” "
                    "requested %s of memory, and a worker with %g cores and %s has room for only %.0f at a time.",
                    100 * waiting, packing->name, findings_bytes (self, packing->memory), self->workers.largest,
                    findings_bytes (self, self->workers.memory), n);

  roast_finding_add_text (finding, "category", packing->name);
  roast_finding_add_number (finding, "requested", packing->memory, "B");
  roast_finding_add_number (finding, "largest_worker", self->workers.memory, "B");
  roast_finding_add_number (finding, "at_a_time", n, NULL);
  findings_add (self, finding,
                "Request less memory if the tasks need less, or start workers with more memory per core.");
}

static void
speak_of_no_fit (Findings *self, double no_fit)
{
  RoastFinding *finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, no_fit,
                                        "Cores were free for %.0f %% of the core time, but all ready tasks needed more "
                                        "resources than were free.",
                                        100 * no_fit);

  roast_finding_add_number (finding, "free_but_too_small", no_fit, "ratio");
  findings_add (self, finding,
                "Request fewer resources for each task, or start workers whose cores, memory and disk are multiples of "
                "a task's request.");
}

/* Explains why cores were free while a task waited: the task may have been too large for these cores. */
static void
look_at_free (Findings *self, double no_fit, double waiting)
{
  Request memory = find_request (self, ROAST_PER_RESOURCE_MEMORY, ROAST_PER_RESOURCE_MEMORY_MAX);
  const FindingsCategory *packing = find_packing (self);

  if (self->tasks.n_too_large > 0)
    speak_of_too_large (self, waiting);
  else if (memory.category != NULL && memory.given >= TWICE * memory.used && no_fit >= NO_FIT)
    speak_of_memory (self, &memory, no_fit);
  else if (packing != NULL)
    speak_of_packing (self, packing, waiting);
  else if (no_fit >= NO_FIT)
    speak_of_no_fit (self, no_fit);
}

/* ---- tasks without a request ---- */

/* Reports tasks that request no cores and may receive all cores of a worker. Unless the executor measures tasks, it is
 * unknown whether they use these cores. */
static void
look_at_whole (Findings *self)
{
  guint n = self->tasks.n_whole;
  RoastFinding *finding = NULL;

  if (n < self->tasks.n_allocated || n <= self->workers.n)
    return;
  finding =
      findings_new (self, ROAST_FINDING_SEVERITY_INFO, NAN,
                    "Tasks requested no cores, so each of %s tasks got all %g cores of its worker. How many cores "
                    "they used was not measured.",
                    findings_number (self, n, "count"), self->workers.largest);
  roast_finding_add_number (finding, "tasks", n, NULL);
  roast_finding_add_number (finding, "cores", self->workers.largest, "cores");
  findings_add (self, finding,
                "Request only as many cores as a task uses, so that a worker runs several tasks at the same time.");
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
  findings_be_silent (self,
                      "tasks left %.1f %% of the core time unused, and for %.1f %% no waiting task fitted the free "
                      "cores",
                      100 * unused, 100 * no_fit);
}
