/* SPDX-License-Identifier: BSD-3-Clause */

/* Imports sections without a chunk, files, and the activities of Dask's spans. */

#include <math.h>

#include "roastcoffea.h"

#define MAX_KEY 4 /* context, category, activity, unit */
#define OF_OTHERS "idle or other spans"

/* ---- sections ---- */

typedef struct
{
  Roastcoffea *roastcoffea;
  RoastTableWriter *rows;
  gint64 time;
  GString *name;
  double duration, memory, compression, branches, bytes;
} Rows;

static gboolean
add_section (const Rows *self, guint kind, double value)
{
  if (isnan (value))
    return TRUE;
  roast_table_writer_set_int64 (self->rows, ROAST_SECTIONS_TIME, self->time);
  roast_table_writer_set_string (self->rows, ROAST_SECTIONS_NAME, self->name->str);
  roast_table_writer_set_word (self->rows, ROAST_SECTIONS_KIND, kind);
  roast_table_writer_set_double (self->rows, ROAST_SECTIONS_VALUE, value);

  return roastcoffea_end_row (self->roastcoffea, self->rows);
}

static gboolean
take_section_member (RoastJsonScan *scan, GString *member, gpointer data)
{
  Rows *self = data;

  if (g_str_equal (member->str, "name"))
    return json_walk_text (scan, self->name, NULL);
  if (g_str_equal (member->str, "duration"))
    return json_walk_number (scan, &self->duration);
  if (g_str_equal (member->str, "mem_delta_mb"))
    return json_walk_number (scan, &self->memory);

  return json_walk_skip (scan);
}

/* Adds a row for the duration and, for a memory section, another row for the memory. */
static gboolean
take_section (RoastJsonScan *scan, GString *nothing, gpointer data)
{
  Rows *self = data;

  g_string_assign (self->name, "unknown");
  self->duration = self->memory = NAN;

  return json_walk_each (scan, '{', take_section_member, self) &&
         add_section (self, ROAST_SECTION_KIND_TIME, self->duration) &&
         add_section (self, ROAST_SECTION_KIND_MEMORY, self->memory * ROASTCOFFEA_MIB);
}

gboolean
roastcoffea_take_sections (Roastcoffea *roastcoffea, gint64 ended)
{
  g_autoptr (RoastTableWriter) rows = roastcoffea_write (roastcoffea, ROAST_TABLE_SECTIONS, roast_sections_columns);
  g_autoptr (GString) name = g_string_new (NULL);
  Rows self = { .roastcoffea = roastcoffea, .rows = rows, .time = ended, .name = name };

  return roastcoffea_walk (roastcoffea, roastcoffea->parts[ROASTCOFFEA_SECTIONS], '[', take_section, &self);
}

/* ---- files ---- */

static gboolean
take_file_member (RoastJsonScan *scan, GString *member, gpointer data)
{
  Rows *self = data;

  if (g_str_equal (member->str, "compression_ratio"))
    return json_walk_number (scan, &self->compression);
  if (g_str_equal (member->str, "total_branches"))
    return json_walk_number (scan, &self->branches);
  if (g_str_equal (member->str, "total_tree_bytes"))
    return json_walk_number (scan, &self->bytes);

  return json_walk_skip (scan);
}

static gboolean
take_file (RoastJsonScan *scan, GString *name, gpointer data)
{
  Rows *self = data;

  self->compression = self->branches = self->bytes = NAN;
  if (!json_walk_each (scan, '{', take_file_member, self))
    return FALSE;
  roast_table_writer_set_string (self->rows, ROAST_FILES_FILE, name->str);
  /* roastcoffea writes 0 for a file that it could not read. */
  if (self->compression > 0)
    roast_table_writer_set_double (self->rows, ROAST_FILES_COMPRESSION, self->compression);
  roastcoffea_set_count (self->rows, ROAST_FILES_BRANCHES, self->branches, 1);
  roastcoffea_set_count (self->rows, ROAST_FILES_BYTES, self->bytes, 1);

  return roastcoffea_end_row (self->roastcoffea, self->rows);
}

