/* SPDX-License-Identifier: BSD-3-Clause */

/* What roastcoffea recorded of chunks, their sections and their files. */

#include <math.h>
#include <string.h>

#include "roastcoffea.h"

typedef enum
{
  T_START,
  T_END,
  DURATION,
  NUMBERS_OF_ROW, /* those that follow are cells as they are */
  MEMORY_DELTA = NUMBERS_OF_ROW,
  MEMORY_BEFORE,
  MEMORY_AFTER,
  BYTES_READ,
  NUM_EVENTS,
  ENTRY_START,
  ENTRY_STOP,
  BRANCHES,
  N_NUMBERS,
} Number;

static const struct
{
  const char *name;
  guint slot;
  double factor;
} numbers[N_NUMBERS] = {
  [T_START] = { "t_start", 0, 0 },
  [T_END] = { "t_end", 0, 0 },
  [DURATION] = { "duration", 0, 0 },
  [MEMORY_DELTA] = { "mem_delta_mb", ROAST_CHUNKS_MEMORY, ROASTCOFFEA_MIB },
  [MEMORY_BEFORE] = { "mem_before_mb", ROAST_CHUNKS_MEMORY_START, ROASTCOFFEA_MIB },
  [MEMORY_AFTER] = { "mem_after_mb", ROAST_CHUNKS_MEMORY_END, ROASTCOFFEA_MIB },
  [BYTES_READ] = { "bytes_read", ROAST_CHUNKS_BYTES_READ, 1 },
  [NUM_EVENTS] = { "num_events", ROAST_CHUNKS_EVENTS, 1 },
  [ENTRY_START] = { "entry_start", ROAST_CHUNKS_ENTRY_START, 1 },
  [ENTRY_STOP] = { "entry_stop", ROAST_CHUNKS_ENTRY_STOP, 1 },
  [BRANCHES] = { "num_branches_accessed", ROAST_CHUNKS_BRANCHES_READ, 1 },
};

static const struct
{
  const char *name;
  guint slot;
} texts[] = {
  { "dataset", ROAST_CHUNKS_DATASET },
  { "file", ROAST_CHUNKS_FILE },
  { "error", ROAST_CHUNKS_ERROR },
};
#define FILE_TEXT 1

typedef enum
{
  TIMING,
  MEMORY,
  BYTES,
  ACCESSED,
  N_PARTS,
} Part;

static const struct
{
  const char *name;
  guint kind;
  double factor;
} parts[N_PARTS] = {
  [TIMING] = { "timing", ROAST_SECTION_KIND_TIME, 1 },
  [MEMORY] = { "memory", ROAST_SECTION_KIND_MEMORY, ROASTCOFFEA_MIB },
  [BYTES] = { "bytes", ROAST_SECTION_KIND_BYTES, 1 },
  [ACCESSED] = { "accessed_branches", 0, 0 },
};

/* Members whose content other rows have. */
static const char *const elsewhere[] = { "file_metadata", "timestamp" };

typedef struct
{
  Roastcoffea *roastcoffea;
  RoastTableWriter *chunks, *sections, *branches;
  GString *name, *text;
  char id[24];
  char *file;
  double values[N_NUMBERS];
  const char *at[N_PARTS];
} Chunks;

static void
chunks_clear (Chunks *self)
{
  g_clear_object (&self->chunks);
  g_clear_object (&self->sections);
  g_clear_object (&self->branches);
  g_string_free (self->name, TRUE);
  g_string_free (self->text, TRUE);
  g_free (self->file);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Chunks, chunks_clear)

static gboolean
chunks_begin (Chunks *self, Roastcoffea *roastcoffea, GError **error)
{
  self->roastcoffea = roastcoffea;
  self->name = g_string_new (NULL);
  self->text = g_string_new (NULL);
  self->chunks = roast_recording_write_table (roastcoffea->recording, ROAST_TABLE_CHUNKS, roastcoffea->source,
                                              roast_chunks_columns, error);
  if (self->chunks == NULL)
    return FALSE;
  self->sections = roast_recording_write_table (roastcoffea->recording, ROAST_TABLE_SECTIONS, roastcoffea->source,
                                                roast_sections_columns, error);
  if (self->sections == NULL)
    return FALSE;
  self->branches = roast_recording_write_table (roastcoffea->recording, ROAST_TABLE_CHUNK_BRANCHES, roastcoffea->source,
                                                roast_chunk_branches_columns, error);

  return self->branches != NULL;
}

