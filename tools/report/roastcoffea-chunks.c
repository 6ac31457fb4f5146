/* SPDX-License-Identifier: BSD-3-Clause */

/* Imports roastcoffea's records of chunks, their sections and their branches. */

#include <math.h>
#include <string.h>

#include "roastcoffea.h"

#define MEMORY_DELTA 0                       /* index in roastcoffea_chunk_numbers */
#define ACCESSED ROASTCOFFEA_N_SECTION_KINDS /* index after the kinds of sections */

static const struct
{
  const char *name;
  guint slot;
} texts[] = {
  { "dataset", ROAST_CHUNKS_DATASET },
  { "file", ROAST_CHUNKS_FILE },
  { "error", ROAST_CHUNKS_ERROR },
};

/* Members whose content is in other rows. */
static const char *const elsewhere[] = { "file_metadata", "timestamp", NULL };

typedef struct
{
  Roastcoffea *roastcoffea;
  RoastTableWriter *chunks, *sections, *branches;
  GString *text;

  /* State of the current chunk. */
  char id[24];
  char *file;
  double started, ended, duration;
  double values[ROASTCOFFEA_N_CHUNK_NUMBERS];
  const char *at[ROASTCOFFEA_N_SECTION_KINDS + 1];
  gint64 time; /* end of the chunk */
  guint kind;  /* kind of the sections being read */
} Chunks;

static void
chunks_clear (Chunks *self)
{
  g_clear_object (&self->chunks);
  g_clear_object (&self->sections);
  g_clear_object (&self->branches);
  g_string_free (self->text, TRUE);
  g_free (self->file);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Chunks, chunks_clear)

static gboolean
take_text (Chunks *self, RoastJsonScan *scan, guint slot)
{
  gboolean is_null = FALSE;

  if (!json_walk_text (scan, self->text, &is_null) || is_null)
    return is_null;
  roast_table_writer_set_string (self->chunks, slot, self->text->str);
  if (slot == ROAST_CHUNKS_FILE)
    {
      g_free (self->file);
      self->file = g_strdup (self->text->str);
    }

  return TRUE;
}

/* Returns where to store a number; NULL if the member is not a number. */
static double *
find_number (Chunks *self, const char *name)
{
  for (guint i = 0; i < ROASTCOFFEA_N_CHUNK_NUMBERS; i++)
    if (g_str_equal (name, roastcoffea_chunk_numbers[i].name))
      return &self->values[i];

  return g_str_equal (name, "t_start")    ? &self->started
         : g_str_equal (name, "t_end")    ? &self->ended
         : g_str_equal (name, "duration") ? &self->duration
                                          : NULL;
}

/* Returns where to note the position of a part; NULL if the member is not a part. */
static const char **
find_part (Chunks *self, const char *name)
{
  for (guint i = 0; i < ROASTCOFFEA_N_SECTION_KINDS; i++)
    if (g_str_equal (name, roastcoffea_section_kinds[i].name))
      return &self->at[i];

  return g_str_equal (name, "accessed_branches") ? &self->at[ACCESSED] : NULL;
}

static gboolean
take_member (RoastJsonScan *scan, GString *name, gpointer data)
{
  Chunks *self = data;
  double *number = find_number (self, name->str);
  const char **part = find_part (self, name->str);

  if (number != NULL)
    return json_walk_number (scan, number);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (g_str_equal (name->str, texts[i].name))
      return take_text (self, scan, texts[i].slot);
  if (part != NULL)
    *part = scan->at;
  else if (!g_strv_contains (elsewhere, name->str))
    roastcoffea_leave_out (self->roastcoffea, name->str);

  return json_walk_skip (scan);
}

static void
set_numbers (Chunks *self, gint64 started)
{
  roast_table_writer_set_string (self->chunks, ROAST_CHUNKS_CHUNK, self->id);
  if (started >= 0)
    roast_table_writer_set_int64 (self->chunks, ROAST_CHUNKS_STARTED, started);
  if (self->time >= 0)
    roast_table_writer_set_int64 (self->chunks, ROAST_CHUNKS_ENDED, self->time);
  for (guint i = 0; i < ROASTCOFFEA_N_CHUNK_NUMBERS; i++)
    {
      const RoastcoffeaWord *word = &roastcoffea_chunk_numbers[i];

      if (i != MEMORY_DELTA)
        roastcoffea_set_count (self->chunks, word->slot, self->values[i], word->factor);
      else if (fabs (self->values[i]) < 1e12)
        roast_table_writer_set_int64 (self->chunks, word->slot, llround (self->values[i] * word->factor));
    }
}

