/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-manager-stats.h"
#include "vine-tokenizer.h"

#include <math.h>

#define MAX_COUNT 9e15

/* Cells of the table cluster_samples. The numbers of done and failed tasks are left out, because versions of TaskVine
 * count them differently. They are in the table category_states. */
static const struct
{
  const char *name, *in_status; /* name in the performance log; name in the status, or NULL if both are the same */
  guint slot;
  double factor;
} cells[] = {
  { "workers_connected", NULL, ROAST_CLUSTER_SAMPLES_WORKERS, 1 },
  { "total_cores", "cores_total", ROAST_CLUSTER_SAMPLES_CORES, 1 },
  { "committed_cores", "cores_inuse", ROAST_CLUSTER_SAMPLES_CORES_COMMITTED, 1 },
  { "tasks_waiting", NULL, ROAST_CLUSTER_SAMPLES_TASKS_QUEUED, 1 },
  { "tasks_running", NULL, ROAST_CLUSTER_SAMPLES_TASKS_EXECUTING, 1 },
  { "tasks_recovery", NULL, ROAST_CLUSTER_SAMPLES_TASKS_RECOVERY, 1 },
  { "bytes_sent", NULL, ROAST_CLUSTER_SAMPLES_BYTES_SENT, 1 },
  { "bytes_received", NULL, ROAST_CLUSTER_SAMPLES_BYTES_RECEIVED, 1 },
  { "total_memory", "memory_total", ROAST_CLUSTER_SAMPLES_MEMORY_LIMIT, VINE_MIB },
  { "committed_memory", "memory_inuse", ROAST_CLUSTER_SAMPLES_MEMORY_COMMITTED, VINE_MIB },
  { "total_disk", "disk_total", ROAST_CLUSTER_SAMPLES_DISK_LIMIT, VINE_MIB },
  { "committed_disk", "disk_inuse", ROAST_CLUSTER_SAMPLES_DISK_USED, VINE_MIB },
};

/* Parts of the manager's time. The manager is in only one part at a time, so the sum of all parts does not exceed the
 * time since its start. The manager chooses a worker while it sends a task, so time_send includes time_scheduling. */
static const struct
{
  const char *name, *inner; /* @inner: statistic whose time is subtracted, or NULL */
  guint part;
} parts[] = {
  { "time_send", "time_scheduling", ROAST_EXECUTOR_PART_SEND },
  { "time_receive", NULL, ROAST_EXECUTOR_PART_RECEIVE },
  { "time_status_msgs", NULL, ROAST_EXECUTOR_PART_STATUS },
  { "time_internal", NULL, ROAST_EXECUTOR_PART_INTERNAL },
  { "time_scheduling", NULL, ROAST_EXECUTOR_PART_SCHEDULING },
  { "time_polling", NULL, ROAST_EXECUTOR_PART_POLLING },
  { "time_application", NULL, ROAST_EXECUTOR_PART_APPLICATION },
};

void
vine_manager_stats_write (ExecutorSamples *self, gint64 time, VineManagerStatsFunction get, gpointer user_data)
{
  roast_table_writer_set_count (self->samples, ROAST_CLUSTER_SAMPLES_TIME, time);
  for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
    {
      double value = get (cells[i].name, user_data) * cells[i].factor;

      if (isnan (value) && cells[i].in_status != NULL)
        value = get (cells[i].in_status, user_data) * cells[i].factor;
      if (value >= 0 && value < MAX_COUNT)
        roast_table_writer_set_int64 (self->samples, cells[i].slot, llround (value));
    }
  roast_table_writer_end (self->samples, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      double us = get (parts[i].name, user_data);
      double inner = parts[i].inner != NULL ? get (parts[i].inner, user_data) : 0;

      if (us >= 0)
        executor_samples_add_time (self, time, parts[i].part, (inner > 0 ? MAX (0, us - inner) : us) / G_USEC_PER_SEC);
    }
}