/* ---- one chunk ---- */

static gboolean
take_text (Chunks *self, RoastJsonScan *scan, guint which)
{
  gboolean is_null = FALSE;

  if (!json_walk_text (scan, self->text, &is_null))
    return FALSE;
  if (is_null)
    return TRUE;
  roast_table_writer_set_string (self->chunks, texts[which].slot, self->text->str);
  if (which == FILE_TEXT)
    {
      g_free (self->file);
      self->file = g_strdup (self->text->str);
    }

  return TRUE;
}

static gboolean
take_member (Chunks *self, RoastJsonScan *scan)
{
  if (!json_walk_name (scan, self->name))
    return FALSE;
  for (guint i = 0; i < N_NUMBERS; i++)
    if (g_str_equal (self->name->str, numbers[i].name))
      return json_walk_number (scan, &self->values[i]);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (g_str_equal (self->name->str, texts[i].name))
      return take_text (self, scan, i);
  for (guint i = 0; i < N_PARTS; i++)
    if (g_str_equal (self->name->str, parts[i].name))
      {
        self->at[i] = scan->at;
        return json_walk_skip (scan);
      }
  for (guint i = 0; i < G_N_ELEMENTS (elsewhere); i++)
    if (g_str_equal (self->name->str, elsewhere[i]))
      return json_walk_skip (scan);
  roastcoffea_leave_out (self->roastcoffea, self->name->str);

  return json_walk_skip (scan);
}

static void
set_numbers (Chunks *self, gint64 started, gint64 ended)
{
  roast_table_writer_set_string (self->chunks, ROAST_CHUNKS_CHUNK, self->id);
  if (started >= 0)
    roast_table_writer_set_int64 (self->chunks, ROAST_CHUNKS_STARTED, started);
  if (ended >= 0)
    roast_table_writer_set_int64 (self->chunks, ROAST_CHUNKS_ENDED, ended);
  for (guint i = NUMBERS_OF_ROW; i < N_NUMBERS; i++)
    if (i == MEMORY_DELTA && fabs (self->values[i]) < 1e12)
      roast_table_writer_set_int64 (self->chunks, numbers[i].slot, llround (self->values[i] * numbers[i].factor));
    else if (i != MEMORY_DELTA)
      roastcoffea_set_count (self->chunks, numbers[i].slot, self->values[i], numbers[i].factor);
}

/* {name: value} */
static gboolean
take_sections (Chunks *self, Part part, gint64 time, GError **error)
{
  RoastJsonScan scan = roastcoffea_scan (self->roastcoffea, self->at[part]);
  guint64 n = 0;
  double value;

  if (!json_walk_open (&scan, '{'))
    return roastcoffea_fail (self->roastcoffea, &scan, error);
  while (json_walk_next (&scan, '{', &n))
    {
      if (!json_walk_name (&scan, self->name) || !json_walk_number (&scan, &value))
        return roastcoffea_fail (self->roastcoffea, &scan, error);
      if (time >= 0)
        roast_table_writer_set_int64 (self->sections, ROAST_SECTIONS_TIME, time);
      roast_table_writer_set_string (self->sections, ROAST_SECTIONS_CHUNK, self->id);
      roast_table_writer_set_string (self->sections, ROAST_SECTIONS_NAME, self->name->str);
      roast_table_writer_set_word (self->sections, ROAST_SECTIONS_KIND, parts[part].kind);
      roast_table_writer_set_double (self->sections, ROAST_SECTIONS_VALUE, value * parts[part].factor);
      if (!roast_table_writer_close (self->sections, error))
        return FALSE;
    }

  return scan.fault == NULL || roastcoffea_fail (self->roastcoffea, &scan, error);
}

