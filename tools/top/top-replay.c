/* SPDX-License-Identifier: BSD-3-Clause */

/* Makes the recording as it was known at an earlier moment of the run. A replay shows the report of this recording. */

#include "top.h"

/* Tables of entities. A row is written when its entity begins, and gets more cells until the entity ends. Before the
 * end, only these cells are known: times that have passed, and the columns in @known, such as requested and allocated
 * resources. */
static const struct
{
  const char *table;
  const char *ends[3]; /* columns that may contain the end of the entity; the first one with a value counts */
  const char *known[12];
} entities[] = {
  { "tasks",
    { "noticed", "ended" },
    { "source", "task", "attempt", "category", "role", "span", "worker", "cores_requested", "memory_requested",
      "disk_requested", "gpus_requested" } },
  { "workers",
    { "left" },
    { "source", "worker", "name", "host", "pid", "cores", "memory_limit", "process_workers", "clock_offset",
      "clock_uncertainty" } },
  { "processes", { "ended" }, { "source", "process", "pid", "parent", "command", "command_line" } },
  { "spans", { "ended" }, { "source", "span", "name", "kind", "parent" } },
  { "processing",
    { "ended" },
    { "source", "call", "kind", "executor", "processor", "schema", "chunk_size", "framework", "reader", "host",
      "pid" } },
};

/* Tables without times that are kept as a whole, because they contain descriptions rather than counts. */
static const char *const descriptions[] = { "sources", "categories", NULL };

/* Metadata of a process tree that are known from its start on. All other metadata of a process tree are totals over the
 * whole run. */
static const char *const tree_start[] = { "tree-source",      "tree-attached",        "tree-accounting",
                                          "tree-cores",       "tree-cgroup-cores",    "tree-cgroup-memory-limit",
                                          "tree-host-memory", "tree-accounting-text", NULL };

typedef struct
{
  RoastTableReader *reader;
  RoastTableWriter *writer;
  gint64 moment;
  GArray *times; /* slots of all columns that are times */
  int entity;    /* index in entities; -1 if the table is a log */
  guint ends[2];
  guint n_ends;
  guint worker, given[2]; /* slots of a task's worker and of its times there; G_MAXUINT if there is no such column */
  gboolean *is_known;     /* for each slot: whether its cell is known before the entity ends */
} Cut;

static int
find_entity (const char *table)
{
  for (guint i = 0; i < G_N_ELEMENTS (entities); i++)
    if (g_str_equal (entities[i].table, table))
      return (int) i;

  return -1;
}

static gboolean
is_time (RoastColumn *column)
{
  return g_strcmp0 (roast_column_get_unit (column), "us") == 0;
}

static guint
find_task_column (RoastTableInfo *info, const char *name)
{
  guint slot = G_MAXUINT;

  if (g_str_equal (roast_table_info_get_name (info), ROAST_TABLE_TASKS))
    roast_table_info_find_column (info, name, &slot);

  return slot;
}

static void
cut_bind (Cut *self, RoastTableInfo *info)
{
  guint n = roast_table_info_get_n_columns (info);

  self->worker = find_task_column (info, "worker");
  self->given[0] = find_task_column (info, "dispatched");
  self->given[1] = find_task_column (info, "started");
  self->entity = find_entity (roast_table_info_get_name (info));
  self->times = g_array_new (FALSE, FALSE, sizeof (guint));
  self->is_known = g_new0 (gboolean, n);
  for (guint i = 0; i < n; i++)
    {
      RoastColumn *column = roast_table_info_get_column (info, i);

      if (is_time (column))
        g_array_append_val (self->times, i);
      self->is_known[i] =
          is_time (column) || self->entity < 0 ||
          g_strv_contains ((const char *const *) entities[self->entity].known, roast_column_get_name (column));
    }
  for (guint i = 0; self->entity >= 0 && entities[self->entity].ends[i] != NULL; i++)
    if (roast_table_info_find_column (info, entities[self->entity].ends[i], &self->ends[self->n_ends]))
      self->n_ends++;
}

static void
cut_clear (Cut *self)
{
  g_clear_object (&self->reader);
  g_clear_object (&self->writer);
  g_clear_pointer (&self->times, g_array_unref);
  g_clear_pointer (&self->is_known, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Cut, cut_clear)

static gint64
cut_get_time (const Cut *self, guint slot)
{
  return roast_table_reader_get_int64 (self->reader, slot, -1);
}

/* Returns whether the row existed at the moment. A row of a log exists from the latest of its times on. A row of an
 * entity exists from its first time on. */
static gboolean
cut_has_row (const Cut *self)
{
  gint64 first = -1, last = -1;

  for (guint i = 0; i < self->times->len; i++)
    {
      gint64 time = cut_get_time (self, g_array_index (self->times, guint, i));

      first = first < 0 ? time : first;
      last = MAX (last, time);
    }

  return self->entity < 0 ? last <= self->moment : first >= 0 && first <= self->moment;
}

static gboolean
cut_has_ended (const Cut *self)
{
  for (guint i = 0; i < self->n_ends; i++)
    if (roast_table_reader_has (self->reader, self->ends[i]))
      return cut_get_time (self, self->ends[i]) <= self->moment;

  return self->entity < 0;
}

/* Returns whether the task had been given to its worker. */
static gboolean
cut_is_given (const Cut *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->given); i++)
    if (self->given[i] != G_MAXUINT && roast_table_reader_has (self->reader, self->given[i]) &&
        cut_get_time (self, self->given[i]) <= self->moment)
      return TRUE;

  return FALSE;
}

