/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-chart-names-private.h"

#include <string.h>

#include "roast/roast-theme.h"

struct _RoastChartNames
{
  RoastVocabulary *vocabulary; /* vocabulary of the column; NULL if the column has no vocabulary */
  RoastSchema *schema;         /* schema with the labels; not owned */
  GPtrArray *names;            /* names as shown to users, indexed by number; of char * */
  GArray *words;               /* index in the vocabulary, indexed by number, -1 if it has no such word; of int */
  GHashTable *by_text;         /* maps a text in the table to the number of its name, plus 1 */
  GArray *by_code; /* number of the name + 1, indexed by the code of a category, 0 if not known yet; of guint */
  guint missing;   /* number of the name for missing values, plus 1; 0 if no value was missing */
  char *missing_text;

  /* For pairs: */
  RoastChartNamesMode mode;
  RoastChartNames *parts[2];
  GHashTable *by_pair; /* maps a pair of numbers to the number of the combined name, plus 1 */
  GArray *pairs; /* of guint64: the pair with each number; its first name is the high half, its second the low half */
  GArray *uses;  /* number of pairs that contain a first name, indexed by the number of this name; of guint */
};

RoastChartNames *
roast_chart_names_new (RoastColumn *column, RoastSchema *schema, const char *missing)
{
  RoastChartNames *self = g_new0 (RoastChartNames, 1);

  self->schema = schema;
  self->vocabulary = roast_column_get_vocabulary (column);
  if (self->vocabulary != NULL)
    g_object_ref (self->vocabulary);
  self->missing_text = g_strdup (missing);
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->words = g_array_new (FALSE, FALSE, sizeof (int));
  self->by_text = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->by_code = g_array_new (FALSE, TRUE, sizeof (guint));

  return self;
}

/* Mix the two halves of a pair, because g_int64_hash () would give many pairs of small numbers the same hash. */
static guint
names_hash_pair (gconstpointer pair)
{
  return (guint) (*(const guint64 *) pair * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 32); /* 2^64 / golden ratio */
}

RoastChartNames *
roast_chart_names_new_pair (RoastChartNames *first, RoastChartNames *second, RoastChartNamesMode mode)
{
  RoastChartNames *self = g_new0 (RoastChartNames, 1);

  self->mode = mode;
  self->parts[0] = first;
  self->parts[1] = second;
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->words = g_array_new (FALSE, FALSE, sizeof (int));
  self->by_pair = g_hash_table_new_full (names_hash_pair, g_int64_equal, g_free, NULL);
  self->pairs = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->uses = g_array_new (FALSE, TRUE, sizeof (guint));

  return self;
}

RoastChartNames *
roast_chart_names_get_part (RoastChartNames *self, guint part)
{
  return self->mode != ROAST_CHART_NAMES_PLAIN ? self->parts[part] : self;
}

void
roast_chart_names_free (RoastChartNames *self)
{
  g_clear_pointer (&self->parts[0], roast_chart_names_free);
  g_clear_pointer (&self->parts[1], roast_chart_names_free);
  g_clear_pointer (&self->by_pair, g_hash_table_unref);
  g_clear_pointer (&self->pairs, g_array_unref);
  g_clear_pointer (&self->uses, g_array_unref);
  g_free (self->missing_text);
  g_clear_object (&self->vocabulary);
  g_ptr_array_unref (self->names);
  g_array_unref (self->words);
  g_clear_pointer (&self->by_text, g_hash_table_unref);
  g_clear_pointer (&self->by_code, g_array_unref);
  g_free (self);
}

/* Return the label of a word. Search the schema of the run first, then the schema of this version, because the run file
 * may come from an earlier version whose schema lacks the label. */
static char *
names_make_readable (RoastChartNames *self, const char *word)
{
  const char *vocabulary = roast_vocabulary_get_name (self->vocabulary);
  const char *label = roast_schema_get_label (self->schema, vocabulary, word);
  g_autoptr (RoastSchema) core = NULL;

  if (label == word)
    {
      core = roast_schema_new ();
      label = roast_schema_get_label (core, vocabulary, word);
    }

  return label != word ? g_strdup (label) : g_strdelimit (g_strdup (word), "_", ' ');
}

