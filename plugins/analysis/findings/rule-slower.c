/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds a worker, host, dataset or file that is slower than the others, with the test in findings-compare.c. Task times
 * are relative to their category and source, and chunk times relative to their call. When files are compared, chunk
 * times are also relative to their dataset. */

#include "elapsed.h"
#include "findings.h"
#include "group-element.h"

#define SLOWER 1.15          /* minimum ratio for each worker of a slow host */
#define SLOWER_AS_WHOLE 1.25 /* minimum ratio of whole chunk times for a slow file or dataset */
#define MOSTLY 0.75          /* share of the extra task time */
#define SOME 0.02            /* share of the slot time, or of the chunk time without an executor */

/* Groups by name. */
typedef struct
{
  GHashTable *numbers; /* index in both arrays + 1, by name */
  GPtrArray *names;
  GArray *groups; /* of FindingsGroup */
} Groups;

static Groups
groups_new (void)
{
  return (Groups) { g_hash_table_new (g_str_hash, g_str_equal), g_ptr_array_new_with_free_func (g_free),
                    g_array_new (FALSE, TRUE, sizeof (FindingsGroup)) };
}

static void
groups_clear (Groups *self)
{
  g_hash_table_unref (self->numbers);
  g_ptr_array_unref (self->names);
  g_array_unref (self->groups);
}

static guint
groups_find (Groups *self, const char *name)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, name));

  if (number > 0)
    return number - 1;
  g_ptr_array_add (self->names, g_strdup (name));
  g_hash_table_insert (self->numbers, g_ptr_array_index (self->names, self->names->len - 1),
                       GUINT_TO_POINTER (self->names->len));
  g_array_set_size (self->groups, self->names->len);

  return self->names->len - 1;
}

static void
groups_add (Groups *self, guint group, guint block, double value, double time, double cpu)
{
  FindingsGroup *found = &g_array_index (self->groups, FindingsGroup, group);

  found->n++;
  found->sum += value;
  found->squares += value * value;
  found->time += time;
  found->waited += isnan (cpu) ? 0 : fmax (time - cpu, 0);
  found->blocks[block].n++;
  found->blocks[block].sum += value;
}

/* Returns the group for the code of a column. Looks up each name only once. */
static guint
groups_find_code (Groups *self, GArray *codes, RoastTableReader *table, guint slot)
{
  guint *number = group_element_at (codes, (guint) (roast_table_reader_get_code (table, slot) + 1));

  if (*number == 0)
    {
      const char *name = roast_table_reader_get_string (table, slot);

      *number = groups_find (self, name != NULL ? name : "?") + 1;
    }

  return *number - 1;
}

/* ---- findings ---- */

/* Returns the mean of all groups except @without. */
static double
get_mean_of_others (GArray *groups, guint without)
{
  double sum = 0, n = 0;

  for (guint i = 0; i < groups->len; i++)
    if (i != without)
      {
        sum += g_array_index (groups, FindingsGroup, i).sum;
        n += (double) g_array_index (groups, FindingsGroup, i).n;
      }

  return sum / n;
}

/* Returns whether tasks of the slowest worker took longer because they waited longer for a core, which the rule starved
 * reports. */
static gboolean
is_starved (Findings *self, const Groups *groups, guint slowest, double excess)
{
  const char *worker = g_ptr_array_index (groups->names, slowest);
  double n = (double) g_array_index (groups->groups, FindingsGroup, slowest).n;
  double n_others = 0;
  double own = 0, others = 0;
  guint n_workers = 0;
  const char *found =
      findings_has_spoken (self, "starved") ? findings_find_queue (self, worker, &own, &others, &n_workers) : NULL;

  for (guint i = 0; i < groups->groups->len; i++)
    n_others += i != slowest ? (double) g_array_index (groups->groups, FindingsGroup, i).n : 0;

  return found != NULL && own - n * others / n_others >= MOSTLY * excess;
}