static gboolean
take_section (RoastJsonScan *scan, GString *name, gpointer data)
{
  Chunks *self = data;
  const RoastcoffeaWord *kind = &roastcoffea_section_kinds[self->kind];
  double value;

  if (!json_walk_number (scan, &value))
    return FALSE;
  if (self->time >= 0)
    roast_table_writer_set_int64 (self->sections, ROAST_SECTIONS_TIME, self->time);
  roast_table_writer_set_string (self->sections, ROAST_SECTIONS_CHUNK, self->id);
  roast_table_writer_set_string (self->sections, ROAST_SECTIONS_NAME, name->str);
  roast_table_writer_set_word (self->sections, ROAST_SECTIONS_KIND, kind->slot);
  roast_table_writer_set_double (self->sections, ROAST_SECTIONS_VALUE, value * kind->factor);

  return roastcoffea_end_row (self->roastcoffea, self->sections);
}

static gboolean
take_branch (RoastJsonScan *scan, GString *name, gpointer data)
{
  Chunks *self = data;

  if (!json_walk_text (scan, self->text, NULL))
    return FALSE;
  roast_table_writer_set_string (self->branches, ROAST_CHUNK_BRANCHES_CHUNK, self->id);
  if (self->file != NULL)
    roast_table_writer_set_string (self->branches, ROAST_CHUNK_BRANCHES_FILE, self->file);
  roast_table_writer_set_string (self->branches, ROAST_CHUNK_BRANCHES_BRANCH, self->text->str);

  return roastcoffea_end_row (self->roastcoffea, self->branches);
}

static void
count (Chunks *self)
{
  Roastcoffea *roastcoffea = self->roastcoffea;

  for (guint i = 0; i < ROASTCOFFEA_N_CHUNK_NUMBERS; i++)
    if (isnan (self->values[i]))
      continue;
    else if (roastcoffea_chunk_numbers[i].slot == ROAST_CHUNKS_EVENTS)
      {
        roastcoffea->n_events++;
        roastcoffea->events += self->values[i];
      }
    else if (roastcoffea_chunk_numbers[i].slot == ROAST_CHUNKS_BYTES_READ)
      {
        roastcoffea->n_bytes++;
        roastcoffea->bytes += self->values[i];
      }
}

static gboolean
take_chunk (RoastJsonScan *scan, GString *name, gpointer data)
{
  Chunks *self = data;
  gint64 started;

  g_snprintf (self->id, sizeof self->id, "%" G_GUINT64_FORMAT, self->roastcoffea->n_chunks++);
  g_clear_pointer (&self->file, g_free);
  memset (self->at, 0, sizeof self->at);
  self->started = self->ended = self->duration = NAN;
  for (guint i = 0; i < ROASTCOFFEA_N_CHUNK_NUMBERS; i++)
    self->values[i] = NAN;
  if (!json_walk_each (scan, '{', take_member, self))
    return FALSE;
  if (isnan (self->ended))
    self->ended = self->started + self->duration;
  started = roastcoffea_time (self->roastcoffea, self->started);
  self->time = roastcoffea_time (self->roastcoffea, self->ended);
  set_numbers (self, started);
  count (self);
  if (!roastcoffea_end_row (self->roastcoffea, self->chunks))
    return FALSE;
  for (self->kind = 0; self->kind < ROASTCOFFEA_N_SECTION_KINDS; self->kind++)
    if (!roastcoffea_walk (self->roastcoffea, self->at[self->kind], '{', take_section, self))
      return FALSE;

  return roastcoffea_walk (self->roastcoffea, self->at[ACCESSED], '[', take_branch, self);
}

gboolean
roastcoffea_take_chunks (Roastcoffea *roastcoffea)
{
  g_auto (Chunks) self = { .roastcoffea = roastcoffea, .text = g_string_new (NULL) };

  self.chunks = roastcoffea_write (roastcoffea, ROAST_TABLE_CHUNKS, roast_chunks_columns);
  self.sections = roastcoffea_write (roastcoffea, ROAST_TABLE_SECTIONS, roast_sections_columns);
  self.branches = roastcoffea_write (roastcoffea, ROAST_TABLE_CHUNK_BRANCHES, roast_chunk_branches_columns);

  return roastcoffea_walk (roastcoffea, roastcoffea->parts[ROASTCOFFEA_CHUNKS], '[', take_chunk, &self);
}
