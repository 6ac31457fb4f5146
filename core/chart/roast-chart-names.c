/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-chart-names-private.h"

#include <string.h>

#define MISSING "(none)"

struct _RoastChartNames
{
  RoastVocabulary *vocabulary; /* or NULL */
  GPtrArray *names;            /* of char *: what is shown */
  GArray *words;               /* of int: by name */
  GHashTable *by_text;         /* text in the table → name + 1 */
  char **texts;                /* of a category, by code */
  guint n_texts;
  guint *by_code; /* name + 1 */
  guint missing;  /* name + 1, or 0 */
};

RoastChartNames *
roast_chart_names_new (RoastColumn *column)
{
  RoastChartNames *self = g_new0 (RoastChartNames, 1);

  self->vocabulary = roast_column_get_vocabulary (column);
  if (self->vocabulary != NULL)
    g_object_ref (self->vocabulary);
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->words = g_array_new (FALSE, FALSE, sizeof (int));
  self->by_text = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  return self;
}

void
roast_chart_names_free (RoastChartNames *self)
{
  g_clear_object (&self->vocabulary);
  g_ptr_array_unref (self->names);
  g_array_unref (self->words);
  g_hash_table_unref (self->by_text);
  g_strfreev (self->texts);
  g_free (self->by_code);
  g_free (self);
}

void
roast_chart_names_set_texts (RoastChartNames *self, char **texts)
{
  self->texts = texts;
  self->n_texts = g_strv_length (texts);
  self->by_code = g_new0 (guint, self->n_texts + 1);
}

/* Words of a vocabulary are written for programs. */
static char *
make_readable (const char *word)
{
  return g_strdelimit (g_strdup (word), "_", ' ');
}

static guint
add (RoastChartNames *self, const char *text)
{
  guint word = 0;
  gboolean is_word = self->vocabulary != NULL && roast_vocabulary_find (self->vocabulary, text, &word);
  int place = is_word ? (int) word : -1;

  g_ptr_array_add (self->names, is_word ? make_readable (text) : g_strdup (text));
  g_array_append_val (self->words, place);

  return self->names->len;
}

guint
roast_chart_names_find_text (RoastChartNames *self, const char *text)
{
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_text, text));

  if (found == 0)
    {
      found = add (self, text);
      g_hash_table_insert (self->by_text, g_strdup (text), GUINT_TO_POINTER (found));
    }

  return found - 1;
}

guint
roast_chart_names_find_missing (RoastChartNames *self)
{
  if (self->missing == 0)
    self->missing = add (self, MISSING);

  return self->missing - 1;
}

static guint
find_code (RoastChartNames *self, gint32 code)
{
  if (code < 0 || (guint) code >= self->n_texts)
    return roast_chart_names_find_missing (self);
  if (self->by_code[code] == 0)
    self->by_code[code] = add (self, self->texts[code]);

  return self->by_code[code] - 1;
}

void
roast_chart_names_find_codes (RoastChartNames *self, const gint32 *codes, const guint *kept, guint n, guint *names)
{
  for (guint i = 0; i < n; i++)
    names[i] = find_code (self, codes[kept != NULL ? kept[i] : i]);
}

guint
roast_chart_names_get_length (RoastChartNames *self)
{
  return self->names->len;
}

const char *
roast_chart_names_get (RoastChartNames *self, guint name)
{
  return g_ptr_array_index (self->names, name);
}

int
roast_chart_names_get_word (RoastChartNames *self, guint name)
{
  return g_array_index (self->words, int, name);
}

/* The number at a place in a text, without leading zeros. */
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
