/* SPDX-License-Identifier: BSD-3-Clause */

/* Tasks get more than they use, while others wait. */

#include "elapsed.h"
#include "findings.h"
#include "group-element.h"
#include "task-lifecycle-tables.h"

#define UNUSED 0.15 /* of the core time: cores that tasks held and did not use */
#define NO_FIT 0.1  /* of the core time: free, but too small for the tasks that waited */
#define TWICE 2.0
#define FULL 0.9

typedef struct
{
  char *category;
  double given, used;
} Request;

/* The category that uses the least of what it gets. @column: cores or memory */
static Request
find_request (Findings *self, guint column, guint used_column)
{
  g_autoptr (RoastTableReader) table =
      roast_report_read_table (self->report, ROAST_TABLE_PER_RESOURCE, roast_per_resource_columns, NULL);
  g_autoptr (GHashTable) given = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
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
          g_hash_table_replace (given, g_strdup (category), copy);
        }
      found = kind == ROAST_RESOURCE_KIND_MEASURED ? g_hash_table_lookup (given, category) : NULL;
      if (found == NULL || (worst.category != NULL && *found / amount <= worst.given / worst.used))
        continue;
      g_free (worst.category);
      worst = (Request) { g_strdup (category), *found, amount };
    }

  return worst;
}

/* Attempts of one category whose CPU time is known. */
typedef struct
{
  const char *category;
  double time, held, cpu; /* s, core-seconds */
} Held;

/* The same by the CPU time of attempts: of the category that leaves the most core-seconds unused. */
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

  return worst != NULL ? (Request) { g_strdup (worst->category), worst->held / worst->time, worst->cpu / worst->time }
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
                            "Tasks held %.0f %% of the core time and did not use it: those of category “%s” got %.1f "
                            "cores and used %.1f on average.",
                            100 * unused, request.category, request.given, request.used);
  else
    finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, unused,
                            "Tasks held %.0f %% of the core time and did not use it.", 100 * unused);
  if (request.category != NULL)
    {
      roast_finding_add_text (finding, "category", request.category);
      roast_finding_add_number (finding, "given", request.given, "cores");
      roast_finding_add_number (finding, "used", request.used, "cores");
    }
  /* 5.02 cores on average are 5. */
  if (request.category != NULL)
    findings_add (self, finding, "Request %.0f cores for each of these tasks.", fmax (ceil (request.used - 0.05), 1));
  else
    findings_add (self, finding, "Request fewer cores for each of these tasks.");
  g_free (request.category);
}

static void
speak_of_memory (Findings *self, const Request *request, double no_fit)
{
  g_autofree char *given = findings_bytes (request->given);
  g_autofree char *used = findings_bytes (request->used);
  g_autofree char *enough = findings_bytes (request->used * 1.25);
  RoastFinding *finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, no_fit,
                                        "%.0f %% of the core time was free while only tasks that did not fit waited: "
                                        "tasks of category “%s” got %s of "
                                        "memory and used at most %s.",
                                        100 * no_fit, request->category, given, used);

  roast_finding_add_text (finding, "category", request->category);
  roast_finding_add_number (finding, "given", request->given, "B");
  roast_finding_add_number (finding, "used", request->used, "B");
  findings_add (self, finding, "Request %s for each of these tasks.", enough);
}

/* A task that no worker was given and that asks for more cores than any worker had. */
typedef struct
{
  gint64 n; /* of them */
  double cores;
  char *category; /* of the first of them */
} Oversize;

static Oversize
find_oversize (Findings *self)
{
  g_autoptr (RoastTableReader) tasks =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_TASKS, roast_tasks_columns, NULL);
  Oversize found = { 0, 0, NULL };

  while (self->workers.largest > 0 && roast_table_reader_next (tasks))
    {
      double cores = roast_table_reader_get_double (tasks, ROAST_TASKS_CORES_REQUESTED);

      if (!(cores > self->workers.largest) || roast_table_reader_has (tasks, ROAST_TASKS_WORKER) ||
          roast_table_reader_has (tasks, ROAST_TASKS_DISPATCHED) || roast_table_reader_has (tasks, ROAST_TASKS_STARTED))
        continue;
      if (found.n++ == 0)
        found.category = g_strdup (roast_table_reader_get_string (tasks, ROAST_TASKS_CATEGORY));
      found.cores = fmax (found.cores, cores);
    }

  return found;
}

static void
speak_of_oversize (Findings *self, const Oversize *oversize, double no_fit)
{
  g_autofree char *tasks = findings_count (oversize->n, "task", "tasks");
  double most = self->workers.largest;
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_ERROR, no_fit,
                    "%s fitted into no worker: %s category “%s”, asked for %g cores, and the largest worker had %g. "
                    "For "
                    "%.0f %% of the core time cores were free, and no other task was ready.",
                    tasks, oversize->n > 1 ? "the first, in" : "it is in",
                    oversize->category != NULL ? oversize->category : "", oversize->cores, most, 100 * no_fit);

  if (oversize->category != NULL)
    roast_finding_add_text (finding, "category", oversize->category);
  roast_finding_add_number (finding, "requested", oversize->cores, "cores");
  roast_finding_add_number (finding, "largest_worker", most, "cores");
  roast_finding_add_number (finding, "tasks", (double) oversize->n, NULL);
  findings_add (self, finding, "Request at most %g cores for each of these tasks, or start larger workers.", most);
}

static void
speak_of_no_fit (Findings *self, double no_fit)
{
  RoastFinding *finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, no_fit,
                                        "For %.0f %% of the core time cores were free, but only tasks that need more "
                                        "than was free were ready.",
                                        100 * no_fit);

  roast_finding_add_number (finding, "free_but_too_small", no_fit, NULL);
  findings_add (self, finding,
                "Request less for each task, or start workers with a multiple of what a task requests: cores, memory, "
                "disk.");
}

void
rule_requests (Findings *self)
{
  double unused = findings_get_part (self, ROAST_CORE_PART_RESERVED_UNUSED);
  double no_fit = findings_get_part (self, ROAST_CORE_PART_IDLE_NO_FIT);
  Request memory = { NULL, 0, 0 };
  Oversize oversize = { 0, 0, NULL };

  if (unused >= UNUSED)
    speak_of_cores (self, unused);
  if (no_fit >= NO_FIT)
    {
      memory = find_request (self, ROAST_PER_RESOURCE_MEMORY, ROAST_PER_RESOURCE_MEMORY_MAX);
      oversize = find_oversize (self);
      if (oversize.n > 0)
        speak_of_oversize (self, &oversize, no_fit);
      else if (memory.category != NULL && memory.given >= TWICE * memory.used)
        speak_of_memory (self, &memory, no_fit);
      else
        speak_of_no_fit (self, no_fit);
    }
  findings_be_silent (self, "tasks left %.1f %% of the core time unused, and for %.1f %% no waiting task fitted",
                      100 * unused, 100 * no_fit);
  g_free (memory.category);
  g_free (oversize.category);
}
