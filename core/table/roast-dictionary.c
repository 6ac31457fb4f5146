/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-dictionary-private.h"

#include <string.h>

struct _RoastDictionary
{
  gatomicrefcount refs;
  GMutex mutex;
  GHashTable *codes; /* maps a text, owned by texts, to its code */
  GPtrArray *texts;
  const char *last_text; /* element of texts that was looked up last, or NULL; kept because many columns have the same
                            text in many rows */
  gpointer last_code;
  gsize memory;
};

RoastDictionary *
roast_dictionary_new (void)
{
  RoastDictionary *self = g_new0 (RoastDictionary, 1);

  g_atomic_ref_count_init (&self->refs);
  g_mutex_init (&self->mutex);
  self->codes = g_hash_table_new (g_str_hash, g_str_equal);
  self->texts = g_ptr_array_new_with_free_func (g_free);

  return self;
}

RoastDictionary *
roast_dictionary_ref (RoastDictionary *self)
{
  g_atomic_ref_count_inc (&self->refs);

  return self;
}

void
roast_dictionary_unref (RoastDictionary *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;

  g_hash_table_unref (self->codes);
  g_ptr_array_unref (self->texts);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

gint32
roast_dictionary_encode (RoastDictionary *self, const char *text)
{
  gpointer code = NULL;

  g_mutex_lock (&self->mutex);
  if (self->last_text != NULL && strcmp (self->last_text, text) == 0)
    code = self->last_code;
  else if (!g_hash_table_lookup_extended (self->codes, text, NULL, &code))
    {
      char *own = g_strdup (text);

      code = GINT_TO_POINTER (self->texts->len);
      g_ptr_array_add (self->texts, own);
      g_hash_table_insert (self->codes, own, code);
      self->memory += strlen (text) + 1 + 4 * sizeof (gpointer);
    }
  self->last_text = g_ptr_array_index (self->texts, GPOINTER_TO_UINT (code));
  self->last_code = code;
  g_mutex_unlock (&self->mutex);

  return GPOINTER_TO_INT (code);
}

guint
roast_dictionary_get_length (RoastDictionary *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return self->texts->len;
}

GPtrArray *
roast_dictionary_list (RoastDictionary *self, guint n_texts)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  GPtrArray *list = g_ptr_array_sized_new (n_texts);

  for (guint i = 0; i < n_texts; i++)
    g_ptr_array_add (list, g_ptr_array_index (self->texts, i));

  return list;
}

gsize
roast_dictionary_get_memory (RoastDictionary *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return self->memory;
}
