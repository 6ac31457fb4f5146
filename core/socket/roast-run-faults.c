/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-run-faults-private.h"

#define MAX_REASONS 32 /* number of reasons that get their own event; faults with other reasons are only counted */

typedef struct
{
  RoastRunFault fault;
  char *program;
  char *reason;
  gint64 pid;    /* id of the first process with this fault */
  gint64 time;   /* time of the first line with this fault */
  gboolean many; /* more than one process had this fault */
  guint64 count;
} Entry;

struct _RoastRunFaults
{
  GPtrArray *entries; /* Entry elements in order of appearance */
  guint64 others[ROAST_RUN_N_FAULTS];
};

static void
entry_free (Entry *entry)
{
  g_free (entry->program);
  g_free (entry->reason);
  g_free (entry);
}

RoastRunFaults *
roast_run_faults_new (void)
{
  RoastRunFaults *self = g_new0 (RoastRunFaults, 1);

  self->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) entry_free);

  return self;
}

void
roast_run_faults_free (RoastRunFaults *self)
{
  g_ptr_array_unref (self->entries);
  g_free (self);
}

static Entry *
find_entry (RoastRunFaults *self, RoastRunFault fault, const char *program, const char *reason)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = g_ptr_array_index (self->entries, i);

      if (entry->fault == fault && g_strcmp0 (entry->program, program) == 0 && g_str_equal (entry->reason, reason))
        return entry;
    }

  return NULL;
}

void
roast_run_faults_add (RoastRunFaults *self, RoastRunFault fault, const char *program, gint64 pid, const char *reason)
{
  Entry *entry = find_entry (self, fault, program, reason);

  if (entry == NULL && self->entries->len == MAX_REASONS)
    {
      self->others[fault]++;
      return;
    }
  if (entry == NULL)
    {
      entry = g_new0 (Entry, 1);
      entry->fault = fault;
      entry->program = g_strdup (program);
      entry->reason = g_strdup (reason);
      entry->pid = pid;
      entry->time = g_get_real_time ();
      g_ptr_array_add (self->entries, entry);
      g_debug ("%s (pid %" G_GINT64_FORMAT "): %s", program != NULL ? program : "a process", pid, reason);
    }
  entry->many |= entry->pid != pid;
  entry->count++;
}

static char *
dup_count (guint64 count, const char *thing)
{
  return count == 1 ? g_strdup_printf ("1 %s", thing) : g_strdup_printf ("%" G_GUINT64_FORMAT " %ss", count, thing);
}

static const struct
{
  const char *thing;
  const char *verb; /* precedes "3 lines from PROGRAM" */
  RoastSeverity severity;
} run_faults[] = {
  { "connection", "roast refused", ROAST_SEVERITY_WARNING },
  { "line", "roast did not count", ROAST_SEVERITY_WARNING },
  { "message", "roast ignored parts of", ROAST_SEVERITY_INFO },
  { "row", "roast counted only parts of", ROAST_SEVERITY_WARNING },
};

static void
report_entry (const Entry *entry, RoastRecording *recording, const char *source)
{
  g_autofree char *count = dup_count (entry->count, run_faults[entry->fault].thing);
  const char *program = entry->program != NULL ? entry->program : "a process";
  g_autofree char *message = g_strdup_printf ("%s %s from %s (pid %" G_GINT64_FORMAT "%s) on the run's socket: %s",
                                              run_faults[entry->fault].verb, count, program, entry->pid,
                                              entry->many ? " and others" : "", entry->reason);

  roast_recording_add_event (recording, source, entry->time, run_faults[entry->fault].severity, "protocol", message);
}

void
roast_run_faults_report (RoastRunFaults *self, RoastRecording *recording, const char *source)
{
  for (guint i = 0; i < self->entries->len; i++)
    report_entry (g_ptr_array_index (self->entries, i), recording, source);
  for (guint i = 0; i < ROAST_RUN_N_FAULTS; i++)
    if (self->others[i] > 0)
      {
        g_autofree char *count = dup_count (self->others[i], run_faults[i].thing);
        g_autofree char *message =
            g_strdup_printf ("%s %s more on the run's socket, from other programs or for other reasons",
                             run_faults[i].verb, count);

        roast_recording_add_event (recording, source, -1, run_faults[i].severity, "protocol", message);
        self->others[i] = 0;
      }
  g_ptr_array_set_size (self->entries, 0);
}
