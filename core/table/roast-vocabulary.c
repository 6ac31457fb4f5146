/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-vocabulary-private.h"

#include "base/roast-type-private.h"

/**
 * RoastVocabulary:
 *
 * The words that the cells of a column may contain, each with its meaning.
 *
 * A closed vocabulary lists all words. An open vocabulary lists the words that roast knows; scripts and executors may
 * use other words. The number of a word is its position in the schema. The number never changes, because new words are
 * only added at the end.
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

  RoastVocabularyDeclaration declaration; /* declaration of the vocabulary; its array of words is a copy */
  GHashTable *numbers;                    /* maps a word to its number + 1; made on first use */
};

ROAST_DEFINE_TYPE (RoastVocabulary, roast_vocabulary)
ROAST_DEFINE_NO_INIT (RoastVocabulary, roast_vocabulary)

static void
roast_vocabulary_release (RoastVocabulary *self)
{
  g_clear_pointer (&self->numbers, g_hash_table_unref);
  g_free ((gpointer) self->declaration.words);
  g_atomic_rc_box_release (self->declaration.text);
}

RoastVocabulary *
roast_vocabulary_new (const RoastVocabularyDeclaration *declaration)
{
  RoastVocabulary *self = g_object_new (ROAST_TYPE_VOCABULARY, NULL);

  self->declaration = *declaration;
  g_atomic_rc_box_acquire (declaration->text);
  self->declaration.words = g_memdup2 (declaration->words, declaration->n_words * sizeof *declaration->words);

  return self;
}

ROAST_DEFINE_GETTER (Vocabulary, VOCABULARY, const char *, roast_vocabulary_get_declared_by, NULL,
                     self->declaration.declared_by)

/**
 * roast_vocabulary_get_name:
 * @self: a vocabulary
 *
 * Gets the name of a vocabulary.
 *
 * Returns: (transfer none): the name
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Vocabulary, VOCABULARY, const char *, roast_vocabulary_get_name, NULL, self->declaration.name)

/**
 * roast_vocabulary_get_description:
 * @self: a vocabulary
 *
 * Gets the description of the words.
 *
 * Returns: (transfer none): a description of one line
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Vocabulary, VOCABULARY, const char *, roast_vocabulary_get_description, NULL,
                     self->declaration.description)

/**
 * roast_vocabulary_is_closed:
 * @self: a vocabulary
 *
 * Checks whether columns with this vocabulary must not contain other words.
 *
 * Returns: %TRUE if the vocabulary is closed, %FALSE if scripts and executors may add words
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Vocabulary, VOCABULARY, gboolean, roast_vocabulary_is_closed, FALSE, self->declaration.closed)

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
ROAST_DEFINE_GETTER (Vocabulary, VOCABULARY, guint, roast_vocabulary_get_n_words, 0, self->declaration.n_words)

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
  g_return_val_if_fail (word < self->declaration.n_words, NULL);

  return self->declaration.words[word].key;
}

/**
 * roast_vocabulary_get_meaning:
 * @self: a vocabulary
 * @word: number of a word
 *
 * Gets the meaning of a word.
 *
 * Returns: (transfer none): the meaning, in one line
 *
 * Since: 0.9
 */
const char *
roast_vocabulary_get_meaning (RoastVocabulary *self, guint word)
{
  g_return_val_if_fail (ROAST_IS_VOCABULARY (self), NULL);
  g_return_val_if_fail (word < self->declaration.n_words, NULL);

  return self->declaration.words[word].value;
}

/* Return the hash table of numbers. The first call in any thread makes the table, because most vocabularies of a run
 * are never searched. */
static GHashTable *
vocabulary_get_numbers (RoastVocabulary *self)
{
  if (g_once_init_enter (&self->numbers))
    {
      GHashTable *numbers = g_hash_table_new (g_str_hash, g_str_equal);

      for (guint i = 0; i < self->declaration.n_words; i++)
        g_hash_table_insert (numbers, self->declaration.words[i].key, GUINT_TO_POINTER (i + 1));
      g_once_init_leave (&self->numbers, numbers);
    }

  return self->numbers;
}

/**
 * roast_vocabulary_find:
 * @self: a vocabulary
 * @text: a word
 * @word: (out) (optional): the number of the word
 *
 * Looks up a word.
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

  found = GPOINTER_TO_UINT (g_hash_table_lookup (vocabulary_get_numbers (self), text));
  if (found > 0 && word != NULL)
    *word = found - 1;

  return found > 0;
}

char *
roast_vocabulary_dup_words (RoastVocabulary *self)
{
  GString *words = g_string_new (NULL);

  for (guint i = 0; i < self->declaration.n_words; i++)
    g_string_append_printf (words, "%s%s", i > 0 ? ", " : "", self->declaration.words[i].key);

  return g_string_free (words, FALSE);
}
