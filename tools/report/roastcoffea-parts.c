/* SPDX-License-Identifier: BSD-3-Clause */

/* Sections without a chunk, files, and the activities of Dask's spans. */

#include <math.h>
#include <string.h>

#include "roastcoffea.h"

#define MAX_KEY 4 /* context, category, activity, unit */
#define OF_OTHERS "idle or other spans"

/* ---- sections ---- */

static gboolean
add_section (RoastTableWriter *rows, gint64 time, const char *name, guint kind, double value, GError **error)
{
  if (isnan (value))
    return TRUE;
  roast_table_writer_set_int64 (rows, ROAST_SECTIONS_TIME, time);
  roast_table_writer_set_string (rows, ROAST_SECTIONS_NAME, name);
  roast_table_writer_set_word (rows, ROAST_SECTIONS_KIND, kind);
  roast_table_writer_set_double (rows, ROAST_SECTIONS_VALUE, value);

  return roast_table_writer_close (rows, error);
}

/* A section of memory has a duration, too. */
static gboolean
take_section (Roastcoffea *self, RoastJsonScan *scan, RoastTableWriter *rows, gint64 ended, GError **error)
{
  g_autoptr (GString) member = g_string_new (NULL);
  g_autoptr (GString) name = g_string_new ("unknown");
  double duration = NAN, memory = NAN;
  guint64 n = 0;
  gboolean ok = json_walk_open (scan, '{');

  while (ok && json_walk_next (scan, '{', &n))
    {
      ok = json_walk_name (scan, member);
      if (ok && g_str_equal (member->str, "name"))
        ok = json_walk_text (scan, name, NULL);
      else if (ok && g_str_equal (member->str, "duration"))
        ok = json_walk_number (scan, &duration);
      else if (ok && g_str_equal (member->str, "mem_delta_mb"))
        ok = json_walk_number (scan, &memory);
      else if (ok)
        ok = json_walk_skip (scan);
    }
  if (!ok || scan->fault != NULL)
    return roastcoffea_fail (self, scan, error);

  return add_section (rows, ended, name->str, ROAST_SECTION_KIND_TIME, duration, error) &&
         add_section (rows, ended, name->str, ROAST_SECTION_KIND_MEMORY, memory * ROASTCOFFEA_MIB, error);
}

gboolean
roastcoffea_take_sections (Roastcoffea *self, gint64 ended, GError **error)
{
  RoastJsonScan scan = roastcoffea_scan (self, self->parts[ROASTCOFFEA_SECTIONS]);
  g_autoptr (RoastTableWriter) rows = NULL;
  guint64 n = 0;

  if (self->parts[ROASTCOFFEA_SECTIONS] == NULL)
    return TRUE;
  rows =
      roast_recording_write_table (self->recording, ROAST_TABLE_SECTIONS, self->source, roast_sections_columns, error);
  if (rows == NULL)
    return FALSE;
  if (!json_walk_open (&scan, '['))
    return roastcoffea_fail (self, &scan, error);
  while (json_walk_next (&scan, '[', &n))
    if (!take_section (self, &scan, rows, ended, error))
      return FALSE;

  return scan.fault == NULL || roastcoffea_fail (self, &scan, error);
}

/* ---- files ---- */

static gboolean
take_file (Roastcoffea *self, RoastJsonScan *scan, RoastTableWriter *rows, GString *name)
{
  double compression = NAN, branches = NAN, bytes = NAN;
  guint64 n = 0;

  roast_table_writer_set_string (rows, ROAST_FILES_FILE, name->str);
  if (!json_walk_open (scan, '{'))
    return FALSE;
  while (json_walk_next (scan, '{', &n))
    {
      double *value = NULL;

      if (!json_walk_name (scan, name))
        return FALSE;
      value = g_str_equal (name->str, "compression_ratio")  ? &compression
              : g_str_equal (name->str, "total_branches")   ? &branches
              : g_str_equal (name->str, "total_tree_bytes") ? &bytes
                                                            : NULL;
      if (value != NULL ? !json_walk_number (scan, value) : !json_walk_skip (scan))
        return FALSE;
    }
  /* Of a file that could not be read roastcoffea has 0. */
  if (compression > 0)
    roast_table_writer_set_double (rows, ROAST_FILES_COMPRESSION, compression);
  roastcoffea_set_count (rows, ROAST_FILES_BRANCHES, branches, 1);
  roastcoffea_set_count (rows, ROAST_FILES_BYTES, bytes, 1);

  return scan->fault == NULL;
}

gboolean
roastcoffea_take_files (Roastcoffea *self, GError **error)
{
  RoastJsonScan scan = roastcoffea_scan (self, self->parts[ROASTCOFFEA_FILES]);
  g_autoptr (RoastTableWriter) rows = NULL;
  g_autoptr (GString) name = g_string_new (NULL);
  guint64 n = 0;

  if (self->parts[ROASTCOFFEA_FILES] == NULL)
    return TRUE;
  rows = roast_recording_write_table (self->recording, ROAST_TABLE_FILES, self->source, roast_files_columns, error);
  if (rows == NULL)
    return FALSE;
  if (!json_walk_open (&scan, '{'))
    return roastcoffea_fail (self, &scan, error);
  while (json_walk_next (&scan, '{', &n))
    {
      if (!json_walk_name (&scan, name) || !take_file (self, &scan, rows, name))
        {
          roast_table_writer_clear (rows);
          return roastcoffea_fail (self, &scan, error);
        }
      if (!roast_table_writer_close (rows, error))
        return FALSE;
    }

  return scan.fault == NULL || roastcoffea_fail (self, &scan, error);
}