static guint
names_add (RoastChartNames *self, const char *text)
{
  guint word = 0;
  gboolean is_word = self->vocabulary != NULL && roast_vocabulary_find (self->vocabulary, text, &word);
  int place = is_word ? (int) word : -1;

  g_ptr_array_add (self->names, is_word ? names_make_readable (self, text) : g_strdup (text));
  g_array_append_val (self->words, place);

  return self->names->len;
}

guint
roast_chart_names_find_text (RoastChartNames *self, const char *text)
{
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_text, text));

  if (found == 0)
    {
      found = names_add (self, text);
      g_hash_table_insert (self->by_text, g_strdup (text), GUINT_TO_POINTER (found));
    }

  return found - 1;
}

guint
roast_chart_names_find_missing (RoastChartNames *self)
{
  if (self->missing == 0)
    self->missing = names_add (self, self->missing_text);

  return self->missing - 1;
}

guint
roast_chart_names_find_code (RoastChartNames *self, RoastTableReader *reader, guint slot)
{
  int code = roast_table_reader_get_code (reader, slot);
  guint *found = NULL;

  if (code < 0)
    return roast_chart_names_find_missing (self);
  if ((guint) code >= self->by_code->len)
    g_array_set_size (self->by_code, (guint) code + 1);
  found = &g_array_index (self->by_code, guint, code);
  if (*found == 0)
    *found = names_add (self, roast_table_reader_get_string (reader, slot));

  return *found - 1;
}

guint
roast_chart_names_get_length (RoastChartNames *self)
{
  return self->names->len;
}

guint
roast_chart_names_find_pair (RoastChartNames *self, guint first, guint second)
{
  guint64 pair = (guint64) first << 32 | second;
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_pair, &pair));
  int word = 0;

  if (found != 0)
    return found - 1;
  word = roast_chart_names_get_word (self->parts[0], first);
  g_ptr_array_add (self->names, NULL);
  g_array_append_val (self->words, word);
  g_array_append_val (self->pairs, pair);
  g_hash_table_insert (self->by_pair, g_memdup2 (&pair, sizeof pair), GUINT_TO_POINTER (self->names->len));
  if (first >= self->uses->len)
    g_array_set_size (self->uses, first + 1);
  g_array_index (self->uses, guint, first)++;

  return self->names->len - 1;
}

static guint
get_first (RoastChartNames *self, guint name)
{
  return (guint) (g_array_index (self->pairs, guint64, name) >> 32);
}

static guint
get_second (RoastChartNames *self, guint name)
{
  return (guint) g_array_index (self->pairs, guint64, name);
}

/* Return the text of a pair. The text is made on first use, because all rows must have been read to know whether the
 * text needs both parts. */
static const char *
get_of_pair (RoastChartNames *self, guint name)
{
  guint number = get_first (self, name);
  const char *first = roast_chart_names_get (self->parts[0], number);
  const char *second = roast_chart_names_get (self->parts[1], get_second (self, name));
  char **shown = (char **) &g_ptr_array_index (self->names, name);

  if (self->mode == ROAST_CHART_NAMES_WITHIN && g_array_index (self->uses, guint, number) < 2)
    return first;
  if (self->mode == ROAST_CHART_NAMES_OF_SOURCE && roast_chart_names_get_length (self->parts[0]) < 2)
    return second;
  if (*shown == NULL)
    *shown = self->mode == ROAST_CHART_NAMES_WITHIN ? g_strdup_printf ("%s (%s)", first, second)
                                                    : g_strdup_printf ("%s, %s", first, second);

  return *shown;
}

const char *
roast_chart_names_get (RoastChartNames *self, guint name)
{
  return self->mode != ROAST_CHART_NAMES_PLAIN ? get_of_pair (self, name) : g_ptr_array_index (self->names, name);
}

gboolean
roast_chart_names_is_missing (RoastChartNames *self, guint name)
{
  if (self->mode != ROAST_CHART_NAMES_PLAIN)
    return roast_chart_names_is_missing (self->parts[0], get_first (self, name));

  return self->missing == name + 1;
}

gboolean
roast_chart_names_is_pair (RoastChartNames *self)
{
  return self->mode == ROAST_CHART_NAMES_PAIR || self->mode == ROAST_CHART_NAMES_OF_SOURCE;
}