static void
judge (Findings *self, Groups *groups, const char *what, const char *things, const char *of, const char *advice)
{
  FindingsVerdict verdict;
  const FindingsGroup *slowest = NULL;
  double total = 0;
  double share = 0;
  const char *name = NULL;
  g_autofree char *others = NULL;
  g_autofree char *compared = NULL;
  RoastFinding *finding = NULL;

  if (!findings_compare (groups->groups, &verdict))
    {
      findings_not_apply (self, "fewer than two %s have at least three %s each, so they cannot be compared", things,
                          of);
      return;
    }
  for (guint i = 0; i < groups->groups->len; i++)
    total += g_array_index (groups->groups, FindingsGroup, i).time;
  /* Most cores of a process tree may be free all the time, so for a tree compare the excess with the chunk time. */
  if (verdict.n_slower == 0 || verdict.excess < SOME * (self->offered > 0 && !self->is_tree ? self->offered : total))
    {
      findings_be_silent (self,
                          "none of %u %s is 1.5 times as slow as the others, or 1.2 times throughout the run (Welch's "
                          "test at 1 %% with correction for their number)%s",
                          verdict.n_groups, things, verdict.n_slower > 0 ? ", for long enough to matter" : "");
      return;
    }
  name = g_ptr_array_index (groups->names, verdict.group);
  slowest = &g_array_index (groups->groups, FindingsGroup, verdict.group);
  if (g_str_equal (what, "worker") && is_starved (self, groups, verdict.group, verdict.excess))
    {
      findings_be_silent (self,
                          "tasks of worker %s took %.1f times as long because they waited for a core: see starved",
                          name, verdict.ratio);
      return;
    }
  share = self->offered > 0 ? fmin (verdict.excess / self->offered, 1) : NAN;
  others =
      verdict.n_slower > 1 ? g_strdup_printf (", and %u others are slower too", verdict.n_slower - 1) : g_strdup ("");
  compared = verdict.n_groups > 2 ? g_strdup_printf ("%u %s", verdict.n_groups - 1, things) : g_strdup (what);
  finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, share,
                          "%c%s of %s %s took %.*f times as long as those of the other %s%s.", g_ascii_toupper (*of),
                          of + 1, what, name, verdict.ratio < 1.5 ? 2 : 1, verdict.ratio, compared, others);
  roast_finding_add_text (finding, what, name);
  roast_finding_add_number (finding, "ratio", verdict.ratio, NULL);
  roast_finding_add_number (finding, "p", verdict.p, NULL);
  roast_finding_add_number (finding, "compared", verdict.n_groups, NULL);
  roast_finding_add_number (finding, "slower", verdict.n_slower, NULL);
  roast_finding_add_number (finding, "excess", verdict.excess, "s");
  findings_add (self, finding, "%s", advice);
  findings_explain_waiting (self, verdict.excess * slowest->waited / slowest->time);
}

/* ---- tasks ---- */

/* Tasks of one category at one source. Sources are separate because two clusters may give the same function different
 * work. */
typedef struct
{
  FindingsCategory category;
  gint64 n;
  double sum; /* of logarithms of times */
} Kind;

/* Returns the time in s of an analysis attempt that ended with a result on a worker; NaN for other attempts. */
static double
get_time (const Kind *kind, RoastTableReader *tasks)
{
  double time = elapsed_get (tasks, ROAST_TASKS_STARTED, ROAST_TASKS_ENDED);

  return time > 0 && roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS) == ROAST_STATUS_DONE &&
                 !findings_is_framework (&kind->category, tasks) && roast_table_reader_has (tasks, ROAST_TASKS_WORKER)
             ? time
             : NAN;
}

/* Returns the kinds, indexed by the group of @tasks. */
static GArray *
read_kinds (Findings *self, RoastTableReader *tasks)
{
  static const guint key[] = { ROAST_TASKS_SOURCE, ROAST_TASKS_CATEGORY };
  GArray *kinds = g_array_new (FALSE, FALSE, sizeof (Kind));

  roast_table_reader_group_by (tasks, key, G_N_ELEMENTS (key));
  while (roast_table_reader_next (tasks))
    {
      Kind *kind = group_element (kinds, tasks);
      double time = NAN;

      if (kind->category.name == NULL)
        findings_category_init (&kind->category, self->model, tasks);
      time = get_time (kind, tasks);
      if (isnan (time))
        continue;
      kind->n++;
      kind->sum += log (time);
    }

  return kinds;
}

