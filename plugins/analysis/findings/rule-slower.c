/* SPDX-License-Identifier: BSD-3-Clause */

/* One worker, host, dataset or file is slower than the others: by the test in findings-compare.c, on tasks relative to
 * those of their category and source, and on the time of chunks relative to those of their call, that of files also
 * relative to their dataset. */

#include "elapsed.h"
#include "findings.h"
#include "group-element.h"

#define SLOWER 1.15          /* times: each worker of a slow host */
#define SLOWER_AS_WHOLE 1.25 /* times: chunks of a slow file or dataset */
#define MOSTLY 0.75          /* of the time that tasks took longer */
#define SOME 0.02            /* of the slots, or without an executor of the time of chunks */

/* Groups by name. */
typedef struct
{
  GHashTable *numbers; /* by name: place in both arrays, + 1 */
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

/* The group of a code of a column, which is looked up by name once. */
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

/* Of all groups but one. */
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

/* Whether tasks of a worker took longer because each of them waited longer for a core, which is said already. */
static gboolean
is_starved (Findings *self, const Groups *groups, guint slowest, double excess)
{
  const char *worker = g_ptr_array_index (groups->names, slowest);
  double n = (double) g_array_index (groups->groups, FindingsGroup, slowest).n;
  double n_others = 0;
  double own = 0, others = 0;
  guint n_workers = 0;
  g_autofree char *found =
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
      findings_not_apply (self, "there are not two %s with three %s each, which could be compared", things, of);
      return;
    }
  for (guint i = 0; i < groups->groups->len; i++)
    total += g_array_index (groups->groups, FindingsGroup, i).time;
  /* Most cores of a tree may be free all the time: a part of their time says little about whether it matters. */
  if (verdict.n_slower == 0 || verdict.excess < SOME * (self->offered > 0 && !self->is_tree ? self->offered : total))
    {
      findings_be_silent (self,
                          "of %u %s none is slower than the others by half, or by a fifth throughout (Welch's test at "
                          "1 %% "
                          "after correction for their number)%s",
                          verdict.n_groups, things, verdict.n_slower > 0 ? ", for a time that matters" : "");
      return;
    }
  name = g_ptr_array_index (groups->names, verdict.group);
  slowest = &g_array_index (groups->groups, FindingsGroup, verdict.group);
  if (g_str_equal (what, "worker") && is_starved (self, groups, verdict.group, verdict.excess))
    {
      findings_be_silent (self, "tasks of worker %s took %.1f times as long, but waited for a core: see starved", name,
                          verdict.ratio);
      return;
    }
  share = self->offered > 0 ? fmin (verdict.excess / self->offered, 1) : NAN;
  others =
      verdict.n_slower > 1 ? g_strdup_printf (", and %u others are slower, too", verdict.n_slower - 1) : g_strdup ("");
  compared = verdict.n_groups > 2 ? g_strdup_printf ("%u %s", verdict.n_groups - 1, things) : g_strdup (what);
  finding =
      findings_new (self, ROAST_FINDING_SEVERITY_WARNING, share,
                    "%c%s of %s %s took %.*f times as long as those of the other %s%s (p = %.1g after correction).",
                    g_ascii_toupper (*of), of + 1, what, name, verdict.ratio < 1.5 ? 2 : 1, verdict.ratio, compared,
                    others, verdict.p);
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

/* Tasks of one category at one source. Two clusters may give the same function different work. */
typedef struct
{
  FindingsCategory category;
  gint64 n;
  double sum; /* of logarithms of times */
} Kind;

/* s, of an attempt of the analysis that ended with a result at a worker; NaN for others. */
static double
get_time (const Kind *kind, RoastTableReader *tasks)
{
  double time = elapsed_get (tasks, ROAST_TASKS_STARTED, ROAST_TASKS_ENDED);

  return time > 0 && roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS) == ROAST_STATUS_DONE &&
                 !findings_is_framework (&kind->category, tasks) && roast_table_reader_has (tasks, ROAST_TASKS_WORKER)
             ? time
             : NAN;
}

/* By group of @tasks. */
static GArray *
read_kinds (Findings *self, RoastTableReader *tasks)
{
  static const guint key[] = { ROAST_TASKS_SOURCE, ROAST_TASKS_CATEGORY };
  GArray *kinds = g_array_new (FALSE, FALSE, sizeof (Kind));
  g_autoptr (CategoryRoles) roles = category_roles_new (self->recording);

  roast_table_reader_group_by (tasks, key, G_N_ELEMENTS (key));
  while (roast_table_reader_next (tasks))
    {
      Kind *kind = group_element (kinds, tasks);
      double time = NAN;

      if (kind->category.name == NULL)
        findings_category_init (&kind->category, roles, tasks);
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

/* Hosts of workers, by name of the worker. */
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

/* The groups of the workers of each host together. */
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

/* One slow worker makes the mean of its host slow, too. */
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
    findings_be_silent (self, "not all workers of host %s are slower than those of others",
                        (char *) g_ptr_array_index (joined.names, verdict.group));
  else
    judge (self, &joined, "host", "hosts", "tasks",
           "Check which other programs run on that machine and how it is connected, or exclude it.");
  groups_clear (&joined);
  groups_clear (&workers);
}

void
rule_slower_worker (Findings *self)
{
  Groups groups = group_tasks (self);

  judge (self, &groups, "worker", "workers", "tasks",
         "Check which other programs run on its machine, or exclude the worker.");
  groups_clear (&groups);
}

/* ---- chunks ---- */

/* Chunks that have all in common but their group: those of one call, since another one may process them in another way,
 * and where files are compared of one dataset. */
typedef struct
{
  gint64 n;
  double per_event, per_chunk; /* sums of logarithms of times */
} ChunkKind;

typedef struct
{
  RoastTableReader *chunks;
  gboolean by_dataset;
  GHashTable *processors; /* by call, of calls that tasks made, each for a part of the work */
  GHashTable *names;      /* place in kinds, + 1 */
  GHashTable *codes;      /* the same, by the codes of call and dataset */
  GArray *kinds;          /* of ChunkKind */
  GHashTable *begun;      /* by process: when its first chunk ended, in µs */
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

/* That of the current row. Most rows are of the kind of the one before. */
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

/* The first chunk of each thread of a process bears what it loads and compiles, whichever group it is of: those that
 * had begun when the first one ended. */
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

/* Goes to the next chunk of the analysis that has events, a time and a group; FALSE after the last one. */
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

/* By a column, of times per event relative to those of their kind. @per_chunk: of FindingsGroup, the same of times per
 * chunk */
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

/* Small chunks take long for each event, because much of their time is the same for each chunk: what is slower is so
 * by both measures. */
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
    findings_be_silent (self, "chunks of %s %s have fewer events, and take as long as others", what,
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
                "See whether its files are larger for each event, farther away, or processed differently.");
}

void
rule_slower_file (Findings *self)
{
  judge_chunks (self, ROAST_CHUNKS_FILE, "file", "files",
                "Read that file from another site, or copy it to a nearer one.");
}
