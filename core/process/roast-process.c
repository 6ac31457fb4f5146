/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-process-private.h"

#include <string.h>

#include "base/roast-type-private.h"
#include "roast/roast-tables.h"

#define FIRST_USAGE ROAST_PROCESS_FIELD_CPU_USER
#define END_USAGE (ROAST_PROCESS_FIELD_CPU_UNSPLIT + 1)
#define PROCESS_N_FIELDS (ROAST_PROCESS_FIELD_NAMESPACE_PID + 1)

/* set_usage () copies all usage fields with one memcpy (). */
G_STATIC_ASSERT (sizeof (RoastWireUsage) == (END_USAGE - FIRST_USAGE) * sizeof (gint64));

/**
 * RoastProcess:
 *
 * A process of a tree. A [iface@Roast.ProcessObserver] receives the process.
 *
 * All calls of an observer about a process receive the same object, which is updated before each call: with the name at
 * the start and after each exec, with current numbers at each sample, and with the final numbers at the end. An object
 * with the id 0 stands for several processes whose individual numbers are unknown; see
 * [method@Roast.Process.get_origin].
 *
 * ```c
 * static void
 * my_observer_process_ended (RoastProcessObserver *observer, RoastProcess *process)
 * {
 *   gint64 peak = roast_process_get_field (process, ROAST_PROCESS_FIELD_MEMORY_PEAK);
 *
 *   if (peak >= 0)
 *     g_print ("%s: at most %" G_GINT64_FORMAT " bytes\n", roast_process_get_command (process), peak);
 * }
 * ```
 *
 * Since: 0.9
 */
struct _RoastProcess
{
  GObject parent_instance;

  guint64 id;
  guint64 parent_id;
  char *command;
  char *command_line;
  RoastProcessOrigin origin;
  int wait_status;
  gboolean status_known;
  gint64 fields[PROCESS_N_FIELDS];
};

ROAST_DEFINE_TYPE (RoastProcess, roast_process)

static void
roast_process_release (RoastProcess *self)
{
  g_free (self->command);
  g_free (self->command_line);
}

static void
roast_process_init (RoastProcess *self)
{
  self->origin = ROAST_PROCESS_ORIGIN_RUNNING;
  memset (self->fields, 0xff, sizeof self->fields); /* set each field to -1 */
}

/* Set the kernel's name of the process. Convert the name to valid UTF-8, because a process can give itself a name of
 * any bytes. */
static void
process_set_command (RoastProcess *self, const char *command)
{
  g_free (self->command);
  self->command = g_utf8_make_valid (command, -1);
}

RoastProcess *
roast_process_new (guint64 id, guint64 parent_id, const char *command)
{
  RoastProcess *self = g_object_new (ROAST_TYPE_PROCESS, NULL);

  self->id = id;
  self->parent_id = parent_id;
  process_set_command (self, command);

  return self;
}

ROAST_DEFINE_GETTER (Process, PROCESS, const guint64 *, roast_process_peek_key, NULL, &self->id)

G_STATIC_ASSERT ((int) ROAST_WIRE_PEAK_EXACT == (int) ROAST_BOUND_EXACT);
G_STATIC_ASSERT ((int) ROAST_WIRE_PEAK_AT_LEAST == (int) ROAST_BOUND_AT_LEAST);
G_STATIC_ASSERT ((int) ROAST_WIRE_PEAK_AT_MOST == (int) ROAST_BOUND_AT_MOST);

static void
set_usage (RoastProcess *self, const RoastWireUsage *usage)
{
  memcpy (&self->fields[FIRST_USAGE], usage, sizeof *usage);
}

void
roast_process_set_start (RoastProcess *self, const RoastWireProcess *record, const char *command_line)
{
  self->fields[ROAST_PROCESS_FIELD_PID] = record->pid;
  self->fields[ROAST_PROCESS_FIELD_UID] = record->uid;
  self->fields[ROAST_PROCESS_FIELD_PID_NAMESPACE] = record->pid_namespace;
  self->fields[ROAST_PROCESS_FIELD_NAMESPACE_PID] = record->namespace_pid;
  self->fields[ROAST_PROCESS_FIELD_STARTED] = record->started;
  self->fields[ROAST_PROCESS_FIELD_COUNT] = 1;
  process_set_command (self, record->command);
  if (command_line != NULL)
    {
      g_free (self->command_line);
      self->command_line = g_strdup (command_line);
    }
}

void
roast_process_set_sample (RoastProcess *self, const RoastWireSample *sample)
{
  self->fields[ROAST_PROCESS_FIELD_THREADS] = sample->threads;
  self->fields[ROAST_PROCESS_FIELD_STATE] = sample->state;
  self->fields[ROAST_PROCESS_FIELD_MEMORY] = sample->rss;
  self->fields[ROAST_PROCESS_FIELD_MEMORY_PSS] = sample->pss;
  self->fields[ROAST_PROCESS_FIELD_MEMORY_PSS_AGE] = sample->pss >= 0 ? sample->pss_age : -1;
  set_usage (self, &sample->usage);
}

void
roast_process_set_end (RoastProcess *self, const RoastWireProcessEnd *end)
{
  self->origin = end->origin;
  self->status_known = end->status_known && end->origin != ROAST_PROCESS_ORIGIN_RUNNING;
  self->wait_status = end->wait_status;
  self->fields[ROAST_PROCESS_FIELD_ENDED] = end->ended;
  self->fields[ROAST_PROCESS_FIELD_COUNT] = end->count > 0 ? (gint64) end->count : -1;
  self->fields[ROAST_PROCESS_FIELD_MEMORY_PEAK] = end->peak_rss;
  self->fields[ROAST_PROCESS_FIELD_MEMORY_PEAK_BOUND] = end->peak_rss >= 0 ? end->peak_rss_bound : -1;
  self->fields[ROAST_PROCESS_FIELD_MEMORY_PEAK_WAITED] = end->waited_peak_rss;
  if (end->parent_id > 0)
    self->parent_id = end->parent_id;
  if (*end->command != '\0')
    process_set_command (self, end->command);
  set_usage (self, &end->usage);
}

