/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-run-quota-private.h"

#include <math.h>
#include <string.h>

#include "recording/roast-recording-private.h"
#include "roast/roast-tables.h"
#include "table/roast-table-private.h"

/* Maximum numbers, which must be the same as in docs/protocol.md. */
#define MAX_CHUNKS 1000000      /* rows of the table chunks that are kept */
#define MAX_PROGRESS 100000     /* rows of datasets or of sections that are kept; reports only need their sums */
#define MAX_OTHERS 1000000      /* rows of any other table that are kept */
#define MAX_MEMORY (256 << 20)  /* size of the kept rows of a table, in bytes */
#define MAX_REMARKS 1000        /* remarks for readers of the report */
#define MAX_GROUPS 10000        /* maximum number of sums of a table */
#define RUN_QUOTA_MAX_NAME 1024 /* maximum length in bytes of a name that gets its own sums */
#define OTHERS "(others)"       /* name of the sums for all names that exceed one of the two limits above */
#define MEMORY_STEP 256         /* number of rows between two checks of the memory */

/* How the rows of a table are summed up. */
typedef enum
{
  KIND_OTHER, /* rows are only counted */
  KIND_CHUNKS,
  KIND_DATASETS,
  KIND_SECTIONS,
} Kind;

typedef struct
{
  char *name; /* name of a dataset or section; NULL if it has no name */
  char *kind; /* kind of a section */
  gint64 rows, chunks, failed, no_events, no_bytes, no_times, values;
  double events, bytes_read, duration; /* sums; NaN until a row has a value */
  double value, least, most, started, ended;
} RunQuotaSums;

struct _RoastRunShare
{
  RoastTableInfo *info;
  RoastTable *table;
  Kind kind;
  guint64 max, kept, summed;
  guint64 dropped; /* number of rows that the program did not send */
  gboolean full;
  GHashTable *sums; /* maps a text of kind and name to RunQuotaSums */
  GPtrArray *order; /* the same RunQuotaSums in order of appearance */
};

struct _RoastRunQuota
{
  GPtrArray *shares;
  guint64 rows; /* number of rows to keep in each table; 0 for the default limits */
  guint64 remarks;
};

static void
sums_free (gpointer data)
{
  RunQuotaSums *self = data;

  g_free (self->name);
  g_free (self->kind);
  g_free (self);
}

static void
share_free (gpointer data)
{
  RoastRunShare *self = data;

  g_object_unref (self->info);
  g_object_unref (self->table);
  g_hash_table_unref (self->sums);
  g_ptr_array_unref (self->order);
  g_free (self);
}

RoastRunQuota *
roast_run_quota_new (void)
{
  RoastRunQuota *self = g_new0 (RoastRunQuota, 1);

  self->shares = g_ptr_array_new_with_free_func (share_free);

  return self;
}

void
roast_run_quota_free (RoastRunQuota *self)
{
  g_ptr_array_unref (self->shares);
  g_free (self);
}

void
roast_run_quota_set_rows (RoastRunQuota *self, guint64 rows)
{
  self->rows = rows;
}

static Kind
find_kind (const char *table, guint64 *max)
{
  *max = MAX_PROGRESS;
  if (g_str_equal (table, ROAST_TABLE_DATASETS))
    return KIND_DATASETS;
  if (g_str_equal (table, ROAST_TABLE_SECTIONS))
    return KIND_SECTIONS;
  *max = MAX_CHUNKS;
  if (g_str_equal (table, ROAST_TABLE_CHUNKS))
    return KIND_CHUNKS;
  *max = MAX_OTHERS;

  return KIND_OTHER;
}

RoastRunShare *
roast_run_quota_get_share (RoastRunQuota *self, RoastRecording *recording, RoastTableInfo *info)
{
  RoastRunShare *share = NULL;

  for (guint i = 0; i < self->shares->len; i++)
    if (((RoastRunShare *) g_ptr_array_index (self->shares, i))->info == info)
      return g_ptr_array_index (self->shares, i);
  share = g_new0 (RoastRunShare, 1);
  share->info = g_object_ref (info);
  share->table = g_object_ref (roast_recording_get_table (recording, roast_table_info_get_name (info)));
  share->kind = find_kind (roast_table_info_get_name (info), &share->max);
  if (self->rows > 0)
    share->max = self->rows;
  share->sums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  share->order = g_ptr_array_new_with_free_func (sums_free);
  g_ptr_array_add (self->shares, share);

  return share;
}