static Groups
group_tasks (Findings *self)
{
  g_autoptr (RoastTableReader) tasks =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_TASKS, roast_tasks_columns, NULL);
  g_autoptr (GArray) codes = g_array_new (FALSE, TRUE, sizeof (guint));
  g_autoptr (GArray) kinds = read_kinds (self, tasks);
  Groups groups = groups_new ();

  for (roast_table_reader_rewind (tasks); roast_table_reader_next (tasks);)
    {
      const Kind *kind = group_element (kinds, tasks);
      double time = get_time (kind, tasks);

      if (!isnan (time))
        groups_add (&groups, groups_find_code (&groups, codes, tasks, ROAST_TASKS_WORKER),
                    findings_get_block (self, roast_table_reader_get_double (tasks, ROAST_TASKS_STARTED)),
                    log (time) - kind->sum / (double) kind->n, time,
                    roast_table_reader_get_double (tasks, ROAST_TASKS_CPU));
    }

  return groups;
}

/* Returns hosts by worker name. */
static GHashTable *
read_hosts (Findings *self)
{
  g_autoptr (RoastTableReader) workers =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_WORKERS, roast_workers_columns, NULL);
  GHashTable *hosts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  while (roast_table_reader_next (workers))
    {
      const char *worker = roast_table_reader_get_string (workers, ROAST_WORKERS_WORKER);
      const char *host = roast_table_reader_get_string (workers, ROAST_WORKERS_HOST);

      if (worker != NULL && host != NULL)
        g_hash_table_replace (hosts, g_strdup (worker), g_strdup (host));
    }

  return hosts;
}

/* Joins the groups of all workers of each host. */
static Groups
join_hosts (const Groups *workers, GHashTable *hosts)
{
  Groups joined = groups_new ();

  for (guint i = 0; i < workers->names->len; i++)
    {
      const FindingsGroup *worker = &g_array_index (workers->groups, FindingsGroup, i);
      const char *host = g_hash_table_lookup (hosts, g_ptr_array_index (workers->names, i));
      guint number = host != NULL ? groups_find (&joined, host) : 0;

      if (host != NULL)
        findings_join (&g_array_index (joined.groups, FindingsGroup, number), worker);
    }

  return joined;
}

/* Returns whether every worker of the host is slower, since one slow worker is enough to raise the mean of its host. */
static gboolean
are_all_slower (const Groups *workers, GHashTable *hosts, const Groups *joined, guint host)
{
  const char *name = g_ptr_array_index (joined->names, host);
  double others = get_mean_of_others (joined->groups, host);

  for (guint i = 0; i < workers->names->len; i++)
    {
      const FindingsGroup *worker = &g_array_index (workers->groups, FindingsGroup, i);

      if (g_strcmp0 (g_hash_table_lookup (hosts, g_ptr_array_index (workers->names, i)), name) == 0 && worker->n > 0 &&
          worker->sum / (double) worker->n - others < log (SLOWER))
        return FALSE;
    }

  return TRUE;
}

void
rule_slower_host (Findings *self)
{
  g_autoptr (GHashTable) hosts = read_hosts (self);
  Groups workers = group_tasks (self);
  Groups joined = join_hosts (&workers, hosts);
  FindingsVerdict verdict;

  if (joined.names->len < 2 || joined.names->len == workers.names->len)
    findings_not_apply (self, "%s",
                        joined.names->len < 2 ? "tasks ran on one host"
                                              : "each host had one worker: see slower-worker");
  else if (findings_compare (joined.groups, &verdict) && verdict.n_slower > 0 &&
           !are_all_slower (&workers, hosts, &joined, verdict.group))
    findings_be_silent (self, "not all workers of host %s are slower than workers of other hosts",
                        (char *) g_ptr_array_index (joined.names, verdict.group));
  else
    judge (self, &joined, "host", "hosts", "tasks",
           "Check which other programs run on that host and its network connection, or exclude the host.");
  groups_clear (&joined);
  groups_clear (&workers);
}

void
rule_slower_worker (Findings *self)
{
  Groups groups = group_tasks (self);

  judge (self, &groups, "worker", "workers", "tasks",
         "Check which other programs run on its host, or exclude the worker.");
  groups_clear (&groups);
}

/* ---- chunks ---- */

/* Comparable chunks: chunks of one call, since another call may process them differently, and of one dataset when files
 * are compared. */
typedef struct
{
  gint64 n;
  double per_event, per_chunk; /* sums of logarithms of times */
} ChunkKind;

typedef struct
{
  RoastTableReader *chunks;
  gboolean by_dataset;
  GHashTable *processors; /* processor by call; only calls made by tasks, each of which processes a part of the work */
  GHashTable *names;      /* index in kinds + 1, by processor or call, and dataset */
  GHashTable *codes;      /* index in kinds + 1, by the codes of call and dataset */
  GArray *kinds;          /* of ChunkKind */
  GHashTable *begun;      /* end of the first chunk in µs, by process */
  gint64 last_codes, last_process;
  guint last_kind;
  const gint64 *last_begun;
} Chunks;