static int
compare_in (RoastChartNames *self, guint a, guint b)
{
  int word = roast_chart_names_get_word (self, a);
  int other = roast_chart_names_get_word (self, b);

  if (word >= 0 && other >= 0)
    return (word > other) - (word < other);
  if (word >= 0 || other >= 0)
    return word >= 0 ? -1 : 1;

  return roast_chart_names_compare (roast_chart_names_get (self, a), roast_chart_names_get (self, b));
}

int
roast_chart_names_compare_pairs (RoastChartNames *self, guint a, guint b)
{
  int order = compare_in (self->parts[0], get_first (self, a), get_first (self, b));

  return order != 0 ? order : compare_in (self->parts[1], get_second (self, a), get_second (self, b));
}

int
roast_chart_names_get_word (RoastChartNames *self, guint name)
{
  return g_array_index (self->words, int, name);
}

/* Fixed colours of words. Related words have the same hue: time in tasks is blue, time of frameworks is green, and lost
 * time is red. */
static const struct
{
  const char *vocabulary, *word;
  int palette;
} palettes[] = {
  { "core_part", "task.cpu", 0 },
  { "core_part", "task.unsplit", 8 },
  { "core_part", "task.running", 8 },
  { "core_part", "task.other_threads", 16 },
  { "core_part", "task.wait", 1 },
  { "core_part", "task.serialise", 9 },
  { "core_part", "task.spill", 17 },
  { "core_part", "framework.cpu", 2 },
  { "core_part", "framework.wait", 10 },
  { "core_part", "unknown", 18 },
  { "core_part", "lost.failed", 3 },
  { "core_part", "lost.worker", 11 },
  { "core_part", "lost.retried", 19 },
  { "core_part", "library.start", 4 },
  { "core_part", "library.idle", 12 },
  { "core_part", "library.failed", 20 },
  { "core_part", "move.in", 5 },
  { "core_part", "move.out", 13 },
  { "core_part", "reserved.unused", 21 },
  { "core_part", "idle.executor", 6 },
  { "core_part", "idle.inputs", 14 },
  { "core_part", "idle.no_fit", 22 },
  { "core_part", "idle.no_work", 23 },
  { "core_part", "idle.undetermined", 15 },
  { "core_part", "lost.exhausted", 7 },
  { "core_part", "lost.cancelled", 19 },
  { "status", "done", 0 },
  { "status", "failed", 3 },
  { "status", "killed_worker", 4 },
  { "status", "lost", 1 },
  { "status", "exhausted", 6 },
  { "status", "cancelled", 5 },
  { "status", "never_ran", 7 },
  { "status", "unfinished", 2 },
  { "status", "running", 10 },
  { "status", "waiting", 15 },
  { "status", "rescheduled", 9 },
};

int
roast_chart_names_get_palette (RoastChartNames *self, guint name)
{
  RoastVocabulary *vocabulary = roast_chart_names_get_part (self, 0)->vocabulary;
  int word = roast_chart_names_get_word (self, name);

  if (word < 0)
    return -1;
  for (guint i = 0; i < G_N_ELEMENTS (palettes); i++)
    if (g_str_equal (palettes[i].vocabulary, roast_vocabulary_get_name (vocabulary)) &&
        g_str_equal (palettes[i].word, roast_vocabulary_get_word (vocabulary, (guint) word)))
      return palettes[i].palette;

  return word % ROAST_THEME_N_COLOURS;
}

/* Skip the leading zeros of a number. Return how many digits follow. */
static gsize
span_number (const char **text)
{
  *text += strspn (*text, "0");

  return strspn (*text, "0123456789");
}

int
roast_chart_names_compare (const char *a, const char *b)
{
  const char *first = a;
  const char *second = b;

  while (*a != '\0' && *b != '\0')
    if (g_ascii_isdigit (*a) && g_ascii_isdigit (*b))
      {
        gsize length = span_number (&a);
        gsize other = span_number (&b);
        int order = length != other ? (length < other ? -1 : 1) : memcmp (a, b, length);

        if (order != 0)
          return order;
        a += length;
        b += other;
      }
    else if (*a++ != *b++)
      return (guchar) a[-1] < (guchar) b[-1] ? -1 : 1;

  return *a != '\0' ? 1 : *b != '\0' ? -1 : strcmp (first, second);
}
