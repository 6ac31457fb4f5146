/* SPDX-License-Identifier: BSD-3-Clause */

/* Draws the processes that run now, from their last samples. The table processes gets these numbers only when a process
 * ends. */

#include "top.h"

#include <math.h>

typedef struct
{
  const RoastRunWorker *process;
  double cpu, run_queue, memory; /* NaN if unknown */
} Process;

static int
processes_compare_cpu (const Process *a, const Process *b)
{
  double first = isnan (a->cpu) ? -1 : a->cpu, second = isnan (b->cpu) ? -1 : b->cpu;

  return (first < second) - (first > second);
}

static void
processes_take_sample (GArray *processes, guint place, RoastTableReader *sample)
{
  Process *process = &g_array_index (processes, Process, place);

  process->cpu = roast_table_reader_get_double (sample, ROAST_WORKER_SAMPLES_CPU);
  process->run_queue = roast_table_reader_get_double (sample, ROAST_WORKER_SAMPLES_RUN_QUEUE);
  process->memory = roast_table_reader_get_double (sample, ROAST_WORKER_SAMPLES_MEMORY);
}

/* Returns the processes that have not ended, those with the most CPU time first. */
static GArray *
processes_collect (const TopLook *look)
{
  GArray *processes = g_array_new (FALSE, FALSE, sizeof (Process));
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);
  guint n;
  const RoastRunWorker *all = roast_run_model_get_workers (roast_run_model_get (look->snapshot), &n);

  for (guint i = 0; i < n; i++)
    {
      Process process = { &all[i], NAN, NAN, NAN };

      if (!all[i].is_process || !isnan (all[i].left))
        continue;
      g_hash_table_insert (places, (gpointer) &all[i], GUINT_TO_POINTER (processes->len));
      g_array_append_val (processes, process);
    }
  top_look_take_samples (look, places, processes, processes_take_sample);
  g_array_sort (processes, (GCompareFunc) processes_compare_cpu);

  return processes;
}

/* The command is last, because it may be long. A narrow terminal cuts what matters least. */
#define FORMAT "%8s %11s %9s %11s %11s  %s"

static void
append_process (const Process *self, double now, int width, GPtrArray *lines)
{
  g_autofree char *pid = g_strdup_printf ("%" G_GINT64_FORMAT, self->process->pid);
  g_autofree char *age = top_describe_number (now - self->process->joined / G_USEC_PER_SEC, "duration");
  g_autofree char *cpu = top_describe_number (self->cpu, "duration");
  g_autofree char *run_queue = top_describe_number (self->run_queue, "duration");
  g_autofree char *memory = top_describe_number (self->memory, "bytes");
  const char *name = self->process->name != NULL ? self->process->name : "-";
  g_autofree char *line = g_strdup_printf (FORMAT, pid, cpu, memory, run_queue, age, name);

  g_ptr_array_add (lines, top_fit (line, width));
}

gboolean
top_processes_append (const TopLook *look, int width, GPtrArray *lines)
{
  g_autoptr (GArray) processes = top_look_goes_on (look) ? processes_collect (look) : NULL;
  g_autofree char *title = g_strdup_printf (FORMAT, "Process", "CPU time", "memory", "run queue", "for", "command");

  if (processes == NULL || processes->len == 0)
    return FALSE;
  g_ptr_array_add (lines, g_strdup (""));
  g_ptr_array_add (lines, top_fit (title, width));
  for (guint i = 0; i < processes->len; i++)
    append_process (&g_array_index (processes, Process, i), (double) look->reach / G_USEC_PER_SEC, width, lines);

  return TRUE;
}
