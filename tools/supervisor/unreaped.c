/* SPDX-License-Identifier: BSD-3-Clause */

#include "unreaped.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "perf.h"
#include "procfs.h"
#include "reader.h"

/* Number of counters (irq, softirq, steal), in whole ticks, whose sum is the time taken from the cores. */
#define PARTS 3
#define BUCKETS 4096

#define MOST_NAMES 512 /* maximum number of distinct names */
#define NO_ROW (-1)
#define IN_FULL INT64_MAX

/* A process whose CPU time was not yet added to the sums by name. */
typedef struct Entry
{
  struct Entry *next;
  int32_t pid, ppid;
  bool ended;    /* the process has ended, unless a later exec record shows that it continues */
  bool unwaited; /* the parent of the process ignores SIGCHLD */
  char name[PERF_NAME_LENGTH];
  int64_t ns;     /* CPU time of the process itself, ns */
  int64_t in_row; /* the part of the member ns that the row of the process contains, ns; or NO_ROW, or IN_FULL */
  int64_t waited; /* CPU time of descendants that the process waited for, ns */
} Entry;

typedef struct
{
  int64_t taken, busy; /* time taken by interrupts and the hypervisor, and busy time, of all cores, µs */
} Taken;

struct Unreaped
{
  Perf *perf;
  Tree *tree;
  Entry *entries[BUCKETS];
  Commands waited, unwaited; /* for each name, the CPU time that no row contains */
  bool nameless;             /* whether some names are missing */
  uint64_t forks, lost;
  int64_t unreaped_ns;
  int64_t error; /* possible error of the result of unreaped_missing(), µs */
  Taken before;
  int32_t asked_pid; /* the last parent whose status ignores_children() read in this batch of records; 0 if it read no
                        status */
  bool asked_answer;
};

/* Returns the length of the kernel's clock tick, µs. */
static int64_t
get_tick (void)
{
  return 1000000 / sysconf (_SC_CLK_TCK);
}

/* Returns the maximum rounding error of the time that interrupts and the hypervisor took, µs. The kernel counts this
 * time in whole ticks. */
static int64_t
get_unsure (void)
{
  return PARTS * get_tick ();
}

/* Reads the CPU time that interrupts and the hypervisor took from all cores so far, and the busy time of all cores.
 * Both are -1 if unavailable. */
static Taken
read_taken (void)
{
  const int64_t tick = get_tick ();
  char text[256];
  Taken result;

  file_read ("/proc/stat", text, sizeof text);
  if (!proc_parse_taken (text, &result.taken, &result.busy))
    return (Taken) { -1, -1 };
  result.taken *= tick;
  result.busy *= tick;

  return result;
}

static Entry *
entry_new (Unreaped *self, int32_t pid)
{
  Entry **bucket = &self->entries[(uint32_t) pid % BUCKETS];
  Entry *entry = calloc (1, sizeof *entry);

  if (entry == NULL)
    return NULL;
  entry->pid = pid;
  entry->in_row = NO_ROW;
  entry->next = *bucket;
  *bucket = entry;

  return entry;
}

Unreaped *
unreaped_new (pid_t child, const char **why)
{
  Perf *perf = perf_open (child, why);
  Unreaped *self = perf != NULL ? calloc (1, sizeof *self) : NULL;

  if (self == NULL)
    {
      if (perf != NULL)
        perf_close (perf);
      return NULL;
    }
  self->perf = perf;
  entry_new (self, child);
  self->before = read_taken ();

  return self;
}

int
unreaped_fd (const Unreaped *self)
{
  return self != NULL ? perf_fd (self->perf) : -1;
}

static Entry **
find_link (Unreaped *self, int32_t pid)
{
  Entry **link = &self->entries[(uint32_t) pid % BUCKETS];

  while (*link != NULL && (*link)->pid != pid)
    link = &(*link)->next;

  return link;
}

static Entry *
unreaped_lookup (Unreaped *self, int32_t pid, bool create)
{
  Entry *entry = *find_link (self, pid);

  return entry == NULL && create ? entry_new (self, pid) : entry;
}