static void
chunks_init (Chunks *self, Findings *findings, gboolean by_dataset)
{
  g_autoptr (RoastTableReader) calls =
      roast_recording_snapshot_read_table (findings->recording, ROAST_TABLE_PROCESSING, roast_processing_columns, NULL);

  *self = (Chunks) { .by_dataset = by_dataset, .last_codes = -1 };
  self->chunks =
      roast_recording_snapshot_read_table (findings->recording, ROAST_TABLE_CHUNKS, roast_chunks_columns, NULL);
  self->processors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->codes = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->kinds = g_array_new (FALSE, TRUE, sizeof (ChunkKind));
  self->begun = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  while (roast_table_reader_next (calls))
    if (roast_table_reader_has (calls, ROAST_PROCESSING_TASK) &&
        roast_table_reader_has (calls, ROAST_PROCESSING_PROCESSOR))
      g_hash_table_replace (self->processors, g_strdup (roast_table_reader_get_string (calls, ROAST_PROCESSING_CALL)),
                            g_strdup (roast_table_reader_get_string (calls, ROAST_PROCESSING_PROCESSOR)));
}

static void
chunks_clear (Chunks *self)
{
  g_object_unref (self->chunks);
  g_hash_table_unref (self->processors);
  g_hash_table_unref (self->names);
  g_hash_table_unref (self->codes);
  g_array_unref (self->kinds);
  g_hash_table_unref (self->begun);
}

static gint64
pair (gint64 high, gint64 low)
{
  return (high << 32) ^ (low & G_MAXUINT32);
}

static guint
find_kind_by_name (Chunks *self)
{
  const char *dataset = self->by_dataset ? roast_table_reader_get_string (self->chunks, ROAST_CHUNKS_DATASET) : NULL;
  const char *call = roast_table_reader_get_string (self->chunks, ROAST_CHUNKS_CALL);
  const char *processor = call != NULL ? g_hash_table_lookup (self->processors, call) : NULL;
  g_autofree char *name = g_strconcat (processor != NULL ? processor
                                       : call != NULL    ? call
                                                         : "",
                                       "\n", dataset != NULL ? dataset : "", NULL);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->names, name));

  if (number == 0)
    {
      number = self->kinds->len + 1;
      g_array_set_size (self->kinds, number);
      g_hash_table_insert (self->names, g_steal_pointer (&name), GUINT_TO_POINTER (number));
    }

  return number;
}

/* Returns the kind of the current row. Remembers the previous row's kind because most rows have the same. */
static ChunkKind *
find_kind (Chunks *self)
{
  int dataset = self->by_dataset ? roast_table_reader_get_code (self->chunks, ROAST_CHUNKS_DATASET) : 0;
  gint64 codes = pair (roast_table_reader_get_code (self->chunks, ROAST_CHUNKS_CALL) + 1, dataset + 1);

  if (codes != self->last_codes)
    {
      self->last_kind = GPOINTER_TO_UINT (g_hash_table_lookup (self->codes, &codes));
      if (self->last_kind == 0)
        {
          self->last_kind = find_kind_by_name (self);
          g_hash_table_insert (self->codes, g_memdup2 (&codes, sizeof codes), GUINT_TO_POINTER (self->last_kind));
        }
      self->last_codes = codes;
    }

  return &g_array_index (self->kinds, ChunkKind, self->last_kind - 1);
}

/* Returns whether the current chunk is the first chunk of a thread of its process, that is, whether it began before the
 * first chunk of the process ended. Such chunks also load and compile code, whatever their group. */
static gboolean
is_first (Chunks *self)
{
  gint64 started = roast_table_reader_get_int64 (self->chunks, ROAST_CHUNKS_STARTED, 0);
  gint64 process = pair (roast_table_reader_get_code (self->chunks, ROAST_CHUNKS_HOST),
                         roast_table_reader_get_int64 (self->chunks, ROAST_CHUNKS_PID, -1));

  if (!roast_table_reader_has (self->chunks, ROAST_CHUNKS_PID))
    return FALSE;
  if (self->last_begun == NULL || process != self->last_process)
    self->last_begun = g_hash_table_lookup (self->begun, &process);
  self->last_process = process;
  if (self->last_begun == NULL)
    {
      gint64 ended = roast_table_reader_get_int64 (self->chunks, ROAST_CHUNKS_ENDED, started);

      g_hash_table_insert (self->begun, g_memdup2 (&process, sizeof process), g_memdup2 (&ended, sizeof ended));
      return TRUE;
    }

  return started < *self->last_begun;
}

