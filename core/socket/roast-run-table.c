/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-run-table-private.h"

#include "base/roast-redact-private.h"
#include "recording/roast-recording-private.h"

#include <string.h>

#include "base/roast-fail-private.h"
#include "base/roast-json-scan-private.h"
#include "roast/roast-tables.h"
#include "table/roast-table-info-private.h"
#include "table/roast-table-writer-private.h"

#define MIN_TIME 1e14 /* µs since the epoch, in 1973; a smaller time is refused, because it must be in another unit */
#define MAX_SKEW G_TIME_SPAN_MINUTE /* how far times may be outside the run, because clocks of hosts differ */
#define MAX_INTEGER G_GINT64_CONSTANT (999999999999999999) /* larger integers are refused, so that sums fit 64 bits */

struct _RoastRunTable
{
  RoastTableInfo *info;
  RoastTableWriter *writer;
  guint n_columns;
  guint time_column; /* number of the column with the time; n_columns if the table has no such column */
  guint pid_column;
  guint file_column;    /* column of a file name, which may be a URL */
  guint message_column; /* column of a text, which may contain a URL */
  gint64 pid;
  gint64 started; /* start of the run; G_MININT64 if unknown */
  char *remark;   /* remark about the last row; NULL if there is no remark */
  RoastRecording *recording;
  RoastRunShare *share;
};

static guint
run_table_find_column (RoastTableInfo *info, const char *name)
{
  guint column;

  return roast_table_info_find_column (info, name, &column) ? column : roast_table_info_get_n_columns (info);
}

RoastRunTable *
roast_run_table_new (RoastRecording *recording, RoastTableInfo *info, const char *source, gint64 pid,
                     RoastRunShare *share, GError **error)
{
  g_autoptr (RoastRunTable) self = g_new0 (RoastRunTable, 1);
  RoastTable *table = roast_recording_get_table (recording, roast_table_info_get_name (info));
  g_autoptr (GVariant) metadata = NULL;

  self->info = g_object_ref (info);
  self->n_columns = roast_table_info_get_n_columns (info);
  self->time_column = run_table_find_column (info, roast_sections_columns[ROAST_SECTIONS_TIME]);
  self->pid_column = run_table_find_column (info, roast_sections_columns[ROAST_SECTIONS_PID]);
  self->file_column = run_table_find_column (info, roast_chunks_columns[ROAST_CHUNKS_FILE]);
  self->message_column = run_table_find_column (info, roast_chunks_columns[ROAST_CHUNKS_ERROR_MESSAGE]);
  self->pid = pid;
  self->share = share;
  self->recording = g_object_ref (recording);
  metadata = roast_recording_dup_metadata (recording);
  if (!g_variant_lookup (metadata, "started", "x", &self->started))
    self->started = G_MININT64 + MAX_SKEW;
  self->writer = roast_table_writer_new (table, source, NULL, NULL, NULL, NULL, error);

  return self->writer != NULL ? g_steal_pointer (&self) : NULL;
}

void
roast_run_table_free (RoastRunTable *self)
{
  g_clear_object (&self->writer);
  g_clear_object (&self->recording);
  g_clear_object (&self->info);
  g_free (self->remark);
  g_free (self);
}

RoastTableInfo *
roast_run_table_get_info (RoastRunTable *self)
{
  return self->info;
}

/* ---- cells ---- */

static gboolean
run_table_refuse (RoastRunTable *self, guint column, const char *fault, GError **error)
{
  return roast_fail (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_TYPE, "column “%s” of table “%s”: %s",
                     roast_column_get_name (roast_table_info_get_column (self->info, column)),
                     roast_table_info_get_name (self->info), fault);
}

static gboolean
is_table (RoastRunTable *self, const char *name)
{
  return g_str_equal (roast_table_info_get_name (self->info), name);
}

static gboolean
check_number (RoastRunTable *self, guint column, double value, GError **error)
{
  const char *unit = NULL;

  if (value >= MIN_TIME && value <= ROAST_MAX_EXACT)
    return TRUE;
  unit = roast_column_get_unit (roast_table_info_get_column (self->info, column));
  if (g_strcmp0 (unit, "us") == 0)
    return run_table_refuse (self, column,
                             "the value is not a time since 1973 (times are microseconds in rows and seconds in "
                             "messages)",
                             error);
  if (value < 0 && !roast_column_may_be_negative (roast_table_info_get_column (self->info, column)))
    return run_table_refuse (self, column, "the value cannot be negative", error);

  return TRUE;
}

static gboolean
check_integer (RoastRunTable *self, guint column, gint64 value, GError **error)
{
  if (!check_number (self, column, (double) value, error))
    return FALSE;

  return (value <= MAX_INTEGER && value >= -MAX_INTEGER) ||
         run_table_refuse (self, column, "an integer cannot have more than 18 digits", error);
}

static gboolean
check_cell (RoastRunTable *self, guint column, const RoastWireValue *value, GError **error)
{
  if (value->type == ROAST_WIRE_CELL_INT64)
    return check_integer (self, column, value->integer, error);

  return value->type != ROAST_WIRE_CELL_DOUBLE || check_number (self, column, value->real, error);
}