static Command *
commands_find (Commands *self, const char *name)
{
  for (size_t i = 0; i < self->n; i++)
    if (strncmp (self->all[i].name, name, PERF_NAME_LENGTH) == 0)
      return &self->all[i];
  if (self->n == MOST_NAMES)
    return NULL;
  if (self->n == self->capacity)
    {
      size_t capacity = self->capacity != 0 ? self->capacity * 2 : 16;
      Command *all = realloc (self->all, capacity * sizeof *all);

      if (all == NULL)
        return NULL;
      self->all = all;
      self->capacity = capacity;
    }
  self->all[self->n] = (Command) { .name = "" };
  memcpy (self->all[self->n].name, name, strnlen (name, PERF_NAME_LENGTH - 1));

  return &self->all[self->n++];
}

/* Adds CPU time to a name and to the sum of all names. If the name is empty or the table of names is full, adds the
 * time only to the sum. */
static void
commands_add (Commands *self, const char *name, uint32_t processes, int64_t ns)
{
  Command *command = *name != '\0' ? commands_find (self, name) : NULL;

  self->ns += ns;
  if (command == NULL)
    return;
  command->processes += processes;
  command->ns += ns;
}

/* Adds CPU time of a process to the sum of all processes with the same name. Leaves out CPU time that rows contain. */
static void
settle (Unreaped *self, const Entry *entry)
{
  int64_t in_row = entry->in_row != NO_ROW ? entry->in_row : 0;
  int64_t ns = entry->ns > in_row ? entry->ns - in_row : 0;

  /* Skip the entry of the supervisor, which does not belong to the tree. The entry exists only because the supervisor
   * is the parent of other processes. */
  if (*entry->name == '\0' && entry->ns == 0)
    return;
  self->nameless |= *entry->name == '\0';
  if (ns > 0 || entry->in_row == NO_ROW)
    commands_add (entry->unwaited ? &self->unwaited : &self->waited, entry->name, entry->in_row == NO_ROW, ns);
}

static void
settle_and_free (Unreaped *self, Entry **link)
{
  Entry *entry = *link;

  settle (self, entry);
  *link = entry->next;
  free (entry);
}

/* Returns whether a parent ignores SIGCHLD. Reads this from /proc while the parent lives, and returns the result of the
 * last reading when the parent is gone. */
static bool
ignores_children (Unreaped *self, int32_t pid)
{
  const Process *known;
  ProcStatus status;

  if (pid == self->asked_pid)
    return self->asked_answer;
  known = tree_find (self->tree, pid);
  self->asked_pid = pid;
  self->asked_answer = known != NULL && known->ignores_sigchld;
  if (reader_status_of (pid, &status))
    self->asked_answer |= status.ignores_sigchld;

  return self->asked_answer;
}

static void
on_forked (void *data, int32_t pid, int32_t ppid)
{
  Unreaped *self = data;

  Entry **link = find_link (self, pid);
  const Entry *parent;
  Entry *entry;

  self->forks++;
  /* Settle the entry of an earlier process with the same pid, because the kernel has reused the pid. */
  if (*link != NULL)
    settle_and_free (self, link);
  entry = entry_new (self, pid);
  parent = unreaped_lookup (self, ppid, false);
  if (entry == NULL || parent == NULL)
    self->nameless = true;
  else
    memcpy (entry->name, parent->name, sizeof entry->name);
}

static void
on_named (void *data, int32_t pid, const char *name)
{
  Entry *entry = unreaped_lookup (data, pid, true);

  if (entry == NULL)
    return;
  /* If another thread than the leader calls exec, the leader leaves an EXIT record although the process continues.
   * Therefore mark the process as not ended. */
  entry->ended = false;
  memcpy (entry->name, name, sizeof entry->name);
}