/* ---- activities ---- */

/* The words of roast for those of the executor, which are the keys. */
static const struct
{
  const char *word;
  guint context;
} contexts[] = {
  { "execute", ROAST_CONTEXT_EXECUTE }, { "gather-dep", ROAST_CONTEXT_FETCH },
  { "get-data", ROAST_CONTEXT_SERVE },  { "memory-monitor", ROAST_CONTEXT_MEMORY },
  { "p2p", ROAST_CONTEXT_SHUFFLE },
};

/* One part of a tuple that Python printed: 'text' or "text", or a word. Moves @at behind it. */
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

/* "('execute', 'P', 'thread-cpu', 'seconds')": the number of its parts; 0 if it is not a tuple of at most MAX_KEY. */
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
  GHashTable *categories; /* name to Category */
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

/* Outside tasks a key has no category: (context, activity, unit). */
static gboolean
add_activity (Activities *self, char *const *parts, guint n, double value, GError **error)
{
  guint context = ROAST_CONTEXT_EXECUTE;
  gboolean has_category = n > 3 || g_str_equal (parts[0], contexts[0].word);
  const char *activity = parts[has_category ? 2 : 1];
  const char *unit = n > 3 ? parts[3] : has_category ? "seconds" : parts[2];

  for (guint i = 0; i < G_N_ELEMENTS (contexts); i++)
    if (g_str_equal (contexts[i].word, parts[0]))
      context = contexts[i].context;
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

  return roast_table_writer_close (self->rows, error);
}

/* A key that is shorter, or the time of others, is no activity of the analysis: roastcoffea leaves it out, too. */
static gboolean
take_activity (Activities *self, RoastJsonScan *scan, GString *key, GError **error)
{
  char *parts[MAX_KEY] = { NULL };
  double value;
  guint n;
  gboolean ok = TRUE;

  if (!json_walk_name (scan, key) || !json_walk_number (scan, &value))
    return roastcoffea_fail (self->roastcoffea, scan, error);
  n = split_key (key->str, parts);
  if (n < 3 || isnan (value) || g_str_equal (parts[2], OF_OTHERS))
    roastcoffea_leave_out (self->roastcoffea,
                           n >= 3 && !isnan (value) ? OF_OTHERS : "keys of raw_span_metrics that are not activities");
  else
    ok = add_activity (self, parts, n, value, error);
  for (guint i = 0; i < MAX_KEY; i++)
    g_free (parts[i]);

  return ok;
}

static gboolean
is_close (double a, double b)
{
  return fabs (a - b) <= 1e-9 * fmax (fabs (a), fabs (b));
}

/* The directory does not name the processor, but has its times: they are those of one category, or of all together,
 * where roastcoffea was not told the name. NULL if all categories are the analysis. */
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
add_roles (Activities *self, GError **error)
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
                               "roastcoffea's directory does not say which tasks are the analysis: the time of all of "
                               "them counts as that of the analysis");
  if (processor == NULL)
    return TRUE;
  rows = roast_recording_write_table (roastcoffea->recording, ROAST_TABLE_CATEGORIES, roastcoffea->source,
                                      roast_categories_columns, error);
  if (rows == NULL)
    return FALSE;
  g_hash_table_iter_init (&iter, self->categories);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    {
      roast_table_writer_set_string (rows, ROAST_CATEGORIES_CATEGORY, name);
      roast_table_writer_set_word (rows, ROAST_CATEGORIES_ROLE,
                                   g_str_equal (name, processor) ? ROAST_ROLE_ANALYSIS : ROAST_ROLE_FRAMEWORK);
      if (!roast_table_writer_close (rows, error))
        return FALSE;
    }

  return TRUE;
}

gboolean
roastcoffea_take_spans (Roastcoffea *self, gint64 ended, GError **error)
{
  RoastJsonScan scan = roastcoffea_scan (self, self->parts[ROASTCOFFEA_SPANS]);
  g_autoptr (RoastTableWriter) rows = NULL;
  g_autoptr (GHashTable) categories = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GString) key = g_string_new (NULL);
  Activities activities = { .roastcoffea = self, .categories = categories, .time = ended };
  guint64 n = 0;

  if (self->parts[ROASTCOFFEA_SPANS] == NULL)
    return TRUE;
  activities.rows = rows = roast_recording_write_table (self->recording, ROAST_TABLE_ACTIVITIES, self->source,
                                                        roast_activities_columns, error);
  if (rows == NULL)
    return FALSE;
  if (!json_walk_open (&scan, '{'))
    return roastcoffea_fail (self, &scan, error);
  while (json_walk_next (&scan, '{', &n))
    if (!take_activity (&activities, &scan, key, error))
      return FALSE;

  return scan.fault == NULL ? add_roles (&activities, error) : roastcoffea_fail (self, &scan, error);
}
