/* SPDX-License-Identifier: BSD-3-Clause */
#include "dask-activities.h"

#include <math.h>

#include "dask-row.h"
#include "dask-words.h"

/* Limits that bound the memory that a faulty scheduler can make roast use. */
#define MAX_ACTIVITIES 1000000
#define MAX_VALUES 20000000

/* Extra columns of the activity table in the wire protocol. They follow the columns of the table activities. */
enum
{
  ACTIVITY_NUMBER = ROAST_ACTIVITIES_N_COLUMNS,
};

const char *const dask_activity_columns[] = { "number", NULL };

/* An activity in the table activities. All workers have the same activities. */
typedef struct
{
  char *context, *span, *category, *activity, *unit; /* @span, @category: NULL if the activity has none */
  GArray *numbers;                                   /* elements are guint: numbers of the activities in Dask */
  gboolean is_of_process;                            /* the activity is CPU time of the worker's process */
  gboolean used;
} Activity;

typedef struct
{
  double base;
  double last;
} Value;

struct _DaskActivities
{
  DaskWorkers *workers;
  DaskCategories *categories;
  GHashTable *activities; /* maps the joined words of an activity to its Activity */
  GHashTable *numbers;    /* maps the number of an activity to its Activity, which @activities owns */
  GHashTable *values;     /* maps (worker << 32 | number of the activity) to its Value */
  RoastTableWriter *writer;
  gboolean unsettled; /* a part of the CPU time is negative, and no other part is large enough yet to offset it */
};

static void
activity_free (Activity *activity)
{
  g_free (activity->context);
  g_free (activity->span);
  g_free (activity->category);
  g_free (activity->activity);
  g_free (activity->unit);
  g_array_unref (activity->numbers);
  g_free (activity);
}

DaskActivities *
dask_activities_new (RoastRecording *recording, const char *source, DaskWorkers *workers, DaskCategories *categories)
{
  DaskActivities *self = g_new0 (DaskActivities, 1);

  self->workers = workers;
  self->categories = categories;
  self->activities = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) activity_free);
  self->numbers = g_hash_table_new (NULL, NULL);
  self->values = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  self->writer = roast_activities_write (recording, source);

  return self;
}

void
dask_activities_free (DaskActivities *self)
{
  g_hash_table_unref (self->numbers);
  g_hash_table_unref (self->activities);
  g_hash_table_unref (self->values);
  g_clear_object (&self->writer);
  g_free (self);
}

/* ---- the meaning of numbers ---- */

static Activity *
get_activity (DaskActivities *self, const char *context, const char *span, const char *category, const char *activity,
              const char *unit)
{
  g_autofree char *words = g_strdup_printf ("%s\n%s\n%s\n%s\n%s", context, span != NULL ? span : "",
                                            category != NULL ? category : "", activity, unit);
  Activity *found = g_hash_table_lookup (self->activities, words);

  if (found != NULL)
    return found;
  found = g_new0 (Activity, 1);
  found->context = g_strdup (context);
  found->span = g_strdup (span);
  found->category = g_strdup (category);
  found->activity = g_strdup (activity);
  found->unit = g_strdup (unit);
  found->is_of_process = g_str_equal (context, roast_context_words[ROAST_CONTEXT_PROCESS]) &&
                         g_str_equal (unit, roast_unit_words[ROAST_UNIT_SECONDS]);
  found->numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  g_hash_table_insert (self->activities, g_steal_pointer (&words), found);

  return found;
}