gboolean
roastcoffea_take_files (Roastcoffea *roastcoffea)
{
  g_autoptr (RoastTableWriter) rows = roastcoffea_write (roastcoffea, ROAST_TABLE_FILES, roast_files_columns);
  Rows self = { .roastcoffea = roastcoffea, .rows = rows };

  return roastcoffea_walk (roastcoffea, roastcoffea->parts[ROASTCOFFEA_FILES], '{', take_file, &self);
}

/* ---- activities ---- */

/* Reads one part of a tuple printed by Python: 'text', "text" or a word. Moves @at past it. */
static gboolean
read_part (const char **at, GString *part)
{
  char quote = **at;

  g_string_truncate (part, 0);
  if (quote != '\'' && quote != '"')
    {
      while (**at != '\0' && **at != ',' && **at != ')')
        g_string_append_c (part, *(*at)++);
      return part->len > 0;
    }
  for ((*at)++; **at != '\0' && **at != quote; (*at)++)
    {
      if (**at == '\\' && (*at)[1] != '\0')
        (*at)++;
      g_string_append_c (part, **at);
    }
  if (**at != quote)
    return FALSE;
  (*at)++;

  return TRUE;
}

/* Splits a key such as "('execute', 'P', 'thread-cpu', 'seconds')". Returns the number of parts; 0 if the key is not a
 * tuple of at most MAX_KEY parts. */
static guint
split_key (const char *key, char *to[MAX_KEY])
{
  g_autoptr (GString) part = g_string_new (NULL);
  guint n = 0;

  if (*key++ != '(')
    return 0;
  while (n < MAX_KEY && read_part (&key, part))
    {
      to[n++] = g_strdup (part->str);
      if (*key == ',')
        key++;
      while (*key == ' ')
        key++;
      if (*key == ')')
        return key[1] == '\0' ? n : 0;
    }

  return 0;
}

typedef struct
{
  Roastcoffea *roastcoffea;
  RoastTableWriter *rows;
  GHashTable *categories; /* Category by name */
  gint64 time;
} Activities;

typedef struct
{
  double cpu, wait;
} Category;

static void
add_to_category (Activities *self, const char *name, const char *activity, double value)
{
  Category *category = g_hash_table_lookup (self->categories, name);

  if (category == NULL)
    {
      category = g_new0 (Category, 1);
      g_hash_table_insert (self->categories, g_strdup (name), category);
    }
  category->cpu += g_str_equal (activity, "thread-cpu") ? value : 0;
  category->wait += g_str_equal (activity, "thread-noncpu") ? value : 0;
}

/* Adds an activity. Outside tasks, a key has no category: (context, activity, unit). */
static gboolean
add_activity (Activities *self, char *const *parts, guint n, double value)
{
  guint context = ROAST_CONTEXT_EXECUTE;
  gboolean has_category = n > 3 || g_str_equal (parts[0], roastcoffea_contexts[0].name);
  const char *activity = parts[has_category ? 2 : 1];
  const char *unit = n > 3 ? parts[3] : has_category ? "seconds" : parts[2];

  for (guint i = 0; i < ROASTCOFFEA_N_CONTEXTS; i++)
    if (g_str_equal (roastcoffea_contexts[i].name, parts[0]))
      context = roastcoffea_contexts[i].slot;
  if (has_category)
    {
      add_to_category (self, parts[1], activity, value);
      roast_table_writer_set_string (self->rows, ROAST_ACTIVITIES_CATEGORY, parts[1]);
    }
  roast_table_writer_set_int64 (self->rows, ROAST_ACTIVITIES_TIME, self->time);
  roast_table_writer_set_word (self->rows, ROAST_ACTIVITIES_CONTEXT, context);
  roast_table_writer_set_string (self->rows, ROAST_ACTIVITIES_ACTIVITY, activity);
  roast_table_writer_set_string (self->rows, ROAST_ACTIVITIES_UNIT, unit);
  roast_table_writer_set_double (self->rows, ROAST_ACTIVITIES_VALUE, value);

  return roastcoffea_end_row (self->roastcoffea, self->rows);
}

