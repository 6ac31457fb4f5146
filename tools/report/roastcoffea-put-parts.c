/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes raw_section_metrics, sections, file_metadata and raw_span_metrics. */

#include <math.h>
#include <string.h>

#include "roastcoffea-put.h"

/* Quotes like Python's repr (): single quotes, or double quotes if the text has single but no double quotes. */
void
roastcoffea_append_repr (GString *to, const char *text)
{
  char quote = strchr (text, '\'') != NULL && strchr (text, '"') == NULL ? '"' : '\'';

  g_string_append_c (to, quote);
  for (; *text != '\0'; text++)
    if (*text == quote || *text == '\\')
      g_string_append_printf (to, "\\%c", *text);
    else if (g_ascii_iscntrl (*text))
      g_string_append_printf (to, "\\x%02x", (guint) (guchar) *text);
    else
      g_string_append_c (to, *text);
  g_string_append_c (to, quote);
}

/* ---- sums ---- */

void
roastcoffea_statistic_add (RoastcoffeaStatistic *self, double value)
{
  double difference = value - self->mean;

  if (isnan (value))
    return;
  self->least = self->n == 0 ? value : fmin (self->least, value);
  self->most = self->n == 0 ? value : fmax (self->most, value);
  self->n++;
  self->sum += value;
  self->mean += difference / (double) self->n;
  self->squares += difference * (value - self->mean);
}

static void
sum_free (gpointer data)
{
  g_free (((RoastcoffeaSum *) data)->name);
  g_free (data);
}

GPtrArray *
roastcoffea_sums_new (void)
{
  return g_ptr_array_new_with_free_func (sum_free);
}

RoastcoffeaSum *
roastcoffea_sums_get (GPtrArray *sums, const char *name)
{
  RoastcoffeaSum *sum = NULL;

  for (guint i = 0; i < sums->len; i++)
    if (g_str_equal (((const RoastcoffeaSum *) g_ptr_array_index (sums, i))->name, name))
      return g_ptr_array_index (sums, i);
  sum = g_new0 (RoastcoffeaSum, 1);
  sum->name = g_strdup (name);
  g_ptr_array_add (sums, sum);

  return sum;
}

/* ---- sections ---- */

/* Writes a section record with its duration and, for a memory section, its change of memory. */
static void
put_section (JsonOut *out, GPtrArray *sections, const char *name, double duration, double memory)
{
  RoastcoffeaSum *section = roastcoffea_sums_get (sections, name);

  json_out_open (out, NULL, '{');
  json_out_text (out, "name", name);
  json_out_text (out, "type", isnan (memory) ? "section" : "memory");
  if (!isnan (duration))
    json_out_double (out, "duration", duration);
  if (!isnan (memory))
    json_out_double (out, "mem_delta_mb", memory / ROASTCOFFEA_MIB);
  json_out_close (out, '}');
  section->n++;
  section->duration += isnan (duration) ? 0 : duration;
  roastcoffea_statistic_add (&section->memory, memory / ROASTCOFFEA_MIB);
}

static void
put_sums (JsonOut *out, const GPtrArray *sections)
{
  json_out_open (out, "sections", '{');
  for (guint i = 0; i < sections->len; i++)
    {
      const RoastcoffeaSum *section = g_ptr_array_index (sections, i);

      json_out_open (out, section->name, '{');
      json_out_int64 (out, "count", (gint64) section->n);
      json_out_double (out, "total_duration", section->duration);
      json_out_text (out, "type", section->memory.n > 0 ? "memory" : "section");
      json_out_double (out, "mean_duration", section->duration / (double) section->n);
      if (section->memory.n > 0)
        {
          json_out_double (out, "mean_mem_delta_mb", section->memory.sum / (double) section->memory.n);
          json_out_double (out, "max_mem_delta_mb", section->memory.most);
          json_out_double (out, "min_mem_delta_mb", section->memory.least);
        }
      json_out_close (out, '}');
    }
  json_out_close (out, '}');
}

/* Returns whether the row belongs to no chunk and has a time or memory. */
static gboolean
is_record (RoastTableReader *rows)
{
  int kind = roast_table_reader_get_word (rows, ROAST_SECTIONS_KIND);

  return !roast_table_reader_has (rows, ROAST_SECTIONS_CHUNK) && roast_table_reader_has (rows, ROAST_SECTIONS_NAME) &&
         (kind == ROAST_SECTION_KIND_TIME || kind == ROAST_SECTION_KIND_MEMORY);
}

/* Joins a memory row with a preceding time row of the same name: they describe the same section. */
void
roastcoffea_put_sections (JsonOut *out, RoastRecording *recording)
{
  g_autoptr (RoastTableReader) rows =
      roast_recording_read_table (recording, ROAST_TABLE_SECTIONS, roast_sections_columns, NULL);
  g_autoptr (GPtrArray) sections = roastcoffea_sums_new ();
  g_autofree char *name = NULL; /* name of a section whose time was read but not yet written */
  double duration = NAN;

  json_out_open (out, "raw_section_metrics", '[');
  while (roast_table_reader_next (rows))
    {
      const char *next = roast_table_reader_get_string (rows, ROAST_SECTIONS_NAME);
      double value = roast_table_reader_get_double (rows, ROAST_SECTIONS_VALUE);
      gboolean is_memory = roast_table_reader_get_word (rows, ROAST_SECTIONS_KIND) == ROAST_SECTION_KIND_MEMORY;
      gboolean is_same = is_memory && g_strcmp0 (name, next) == 0;

      if (!is_record (rows))
        continue;
      if (name != NULL && !is_same)
        put_section (out, sections, name, duration, NAN);
      if (is_memory)
        put_section (out, sections, next, is_same ? duration : NAN, value);
      g_free (name);
      name = is_memory ? NULL : g_strdup (next);
      duration = value;
    }
  if (name != NULL)
    put_section (out, sections, name, duration, NAN);
  json_out_close (out, ']');
  put_sums (out, sections);
}