static void
set_real (RoastRunTable *self, guint column, const RoastWireValue *value)
{
  gint64 integer = 0;

  if (roast_table_info_type_of (self->info, column) == ROAST_COLUMN_TYPE_INT64 &&
      roast_wire_value_get_integer (value, &integer))
    roast_table_writer_set_int64 (self->writer, column, integer);
  else
    roast_table_writer_set_double (self->writer, column, value->real);
}

/* Remove secrets from the URLs in a text. Return NULL if the text has no secrets. */
static char *
redact (RoastRunTable *self, guint column, const char *text)
{
  if (column == self->file_column)
    return roast_redact_file (text);

  return column == self->message_column && strstr (text, "://") != NULL ? roast_redact_text (text) : NULL;
}

static void
set_text (RoastRunTable *self, guint column, const RoastWireValue *value)
{
  g_autofree char *redacted = redact (self, column, value->text);

  if (redacted != NULL)
    roast_table_writer_set_text (self->writer, column, redacted, strlen (redacted));
  else
    roast_table_writer_set_text (self->writer, column, value->text, value->length);
}

static void
run_table_set_cell (RoastRunTable *self, guint column, const RoastWireValue *value)
{
  switch (value->type)
    {
    case ROAST_WIRE_CELL_BOOLEAN:
      roast_table_writer_set_boolean (self->writer, column, value->boolean);
      break;

    case ROAST_WIRE_CELL_INT64:
      roast_table_writer_set_int64 (self->writer, column, value->integer);
      break;

    case ROAST_WIRE_CELL_DOUBLE:
      set_real (self, column, value);
      break;

    case ROAST_WIRE_CELL_STRING:
      /* Treat empty text as missing, because a shell script sends empty text for a variable that is not set. */
      if (value->length > 0)
        set_text (self, column, value);
      break;

    case ROAST_WIRE_CELL_MISSING:
    default:
      break;
    }
}

/* ---- rows ---- */

static gboolean
check_order (RoastRunTable *self, const RoastWireValue *values, guint first, guint last, const char *fault,
             GError **error)
{
  return !(roast_wire_value_get_number (&values[last]) < roast_wire_value_get_number (&values[first])) ||
         run_table_refuse (self, last, fault, error);
}

/* Check that no part of a chunk's time is longer than the chunk. Allow a small difference between clocks. */
static gboolean
check_parts (RoastRunTable *self, const RoastWireValue *values, GError **error)
{
  static const guint parts[] = { ROAST_CHUNKS_OPEN_TIME, ROAST_CHUNKS_PROCESS_TIME, ROAST_CHUNKS_THREAD_CPU,
                                 ROAST_CHUNKS_LOAD_TIME, ROAST_CHUNKS_FUNCTION_CPU };
  double time = (roast_wire_value_get_number (&values[ROAST_CHUNKS_ENDED]) -
                 roast_wire_value_get_number (&values[ROAST_CHUNKS_STARTED])) /
                G_USEC_PER_SEC;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (roast_wire_value_get_number (&values[parts[i]]) > 1.01 * time + 0.01)
      return run_table_refuse (self, parts[i], "the value cannot be longer than the chunk took", error);

  return TRUE;
}

static gboolean
check_section (RoastRunTable *self, const RoastWireValue *values, GError **error)
{
  const RoastWireValue *kind = &values[ROAST_SECTIONS_KIND];

  if (kind->type == ROAST_WIRE_CELL_STRING && roast_wire_value_get_number (&values[ROAST_SECTIONS_VALUE]) < 0 &&
      (g_str_equal (kind->text, roast_section_kind_words[ROAST_SECTION_KIND_TIME]) ||
       g_str_equal (kind->text, roast_section_kind_words[ROAST_SECTION_KIND_BYTES])))
    return run_table_refuse (self, ROAST_SECTIONS_VALUE, "the value cannot be negative", error);

  return TRUE;
}

/* Check a row. The first column of every table is the source, which programs must not write. */
static gboolean
check_row (RoastRunTable *self, const RoastWireValue *values, GError **error)
{
  if (values[0].type != ROAST_WIRE_CELL_MISSING)
    return run_table_refuse (self, 0, "the cell must be empty, because roast writes this column", error);
  for (guint i = 1; i < self->n_columns; i++)
    if (!check_cell (self, i, &values[i], error))
      return FALSE;
  if (is_table (self, ROAST_TABLE_CHUNKS))
    return check_order (self, values, ROAST_CHUNKS_STARTED, ROAST_CHUNKS_ENDED, "the end cannot be before the start",
                        error) &&
           check_order (self, values, ROAST_CHUNKS_ENTRY_START, ROAST_CHUNKS_ENTRY_STOP,
                        "the last entry cannot be before the first entry", error) &&
           check_parts (self, values, error);
  if (is_table (self, ROAST_TABLE_PROCESSING))
    return check_order (self, values, ROAST_PROCESSING_STARTED, ROAST_PROCESSING_ENDED,
                        "the end cannot be before the start", error);

  return !is_table (self, ROAST_TABLE_SECTIONS) || check_section (self, values, error);
}

