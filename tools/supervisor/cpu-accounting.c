/* SPDX-License-Identifier: BSD-3-Clause */

#include "cpu-accounting.h"

#include <string.h>

#include "clock.h"
#include "process/roast-supervisor-wire.h"

#define FEW_FAULTS 64 /* up to this many page faults can be faults of processes after their last sample */

static int64_t
floor_zero (int64_t value)
{
  return value > 0 ? value : 0;
}

static int64_t
at_most (int64_t value, int64_t limit)
{
  return value < limit ? value : floor_zero (limit);
}

static int64_t
ticks (const CpuAccounting *self, int64_t now, int64_t base)
{
  return (now - base) * self->tick_us;
}

int64_t
cpu_accounting_own_cpu (const CpuAccounting *self, const Process *p)
{
  return ticks (self, p->stat.user_ticks, 0) + ticks (self, p->stat.system_ticks, 0);
}

int64_t
cpu_accounting_cpu_so_far (const CpuAccounting *self, const Process *p)
{
  return ticks (self,
                p->stat.user_ticks + p->stat.system_ticks + p->stat.children_user_ticks + p->stat.children_system_ticks,
                p->base.user_ticks + p->base.system_ticks + p->base.children_user_ticks +
                    p->base.children_system_ticks);
}

int64_t
cpu_accounting_system_so_far (const CpuAccounting *self, const Process *p)
{
  return ticks (self, p->stat.system_ticks + p->stat.children_system_ticks,
                p->base.system_ticks + p->base.children_system_ticks);
}

/* Sets all counters to -1, which means unavailable. */
static void
clear_usage (RoastWireUsage *usage)
{
  memset (usage, 0xff, sizeof *usage);
}

/* Fills in the usage of the process from stat and io. Excludes the usage of the children of the process, as far as the
 * kernel counts this usage separately. */
void
cpu_accounting_usage_so_far (const CpuAccounting *self, const Process *p, RoastWireUsage *usage)
{
  clear_usage (usage);
  usage->user = ticks (self, p->stat.user_ticks, p->base.user_ticks);
  usage->system = ticks (self, p->stat.system_ticks, p->base.system_ticks);
  usage->run_queue = p->run_queue >= 0 ? floor_zero (p->run_queue - p->run_queue_base) : -1;
  usage->minor_faults = p->stat.minor_faults - p->base.minor_faults;
  usage->major_faults = p->stat.major_faults - p->base.major_faults;
  if (p->io_known)
    {
      /* Subtract the counters of booked children, because the kernel adds the I/O counters of a child to the counters
       * of the process that waits for it. */
      usage->read_chars = floor_zero (p->io.read_chars - p->io_base.read_chars - p->booked.read_chars);
      usage->write_chars = floor_zero (p->io.write_chars - p->io_base.write_chars - p->booked.write_chars);
      usage->read_bytes = floor_zero (p->io.read_bytes - p->io_base.read_bytes - p->booked.read_bytes);
      usage->write_bytes = floor_zero (p->io.write_bytes - p->io_base.write_bytes - p->booked.write_bytes);
    }
}

static int64_t
cancelled_so_far (const Process *p)
{
  return p->io_known ? floor_zero (p->io.write_cancelled - p->io_base.write_cancelled - p->booked_cancelled) : 0;
}

static void
add (int64_t *to, int64_t value)
{
  if (value > 0)
    *to += value;
}

static void
add_usage (RoastWireUsage *to, const RoastWireUsage *from)
{
  add (&to->user, from->user);
  add (&to->system, from->system);
  add (&to->read_chars, from->read_chars);
  add (&to->write_chars, from->write_chars);
  add (&to->read_bytes, from->read_bytes);
  add (&to->write_bytes, from->write_bytes);
  add (&to->minor_faults, from->minor_faults);
  add (&to->major_faults, from->major_faults);
  add (&to->voluntary_switches, from->voluntary_switches);
  add (&to->involuntary_switches, from->involuntary_switches);
}

static int64_t
cpu_of (const RoastWireUsage *usage)
{
  return floor_zero (usage->user) + floor_zero (usage->system) + floor_zero (usage->unsplit);
}