static void
cut_copy_cell (const Cut *self, guint slot)
{
  switch (roast_column_get_column_type (roast_table_reader_get_column (self->reader, slot)))
    {
    case ROAST_COLUMN_TYPE_INT64:
      roast_table_writer_set_int64 (self->writer, slot, roast_table_reader_get_int64 (self->reader, slot, 0));
      break;
    case ROAST_COLUMN_TYPE_DOUBLE:
      roast_table_writer_set_double (self->writer, slot, roast_table_reader_get_double (self->reader, slot));
      break;
    case ROAST_COLUMN_TYPE_BOOLEAN:
      roast_table_writer_set_boolean (self->writer, slot, roast_table_reader_get_boolean (self->reader, slot));
      break;
    case ROAST_COLUMN_TYPE_STRING:
    case ROAST_COLUMN_TYPE_CATEGORY:
    default:
      roast_table_writer_set_string (self->writer, slot, roast_table_reader_get_string (self->reader, slot));
    }
}

static void
cut_copy_row (const Cut *self)
{
  gboolean has_ended = cut_has_ended (self);
  guint next = 0;

  for (guint slot = 0; slot < roast_table_reader_get_n_columns (self->reader); slot++)
    {
      gboolean is_time = next < self->times->len && g_array_index (self->times, guint, next) == slot;

      next += is_time;
      if ((has_ended || (self->is_known[slot] && (slot != self->worker || cut_is_given (self)))) &&
          roast_table_reader_has (self->reader, slot) && !(is_time && cut_get_time (self, slot) > self->moment))
        cut_copy_cell (self, slot);
    }
  roast_table_writer_end (self->writer, NULL);
}

/* Records that a table is left out, because its rows have no times. */
static gboolean
leave_out (RoastRecording *past, const char *table, GError **error)
{
  g_autoptr (RoastTableWriter) writer =
      roast_recording_write_table (past, ROAST_TABLE_COVERAGE, NULL, roast_coverage_columns, error);

  if (writer == NULL)
    return FALSE;
  roast_table_writer_set_string (writer, ROAST_COVERAGE_TABLE, table);
  roast_table_writer_set_string (writer, ROAST_COVERAGE_STATE, "none");
  roast_table_writer_set_string (writer, ROAST_COVERAGE_REASON,
                                 "a replay leaves out these rows, because these rows have no times");
  roast_table_writer_end (writer, NULL);

  return TRUE;
}

/* Returns whether a row about missing data counts at the moment. It counts from its start on, even if its end is
 * later. */
static gboolean
cut_has_gap (const Cut *self, guint from)
{
  return cut_get_time (self, from) <= self->moment;
}

static gboolean
cut_table (RoastRecording *whole, RoastRecording *past, gint64 moment, const char *table, GError **error)
{
  g_auto (Cut) cut = { .moment = moment };
  gboolean is_coverage = g_str_equal (table, ROAST_TABLE_COVERAGE);
  RoastTableInfo *info;
  guint from = 0;

  cut.reader = roast_recording_read_table (whole, table, NULL, error);
  if (cut.reader == NULL)
    return FALSE;
  info = roast_table_reader_get_info (cut.reader);
  if (roast_table_info_get_origin (info) != ROAST_TABLE_ORIGIN_MEASURED)
    return TRUE;
  cut_bind (&cut, info);
  if (cut.times->len == 0 && !g_strv_contains (descriptions, table))
    return roast_table_reader_get_n_rows (cut.reader) == 0 || leave_out (past, table, error);
  cut.writer = roast_recording_write_table (past, table, NULL, NULL, error);
  if (cut.writer == NULL)
    return FALSE;
  if (is_coverage)
    roast_table_info_find_column (info, "from", &from);
  while (roast_table_reader_next (cut.reader))
    if (is_coverage ? cut_has_gap (&cut, from) : cut_has_row (&cut))
      cut_copy_row (&cut);

  return TRUE;
}

static void
copy_metadata (RoastRecording *whole, RoastRecording *past)
{
  g_autoptr (GVariant) metadata = roast_recording_dup_metadata (whole);
  GVariantIter iter;
  const char *key;
  GVariant *value;

  g_variant_iter_init (&iter, metadata);
  while (g_variant_iter_loop (&iter, "{&sv}", &key, &value))
    if (!g_str_has_prefix (key, "ended") && !g_str_equal (key, "own-cpu") &&
        (!g_str_has_prefix (key, "tree-") || g_strv_contains (tree_start, key)))
      roast_recording_set_metadata (past, key, value);
}

RoastRecording *
top_replay_cut (RoastRecording *whole, gint64 started, gint64 moment, GError **error)
{
  g_autoptr (RoastRecording) past = roast_recording_new (roast_recording_get_schema (whole));
  g_auto (GStrv) tables = roast_recording_dup_table_names (whole);

  copy_metadata (whole, past);
  roast_recording_set_times (past, started, moment);
  roast_recording_set_metadata (past, "goes-on", g_variant_new_boolean (TRUE));
  for (char **table = tables; *table != NULL; table++)
    if (!cut_table (whole, past, moment, *table, error))
      return NULL;

  return g_steal_pointer (&past);
}