/* Moves to the next analysis chunk with events, a time and a group. After the last chunk, rewinds and returns FALSE. */
static gboolean
next_chunk (Chunks *self, guint slot, double *events, double *time)
{
  while (roast_table_reader_next (self->chunks))
    {
      *events = roast_table_reader_get_double (self->chunks, ROAST_CHUNKS_EVENTS);
      *time = elapsed_get (self->chunks, ROAST_CHUNKS_STARTED, ROAST_CHUNKS_ENDED);
      if (*events > 0 && *time > 0 && !roast_table_reader_has (self->chunks, ROAST_CHUNKS_ERROR) &&
          roast_table_reader_get_word (self->chunks, ROAST_CHUNKS_ROLE) != ROAST_ROLE_FRAMEWORK && !is_first (self) &&
          roast_table_reader_has (self->chunks, slot))
        return TRUE;
    }
  roast_table_reader_rewind (self->chunks);
  g_hash_table_remove_all (self->begun);
  self->last_begun = NULL;

  return FALSE;
}

/* Groups times per event, relative to their kind, by the column @slot. @per_chunk: array of FindingsGroup that receives
 * the same for times per chunk */
static Groups
group_chunks (Findings *findings, Chunks *self, guint slot, GArray *per_chunk)
{
  g_autoptr (GArray) codes = g_array_new (FALSE, TRUE, sizeof (guint));
  Groups groups = groups_new ();
  double events, time;

  while (next_chunk (self, slot, &events, &time))
    {
      ChunkKind *kind = find_kind (self);

      kind->n++;
      kind->per_event += log (time / events);
      kind->per_chunk += log (time);
    }
  while (next_chunk (self, slot, &events, &time))
    {
      const ChunkKind *kind = find_kind (self);
      guint group = groups_find_code (&groups, codes, self->chunks, slot);

      groups_add (&groups, group,
                  findings_get_block (findings, roast_table_reader_get_double (self->chunks, ROAST_CHUNKS_STARTED)),
                  log (time / events) - kind->per_event / (double) kind->n, time,
                  roast_table_reader_get_double (self->chunks, ROAST_CHUNKS_THREAD_CPU));
      if (group >= per_chunk->len)
        g_array_set_size (per_chunk, group + 1);
      g_array_index (per_chunk, FindingsGroup, group).n++;
      g_array_index (per_chunk, FindingsGroup, group).sum += log (time) - kind->per_chunk / (double) kind->n;
    }

  return groups;
}

/* A slow group must be slow both per event and per chunk: small chunks take long per event because each chunk has a
 * fixed cost. */
static void
judge_chunks (Findings *self, guint slot, const char *what, const char *things, const char *advice)
{
  g_autoptr (GArray) per_chunk = g_array_new (FALSE, TRUE, sizeof (FindingsGroup));
  Chunks chunks;
  Groups groups;
  FindingsVerdict verdict;
  const FindingsGroup *whole = NULL;

  chunks_init (&chunks, self, slot != ROAST_CHUNKS_DATASET);
  groups = group_chunks (self, &chunks, slot, per_chunk);
  if (findings_compare (groups.groups, &verdict) && verdict.n_slower > 0)
    whole = &g_array_index (per_chunk, FindingsGroup, verdict.group);
  if (whole != NULL &&
      whole->sum / (double) whole->n - get_mean_of_others (per_chunk, verdict.group) < log (SLOWER_AS_WHOLE))
    findings_be_silent (self, "chunks of %s %s have fewer events but take as long as other chunks", what,
                        (char *) g_ptr_array_index (groups.names, verdict.group));
  else
    judge (self, &groups, what, things, "chunks", advice);
  groups_clear (&groups);
  chunks_clear (&chunks);
}

void
rule_slower_dataset (Findings *self)
{
  judge_chunks (self, ROAST_CHUNKS_DATASET, "dataset", "datasets",
                "Check whether its files have more bytes per event, are farther away, or are processed differently.");
}

void
rule_slower_file (Findings *self)
{
  judge_chunks (self, ROAST_CHUNKS_FILE, "file", "files",
                "Read that file from another site, or copy it to a nearer site.");
}