static void
write_row (CpuAccounting *self, const RoastWireProcessEnd *row)
{
  self->cpu += cpu_of (&row->usage);
  self->has_unreaped |= row->origin == ROAST_PROCESS_ORIGIN_UNREAPED;
  frame_writer_frame (self->out, ROAST_WIRE_ENDED, row, sizeof *row, NULL, 0);
}

/* Computes the usage of the children that no row contains yet: all usage of processes that were never sampled, and the
 * usage of sampled processes after their last sample. */
static void
unseen_of (const CpuAccounting *self, const Process *p, RoastWireUsage *unseen)
{
  memset (unseen, 0, sizeof *unseen);
  unseen->user = floor_zero (ticks (self, p->stat.children_user_ticks, p->base.children_user_ticks) - p->booked.user);
  unseen->system =
      floor_zero (ticks (self, p->stat.children_system_ticks, p->base.children_system_ticks) - p->booked.system);
  unseen->minor_faults =
      floor_zero (p->stat.children_minor_faults - p->base.children_minor_faults - p->booked.minor_faults);
  unseen->major_faults =
      floor_zero (p->stat.children_major_faults - p->base.children_major_faults - p->booked.major_faults);
}

/* Writes a row that stands for several processes. */
static void
write_sum (CpuAccounting *self, uint64_t parent_id, int32_t origin, const RoastWireUsage *usage)
{
  RoastWireProcessEnd row = { .parent_id = parent_id, .ended = -1, .origin = origin, .usage = *usage };

  row.peak_rss = row.waited_peak_rss = -1;

  write_row (self, &row);
}

static void
write_folded (CpuAccounting *self, const Process *p, const RoastWireUsage *unseen)
{
  RoastWireUsage usage;

  if (unseen->user + unseen->system <= 0 && unseen->minor_faults <= 0 && unseen->major_faults <= 0)
    return;
  clear_usage (&usage);
  usage.user = unseen->user;
  usage.system = unseen->system;
  usage.minor_faults = unseen->minor_faults;
  usage.major_faults = unseen->major_faults;
  if (self->names != NULL)
    add_usage (&self->folded, &usage);
  else
    write_sum (self, p->id, ROAST_PROCESS_ORIGIN_FOLDED, &usage);
}

static void
begin_row (CpuAccounting *self, const Process *p, RoastWireProcessEnd *row, int64_t ended, int32_t origin)
{
  memset (row, 0, sizeof *row);
  row->id = p->id;
  row->parent_id = p->parent_id;
  row->ended = ended;
  row->origin = origin;
  row->count = 1;
  row->peak_rss = p->peak_rss > p->rss ? p->peak_rss : p->rss > 0 ? p->rss : -1;
  row->peak_rss_bound = ROAST_WIRE_PEAK_AT_LEAST;
  row->waited_peak_rss = -1;
  memcpy (row->command, p->stat.command, sizeof row->command);
  self->unseen_cpu += floor_zero (p->unseen_cpu);
}

/* Returns the part of the kernel's total of user or system time that the process itself used. @booked: the part that is
 * in rows of descendants. Limits *unseen to the total without the booked part. */
static int64_t
own_share (int64_t total, int64_t booked, int64_t *unseen)
{
  int64_t rest = total - booked;

  if (*unseen > floor_zero (rest))
    *unseen = floor_zero (rest);

  return rest - *unseen;
}

/* If the user or the system time is negative, sets it to 0 and subtracts its amount from the other time. The kernel
 * scales the two times separately, so if one is too small, the other is too large by the same amount. */
static void
balance (RoastWireUsage *own)
{
  if (own->user < 0)
    {
      own->system += own->user;
      own->user = 0;
    }
  if (own->system < 0)
    {
      own->user = floor_zero (own->user + own->system);
      own->system = 0;
    }
}

/* Sets the peak of the resident set. @most is ru_maxrss, the maximum of three values: the process's own peak, the peaks
 * of the processes that it waited for, and its memory before an exec, which before the first exec is the memory of the
 * process that forked it. */
