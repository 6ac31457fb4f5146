/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-vocabulary-private.h"

/**
 * RoastVocabulary:
 *
 * The words that the cells of a column may hold, each with its meaning.
 *
 * A closed vocabulary lists all words. An open one lists those that roast knows; scripts and executors add their own.
 * The number of a word is its place in the schema and never changes, since words are only added at the end.
 *
 * ```c
 * RoastVocabulary *status = roast_schema_lookup_vocabulary (schema, "status");
 *
 * for (guint i = 0; i < roast_vocabulary_get_n_words (status); i++)
 *   g_print ("%s: %s\n", roast_vocabulary_get_word (status, i), roast_vocabulary_get_meaning (status, i));
 * ```
 *
 * Since: 0.9
 */
struct _RoastVocabulary
{
  GObject parent_instance;

  char *name;
  char *description;
  gboolean closed;
  GPtrArray *words;
  GPtrArray *meanings;
  GHashTable *numbers; /* word, owned by words, to its number + 1 */
};

G_DEFINE_FINAL_TYPE (RoastVocabulary, roast_vocabulary, G_TYPE_OBJECT)

static void
roast_vocabulary_finalize (GObject *object)
{
  RoastVocabulary *self = ROAST_VOCABULARY (object);

  g_hash_table_unref (self->numbers);
  g_ptr_array_unref (self->words);
  g_ptr_array_unref (self->meanings);
  g_free (self->name);
  g_free (self->description);

  G_OBJECT_CLASS (roast_vocabulary_parent_class)->finalize (object);
}

static void
roast_vocabulary_class_init (RoastVocabularyClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_vocabulary_finalize;
}

static void
roast_vocabulary_init (RoastVocabulary *self)
{
  self->words = g_ptr_array_new_with_free_func (g_free);
  self->meanings = g_ptr_array_new_with_free_func (g_free);
  self->numbers = g_hash_table_new (g_str_hash, g_str_equal);
}

RoastVocabulary *
roast_vocabulary_new (const char *name, const char *description, gboolean closed)
{
  RoastVocabulary *self = g_object_new (ROAST_TYPE_VOCABULARY, NULL);

  self->name = g_strdup (name);
  self->description = g_strdup (description);
  self->closed = closed;

  return self;
}

gboolean
roast_vocabulary_add (RoastVocabulary *self, const char *word, const char *meaning)
{
  char *own = NULL;

  if (g_hash_table_contains (self->numbers, word))
    return FALSE;
  own = g_strdup (word);
  g_ptr_array_add (self->words, own);
  g_ptr_array_add (self->meanings, g_strdup (meaning));
  g_hash_table_insert (self->numbers, own, GUINT_TO_POINTER (self->words->len));

  return TRUE;
}

/**
 * roast_vocabulary_get_name:
 * @self: a vocabulary
 *
 * Gets the name of a vocabulary.
 *
 * Returns: (transfer none): its name
 *
 * Since: 0.9
 */
const char *
roast_vocabulary_get_name (RoastVocabulary *self)
{
  g_return_val_if_fail (ROAST_IS_VOCABULARY (self), NULL);

  return self->name;
}

/**
 * roast_vocabulary_get_description:
 * @self: a vocabulary
 *
 * Gets what the words describe.
 *
 * Returns: (transfer none): one line
 *
 * Since: 0.9
 */
const char *
roast_vocabulary_get_description (RoastVocabulary *self)
{
  g_return_val_if_fail (ROAST_IS_VOCABULARY (self), NULL);

  return self->description;
}

/**
 * roast_vocabulary_is_closed:
 * @self: a vocabulary
 *
 * Gets whether a column of this vocabulary holds no other words.
 *
 * Returns: %TRUE if it is closed, %FALSE if scripts and executors may add words
 *
 * Since: 0.9
 */
gboolean
roast_vocabulary_is_closed (RoastVocabulary *self)
{
  g_return_val_if_fail (ROAST_IS_VOCABULARY (self), FALSE);

  return self->closed;
}

/**
 * roast_vocabulary_get_n_words:
 * @self: a vocabulary
 *
 * Counts the declared words.
 *
 * Returns: the number of words
 *
 * Since: 0.9
 */
guint
roast_vocabulary_get_n_words (RoastVocabulary *self)
{
  g_return_val_if_fail (ROAST_IS_VOCABULARY (self), 0);

  return self->words->len;
}

/**
 * roast_vocabulary_get_word:
 * @self: a vocabulary
 * @word: number of a word
 *
 * Gets a word by its number.
 *
 * Returns: (transfer none): the word
 *
 * Since: 0.9
 */
const char *
roast_vocabulary_get_word (RoastVocabulary *self, guint word)
{
  g_return_val_if_fail (ROAST_IS_VOCABULARY (self), NULL);
  g_return_val_if_fail (word < self->words->len, NULL);

  return g_ptr_array_index (self->words, word);
}

/**
 * roast_vocabulary_get_meaning:
 * @self: a vocabulary
 * @word: number of a word
 *
 * Gets what a word means.
 *
 * Returns: (transfer none): one line
 *
 * Since: 0.9
 */
const char *
roast_vocabulary_get_meaning (RoastVocabulary *self, guint word)
{
  g_return_val_if_fail (ROAST_IS_VOCABULARY (self), NULL);
  g_return_val_if_fail (word < self->meanings->len, NULL);

  return g_ptr_array_index (self->meanings, word);
}

/**
 * roast_vocabulary_find:
 * @self: a vocabulary
 * @text: a word
 * @word: (out) (optional): its number
 *
 * Looks a word up.
 *
 * Returns: whether the word is declared
 *
 * Since: 0.9
 */
gboolean
roast_vocabulary_find (RoastVocabulary *self, const char *text, guint *word)
{
  guint found = 0;

  g_return_val_if_fail (ROAST_IS_VOCABULARY (self), FALSE);
  g_return_val_if_fail (text != NULL, FALSE);

  found = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, text));
  if (found > 0 && word != NULL)
    *word = found - 1;

  return found > 0;
}