/* ---- times outside the run ---- */

static gboolean
run_table_is_outside (RoastRunTable *self, guint column, const RoastWireValue *value)
{
  return value->type == ROAST_WIRE_CELL_INT64 &&
         g_strcmp0 (roast_column_get_unit (roast_table_info_get_column (self->info, column)), "us") == 0 &&
         (value->integer < self->started - MAX_SKEW || value->integer > g_get_real_time () + MAX_SKEW);
}

/* Return a copy of a row in which the times outside the run are missing. Return NULL if there are no such times. */
static RoastWireValue *
dup_without_outside (RoastRunTable *self, const RoastWireValue *values)
{
  RoastWireValue *copy = NULL;

  for (guint i = 1; i < self->n_columns; i++)
    if (G_UNLIKELY (run_table_is_outside (self, i, &values[i])))
      {
        if (copy == NULL)
          copy = g_memdup2 (values, self->n_columns * sizeof *values);
        copy[i].type = ROAST_WIRE_CELL_MISSING;
        g_free (self->remark);
        self->remark = g_strdup_printf ("column “%s” of table “%s” has times outside the run, which roast leaves out",
                                        roast_column_get_name (roast_table_info_get_column (self->info, i)),
                                        roast_table_info_get_name (self->info));
        roast_recording_add_lost_cells (self->recording, roast_table_info_get_name (self->info),
                                        roast_column_get_name (roast_table_info_get_column (self->info, i)),
                                        self->remark);
      }

  return copy;
}

char *
roast_run_table_steal_remark (RoastRunTable *self)
{
  return g_steal_pointer (&self->remark);
}

/* ---- rows beyond the quota ---- */

/* Return whether the column has a closed vocabulary that lacks the word, so that the table would refuse it. */
static gboolean
is_foreign_word (RoastColumn *column, const RoastWireValue *value)
{
  RoastVocabulary *vocabulary = roast_column_get_vocabulary (column);
  guint word;

  return vocabulary != NULL && roast_vocabulary_is_closed (vocabulary) && value->length > 0 &&
         !roast_vocabulary_find (vocabulary, value->text, &word);
}

static gboolean
fits (RoastRunTable *self, guint index, const RoastWireValue *value)
{
  RoastColumn *column = roast_table_info_get_column (self->info, index);
  RoastColumnType type = roast_column_get_column_type (column);
  gint64 integer = 0;

  switch (value->type)
    {
    case ROAST_WIRE_CELL_BOOLEAN:
      return type == ROAST_COLUMN_TYPE_BOOLEAN;

    case ROAST_WIRE_CELL_INT64:
    case ROAST_WIRE_CELL_DOUBLE:
      return type == ROAST_COLUMN_TYPE_DOUBLE ||
             (type == ROAST_COLUMN_TYPE_INT64 && roast_wire_value_get_integer (value, &integer));

    case ROAST_WIRE_CELL_STRING:
      return (type == ROAST_COLUMN_TYPE_STRING || type == ROAST_COLUMN_TYPE_CATEGORY) &&
             !is_foreign_word (column, value);

    case ROAST_WIRE_CELL_MISSING:
    default:
      return TRUE;
    }
}

/* Return whether the table would accept all cells. Otherwise the row must be given to the writer, so that the writer
 * refuses and reports the row. */
static gboolean
all_fit (RoastRunTable *self, const RoastWireValue *values)
{
  for (guint i = 1; i < self->n_columns; i++)
    if (!fits (self, i, &values[i]))
      return FALSE;

  return TRUE;
}

gboolean
roast_run_table_add (RoastRunTable *self, const RoastWireValue *values, GError **error)
{
  g_autofree RoastWireValue *possible = NULL;

  if (!check_row (self, values, error))
    return FALSE;
  possible = dup_without_outside (self, values);
  if (possible != NULL)
    values = possible;
  /* If a row is only added to the sums, do not give it to the writer, because the writer would keep the texts of
   * categories in memory. */
  if (!roast_run_share_has_room (self->share) && all_fit (self, values))
    {
      roast_run_share_sum (self->share, values);
      return TRUE;
    }
  for (guint i = 1; i < self->n_columns; i++)
    run_table_set_cell (self, i, &values[i]);
  if (self->pid > 0 && self->pid_column < self->n_columns && values[self->pid_column].type == ROAST_WIRE_CELL_MISSING)
    roast_table_writer_set_int64 (self->writer, self->pid_column, self->pid);
  if (self->time_column < self->n_columns && values[self->time_column].type == ROAST_WIRE_CELL_MISSING)
    roast_table_writer_set_int64 (self->writer, self->time_column, g_get_real_time ());

  if (!roast_table_writer_end (self->writer, error))
    return FALSE;
  roast_run_share_add_kept (self->share);

  return TRUE;
}