static void
set_peak (const Process *p, int64_t most, RoastWireProcessEnd *row)
{
  bool is_own = p->stat.children_minor_faults == 0 && p->stat.children_user_ticks + p->stat.children_system_ticks == 0;

  if (most > p->inherited_peak || p->inherited_peak == INT64_MAX)
    row->waited_peak_rss = most;
  if (row->peak_rss >= most)
    row->peak_rss_bound = ROAST_WIRE_PEAK_EXACT;
  else if (is_own && most > p->inherited_peak)
    {
      row->peak_rss_bound = ROAST_WIRE_PEAK_EXACT;
      row->peak_rss = most;
    }
  else if (row->peak_rss < 0)
    {
      row->peak_rss_bound = ROAST_WIRE_PEAK_AT_MOST;
      row->peak_rss = most;
    }
}

void
cpu_accounting_reaped (CpuAccounting *self, Process *p, int64_t ended, int wait_status, const struct rusage *usage)
{
  RoastWireUsage unseen;
  RoastWireProcessEnd row;
  int64_t user = timeval_us (usage->ru_utime);
  int64_t system = timeval_us (usage->ru_stime);

  begin_row (self, p, &row, ended, ROAST_PROCESS_ORIGIN_EXACT);
  row.wait_status = wait_status;
  row.status_known = 1;
  cpu_accounting_usage_so_far (self, p, &row.usage);
  unseen_of (self, p, &unseen);
  /* Ignore times of less than one tick, because the kernel's times have a rounding error of one tick. Keep page faults,
   * which are exact. */
  if (unseen.user + unseen.system < self->tick_us)
    unseen.user = unseen.system = 0;
  row.usage.user = own_share (user, p->booked.user, &unseen.user);
  row.usage.system = own_share (system, p->booked.system, &unseen.system);
  balance (&row.usage);
  row.usage.voluntary_switches = floor_zero (usage->ru_nvcsw - p->booked.voluntary_switches);
  row.usage.involuntary_switches = floor_zero (usage->ru_nivcsw - p->booked.involuntary_switches);
  set_peak (p, (int64_t) usage->ru_maxrss * 1024, &row);

  self->wait_cpu += user + system;
  self->wait_system += system;
  self->write_cancelled += cancelled_so_far (p);
  write_row (self, &row);
  unreaped_wrote_row (self->names, p->pid, p->stat.command, -1);
  write_folded (self, p, &unseen);
}

typedef enum
{
  WAITED_NOT,
  WAITED_ALONE, /* the parent waited for the process, which had not waited for all of its recorded descendants */
  WAITED,
} Waited;

/* Returns whether a parent waited for a process that is gone. Whether the parent ignores SIGCHLD does not show this
 * reliably: the kernel makes the init of a PID namespace ignore SIGCHLD when the namespace ends, and it does not show
 * SA_NOCLDWAIT. Therefore compare page faults, which are whole numbers, and of which every process has some. The kernel
 * adds the page faults of a child to its parent's counter only when the parent waits for the child, which is after the
 * child was last seen. */
static Waited
was_waited_for (const Process *p, const Process *parent, const RoastWireUsage *own, const RoastWireUsage *unseen)
{
  int64_t faults = own->minor_faults + unseen->minor_faults;
  int64_t unbooked =
      parent->stat.children_minor_faults - parent->base.children_minor_faults - parent->booked.minor_faults;

  unbooked = at_most (unbooked, parent->stat.children_minor_faults - p->faults_before);
  if (!parent->children_final || faults <= 0)
    return parent->ignores_sigchld ? WAITED_NOT : WAITED;
  if (unbooked >= faults + p->booked.minor_faults)
    return WAITED;

  return unbooked >= faults ? WAITED_ALONE : WAITED_NOT;
}

/* Books the descendants of a process with its parent, if the process waited only for some descendants, and it is
 * unknown for which. The parent's counters may include usage that is already in the rows of these descendants. Booking
 * prevents that this usage is counted twice. */
