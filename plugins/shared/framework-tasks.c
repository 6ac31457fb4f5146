/* SPDX-License-Identifier: BSD-3-Clause */
#include "framework-tasks.h"

#include <string.h>

#include "each.h"
#include "names-key.h"

/* Names of tasks that frameworks run in addition to the analysis. Names that scripts may well give to their own tasks
 * are left out. */
static const char *const framework[] = {
  "get_metadata", "_get_metadata", "reduce", "_reduce", "preprocessing", "accumulating", NULL,
};

/* Name of the task by which frameworks may send the processor to workers. In other programs, a task with this name may
 * be the analysis. */
#define HELPER "lambda"

/* A category of one source whose role depends on other categories. */
typedef struct
{
  char *source;
  char *category;
} Undecided;

struct _FrameworkTasks
{
  RoastRecording *recording;
  char *processor;
  char *unnamed;
  guint max_name;
  RoastTableWriter *writer; /* writer of the table categories; NULL until the first row is written */
  GHashTable *known;        /* set of "source\ncategory": categories that were added */
  GPtrArray *undecided;     /* elements are Undecided: categories whose role is not decided yet */
  gboolean named;           /* at least one category has a name that marks it as the analysis */
  gboolean has_analysis;
  gboolean finished;
};

static void
undecided_free (Undecided *entry)
{
  g_free (entry->source);
  g_free (entry->category);
  g_free (entry);
}

FrameworkTasks *
framework_tasks_new (RoastRecording *recording, const char *processor, const char *unnamed, guint max_name)
{
  FrameworkTasks *self = g_new0 (FrameworkTasks, 1);

  self->recording = g_object_ref (recording);
  self->processor = g_strdup (processor);
  self->unnamed = g_strdup (unnamed);
  self->max_name = max_name;
  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->undecided = g_ptr_array_new_with_free_func ((GDestroyNotify) undecided_free);

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

/* Returns whether @category is the shortened form of the processor name @name. The executor shortens names. */
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

static gboolean
is_named_after (FrameworkTasks *self, const char *category, const char *processor)
{
  return g_str_equal (category, processor) || g_str_equal (category, processor + strspn (processor, "_")) ||
         (self->max_name > 0 && is_cut_from (category, processor, self->max_name));
}

/* Returns whether the name of the category marks this category as the analysis. */
static gboolean
names_analysis (FrameworkTasks *self, const char *category)
{
  if (self->processor == NULL)
    return !g_strv_contains (framework, category);

  return is_named_after (self, category, self->processor);
}

/* ---- roles ---- */

static void
write_role (FrameworkTasks *self, const char *source, const char *category, gboolean analysis)
{
  if (self->writer == NULL)
    self->writer = roast_categories_write (self->recording, NULL);
  if (self->writer == NULL)
    return;
  self->has_analysis |= analysis;
  roast_table_writer_set_string (self->writer, ROAST_CATEGORIES_SOURCE, source);
  roast_table_writer_set_string (self->writer, ROAST_CATEGORIES_CATEGORY, category);
  roast_table_writer_set_word (self->writer, ROAST_CATEGORIES_ROLE,
                               analysis ? ROAST_ROLE_ANALYSIS : ROAST_ROLE_FRAMEWORK);
  roast_table_writer_end (self->writer, NULL);
}

/* Decide the roles of the undecided categories. The category of unnamed tasks is the analysis, unless the name of
 * another category marks that one as the analysis. The category HELPER is the analysis, unless @helps is TRUE. */
static void
decide (FrameworkTasks *self, gboolean helps)
{
  FOR_EACH_POINTER (const Undecided, entry, self->undecided)
    write_role (self, entry->source, entry->category,
                g_str_equal (entry->category, self->unnamed) ? !self->named : !helps);
  g_ptr_array_set_size (self->undecided, 0);
}

static gboolean
has_category_of (FrameworkTasks *self, const char *processor)
{
  GHashTableIter iter;
  const char *key = NULL;

  g_hash_table_iter_init (&iter, self->known);
  while (g_hash_table_iter_next (&iter, (gpointer *) &key, NULL))
    if (is_named_after (self, strchr (key, '\n') + 1, processor))
      return TRUE;

  return FALSE;
}

/* Look for categories that are named after processors. Use the processors that the program reported, because the user
 * did not name one. Return whether the program reported any. */
static gboolean
read_processors (FrameworkTasks *self)
{
  g_autoptr (RoastTableReader) calls =
      roast_recording_read_table (self->recording, ROAST_TABLE_PROCESSING, roast_processing_columns, NULL);
  gboolean found = FALSE;

  while (roast_table_reader_next (calls))
    {
      const char *processor = roast_table_reader_get_string (calls, ROAST_PROCESSING_PROCESSOR);

      if (processor == NULL)
        continue;
      found = TRUE;
      self->named |= has_category_of (self, processor);
    }

  return found;
}

static gboolean
depends_on_others (FrameworkTasks *self, const char *category)
{
  if (self->unnamed == NULL)
    return FALSE;

  return g_str_equal (category, self->unnamed) || (self->processor == NULL && g_str_equal (category, HELPER));
}

void
framework_tasks_add (FrameworkTasks *self, const char *source, const char *category)
{
  g_autofree char *key = names_key_join (source, category);
  gboolean analysis;

  if (self->finished || !g_hash_table_add (self->known, g_steal_pointer (&key)))
    return;
  if (depends_on_others (self, category))
    {
      Undecided *entry = g_new (Undecided, 1);

      *entry = (Undecided) { g_strdup (source), g_strdup (category) };
      g_ptr_array_add (self->undecided, entry);
      if (self->named)
        decide (self, FALSE);
      return;
    }
  analysis = names_analysis (self, category);
  write_role (self, source, category, analysis);
  if (!analysis || self->processor == NULL)
    return;
  self->named = TRUE;
  decide (self, FALSE);
}

void
framework_tasks_finish (FrameworkTasks *self)
{
  g_autofree char *message = NULL;

  if (self->finished)
    return;
  if (self->undecided->len > 0)
    decide (self, self->processor == NULL && read_processors (self));
  self->finished = TRUE;
  if (self->processor == NULL || self->has_analysis || g_hash_table_size (self->known) == 0)
    return;
  message = g_strdup_printf ("no task matches processor=%s, so all tasks count as framework tasks: check the name",
                             self->processor);
  roast_recording_add_event (self->recording, NULL, -1, ROAST_SEVERITY_WARNING, "processor", message);
}
