/* SPDX-License-Identifier: BSD-3-Clause */

/* Reports memory that almost reached its limit, exceeded it, or was written to disk. For other limits see
 * rule-limits.c. */

#include "findings.h"
#include "task-activity-tables.h"

#define NEAR 0.9          /* memory counts as near the limit from this share of the limit on */
#define MEMORY_FULL 0.6   /* memory counts as full from this share of the limit on: spilling is then expected */
#define SPILL 0.05        /* report spilling only if it costs at least this share of the core time */
#define MEMORY_SPARE 1.25 /* advise to request this multiple of the peak memory */

typedef struct
{
  guint n_killed;
  double share, peak, limit; /* share: peak / limit; peak, limit: of the worker that came closest to its limit, B */
  double spilled;            /* most data that one worker had spilled to disk at a time, B */
  double moved;              /* the same data by their size in memory, B */
  const char *worker;
} MemoryUse;

static void
memory_add_worker (Findings *self, MemoryUse *use, RoastTableReader *table)
{
  double peak = roast_table_reader_get_double (table, ROAST_PER_WORKER_MEMORY_PEAK);
  double limit = roast_table_reader_get_double (table, ROAST_PER_WORKER_MEMORY_LIMIT);
  gboolean is_killed = roast_table_reader_get_word (table, ROAST_PER_WORKER_CAUSE) == ROAST_WORKER_END_MEMORY;
  const char *name = roast_table_reader_get_string (table, ROAST_PER_WORKER_NAME);
  /* Rank killed workers before others, because their last sample may be far below the limit. */
  double share = limit > 0 && peak > 0 ? peak / limit + (is_killed ? 1 : 0) : 0;

  use->n_killed += is_killed ? 1 : 0;
  use->spilled = fmax (use->spilled, roast_table_reader_get_double (table, ROAST_PER_WORKER_SPILLED_PEAK));
  if (!(share > use->share))
    return;
  use->share = share;
  use->peak = peak;
  use->limit = limit;
  use->worker =
      findings_keep (self, name != NULL ? name : roast_table_reader_get_string (table, ROAST_PER_WORKER_WORKER));
}

static MemoryUse
memory_read_use (Findings *self)
{
  g_autoptr (RoastTableReader) table = roast_per_worker_read (self->report);
  MemoryUse use = { .n_killed = 0 };

  while (roast_table_reader_next (table))
    memory_add_worker (self, &use, table);
  if (use.spilled > 0)
    use.moved = fmax (findings_evaluate (self, "max (spilled_memory over worker_samples)"), 0);

  return use;
}

static void
memory_add_evidence (RoastFinding *finding, const MemoryUse *use, double exhausted, double kills)
{
  roast_finding_add_text (finding, "worker", use->worker);
  if (use->limit > 0)
    {
      roast_finding_add_number (finding, "peak", use->peak, "B");
      roast_finding_add_number (finding, "limit", use->limit, "B");
    }
  roast_finding_add_number (finding, "killed_workers", use->n_killed, NULL);
  roast_finding_add_number (finding, "attempts_over_limit", exhausted, NULL);
  roast_finding_add_number (finding, "processes_killed", kills, NULL);
  roast_finding_add_number (finding, "spilled", use->spilled, "B");
}

/* Appends a text such as "1 worker was killed" or "2 attempts exceeded their memory"; nothing if @n is 0. */
static void
add_count (Findings *self, GString *text, double n, const char *one, const char *several)
{

  if (n > 0)
    g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", findings_count (self, (gint64) n, one, several));
}

/* Returns the share of the core time that was lost because memory did not suffice. This includes failed attempts if the
 * kernel killed a process, because the process may have run a task. */
static double
get_lost (Findings *self, const MemoryUse *use, gint64 exhausted, double kills)
{
  const FindingsTasks *tasks = &self->tasks;

  if (!findings_has_slots (self))
    return NAN;
  if ((use->n_killed > 0 || kills > 0) && tasks->failed > 0)
    self->killed = findings_get_parts (self, ROAST_CORE_PART_LOST_FAILED, ROAST_CORE_PART_LOST_RETRIED) *
                   tasks->killed / tasks->failed;

  return self->killed + (use->n_killed > 0 ? findings_get_part (self, ROAST_CORE_PART_LOST_WORKER) : 0) +
         (exhausted > 0 ? findings_get_part (self, ROAST_CORE_PART_LOST_EXHAUSTED) : 0);
}