static void
book_unsure (const CpuAccounting *self, Process *parent, const Process *p)
{
  RoastWireUsage below = p->booked;
  RoastWireUsage left;

  unseen_of (self, parent, &left);
  below.user = at_most (below.user, left.user);
  below.system = at_most (below.system, left.system);
  below.minor_faults = at_most (below.minor_faults, left.minor_faults);
  below.major_faults = at_most (below.major_faults, left.major_faults);
  add_usage (&parent->booked, &below);
  parent->booked_cancelled += p->booked_cancelled;
}

/* If the parent waited for the process, books the usage in the rows of the process and of its descendants with the
 * parent. */
static void
book (const CpuAccounting *self, Process *parent, const Process *p, Waited waited, const RoastWireUsage *own,
      const RoastWireUsage *unseen)
{
  if (waited == WAITED_NOT)
    return;
  add_usage (&parent->booked, own);
  add_usage (&parent->booked, unseen);
  parent->booked_cancelled += cancelled_so_far (p);
  if (waited == WAITED)
    {
      add_usage (&parent->booked, &p->booked);
      parent->booked_cancelled += p->booked_cancelled;
    }
  else
    book_unsure (self, parent, p);
}

/* Returns whether the end of a process may have killed its descendants: when the first process of a PID namespace ends,
 * the kernel kills the processes that are left in the namespace. If descendants vanished together with the first
 * process, the first process may also have waited for them before its own end. In this case, the parent's counters
 * include the page faults of the descendants and few other page faults. */
static bool
may_have_killed (const Process *p, const Process *parent, const RoastWireUsage *own, const RoastWireUsage *unseen)
{
  int64_t known = own->minor_faults + unseen->minor_faults + p->booked.minor_faults;
  int64_t limit = p->unsure_faults / 16 > FEW_FAULTS ? p->unsure_faults / 16 : FEW_FAULTS;

  if (p->namespace_pid != 1 || p->unsure_faults == 0)
    return false;

  return !parent->children_final ||
         parent->stat.children_minor_faults - parent->base.children_minor_faults - parent->booked.minor_faults - known >
             limit;
}

bool
cpu_accounting_vanished (CpuAccounting *self, Process *p, int64_t ended)
{
  RoastWireUsage own, unseen;
  RoastWireProcessEnd row;
  Process *parent = tree_find (self->tree, p->stat.ppid);
  const char *name = unreaped_last_name (self->names, self->tree, p->pid);
  Waited waited = WAITED;
  bool is_unsure = false;
  int64_t cpu;

  cpu_accounting_usage_so_far (self, p, &own);
  unseen_of (self, p, &unseen);
  if (parent != NULL)
    {
      waited = was_waited_for (p, parent, &own, &unseen);
      is_unsure = may_have_killed (p, parent, &own, &unseen);
      book (self, parent, p, waited, &own, &unseen);
      if (!parent->children_final)
        parent->unsure_faults += own.minor_faults + unseen.minor_faults + p->booked.minor_faults;
    }
  if (name != NULL)
    memcpy (p->stat.command, name, sizeof p->stat.command);
  begin_row (self, p, &row, ended, waited == WAITED_NOT ? ROAST_PROCESS_ORIGIN_UNREAPED : ROAST_PROCESS_ORIGIN_SAMPLED);
  row.usage = own;
  row.status_known = p->status_known;
  row.wait_status = p->wait_status;
  self->write_cancelled += cancelled_so_far (p);
  write_row (self, &row);
  write_folded (self, p, &unseen);
  unreaped_wrote_row (self->names, p->pid, p->stat.command, own.user + own.system);
  cpu = own.user + own.system + unseen.user + unseen.system;
  /* Add at least 1 µs, even if the process used less than one tick of CPU time, so that the sum
   * shows that no parent waited for some process. */
  if (waited == WAITED_NOT)
    self->unreaped += cpu > 0 ? cpu : 1;

  return waited == WAITED && !is_unsure;
}

