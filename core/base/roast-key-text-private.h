/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* A text of groups, keys and values in GKeyFile format, without translations. The text is parsed in one pass. All names
 * and values point into one copy of the text, so that a file with hundreds of groups needs few allocations. */

typedef struct
{
  char *key;
  char *value; /* value of the key, with escapes resolved; the owner may split it in place */
} RoastKeyEntry;

typedef struct
{
  const char *name;
  guint first; /* index of the group's first entry */
  guint n_entries;
} RoastKeyGroup;

typedef struct
{
  char *data; /* copy of the text, from g_atomic_rc_box_alloc(); users that keep pointers into it hold a reference */
  GArray *entries;
  GArray *groups;
  GHashTable *places; /* maps a group's name to its index + 1 */
} RoastKeyText;

/* Parses a text. Returns NULL with G_KEY_FILE_ERROR_PARSE, or with G_KEY_FILE_ERROR_INVALID_VALUE if a group or key
 * appears twice. */
RoastKeyText *roast_key_text_new (const char *data, gsize length, GError **error);
void roast_key_text_free (RoastKeyText *self);
RoastKeyGroup *roast_key_text_find (RoastKeyText *self, const char *group);
RoastKeyEntry *roast_key_text_get_entries (RoastKeyText *self, const RoastKeyGroup *group);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastKeyText, roast_key_text_free)