/* Leaves out shorter keys and the time of idle or other spans, as roastcoffea does: they are no activities of the
 * analysis. */
static gboolean
take_activity (RoastJsonScan *scan, GString *key, gpointer data)
{
  Activities *self = data;
  char *parts[MAX_KEY] = { NULL };
  double value;
  guint n;
  gboolean ok = TRUE;

  if (!json_walk_number (scan, &value))
    return FALSE;
  n = split_key (key->str, parts);
  if (n < 3 || isnan (value) || g_str_equal (parts[2], OF_OTHERS))
    roastcoffea_leave_out (self->roastcoffea,
                           n >= 3 && !isnan (value) ? OF_OTHERS : "keys of raw_span_metrics that are not activities");
  else
    ok = add_activity (self, parts, n, value);
  for (guint i = 0; i < MAX_KEY; i++)
    g_free (parts[i]);

  return ok;
}

static gboolean
is_close (double a, double b)
{
  return fabs (a - b) <= 1e-9 * fmax (fabs (a), fabs (b));
}

/* Finds the processor's category by its times, because the directory does not name it. The times equal those of one
 * category, or of all categories together if roastcoffea did not know the name; then returns NULL, because all
 * categories are the analysis. */
static const char *
find_processor (Activities *self, gboolean *is_known)
{
  const double *times = self->roastcoffea->numbers;
  GHashTableIter iter;
  gpointer name, value;
  const char *found = NULL;
  guint n = 0;
  Category all = { 0 };

  g_hash_table_iter_init (&iter, self->categories);
  while (g_hash_table_iter_next (&iter, &name, &value))
    {
      const Category *category = value;

      all.cpu += category->cpu;
      all.wait += category->wait;
      if (!is_close (category->cpu, times[ROASTCOFFEA_PROCESSOR_CPU]) ||
          !is_close (category->wait, times[ROASTCOFFEA_PROCESSOR_WAIT]))
        continue;
      found = name;
      n++;
    }
  *is_known = TRUE;
  if (is_close (all.cpu, times[ROASTCOFFEA_PROCESSOR_CPU]) && is_close (all.wait, times[ROASTCOFFEA_PROCESSOR_WAIT]))
    return NULL;
  *is_known = n == 1;

  return n == 1 ? found : NULL;
}

static gboolean
add_roles (Activities *self)
{
  Roastcoffea *roastcoffea = self->roastcoffea;
  gboolean is_known = FALSE;
  const char *processor = find_processor (self, &is_known);
  g_autoptr (RoastTableWriter) rows = NULL;
  GHashTableIter iter;
  gpointer name;

  if (!is_known)
    roast_recording_add_event (roastcoffea->recording, roastcoffea->source, self->time, ROAST_SEVERITY_WARNING,
                               "imported",
                               "roastcoffea's directory does not say which tasks belong to the analysis: the time of "
                               "all tasks counts as analysis time");
  if (processor == NULL)
    return TRUE;
  rows = roastcoffea_write (roastcoffea, ROAST_TABLE_CATEGORIES, roast_categories_columns);
  g_hash_table_iter_init (&iter, self->categories);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    {
      roast_table_writer_set_string (rows, ROAST_CATEGORIES_CATEGORY, name);
      roast_table_writer_set_word (rows, ROAST_CATEGORIES_ROLE,
                                   g_str_equal (name, processor) ? ROAST_ROLE_ANALYSIS : ROAST_ROLE_FRAMEWORK);
      if (!roastcoffea_end_row (roastcoffea, rows))
        return FALSE;
    }

  return TRUE;
}

gboolean
roastcoffea_take_spans (Roastcoffea *roastcoffea, gint64 ended)
{
  const char *at = roastcoffea->parts[ROASTCOFFEA_SPANS];
  g_autoptr (RoastTableWriter) rows = roastcoffea_write (roastcoffea, ROAST_TABLE_ACTIVITIES, roast_activities_columns);
  g_autoptr (GHashTable) categories = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  Activities self = { roastcoffea, rows, categories, ended };

  return at == NULL || (roastcoffea_walk (roastcoffea, at, '{', take_activity, &self) && add_roles (&self));
}