gboolean
roast_run_share_has_room (RoastRunShare *self)
{
  return !self->full;
}

void
roast_run_share_add_kept (RoastRunShare *self)
{
  self->kept++;
  self->full =
      self->kept >= self->max || (self->kept % MEMORY_STEP == 0 && roast_table_get_memory (self->table) >= MAX_MEMORY);
}

/* ---- sums ---- */

/* Return a copy of a text, or NULL if the text is missing or empty. */
static char *
run_quota_dup_text (const RoastWireValue *value)
{
  if (value->type != ROAST_WIRE_CELL_STRING || value->length == 0)
    return NULL;

  return value->length <= RUN_QUOTA_MAX_NAME ? g_strndup (value->text, value->length) : g_strdup (OTHERS);
}

static RunQuotaSums *
get_sums (RoastRunShare *self, const RoastWireValue *name_value, const RoastWireValue *kind_value)
{
  g_autofree char *name = name_value != NULL ? run_quota_dup_text (name_value) : NULL;
  g_autofree char *kind = kind_value != NULL ? run_quota_dup_text (kind_value) : NULL;
  g_autofree char *key = NULL;
  RunQuotaSums *sums = NULL;

  /* Use '\1' for a missing name. Kinds contain no line feed, so different pairs of kind and name have different
   * keys. */
  key = g_strconcat (kind != NULL ? kind : "", "\n", name != NULL ? name : "\1", NULL);
  sums = g_hash_table_lookup (self->sums, key);
  if (sums == NULL && self->order->len >= MAX_GROUPS && g_strcmp0 (name, OTHERS) != 0)
    {
      const RoastWireValue others = { .type = ROAST_WIRE_CELL_STRING, .text = OTHERS, .length = strlen (OTHERS) };

      return get_sums (self, &others, kind_value);
    }
  if (sums != NULL)
    return sums;
  sums = g_new (RunQuotaSums, 1);
  *sums = (RunQuotaSums) { .name = g_steal_pointer (&name),
                           .kind = g_steal_pointer (&kind),
                           .chunks = -1,
                           .events = NAN,
                           .bytes_read = NAN,
                           .duration = NAN,
                           .least = NAN,
                           .most = NAN,
                           .started = NAN,
                           .ended = NAN };
  g_hash_table_insert (self->sums, g_steal_pointer (&key), sums);
  g_ptr_array_add (self->order, sums);

  return sums;
}

static void
run_quota_add (double *sum, double value)
{
  if (!isnan (value))
    *sum = isnan (*sum) ? value : *sum + value;
}

static void
add_value (RunQuotaSums *sums, double value)
{
  if (isnan (value))
    return;
  sums->values++;
  sums->value += value;
  sums->least = fmin (sums->least, value);
  sums->most = fmax (sums->most, value);
}

static gboolean
is_framework (const RoastWireValue *role)
{
  return role->type == ROAST_WIRE_CELL_STRING && g_str_equal (role->text, roast_role_words[ROAST_ROLE_FRAMEWORK]);
}

/* Add a chunk to the sums in the same way as readers add kept rows: add the time of a failed chunk, but not its
 * events. */
static void
sum_chunk (RunQuotaSums *sums, const RoastWireValue *values)
{
  double events = roast_wire_value_get_number (&values[ROAST_CHUNKS_EVENTS]);
  double bytes = roast_wire_value_get_number (&values[ROAST_CHUNKS_BYTES_READ]);
  double started = roast_wire_value_get_number (&values[ROAST_CHUNKS_STARTED]);
  double ended = roast_wire_value_get_number (&values[ROAST_CHUNKS_ENDED]);
  double seconds = (ended - started) / G_USEC_PER_SEC;
  gboolean failed = values[ROAST_CHUNKS_ERROR].type == ROAST_WIRE_CELL_STRING && values[ROAST_CHUNKS_ERROR].length > 0;

  sums->chunks = MAX (sums->chunks, 0) + 1;
  sums->failed += failed ? 1 : 0;
  sums->no_bytes += isnan (bytes) ? 1 : 0;
  sums->no_times += isnan (seconds) ? 1 : 0;
  run_quota_add (&sums->bytes_read, bytes);
  run_quota_add (&sums->duration, seconds);
  sums->started = fmin (sums->started, started);
  sums->ended = fmax (sums->ended, ended);
  if (failed)
    return;
  sums->no_events += isnan (events) ? 1 : 0;
  run_quota_add (&sums->events, events);
  add_value (sums, seconds);
}

