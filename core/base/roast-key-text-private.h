/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* A text of groups, keys and values, in the format of GKeyFile without translations. It is read in one pass: names and
 * values are parts of one copy of the text, so that a catalogue of hundreds of groups costs next to nothing. */

typedef struct
{
  char *key;
  char *value; /* without escapes; its owner may cut it into parts */
} RoastKeyEntry;

typedef struct
{
  const char *name;
  guint first; /* place of its first entry */
  guint n_entries;
} RoastKeyGroup;

typedef struct
{
  char *data; /* a box of g_atomic_rc_box_alloc(): what uses parts of it for longer holds a reference */
  GArray *entries;
  GArray *groups;
  GHashTable *places; /* name of a group to its place + 1 */
} RoastKeyText;

/* NULL with G_KEY_FILE_ERROR_PARSE, or with G_KEY_FILE_ERROR_INVALID_VALUE if a group or key appears twice. */
RoastKeyText *roast_key_text_new (const char *data, gsize length, GError **error);
void roast_key_text_free (RoastKeyText *self);
RoastKeyGroup *roast_key_text_find (RoastKeyText *self, const char *group);
RoastKeyEntry *roast_key_text_get_entries (RoastKeyText *self, const RoastKeyGroup *group);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastKeyText, roast_key_text_free)