/* [branch, …] */
static gboolean
take_branches (Chunks *self, GError **error)
{
  RoastJsonScan scan = roastcoffea_scan (self->roastcoffea, self->at[ACCESSED]);
  guint64 n = 0;

  if (!json_walk_open (&scan, '['))
    return roastcoffea_fail (self->roastcoffea, &scan, error);
  while (json_walk_next (&scan, '[', &n))
    {
      if (!json_walk_text (&scan, self->text, NULL))
        return roastcoffea_fail (self->roastcoffea, &scan, error);
      roast_table_writer_set_string (self->branches, ROAST_CHUNK_BRANCHES_CHUNK, self->id);
      if (self->file != NULL)
        roast_table_writer_set_string (self->branches, ROAST_CHUNK_BRANCHES_FILE, self->file);
      roast_table_writer_set_string (self->branches, ROAST_CHUNK_BRANCHES_BRANCH, self->text->str);
      if (!roast_table_writer_close (self->branches, error))
        return FALSE;
    }

  return scan.fault == NULL || roastcoffea_fail (self->roastcoffea, &scan, error);
}

static void
count (Chunks *self, gboolean failed)
{
  Roastcoffea *roastcoffea = self->roastcoffea;

  if (!failed && !isnan (self->values[NUM_EVENTS]))
    {
      roastcoffea->n_events++;
      roastcoffea->events += self->values[NUM_EVENTS];
    }
  if (!isnan (self->values[BYTES_READ]))
    {
      roastcoffea->n_bytes++;
      roastcoffea->bytes += self->values[BYTES_READ];
    }
}

static gboolean
take_chunk (Chunks *self, RoastJsonScan *scan, GError **error)
{
  gint64 started, ended;
  guint64 n = 0;

  g_snprintf (self->id, sizeof self->id, "%" G_GUINT64_FORMAT, self->roastcoffea->n_chunks++);
  g_clear_pointer (&self->file, g_free);
  memset (self->at, 0, sizeof self->at);
  for (guint i = 0; i < N_NUMBERS; i++)
    self->values[i] = NAN;
  if (!json_walk_open (scan, '{'))
    return roastcoffea_fail (self->roastcoffea, scan, error);
  while (json_walk_next (scan, '{', &n))
    if (!take_member (self, scan))
      return roastcoffea_fail (self->roastcoffea, scan, error);
  if (scan->fault != NULL)
    return roastcoffea_fail (self->roastcoffea, scan, error);
  if (isnan (self->values[T_END]))
    self->values[T_END] = self->values[T_START] + self->values[DURATION];
  started = roastcoffea_time (self->roastcoffea, self->values[T_START]);
  ended = roastcoffea_time (self->roastcoffea, self->values[T_END]);
  set_numbers (self, started, ended);
  count (self, FALSE);
  if (!roast_table_writer_close (self->chunks, error))
    return FALSE;
  for (guint i = 0; i < ACCESSED; i++)
    if (self->at[i] != NULL && !take_sections (self, i, ended, error))
      return FALSE;

  return self->at[ACCESSED] == NULL || take_branches (self, error);
}

gboolean
roastcoffea_take_chunks (Roastcoffea *roastcoffea, GError **error)
{
  g_auto (Chunks) self = { 0 };
  RoastJsonScan scan = roastcoffea_scan (roastcoffea, roastcoffea->parts[ROASTCOFFEA_CHUNKS]);
  guint64 n = 0;

  if (!chunks_begin (&self, roastcoffea, error))
    return FALSE;
  if (roastcoffea->parts[ROASTCOFFEA_CHUNKS] == NULL)
    return TRUE;
  if (!json_walk_open (&scan, '['))
    return roastcoffea_fail (roastcoffea, &scan, error);
  while (json_walk_next (&scan, '[', &n))
    if (!take_chunk (&self, &scan, error))
      return FALSE;

  return scan.fault == NULL || roastcoffea_fail (roastcoffea, &scan, error);
}