void
cpu_accounting_left (CpuAccounting *self, Process *p, int64_t now)
{
  RoastWireUsage unseen;
  RoastWireProcessEnd row;

  /* A zombie is not a running process: it has ended, although its parent has not waited for it yet. */
  if (p->zombie)
    begin_row (self, p, &row, now, ROAST_PROCESS_ORIGIN_SAMPLED);
  else
    begin_row (self, p, &row, -1, ROAST_PROCESS_ORIGIN_RUNNING);
  cpu_accounting_usage_so_far (self, p, &row.usage);
  unseen_of (self, p, &unseen);
  self->write_cancelled += cancelled_so_far (p);
  write_row (self, &row);
  write_folded (self, p, &unseen);
  unreaped_wrote_row (self->names, p->pid, p->stat.command, -1);
  p->has_row = true;
}

/* Returns the part of the sum for one entry. @part is the share of all entries up to and including this entry, and
 * *shared is the sum of the parts of all previous entries. In this way, rounding errors do not add up, and the parts
 * add up to the sum. */
static int64_t
share (int64_t sum, double part, int64_t *shared)
{
  int64_t until = (int64_t) ((double) sum * part + 0.5);
  int64_t result = until - *shared;

  if (sum < 0)
    return -1;

  *shared = until;

  return result;
}

/* Divides the usage among the process names, and writes one row for each name. If there are processes whose name is
 * unknown, the remainder becomes another row. */
static void
share_out (CpuAccounting *self, bool waited, uint64_t parent_id, int32_t origin, RoastWireUsage *usage)
{
  int64_t cpu = cpu_of (usage);
  const int32_t share_origin = waited ? ROAST_PROCESS_ORIGIN_SHARED : origin;
  bool complete = false;
  const Commands *commands = unreaped_commands (self->names, waited, &complete);
  int64_t user = 0, system = 0, unsplit = 0, ns = 0;
  double scale = 0;

  if (commands != NULL && commands->ns > 0)
    scale = complete || commands->ns / 1000 > cpu ? 1.0 / (double) commands->ns : 1.0 / (double) cpu / 1000;
  for (size_t i = 0; commands != NULL && i < commands->n; i++)
    {
      const Command *command = &commands->all[i];
      RoastWireProcessEnd row = { .ended = -1, .origin = share_origin, .count = command->processes };

      row.peak_rss = row.waited_peak_rss = -1;
      ns += command->ns;
      memcpy (row.command, command->name, sizeof row.command);
      clear_usage (&row.usage);
      /* The sum is in whole clock ticks. If the sum is 0, these processes used less than one tick, which the rows of
       * their parents contain. */
      if (cpu > 0)
        {
          row.usage.user = share (usage->user, (double) ns * scale, &user);
          row.usage.system = share (usage->system, (double) ns * scale, &system);
          row.usage.unsplit = share (usage->unsplit, (double) ns * scale, &unsplit);
        }
      write_row (self, &row);
    }
  usage->user -= user;
  usage->system -= system;
  usage->unsplit -= unsplit;
  if (cpu_of (usage) > 0 || usage->minor_faults > 0 || usage->major_faults > 0)
    write_sum (self, parent_id, origin, usage);
}

void
cpu_accounting_unreaped (CpuAccounting *self, uint64_t parent_id, int64_t cpu, bool seen)
{
  RoastWireUsage usage;

  /* The perf clocks do not distinguish user mode from the kernel. */
  clear_usage (&usage);
  usage.unsplit = cpu > 0 ? cpu : -1;
  share_out (self, false, parent_id, ROAST_PROCESS_ORIGIN_UNREAPED, &usage);
  if (seen && !self->has_unreaped)
    write_sum (self, parent_id, ROAST_PROCESS_ORIGIN_UNREAPED, &usage);
}

void
cpu_accounting_finish (CpuAccounting *self)
{
  RoastWireUsage usage;

  if (self->names == NULL)
    return;
  clear_usage (&usage);
  usage.user = self->folded.user;
  usage.system = self->folded.system;
  usage.minor_faults = self->folded.minor_faults;
  usage.major_faults = self->folded.major_faults;
  share_out (self, true, 0, ROAST_PROCESS_ORIGIN_FOLDED, &usage);
}
