/* SPDX-License-Identifier: BSD-3-Clause */
#include "executor-samples.h"

void
executor_samples_init (ExecutorSamples *self, RoastRecording *recording, const char *source)
{
  self->samples = roast_cluster_samples_write (recording, source);
  self->times = roast_executor_times_write (recording, source);
}

void
executor_samples_clear (ExecutorSamples *self)
{
  g_clear_object (&self->samples);
  g_clear_object (&self->times);
}

void
executor_samples_add_time (ExecutorSamples *self, gint64 time, guint part, double seconds)
{
  roast_table_writer_set_count (self->times, ROAST_EXECUTOR_TIMES_TIME, time);
  roast_table_writer_set_word (self->times, ROAST_EXECUTOR_TIMES_PART, part);
  roast_table_writer_set_double (self->times, ROAST_EXECUTOR_TIMES_VALUE, seconds);
  roast_table_writer_end (self->times, NULL);
}
