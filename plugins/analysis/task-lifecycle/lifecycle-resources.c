/* SPDX-License-Identifier: BSD-3-Clause */

/* Write the table per_resource: the resources that attempts requested, received, and used. */

#include <math.h>

#include "group-element.h"
#include "lifecycle.h"
#include "order.h"
#include "task-lifecycle-tables.h"

typedef enum
{
  RESOURCES_CORES,
  RESOURCES_MEMORY,
  RESOURCES_DISK,
  RESOURCES_GPUS,
  RESOURCES_N_AMOUNTS
} Amount;

static const guint resources_columns[ROAST_RESOURCE_KIND_N_WORDS][RESOURCES_N_AMOUNTS] = {
  [ROAST_RESOURCE_KIND_REQUESTED] = { ROAST_TASKS_CORES_REQUESTED, ROAST_TASKS_MEMORY_REQUESTED,
                                      ROAST_TASKS_DISK_REQUESTED, ROAST_TASKS_GPUS_REQUESTED },
  [ROAST_RESOURCE_KIND_ALLOCATED] = { ROAST_TASKS_CORES_ALLOCATED, ROAST_TASKS_MEMORY_ALLOCATED,
                                      ROAST_TASKS_DISK_ALLOCATED, ROAST_TASKS_GPUS_ALLOCATED },
  [ROAST_RESOURCE_KIND_MEASURED] = { ROAST_TASKS_CORES_USED, ROAST_TASKS_MEMORY_PEAK, ROAST_TASKS_DISK_PEAK,
                                     ROAST_TASKS_GPUS_USED },
};

typedef struct
{
  gint64 n[RESOURCES_N_AMOUNTS];
  double sum[RESOURCES_N_AMOUNTS], max[RESOURCES_N_AMOUNTS];
} Sums;

typedef struct
{
  const char *name;
  double time; /* execution time in µs */
  Sums sums[ROAST_RESOURCE_KIND_N_WORDS];
} ResourcesCategory;

static void
resources_add_attempt (ResourcesCategory *category, RoastTableReader *tasks)
{
  double time = roast_table_reader_get_double (tasks, ROAST_TASKS_ENDED) -
                roast_table_reader_get_double (tasks, ROAST_TASKS_STARTED);

  category->name = roast_table_reader_get_string (tasks, ROAST_TASKS_CATEGORY);
  category->time += fmax (time, 0);
  for (guint kind = 0; kind < ROAST_RESOURCE_KIND_N_WORDS; kind++)
    for (guint i = 0; i < RESOURCES_N_AMOUNTS; i++)
      {
        double value = roast_table_reader_get_double (tasks, resources_columns[kind][i]);
        Sums *sums = &category->sums[kind];

        if (isnan (value))
          continue;
        sums->n[i]++;
        sums->sum[i] += value;
        sums->max[i] = MAX (sums->max[i], value);
      }
}

static int
resources_compare_categories (const ResourcesCategory *a, const ResourcesCategory *b)
{
  return order_rows (a->time, b->time, a->name, b->name);
}

static void
set_bytes (RoastTableWriter *table, guint slot, double value)
{
  roast_table_writer_set_int64 (table, slot, llround (value));
}

static gint64
resources_count_attempts (const Sums *sums)
{
  gint64 attempts = 0;

  for (guint i = 0; i < RESOURCES_N_AMOUNTS; i++)
    attempts = MAX (attempts, sums->n[i]);

  return attempts;
}

/* Write the means of a resource. If no attempt has a value, the mean is 0 / 0, which is written as a missing cell. */
static void
resources_write_sums (RoastTableWriter *table, const ResourcesCategory *category, guint kind)
{
  const Sums *sums = &category->sums[kind];

  roast_table_writer_set_string (table, ROAST_PER_RESOURCE_CATEGORY, category->name != NULL ? category->name : "?");
  roast_table_writer_set_word (table, ROAST_PER_RESOURCE_KIND, kind);
  roast_table_writer_set_int64 (table, ROAST_PER_RESOURCE_ATTEMPTS, resources_count_attempts (sums));
  roast_table_writer_set_double (table, ROAST_PER_RESOURCE_CORES,
                                 sums->sum[RESOURCES_CORES] / (double) sums->n[RESOURCES_CORES]);
  roast_table_writer_set_double (table, ROAST_PER_RESOURCE_GPUS,
                                 sums->sum[RESOURCES_GPUS] / (double) sums->n[RESOURCES_GPUS]);
  if (sums->n[RESOURCES_MEMORY] > 0)
    {
      set_bytes (table, ROAST_PER_RESOURCE_MEMORY, sums->sum[RESOURCES_MEMORY] / (double) sums->n[RESOURCES_MEMORY]);
      set_bytes (table, ROAST_PER_RESOURCE_MEMORY_MAX, sums->max[RESOURCES_MEMORY]);
    }
  if (sums->n[RESOURCES_DISK] > 0)
    {
      set_bytes (table, ROAST_PER_RESOURCE_DISK, sums->sum[RESOURCES_DISK] / (double) sums->n[RESOURCES_DISK]);
      set_bytes (table, ROAST_PER_RESOURCE_DISK_MAX, sums->max[RESOURCES_DISK]);
    }
  roast_table_writer_end (table, NULL);
}

void
lifecycle_add_resources (RoastReport *report, RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (recording);
  g_autoptr (GArray) categories = g_array_new (FALSE, FALSE, sizeof (ResourcesCategory));
  g_autoptr (RoastTableWriter) table = NULL;

  GROUP_BY (tasks, ROAST_TASKS_CATEGORY);
  while (roast_table_reader_next (tasks))
    resources_add_attempt (group_element (categories, tasks), tasks);
  g_array_sort (categories, (GCompareFunc) resources_compare_categories);
  for (guint i = 0; i < categories->len; i++)
    for (guint kind = 0; kind < ROAST_RESOURCE_KIND_N_WORDS; kind++)
      {
        const ResourcesCategory *category = &g_array_index (categories, ResourcesCategory, i);

        if (resources_count_attempts (&category->sums[kind]) == 0)
          continue;
        if (table == NULL)
          table = roast_per_resource_write (report);
        resources_write_sums (table, category, kind);
      }
}