/* ---- files ---- */

void
roastcoffea_put_files (JsonOut *out, RoastRecording *recording)
{
  g_autoptr (RoastTableReader) rows =
      roast_recording_read_table (recording, ROAST_TABLE_FILES, roast_files_columns, NULL);

  json_out_open (out, "file_metadata", '{');
  while (roast_table_reader_next (rows))
    {
      const char *file = roast_table_reader_get_string (rows, ROAST_FILES_FILE);

      if (file == NULL)
        continue;
      json_out_open (out, file, '{');
      json_out_text (out, "filename", file);
      if (roast_table_reader_has (rows, ROAST_FILES_COMPRESSION))
        json_out_double (out, "compression_ratio", roast_table_reader_get_double (rows, ROAST_FILES_COMPRESSION));
      if (roast_table_reader_has (rows, ROAST_FILES_BRANCHES))
        json_out_int64 (out, "total_branches", roast_table_reader_get_int64 (rows, ROAST_FILES_BRANCHES, 0));
      if (roast_table_reader_has (rows, ROAST_FILES_BYTES))
        json_out_int64 (out, "total_tree_bytes", roast_table_reader_get_int64 (rows, ROAST_FILES_BYTES, 0));
      json_out_close (out, '}');
    }
  json_out_close (out, '}');
  json_out_open (out, "compression_ratios", '[');
  while (roast_table_reader_next (rows))
    if (roast_table_reader_has (rows, ROAST_FILES_COMPRESSION))
      json_out_double (out, NULL, roast_table_reader_get_double (rows, ROAST_FILES_COMPRESSION));
  json_out_close (out, ']');
}

/* ---- activities ---- */

/* Returns Dask's word for a context; NULL if it has none. */
static const char *
get_context (int context)
{
  for (guint i = 0; i < ROASTCOFFEA_N_CONTEXTS; i++)
    if (context == (int) roastcoffea_contexts[i].slot)
      return roastcoffea_contexts[i].name;

  return NULL;
}

static char *
dup_key (RoastTableReader *rows)
{
  const char *parts[] = { get_context (roast_table_reader_get_word (rows, ROAST_ACTIVITIES_CONTEXT)),
                          roast_table_reader_get_string (rows, ROAST_ACTIVITIES_CATEGORY),
                          roast_table_reader_get_string (rows, ROAST_ACTIVITIES_ACTIVITY),
                          roast_table_reader_get_string (rows, ROAST_ACTIVITIES_UNIT) };
  GString *key = g_string_new ("(");

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i] != NULL)
      {
        if (key->len > 1)
          g_string_append (key, ", ");
        roastcoffea_append_repr (key, parts[i]);
      }
  g_string_append_c (key, ')');

  return g_string_free (key, FALSE);
}

/* Writes the sums over all workers and spans. */
static void
put_sums_of_spans (JsonOut *out, GPtrArray *keys, GHashTable *sums)
{
  json_out_open (out, "raw_span_metrics", '{');
  for (guint i = 0; i < keys->len; i++)
    json_out_double (out, g_ptr_array_index (keys, i),
                     *(const double *) g_hash_table_lookup (sums, g_ptr_array_index (keys, i)));
  json_out_close (out, '}');
}

void
roastcoffea_put_spans (JsonOut *out, RoastRecording *recording)
{
  static const guint identity[] = { ROAST_ACTIVITIES_SOURCE,  ROAST_ACTIVITIES_SPAN,     ROAST_ACTIVITIES_WORKER,
                                    ROAST_ACTIVITIES_CONTEXT, ROAST_ACTIVITIES_CATEGORY, ROAST_ACTIVITIES_ACTIVITY,
                                    ROAST_ACTIVITIES_UNIT };
  g_autoptr (RoastTableReader) rows =
      roast_recording_read_table (recording, ROAST_TABLE_ACTIVITIES, roast_activities_columns, NULL);
  g_autoptr (GHashTable) sums = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);

  roast_table_reader_last_per (rows, identity, G_N_ELEMENTS (identity));
  while (roast_table_reader_next (rows))
    {
      double value = roast_table_reader_get_double (rows, ROAST_ACTIVITIES_VALUE);
      g_autofree char *key = NULL;
      double *sum = NULL;

      if (isnan (value) || get_context (roast_table_reader_get_word (rows, ROAST_ACTIVITIES_CONTEXT)) == NULL)
        continue;
      key = dup_key (rows);
      sum = g_hash_table_lookup (sums, key);
      if (sum == NULL)
        {
          sum = g_new0 (double, 1);
          g_hash_table_insert (sums, key, sum);
          g_ptr_array_add (keys, g_steal_pointer (&key));
        }
      *sum += value;
    }
  if (keys->len > 0)
    put_sums_of_spans (out, keys, sums);
}