/* Add a field of another process to a sum. The sum stays unavailable until one process has the field. */
static void
add_field (RoastProcess *self, RoastProcess *other, RoastProcessField field)
{
  if (other->fields[field] >= 0)
    self->fields[field] = MAX (self->fields[field], 0) + other->fields[field];
}

static void
raise_field (RoastProcess *self, RoastProcess *other, RoastProcessField field)
{
  self->fields[field] = MAX (self->fields[field], other->fields[field]);
}

/* Set the peak of a sum to the maximum of the peaks of its processes. The maximum is exact only if all these peaks are
 * exact. Ignore a peak that is only an upper bound, because the process may not have reached this peak. */
static void
add_peak (RoastProcess *self, RoastProcess *other)
{
  gint64 *bound = &self->fields[ROAST_PROCESS_FIELD_MEMORY_PEAK_BOUND];
  gboolean is_first = self->fields[ROAST_PROCESS_FIELD_COUNT] < 0;
  gboolean is_exact = other->fields[ROAST_PROCESS_FIELD_MEMORY_PEAK_BOUND] == ROAST_BOUND_EXACT;

  if (other->fields[ROAST_PROCESS_FIELD_MEMORY_PEAK_BOUND] != ROAST_BOUND_AT_MOST)
    raise_field (self, other, ROAST_PROCESS_FIELD_MEMORY_PEAK);
  raise_field (self, other, ROAST_PROCESS_FIELD_MEMORY_PEAK_WAITED);
  *bound = is_exact && (is_first || *bound == ROAST_BOUND_EXACT) ? ROAST_BOUND_EXACT : ROAST_BOUND_AT_LEAST;
}

ROAST_DEFINE_GETTER (Process, PROCESS, gboolean, roast_process_is_final, FALSE,
                     self->origin != ROAST_PROCESS_ORIGIN_UNREAPED && self->origin != ROAST_PROCESS_ORIGIN_RUNNING)

void
roast_process_add (RoastProcess *self, RoastProcess *other)
{
  self->origin = roast_process_is_final (other) ? ROAST_PROCESS_ORIGIN_FOLDED : other->origin;
  add_peak (self, other);
  add_field (self, other, ROAST_PROCESS_FIELD_COUNT);
  for (guint field = FIRST_USAGE; field < END_USAGE; field++)
    add_field (self, other, field);
}

/**
 * roast_process_get_id:
 * @self: a process
 *
 * Gets the number of the process in this run. The number is unique, unlike a process id, which the system may reuse.
 *
 * Returns: the number, from 1; 0 if the object stands for several processes
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Process, PROCESS, guint64, roast_process_get_id, 0, self->id)

/**
 * roast_process_get_parent_id:
 * @self: a process
 *
 * Gets the number of the parent process in this run.
 *
 * Returns: the number; 0 if the parent is unknown or outside the tree
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Process, PROCESS, guint64, roast_process_get_parent_id, 0, self->parent_id)

/**
 * roast_process_get_command:
 * @self: a process
 *
 * Gets the kernel's name of the process, which changes with each exec. The kernel keeps up to 15 bytes, which are
 * converted to valid UTF-8.
 *
 * Returns: (transfer none): the name; may be empty if the object stands for several processes
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Process, PROCESS, const char *, roast_process_get_command, NULL, self->command)

/**
 * roast_process_get_command_line:
 * @self: a process
 *
 * Gets the arguments of the process, quoted for a shell, in valid UTF-8.
 *
 * Returns: (transfer none) (nullable): the arguments; %NULL if they are not known
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Process, PROCESS, const char *, roast_process_get_command_line, NULL, self->command_line)

/**
 * roast_process_get_origin:
 * @self: a process
 *
 * Gets the origin of the numbers of the process.
 *
 * Returns: the origin; %ROAST_PROCESS_ORIGIN_RUNNING until the process has ended
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Process, PROCESS, RoastProcessOrigin, roast_process_get_origin, ROAST_PROCESS_ORIGIN_RUNNING,
                     self->origin)

/**
 * roast_process_get_wait_status:
 * @self: a process
 * @wait_status: (out) (optional): return location for the status from `waitpid()`
 *
 * Gets the wait status of the process. The status is known only for the supervisor's own children and for orphans.
 *
 * Returns: whether the process ended and its status is known
 *
 * Since: 0.9
 */
gboolean
roast_process_get_wait_status (RoastProcess *self, int *wait_status)
{
  g_return_val_if_fail (ROAST_IS_PROCESS (self), FALSE);

  if (self->status_known && wait_status != NULL)
    *wait_status = self->wait_status;

  return self->status_known;
}

/**
 * roast_process_get_field:
 * @self: a process
 * @field: a field
 *
 * Gets a numeric field of the process.
 *
 * Returns: the value; -1 if it is not available or not known yet
 *
 * Since: 0.9
 */
gint64
roast_process_get_field (RoastProcess *self, RoastProcessField field)
{
  g_return_val_if_fail (ROAST_IS_PROCESS (self), -1);
  g_return_val_if_fail ((guint) field < PROCESS_N_FIELDS, -1);

  return self->fields[field];
}
