/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds workers that hold tasks but run none while their memory is almost full: executors pause such workers. */

#include "findings.h"
#include "group-element.h"

#define PAUSED_MUCH 0.1   /* report only if pauses cost at least this share of the core time */
#define PAUSED_LEAST 3.0  /* minimum time for which a worker ran no task, s; shorter gaps may come from the sampling */
#define PAUSED_FULL 0.6   /* minimum memory of a paused worker, as a share of its limit */
#define PAUSED_SPARE 1.25 /* advise to request this multiple of the peak memory */

typedef struct
{
  double since, until; /* µs: first and last sample of the stretch without a running task; NaN outside a stretch */
  double seconds;      /* total length of all stretches of at least PAUSED_LEAST, s */
  double peak, limit;  /* B */
  const char *name;
} PausedWorker;

static void
paused_end_stretch (PausedWorker *self)
{
  double seconds = (self->until - self->since) / G_USEC_PER_SEC;

  if (seconds >= PAUSED_LEAST)
    self->seconds += seconds;
  self->since = self->until = NAN;
}

static void
paused_add_sample (Findings *findings, PausedWorker *self, RoastTableReader *samples)
{
  double time = roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_TIME);
  gboolean holds = roast_table_reader_get_int64 (samples, ROAST_WORKER_SAMPLES_ACTIVE_TASKS, 0) > 0 &&
                   roast_table_reader_get_int64 (samples, ROAST_WORKER_SAMPLES_EXECUTING_TASKS, 1) == 0;

  if (self->name == NULL)
    {
      self->name = findings_keep (findings, roast_table_reader_get_string (samples, ROAST_WORKER_SAMPLES_WORKER));
      self->since = self->until = NAN;
    }
  self->peak = fmax (self->peak, roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_MEMORY));
  self->limit = fmax (self->limit, roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_MEMORY_LIMIT));
  if (!holds)
    {
      paused_end_stretch (self);
      return;
    }
  self->since = isnan (self->since) ? time : self->since;
  self->until = time;
}

static GArray *
paused_read_workers (Findings *self)
{
  g_autoptr (RoastTableReader) samples = roast_worker_samples_read (self->recording);
  GArray *workers = g_array_new (FALSE, TRUE, sizeof (PausedWorker));

  GROUP_BY (samples, ROAST_WORKER_SAMPLES_SOURCE, ROAST_WORKER_SAMPLES_WORKER);
  while (roast_table_reader_next (samples))
    paused_add_sample (self, group_element (workers, samples), samples);
  for (guint i = 0; i < workers->len; i++)
    paused_end_stretch (&g_array_index (workers, PausedWorker, i));

  return workers;
}

/* Returns the share of the core time that pauses can explain: all free time, except while tasks waited for inputs or no
 * task was left. */
static double
get_unused (Findings *self)
{
  return findings_get_part (self, ROAST_CORE_PART_UNKNOWN) + findings_get_part (self, ROAST_CORE_PART_IDLE_EXECUTOR) +
         findings_get_part (self, ROAST_CORE_PART_IDLE_UNDETERMINED);
}

static void
paused_speak (Findings *self, const PausedWorker *most, guint n, double seconds, double share)
{
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_WARNING, share,
                    "For %s in total, %s with nearly full memory held tasks but ran none. Worker "
                    "%s used %.0f %% of its memory limit.",
                    findings_duration (self, seconds), findings_count (self, n, "worker", "workers"), most->name,
                    100 * most->peak / most->limit);

  roast_finding_add_text (finding, "worker", most->name);
  roast_finding_add_number (finding, "without_running", seconds, "s");
  roast_finding_add_number (finding, "workers", n, NULL);
  findings_add (self, finding,
                "Executors pause a worker whose memory is nearly full: request at least %s of memory for each worker, "
                "keep fewer results in memory, or use smaller chunks.",
                findings_bytes (self, most->peak * PAUSED_SPARE));
}

void
rule_paused (Findings *self)
{
  g_autoptr (GArray) workers = NULL;
  const PausedWorker *most = NULL;
  double seconds = 0, share = 0;
  guint n = 0;

  workers = paused_read_workers (self);
  FOR_EACH (const PausedWorker, worker, workers)
    {
      if (!(worker->seconds > 0) || !(worker->peak / worker->limit >= PAUSED_FULL) || !(worker->limit > 0))
        continue;
      seconds += worker->seconds;
      n++;
      if (most == NULL || worker->peak / worker->limit > most->peak / most->limit)
        most = worker;
    }
  if (self->workers.n > 0)
    share = fmin (seconds * self->workers.cores / self->workers.n / self->offered, get_unused (self));
  if (most != NULL && share >= PAUSED_MUCH)
    paused_speak (self, most, n, seconds, share);
  else
    findings_be_silent (self, "workers with nearly full memory held tasks but ran none for %.1f %% of the core time",
                        100 * share);
}