static void
on_exited (void *data, int32_t pid, int32_t tid, int32_t ppid)
{
  Entry *entry = unreaped_lookup (data, pid, true);

  (void) tid;
  if (entry != NULL)
    entry->ppid = ppid;
}

static void
on_cpu (void *data, int32_t pid, int32_t tid, int64_t ns)
{
  Unreaped *self = data;
  Entry *entry = unreaped_lookup (self, pid, true);
  Entry *parent;

  if (entry == NULL)
    return;
  entry->ns += ns;
  /* When the leader exits, also pass on the time of the descendants that the process waited for, as the kernel does. */
  if (tid == pid)
    {
      ns += entry->waited;
      entry->waited = 0;
      entry->ended = true;
    }
  entry->unwaited = ignores_children (self, entry->ppid);
  if (entry->unwaited)
    self->unreaped_ns += ns;
  else if ((parent = unreaped_lookup (self, entry->ppid, true)) != NULL)
    parent->waited += ns;
}

static void
on_lost (void *data, uint64_t records)
{
  ((Unreaped *) data)->lost += records;
}

static void
drain_by (Unreaped *self, Tree *tree, void (*by) (Perf *, const PerfHandler *, void *))
{
  static const PerfHandler handler = { on_forked, on_exited, on_cpu, on_lost, on_named };

  if (self == NULL)
    return;
  self->tree = tree;
  self->asked_pid = 0;
  by (self->perf, &handler, self);
}

void
unreaped_drain (Unreaped *self, Tree *tree)
{
  drain_by (self, tree, perf_drain);
}

/* Returns the time that interrupts and the hypervisor took from all cores since the start of the measurement, and the
 * busy time of all cores in the same period; both are -1 if unknown. */
static Taken
taken_so_far (const Unreaped *self)
{
  Taken now = read_taken ();

  if (now.taken < 0 || self->before.taken < 0)
    return (Taken) { -1, -1 };

  return (Taken) { now.taken - self->before.taken, now.busy - self->before.busy };
}

/* Returns the CPU time that perf counted and that no row contains. Because perf also counts time that interrupts and
 * the hypervisor took, returns 0 if the difference is not larger than this time. A larger difference means that a
 * parent ignored SIGCHLD and ended before its status could be read. */
static int64_t
unexplained (Unreaped *self, int64_t rows_cpu, const Taken *taken)
{
  int64_t total = perf_total_us (self->perf);
  int64_t rest = total - rows_cpu - taken->taken;

  if (taken->taken < 0)
    return 0;

  return rest >= get_unsure () && rest > total / 50 ? rest : 0;
}

/* Returns @time, which perf counted, without the time that hypervisors and interrupts took while the perf clocks kept
 * counting. Assumes that all processes are affected in the same way, so that the share of the taken time is the same in
 * @time as in the busy time of all cores. This approximation is good if little time was taken. */
static int64_t
without_taken (int64_t time, const Taken *taken)
{
  if (taken->taken <= 0 || taken->busy <= taken->taken)
    return time;

  return (int64_t) ((double) time * (double) (taken->busy - taken->taken) / (double) taken->busy);
}

/* Returns the maximum error of without_taken(). The time that was really taken from these processes is between zero and
 * the time that was taken from all cores. */
static int64_t
error_of (int64_t time, const Taken *taken)
{
  int64_t most = taken->taken < 0 || time < taken->taken ? time : taken->taken;
  int64_t left_out = time - without_taken (time, taken);

  return left_out > most - left_out ? left_out : most - left_out;
}

/* Returns the time that perf counted for processes that no parent waited for, µs. Usually this is the time of processes
 * whose parent was seen to ignore SIGCHLD. But if the rows of unreaped processes (@guessed) contain more time, there
 * are other parents that do not wait, for example because of SA_NOCLDWAIT, which the kernel does not show. In this
 * case, the result is all time that the other rows (@others) do not contain. The result is never more than this time,
 * because a parent may have waited for children before it began to ignore SIGCHLD. */