gboolean
dask_activities_take (DaskActivities *self, RoastWireReader *row, gint64 now, GError **error)
{
  const char *span = roast_wire_reader_get_string (row, ROAST_ACTIVITIES_SPAN);
  const char *category = roast_wire_reader_get_string (row, ROAST_ACTIVITIES_CATEGORY);
  const char *context = NULL;
  const char *name = NULL;
  const char *unit = NULL;
  Activity *activity = NULL;
  gint64 number;
  guint place;

  if (!dask_row_get_number (row, ACTIVITY_NUMBER, MAX_ACTIVITIES, &number, error) ||
      !dask_row_get_name (row, ROAST_ACTIVITIES_CONTEXT, &context, error) ||
      !dask_row_get_name (row, ROAST_ACTIVITIES_ACTIVITY, &name, error) ||
      !dask_row_get_name (row, ROAST_ACTIVITIES_UNIT, &unit, error) || !roast_wire_reader_check_row (row, error))
    return FALSE;
  place = (guint) number;
  if (g_hash_table_contains (self->numbers, GUINT_TO_POINTER (place)))
    return TRUE;
  dask_words_translate (&context, &name);
  activity = get_activity (self, context, span, category, name, unit);
  g_array_append_val (activity->numbers, place);
  g_hash_table_insert (self->numbers, GUINT_TO_POINTER (place), activity);

  return TRUE;
}

/* ---- values ---- */

/* Returns the time or bytes that a worker spent on an activity since roast began to read. */
static double
get_sum (DaskActivities *self, gint64 worker, const Activity *activity)
{
  double sum = 0;

  for (guint i = 0; i < activity->numbers->len; i++)
    {
      gint64 place = worker << 32 | g_array_index (activity->numbers, guint, i);
      const Value *value = g_hash_table_lookup (self->values, &place);

      if (value != NULL)
        sum += value->last - value->base;
    }

  return sum;
}

static gboolean
write_value (DaskActivities *self, const char *worker, Activity *activity, gint64 now, double sum, GError **error)
{
  RoastTableWriter *writer = self->writer;

  if (!activity->used && activity->category != NULL)
    dask_categories_use (self->categories, activity->category);
  activity->used = TRUE;
  roast_table_writer_set_int64 (writer, ROAST_ACTIVITIES_TIME, now);
  roast_table_writer_set_string (writer, ROAST_ACTIVITIES_SPAN, activity->span);
  roast_table_writer_set_string (writer, ROAST_ACTIVITIES_WORKER, worker);
  roast_table_writer_set_string (writer, ROAST_ACTIVITIES_CONTEXT, activity->context);
  roast_table_writer_set_string (writer, ROAST_ACTIVITIES_CATEGORY, activity->category);
  roast_table_writer_set_string (writer, ROAST_ACTIVITIES_ACTIVITY, activity->activity);
  roast_table_writer_set_string (writer, ROAST_ACTIVITIES_UNIT, activity->unit);
  roast_table_writer_set_double (writer, ROAST_ACTIVITIES_VALUE, sum);

  return roast_table_writer_end (writer, error);
}

/* Returns NULL if there are too many values. */
static Value *
get_value (DaskActivities *self, gint64 place, gboolean *added)
{
  Value *value = g_hash_table_lookup (self->values, &place);

  *added = value == NULL;
  if (value != NULL || g_hash_table_size (self->values) >= MAX_VALUES)
    return value;
  value = g_new0 (Value, 1);
  g_hash_table_insert (self->values, g_memdup2 (&place, sizeof place), value);

  return value;
}

/* The part of a worker's CPU time, since roast began to read, that belongs to one activity. */
typedef struct
{
  Activity *activity;
  Value *value;
  double sum;
} Part;

static void
find_parts (DaskActivities *self, gint64 worker, Part *least, Part *most)
{
  GHashTableIter iter;
  gpointer number;
  Activity *activity;

  *least = *most = (Part) { 0 };
  g_hash_table_iter_init (&iter, self->numbers);
  while (g_hash_table_iter_next (&iter, &number, (gpointer *) &activity))
    {
      gint64 place = worker << 32 | GPOINTER_TO_UINT (number);
      Value *value = activity->is_of_process ? g_hash_table_lookup (self->values, &place) : NULL;
      Part part = { activity, value, value != NULL ? value->last - value->base : 0 };

      if (value != NULL && (least->value == NULL || part.sum < least->sum))
        *least = part;
      if (value != NULL && (most->value == NULL || part.sum > most->sum))
        *most = part;
    }
}