static void
sum_dataset (RunQuotaSums *sums, const RoastWireValue *values)
{
  double chunks = roast_wire_value_get_number (&values[ROAST_DATASETS_CHUNKS]);

  run_quota_add (&sums->events, roast_wire_value_get_number (&values[ROAST_DATASETS_EVENTS]));
  run_quota_add (&sums->bytes_read, roast_wire_value_get_number (&values[ROAST_DATASETS_BYTES_READ]));
  run_quota_add (&sums->duration, roast_wire_value_get_number (&values[ROAST_DATASETS_DURATION]));
  if (!isnan (chunks))
    sums->chunks = (gint64) MIN ((double) MAX (sums->chunks, 0) + chunks, 9e18);
}

void
roast_run_share_sum (RoastRunShare *self, const RoastWireValue *values)
{
  RunQuotaSums *sums = NULL;

  self->summed++;
  switch (self->kind)
    {
    case KIND_CHUNKS:
      if (is_framework (&values[ROAST_CHUNKS_ROLE]))
        return;
      sums = get_sums (self, &values[ROAST_CHUNKS_DATASET], NULL);
      sum_chunk (sums, values);
      break;
    case KIND_DATASETS:
      sums = get_sums (self, &values[ROAST_DATASETS_DATASET], NULL);
      sum_dataset (sums, values);
      break;
    case KIND_SECTIONS:
      sums = get_sums (self, &values[ROAST_SECTIONS_NAME], &values[ROAST_SECTIONS_KIND]);
      add_value (sums, roast_wire_value_get_number (&values[ROAST_SECTIONS_VALUE]));
      break;
    case KIND_OTHER:
    default:
      return;
    }
  sums->rows++;
}

void
roast_run_share_add_dropped (RoastRunShare *self, guint64 rows)
{
  self->dropped = MIN (self->dropped + rows, G_MAXINT64);
}

gboolean
roast_run_quota_take_remark (RoastRunQuota *self)
{
  return ++self->remarks <= MAX_REMARKS;
}

/* ---- the report ---- */

static void
write_sums (RoastRunShare *self, const RunQuotaSums *sums, RoastTableWriter *writer)
{
  gboolean section = self->kind == KIND_SECTIONS;

  roast_table_writer_set_string (writer, ROAST_PROGRAM_SUMS_TABLE, roast_table_info_get_name (self->info));
  roast_table_writer_set_string (writer, section ? ROAST_PROGRAM_SUMS_SECTION : ROAST_PROGRAM_SUMS_DATASET, sums->name);
  roast_table_writer_set_string (writer, ROAST_PROGRAM_SUMS_KIND, sums->kind);
  roast_table_writer_set_int64 (writer, ROAST_PROGRAM_SUMS_ROWS, sums->rows);
  roast_table_writer_set_count (writer, ROAST_PROGRAM_SUMS_CHUNKS, sums->chunks);
  roast_table_writer_set_double (writer, ROAST_PROGRAM_SUMS_EVENTS, sums->events);
  roast_table_writer_set_double (writer, ROAST_PROGRAM_SUMS_BYTES_READ, sums->bytes_read);
  roast_table_writer_set_double (writer, ROAST_PROGRAM_SUMS_DURATION, sums->duration);
  if (self->kind == KIND_CHUNKS)
    {
      roast_table_writer_set_int64 (writer, ROAST_PROGRAM_SUMS_FAILED, sums->failed);
      roast_table_writer_set_int64 (writer, ROAST_PROGRAM_SUMS_NO_EVENTS, sums->no_events);
      roast_table_writer_set_int64 (writer, ROAST_PROGRAM_SUMS_NO_BYTES, sums->no_bytes);
      roast_table_writer_set_int64 (writer, ROAST_PROGRAM_SUMS_NO_TIMES, sums->no_times);
      if (!isnan (sums->started))
        roast_table_writer_set_int64 (writer, ROAST_PROGRAM_SUMS_STARTED, (gint64) sums->started);
      if (!isnan (sums->ended))
        roast_table_writer_set_int64 (writer, ROAST_PROGRAM_SUMS_ENDED, (gint64) sums->ended);
    }
  if (self->kind == KIND_CHUNKS || section)
    roast_table_writer_set_int64 (writer, ROAST_PROGRAM_SUMS_VALUES, sums->values);
  if (sums->values > 0)
    {
      roast_table_writer_set_double (writer, ROAST_PROGRAM_SUMS_VALUE, sums->value);
      roast_table_writer_set_double (writer, ROAST_PROGRAM_SUMS_LEAST, sums->least);
      roast_table_writer_set_double (writer, ROAST_PROGRAM_SUMS_MOST, sums->most);
    }
  roast_table_writer_end (writer, NULL);
}

