/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-manager-stats.h"

#include <math.h>

#define MIB 1048576.0

/* Where statistics go: each a cell of cluster_samples. */
static const struct
{
  const char *name, *cell;
  double factor;
} gauges[] = {
  { "workers_connected", "workers", 1 },
  { "tasks_waiting", "tasks_queued", 1 },
  { "tasks_running", "tasks_executing", 1 },
  /* Done and failed ones it counts another way in each version; category_states has them. */
  { "bytes_sent", "bytes_sent", 1 },
  { "bytes_received", "bytes_received", 1 },
  { "total_memory", "memory_limit", MIB },
  { "committed_memory", "memory_committed", MIB },
  { "total_disk", "disk_limit", MIB },
  { "committed_disk", "disk_used", MIB },
};

/* The manager is always in exactly one of these: they add up to the time since it began. */
static const struct
{
  const char *name, *part;
} parts[] = {
  { "time_send", "send" },
  { "time_receive", "receive" },
  { "time_status_msgs", "status" },
  { "time_internal", "internal" },
  { "time_scheduling", "scheduling" },
  { "time_polling", "polling" },
  { "time_application", "application" },
};

enum
{
  SAMPLE_SOURCE,
  SAMPLE_TIME,
  SAMPLE_CORES,
  SAMPLE_COMMITTED,
  SAMPLE_GAUGES
};
enum
{
  BUDGET_SOURCE,
  BUDGET_TIME,
  BUDGET_PART,
  BUDGET_VALUE
};
static const char *const budget_columns[] = { "source", "time", "part", "value", NULL };

void
vine_manager_stats_init (VineManagerStats *self, RoastRecording *recording, const char *source)
{
  const char *columns[SAMPLE_GAUGES + G_N_ELEMENTS (gauges) + 1] = { "source", "time", "cores", "cores_committed" };

  for (guint i = 0; i < G_N_ELEMENTS (gauges); i++)
    columns[SAMPLE_GAUGES + i] = gauges[i].cell;
  self->source = g_strdup (source);
  sheet_open (&self->samples, recording, "cluster_samples", columns);
  sheet_open (&self->executor_times, recording, "executor_times", budget_columns);
}

void
vine_manager_stats_clear (VineManagerStats *self)
{
  sheet_clear (&self->samples);
  sheet_clear (&self->executor_times);
  g_free (self->source);
}

void
vine_manager_stats_write (VineManagerStats *self, gint64 time, VineManagerStatsFunction get, gpointer user_data)
{
  sheet_begin (&self->samples, self->source);
  sheet_set_count (&self->samples, SAMPLE_TIME, time);
  sheet_set_number (&self->samples, SAMPLE_CORES, get ("total_cores", user_data));
  sheet_set_number (&self->samples, SAMPLE_COMMITTED, get ("committed_cores", user_data));
  for (guint i = 0; i < G_N_ELEMENTS (gauges); i++)
    {
      double value = get (gauges[i].name, user_data) * gauges[i].factor;

      if (value >= 0 && value < 9e15)
        sheet_set_count (&self->samples, SAMPLE_GAUGES + i, llround (value));
    }
  sheet_end (&self->samples);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      double us = get (parts[i].name, user_data);

      if (!(us >= 0))
        continue;
      sheet_begin (&self->executor_times, self->source);
      sheet_set_count (&self->executor_times, BUDGET_TIME, time);
      sheet_set_text (&self->executor_times, BUDGET_PART, parts[i].part);
      sheet_set_number (&self->executor_times, BUDGET_VALUE, us / G_USEC_PER_SEC);
      sheet_end (&self->executor_times);
    }
}