/* Offset a negative part of a worker's CPU time against the largest part. Dask may move CPU time from one part to
 * another, even if it was used before the measurement. In the measurement, the first part then becomes negative, and
 * the second part becomes too large. Adjust the bases of both parts so that their sum stays the same. */
static gboolean
settle_parts (DaskActivities *self, gint64 worker, const char *name, gint64 now, GError **error)
{
  Part least, most;

  find_parts (self, worker, &least, &most);
  if (least.value == NULL || least.sum >= 0)
    return TRUE;
  self->unsettled = most.sum + least.sum < 0;
  if (self->unsettled)
    return TRUE;
  least.value->base += least.sum;
  most.value->base -= least.sum;

  return write_value (self, name, least.activity, now, get_sum (self, worker, least.activity), error) &&
         write_value (self, name, most.activity, now, get_sum (self, worker, most.activity), error);
}

static gboolean
take_value (DaskActivities *self, RoastWireReader *row, gint64 now, gboolean is_base, GError **error)
{
  double last = roast_wire_reader_get_double (row, ROAST_ACTIVITIES_VALUE);
  gint64 worker = roast_wire_reader_get_count (row, ROAST_ACTIVITIES_WORKER);
  const char *name = NULL;
  Activity *activity = NULL;
  Value *value = NULL;
  gint64 number;
  gboolean added;
  gboolean is_doubtful;

  if (!dask_workers_find (self->workers, row, ROAST_ACTIVITIES_WORKER, &name, error) ||
      !dask_row_get_number (row, ROAST_ACTIVITIES_ACTIVITY, MAX_ACTIVITIES, &number, error))
    return FALSE;
  activity = g_hash_table_lookup (self->numbers, GUINT_TO_POINTER ((guint) number));
  if (activity == NULL)
    return dask_row_refuse (error, "there is no activity %" G_GINT64_FORMAT, number);
  if (isnan (last))
    return dask_row_refuse (error, "activity %" G_GINT64_FORMAT " has no value", number);
  value = get_value (self, worker << 32 | number, &added);
  if (value == NULL)
    return dask_row_refuse (error, "there are more than %d values", MAX_VALUES);
  if (!added && value->last == last)
    return TRUE;
  if (activity->is_of_process && !is_base)
    dask_workers_add_cpu (self->workers, worker, last - value->last);
  value->last = last;
  if (added && is_base)
    value->base = last;

  if (is_base)
    return TRUE;
  /* Settle parts only if a part may be negative, because settle_parts() searches all activities. */
  is_doubtful = activity->is_of_process && (value->last < value->base || self->unsettled);

  return write_value (self, name, activity, now, get_sum (self, worker, activity), error) &&
         (!is_doubtful || settle_parts (self, worker, name, now, error));
}

gboolean
dask_activities_take_value (DaskActivities *self, RoastWireReader *row, gint64 now, GError **error)
{
  return take_value (self, row, now, FALSE, error);
}

gboolean
dask_activities_take_base (DaskActivities *self, RoastWireReader *row, gint64 now, GError **error)
{
  return take_value (self, row, 0, TRUE, error);
}

void
dask_activities_add_totals (DaskActivities *self, GHashTable *totals)
{
  GHashTableIter iter;
  gint64 *place;
  Value *value;

  g_hash_table_iter_init (&iter, self->values);
  while (g_hash_table_iter_next (&iter, (gpointer *) &place, (gpointer *) &value))
    {
      const Activity *activity = g_hash_table_lookup (self->numbers, GUINT_TO_POINTER ((guint) (*place & G_MAXUINT)));

      span_totals_totals_add (totals, activity->context, activity->category, activity->activity, activity->unit,
                              value->last - value->base);
    }
}