/* Report how many rows the program dropped. Nothing else is known about these rows. */
static void
report_dropped (RoastRunShare *self, RoastRecording *recording, const char *source)
{
  g_autoptr (RoastTableWriter) writer = roast_program_sums_write (recording, source);
  g_autofree char *message =
      g_strdup_printf ("the program dropped %" G_GUINT64_FORMAT
                       " %s of the table “%s”, because the rows were invalid or roast could not read them in time. "
                       "Numbers computed from this table are lower bounds",
                       self->dropped, self->dropped == 1 ? "row" : "rows", roast_table_info_get_name (self->info));

  roast_recording_add_event (recording, source, -1, ROAST_SEVERITY_WARNING, "dropped", message);
  if (writer != NULL)
    {
      roast_table_writer_set_string (writer, ROAST_PROGRAM_SUMS_TABLE, roast_table_info_get_name (self->info));
      roast_table_writer_set_int64 (writer, ROAST_PROGRAM_SUMS_DROPPED, (gint64) self->dropped);
      roast_table_writer_end (writer, NULL);
    }
  self->dropped = 0;
}

static void
report_summed (RoastRunShare *self, RoastRecording *recording, const char *source)
{
  static const char *const consequences[] = {
    "the other rows were counted but not kept: numbers computed from this table lack these rows",
    ("the other rows were kept only as sums for each dataset: events, bytes, time and the number of chunks are "
     "complete, but single chunks and their share of a span are not available"),
    "the other rows were kept only as sums for each dataset: totals include these rows",
    "the other rows were kept only as sums for each section: totals include these rows",
  };
  g_autoptr (RoastTableWriter) writer = NULL;
  g_autofree char *message = NULL;

  message = g_strdup_printf ("the program sent %" G_GUINT64_FORMAT
                             " rows of the table “%s”, more than the quota. The first %" G_GUINT64_FORMAT
                             " are in the recording; %s",
                             self->kept + self->summed, roast_table_info_get_name (self->info), self->kept,
                             consequences[self->kind]);
  roast_recording_add_event (recording, source, -1,
                             self->kind == KIND_DATASETS || self->kind == KIND_SECTIONS ? ROAST_SEVERITY_INFO
                                                                                        : ROAST_SEVERITY_WARNING,
                             "quota", message);
  if (self->order->len > 0)
    writer = roast_program_sums_write (recording, source);
  for (guint i = 0; writer != NULL && i < self->order->len; i++)
    write_sums (self, g_ptr_array_index (self->order, i), writer);
  g_hash_table_remove_all (self->sums);
  g_ptr_array_set_size (self->order, 0);
  self->kept += self->summed;
  self->summed = 0;
}

void
roast_run_quota_report (RoastRunQuota *self, RoastRecording *recording, const char *source)
{
  for (guint i = 0; i < self->shares->len; i++)
    {
      RoastRunShare *share = g_ptr_array_index (self->shares, i);

      if (share->summed > 0)
        report_summed (share, recording, source);
      if (share->dropped > 0)
        report_dropped (share, recording, source);
    }
  if (self->remarks > MAX_REMARKS)
    {
      g_autofree char *message =
          g_strdup_printf ("the program sent %" G_GUINT64_FORMAT
                           " remarks, more than the quota: only the first %d are in the recording",
                           self->remarks, MAX_REMARKS);

      roast_recording_add_event (recording, source, -1, ROAST_SEVERITY_WARNING, "quota", message);
    }
  self->remarks = 0;
}
