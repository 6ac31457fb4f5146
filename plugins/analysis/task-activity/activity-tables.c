/* SPDX-License-Identifier: BSD-3-Clause */

/* Write the tables per_category and per_activity, sorted by time. */

#include "activity-report.h"
#include "each.h"
#include "metric-add.h"
#include "order.h"
#include "partial-sum.h"
#include "task-activity-tables.h"

static int
compare_busy (const ActivitySum **a, const ActivitySum **b)
{
  return order_rows (MAX ((*a)->busy, (*a)->in_tasks), MAX ((*b)->busy, (*b)->in_tasks), (*a)->key.name,
                     (*b)->key.name);
}

static void
write_category (RoastTableWriter *table, ActivitySums *sums, const ActivitySum *sum)
{
  /* The times of a running task are unknown, because executors report them only when the task ends. */
  gboolean is_known = sum->timed > 0 || sum->busy > 0 || !sum->has_tasks;

  roast_table_writer_set_string (table, ROAST_PER_CATEGORY_CATEGORY, sum->key.name);
  roast_table_writer_set_word (table, ROAST_PER_CATEGORY_ROLE, (guint) sum->role);
  if (sum->has_tasks)
    {
      roast_table_writer_set_int64 (table, ROAST_PER_CATEGORY_TASKS, sum->tasks);
      roast_table_writer_set_int64 (table, ROAST_PER_CATEGORY_FAILED, sum->failed);
      partial_sum_write (table, ROAST_PER_CATEGORY_BYTES_OUT, sum->bytes_out);
    }
  if (sum->timed > 0)
    {
      roast_table_writer_set_double (table, ROAST_PER_CATEGORY_MEAN, sum->in_tasks / (double) sum->timed);
      roast_table_writer_set_double (table, ROAST_PER_CATEGORY_MAX, sum->longest);
    }
  if (sums->has_activities && is_known)
    roast_table_writer_set_double (table, ROAST_PER_CATEGORY_BUSY, sum->busy);
  if (sums->has_activities && !sums->is_limited && is_known)
    {
      roast_table_writer_set_double (table, ROAST_PER_CATEGORY_SERIALIZATION, sum->serialization);
      roast_table_writer_set_double (table, ROAST_PER_CATEGORY_COMPRESSION, sum->compression);
    }
  if (activity_sums_knows_cpu (sums) && is_known)
    {
      roast_table_writer_set_double (table, ROAST_PER_CATEGORY_CPU, sum->cpu);
      roast_table_writer_set_double (table, ROAST_PER_CATEGORY_WAITING, sum->noncpu - sum->unsplit);
      roast_table_writer_set_double (table, ROAST_PER_CATEGORY_UNSPLIT, sum->unsplit);
      roast_table_writer_set_int64 (table, ROAST_PER_CATEGORY_DISK_READ, metric_to_integer (sum->disk_read));
      roast_table_writer_set_int64 (table, ROAST_PER_CATEGORY_DISK_WRITE, metric_to_integer (sum->disk_write));
    }
  roast_table_writer_end (table, NULL);
}

static void
add_sum (ActivitySum *to, const ActivitySum *sum)
{
  to->has_tasks |= sum->has_tasks;
  to->tasks += sum->tasks;
  to->failed += sum->failed;
  to->timed += sum->timed;
  to->busy += sum->busy;
  to->cpu += sum->cpu;
  to->noncpu += sum->noncpu;
  to->unsplit += sum->unsplit;
  to->longest = MAX (to->longest, sum->longest);
  to->in_tasks += sum->in_tasks;
  partial_sum_add (&to->bytes_out, sum->bytes_out);
  to->disk_read += sum->disk_read;
  to->serialization += sum->serialization;
  to->compression += sum->compression;
  to->disk_write += sum->disk_write;
}

/* Merge categories of different sources if they have the same name and role. */
static GPtrArray *
merge_sources (const GPtrArray *categories)
{
  GPtrArray *merged = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  FOR_EACH_POINTER (const ActivitySum, sum, categories)
    {
      g_autofree char *key = g_strdup_printf ("%d %s", sum->role, sum->key.name);
      ActivitySum *to = g_hash_table_lookup (by_key, key);

      if (to != NULL)
        {
          add_sum (to, sum);
          continue;
        }
      to = g_memdup2 (sum, sizeof *sum);
      g_ptr_array_add (merged, to);
      g_hash_table_insert (by_key, g_steal_pointer (&key), to);
    }

  return merged;
}

static void
tables_add_categories (ActivityReport *self)
{
  g_autoptr (GPtrArray) categories = merge_sources (self->sums->categories);
  g_autoptr (RoastTableWriter) table = NULL;

  if (categories->len == 0)
    return;
  table = roast_per_category_write (self->report);
  g_ptr_array_sort (categories, (GCompareFunc) compare_busy);
  for (guint i = 0; i < categories->len; i++)
    write_category (table, self->sums, g_ptr_array_index (categories, i));
}

static int
compare_activities (const Activity *a, const Activity *b)
{
  int order = g_strcmp0 (a->context, b->context);

  if (order == 0)
    order = g_strcmp0 (a->unit, b->unit);

  return order != 0 ? order : order_rows (a->value, b->value, a->activity, b->activity);
}

static void
add_activities (ActivityReport *self)
{
  GArray *activities = self->sums->activities;
  g_autoptr (RoastTableWriter) table = NULL;

  if (activities->len == 0)
    return;
  table = roast_per_activity_write (self->report);
  g_array_sort (activities, (GCompareFunc) compare_activities);
  FOR_EACH (const Activity, activity, activities)
    {
      roast_table_writer_set_string (table, ROAST_PER_ACTIVITY_CONTEXT, activity->context);
      roast_table_writer_set_string (table, ROAST_PER_ACTIVITY_ACTIVITY, activity->activity);
      roast_table_writer_set_string (table, ROAST_PER_ACTIVITY_UNIT, activity->unit);
      roast_table_writer_set_double (table, ROAST_PER_ACTIVITY_VALUE, activity->value);
      if (activity->unit_word == ROAST_UNIT_SECONDS)
        roast_table_writer_set_double (table, ROAST_PER_ACTIVITY_SECONDS, activity->value);
      roast_table_writer_end (table, NULL);
    }
}

void
activity_report_add_tables (ActivityReport *self)
{
  tables_add_categories (self);
  add_activities (self);
}