static int64_t
not_waited_for (Unreaped *self, int64_t others, int64_t guessed)
{
  int64_t total = perf_total_us (self->perf);
  int64_t most = total > others ? total - others : 0;
  int64_t seen = self->unreaped_ns / 1000;

  if (total <= 0)
    return seen;

  return seen < guessed || seen > most ? most : seen;
}

static int64_t
missing_by_perf (Unreaped *self, int64_t rows_cpu, int64_t guessed)
{
  Taken taken = taken_so_far (self);
  int64_t time = not_waited_for (self, rows_cpu - guessed, guessed);
  int64_t missing = without_taken (time, &taken) - guessed;
  int64_t rest;

  if (missing < UNREAPED_LEAST)
    missing = 0;
  rest = unexplained (self, rows_cpu + missing, &taken);
  self->error = rest > 0 ? taken.taken + get_unsure () : error_of (time, &taken);

  return missing + rest;
}

int64_t
unreaped_missing (Unreaped *self, Tree *tree, int64_t rows_cpu, int64_t guessed)
{
  int64_t missing;

  if (self == NULL)
    return 0;
  drain_by (self, tree, perf_finish);
  missing = missing_by_perf (self, rows_cpu, guessed);

  return missing >= UNREAPED_LEAST ? missing : 0;
}

int64_t
unreaped_error (const Unreaped *self)
{
  return self != NULL ? self->error : 0;
}

void
unreaped_wrote_row (Unreaped *self, int32_t pid, const char *command, int64_t cpu)
{
  Entry *entry;

  if (self == NULL)
    return;
  entry = unreaped_lookup (self, pid, true);
  if (entry == NULL)
    return;
  entry->in_row = cpu < 0 ? IN_FULL : cpu * 1000;
  /* If the entry has no name, the fork record has not arrived yet or is missing: use the name in the row. */
  if (*entry->name == '\0')
    snprintf (entry->name, sizeof entry->name, "%s", command);
}

const char *
unreaped_last_name (Unreaped *self, Tree *tree, int32_t pid)
{
  const Entry *entry;

  if (self == NULL)
    return NULL;
  /* Read the records first, because the process may have changed its name shortly before its end. */
  unreaped_drain (self, tree);
  entry = unreaped_lookup (self, pid, false);

  return entry != NULL && *entry->name != '\0' ? entry->name : NULL;
}

void
unreaped_settle (Unreaped *self, Tree *tree)
{
  if (self == NULL)
    return;
  for (size_t i = 0; i < BUCKETS; i++)
    for (Entry **link = &self->entries[i]; *link != NULL;)
      /* Keep the entry of a process that is in the tree, because it gets a row later. */
      if ((*link)->ended && tree_find (tree, (*link)->pid) == NULL)
        settle_and_free (self, link);
      else
        link = &(*link)->next;
}

const Commands *
unreaped_commands (Unreaped *self, bool waited, bool *complete)
{
  if (self == NULL)
    return NULL;
  for (size_t i = 0; i < BUCKETS; i++)
    while (self->entries[i] != NULL)
      settle_and_free (self, &self->entries[i]);
  *complete = !self->nameless && self->lost == 0;

  return waited ? &self->waited : &self->unwaited;
}

int64_t
unreaped_perf_cpu (Unreaped *self)
{
  Taken taken;
  int64_t rest;

  if (self == NULL)
    return -1;
  taken = taken_so_far (self);
  if (taken.taken < 0)
    return -1;
  rest = perf_total_us (self->perf) - taken.taken;

  return rest > 0 ? rest : 0;
}

int64_t
unreaped_clones (const Unreaped *self)
{
  return self != NULL ? (int64_t) perf_clones (self->perf) : -1;
}

bool
unreaped_is_closed (const Unreaped *self)
{
  return self != NULL && perf_is_closed (self->perf);
}

uint64_t
unreaped_processes (const Unreaped *self, uint64_t seen, bool *exact)
{
  *exact = self != NULL && self->lost == 0;
  if (self == NULL || self->forks + 1 < seen)
    return seen;

  return self->forks + 1;
}