static void
speak_of_kills (Findings *self, const MemoryUse *use, gint64 exhausted, double kills)
{
  double peak = findings_get_metric (self, "task_memory_peak_bytes");
  /* Use the memory that the attempt requested, because this memory was not enough, even if the peak is unknown. */
  double requested =
      exhausted > 0 ? findings_evaluate (self, "max (memory_requested over tasks where status = exhausted)") : NAN;
  double known = fmax (use->limit > 0 ? fmax (use->limit, use->peak) : peak, requested);
  g_autoptr (GString) ended = g_string_new (NULL);
  const char *limit = use->limit > 0 ? findings_text (self, "; worker %s may use only %s of memory", use->worker,
                                                      findings_bytes (self, use->limit))
                                     : "";
  const char *request = known > 0 ? findings_bytes (self, known * MEMORY_SPARE) : NULL;
  RoastFinding *finding = NULL;

  add_count (self, ended, use->n_killed, "worker was killed", "workers were killed");
  add_count (self, ended, kills, "process was killed", "processes were killed");
  add_count (self, ended, (double) exhausted, "attempt exceeded its memory limit",
             "attempts exceeded their memory limits");
  finding = findings_new (self, ROAST_FINDING_SEVERITY_ERROR, get_lost (self, use, exhausted, kills),
                          "Memory ran out: %s%s.", ended->str, limit);
  roast_finding_set_lower_bound (finding);
  if (use->n_killed > 0)
    self->lost_rule = self->rule;
  memory_add_evidence (finding, use, (double) exhausted, kills);
  if (request != NULL)
    findings_add (self, finding, "Request at least %s of memory for each worker or task, or use smaller chunks.",
                  request);
  else
    findings_add (self, finding, "Give each task more memory, run fewer tasks at a time, or use smaller chunks.");
}

static void
speak_of_pressure (Findings *self, const MemoryUse *use, double spill, double serialise)
{
  const char *moved =
      use->moved > 0 ? findings_text (self, " (data that took %s in memory)", findings_bytes (self, use->moved)) : "";
  const char *spilled = use->spilled > 0
                            ? findings_text (self, ", and a worker kept up to %s of results on disk%s to free memory",
                                             findings_bytes (self, use->spilled), moved)
                            : "";
  /* Add idle time if workers spilled memory: until they have freed enough, they accept no tasks. */
  double idle = spill > 0 || use->spilled > 0 ? findings_get_part (self, ROAST_CORE_PART_IDLE_EXECUTOR) : 0;
  const char *waited =
      idle >= SPILL
          ? findings_text (self, "; for %.0f %% of the core time tasks waited although workers were idle", 100 * idle)
          : "";
  /* Add the time of serializing: workers serialize data before they write it to disk. */
  double written = spill + (use->spilled > 0 ? serialise : 0);
  const char *took =
      use->spilled > 0 && written >= SPILL
          ? findings_text (self, "; serializing, writing and reading this data took %.0f %% of the core time",
                           100 * written)
          : "";
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_WARNING, written + idle,
                    "Worker %s used %s of its memory limit of %s%s%s%s.", use->worker != NULL ? use->worker : "?",
                    findings_bytes (self, use->peak), findings_bytes (self, use->limit), spilled, took, waited);

  self->is_spilling = spill > 0 || use->spilled > 0;
  memory_add_evidence (finding, use, NAN, NAN);
  roast_finding_add_number (finding, "spill_share", spill, "ratio");
  findings_add (self, finding,
                "Request at least %s of memory for each worker, use fewer threads per worker, or use smaller chunks.",
                findings_bytes (self, (use->peak + use->moved) * MEMORY_SPARE));
}

void
rule_memory (Findings *self)
{
  MemoryUse use = memory_read_use (self);
  gint64 exhausted = self->limits.n_memory;
  double kills = findings_get_metric (self, "oom_kills_total");
  double spill = findings_get_part (self, ROAST_CORE_PART_TASK_SPILL);
  double serialise = findings_get_part (self, ROAST_CORE_PART_TASK_SERIALISE);
  gboolean is_spilled = use.spilled > 0 && use.share >= MEMORY_FULL && spill + serialise >= SPILL;

  kills = isnan (kills) ? 0 : kills;
  if (use.n_killed > 0 || exhausted > 0 || kills > 0)
    speak_of_kills (self, &use, exhausted, kills);
  else if (use.limit > 0 && (use.share >= NEAR || spill >= SPILL || is_spilled))
    speak_of_pressure (self, &use, spill, serialise);
  else if (use.limit > 0)
    findings_be_silent (self, "no worker used more than %.0f %% of its memory limit", 100 * use.share);
  else
    findings_lack (self, "no worker had both its memory and its memory limit measured");
}
