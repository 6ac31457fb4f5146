/* SPDX-License-Identifier: BSD-3-Clause */
#include "framework-tasks.h"

#include <string.h>

/* Tasks that frameworks run beside the analysis. No names that a script would give its own work. */
static const char *const framework[] = {
  "get_metadata", "_get_metadata", "reduce", "_reduce", "preprocessing", "accumulating", NULL,
};

struct _FrameworkTasks
{
  RoastRecording *recording;
  char *processor;
  char *unnamed;
  guint max_name;
  RoastTableWriter *writer; /* NULL until the first row */
  GHashTable *known;        /* "source\ncategory" */
  GPtrArray *undecided;     /* sources that have the category without a name */
  gboolean named;           /* some category is the analysis by its own name */
  gboolean has_analysis;
  gboolean finished;
};

FrameworkTasks *
framework_tasks_new (RoastRecording *recording, const char *processor, const char *unnamed, guint max_name)
{
  FrameworkTasks *self = g_new0 (FrameworkTasks, 1);

  self->recording = g_object_ref (recording);
  self->processor = g_strdup (processor);
  self->unnamed = g_strdup (unnamed);
  self->max_name = max_name;
  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->undecided = g_ptr_array_new_with_free_func (g_free);

  return self;
}

void
framework_tasks_free (FrameworkTasks *self)
{
  g_clear_object (&self->writer);
  g_object_unref (self->recording);
  g_hash_table_unref (self->known);
  g_ptr_array_unref (self->undecided);
  g_free (self->processor);
  g_free (self->unnamed);
  g_free (self);
}

/* ---- names ---- */

/* What the executor makes of the processor's name. */
static gboolean
is_cut_from (const char *category, const char *name, guint max_name)
{
  g_autofree char *cut = g_utf8_substring (name, 0, MIN (g_utf8_strlen (name, -1), (glong) max_name));
  const char *begin = cut;

  if (g_str_equal (category, cut))
    return TRUE;
  if (g_unichar_isalpha (g_utf8_get_char (cut)))
    return FALSE;
  for (char *end = cut + strlen (cut); end > cut && strchr ("_'()\"", end[-1]) != NULL; end--)
    end[-1] = '\0';
  begin += strspn (begin, "_'()\"");

  return *begin != '\0' && g_str_equal (category, begin);
}

/* Whether the category is the analysis, and not the one without a name. */
static gboolean
names_analysis (FrameworkTasks *self, const char *category)
{
  const char *processor = self->processor;

  if (processor == NULL)
    return !g_strv_contains (framework, category);

  return g_str_equal (category, processor) || g_str_equal (category, processor + strspn (processor, "_")) ||
         (self->max_name > 0 && is_cut_from (category, processor, self->max_name));
}

/* ---- roles ---- */

static void
write_role (FrameworkTasks *self, const char *source, const char *category, gboolean analysis)
{
  if (self->writer == NULL)
    self->writer =
        roast_recording_write_table (self->recording, ROAST_TABLE_CATEGORIES, NULL, roast_categories_columns, NULL);
  if (self->writer == NULL)
    return;
  self->has_analysis |= analysis;
  roast_table_writer_set_string (self->writer, ROAST_CATEGORIES_SOURCE, source);
  roast_table_writer_set_string (self->writer, ROAST_CATEGORIES_CATEGORY, category);
  roast_table_writer_set_word (self->writer, ROAST_CATEGORIES_ROLE,
                               analysis ? ROAST_ROLE_ANALYSIS : ROAST_ROLE_FRAMEWORK);
  roast_table_writer_close (self->writer, NULL);
}

/* Tasks without a name are the analysis, unless others are it by name. */
static void
decide (FrameworkTasks *self)
{
  for (guint i = 0; i < self->undecided->len; i++)
    write_role (self, g_ptr_array_index (self->undecided, i), self->unnamed, !self->named);
  g_ptr_array_set_size (self->undecided, 0);
}

void
framework_tasks_add (FrameworkTasks *self, const char *source, const char *category)
{
  g_autofree char *key = g_strconcat (source, "\n", category, NULL);
  gboolean analysis;

  if (self->finished || !g_hash_table_add (self->known, g_steal_pointer (&key)))
    return;
  if (g_strcmp0 (category, self->unnamed) == 0)
    {
      g_ptr_array_add (self->undecided, g_strdup (source));
      if (self->named || self->processor == NULL)
        decide (self);
      return;
    }
  analysis = names_analysis (self, category);
  write_role (self, source, category, analysis);
  if (!analysis || self->processor == NULL)
    return;
  self->named = TRUE;
  decide (self);
}

void
framework_tasks_finish (FrameworkTasks *self)
{
  g_autofree char *message = NULL;

  if (self->finished)
    return;
  decide (self);
  self->finished = TRUE;
  if (self->processor == NULL || self->has_analysis || g_hash_table_size (self->known) == 0)
    return;
  message =
      g_strdup_printf ("no task matches the option processor=%s: all tasks count as the framework's: check the name",
                       self->processor);
  roast_recording_add_event (self->recording, NULL, -1, ROAST_SEVERITY_WARNING, "processor", message);
}
