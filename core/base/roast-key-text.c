/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-key-text-private.h"

#include <string.h>

/* Groups with more keys than this are checked for duplicates with a hash table. */
#define MANY_KEYS 32

typedef struct
{
  RoastKeyText *text;
  char *line; /* start of the line, after leading white space */
  char *end;
  guint number;
} KeyTextReader;

static gboolean key_text_fail (KeyTextReader *self, GError **error, const char *format, ...) G_GNUC_PRINTF (3, 4);

static gboolean
key_text_fail (KeyTextReader *self, GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (error != NULL)
    *error = g_error_new_valist (G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_PARSE, format, arguments);
  va_end (arguments);
  g_prefix_error (error, "line %u: ", self->number);

  return FALSE;
}

static gboolean
fail_twice (GError **error, const char *what, const char *where)
{
  g_set_error (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_INVALID_VALUE, "%s appears twice%s", what, where);

  return FALSE;
}

/* Resolve the escapes of a value in place. */
static gboolean
resolve_escapes (KeyTextReader *self, const char *key, char *value, GError **error)
{
  static const char letters[] = "sntr\\";
  static const char meanings[] = " \n\t\r\\";
  char *to = strchr (value, '\\');

  for (const char *from = to; from != NULL && *from != '\0'; from++)
    {
      const char *letter = NULL;

      if (*from != '\\')
        {
          *to++ = *from;
          continue;
        }
      from++;
      if (*from == '\0')
        return key_text_fail (self, error, "the value of %s ends in an incomplete escape: write \\\\ for a backslash",
                              key);
      letter = strchr (letters, *from);
      if (letter == NULL)
        return key_text_fail (self, error, "the value of %s has the unknown escape \\%c: write \\\\ for a backslash",
                              key, *from);
      *to++ = meanings[letter - letters];
    }
  if (to != NULL)
    *to = '\0';

  return TRUE;
}

static gboolean
has_key_twice (RoastKeyText *self, const RoastKeyGroup *group, const char **key)
{
  RoastKeyEntry *entries = roast_key_text_get_entries (self, group);
  g_autoptr (GHashTable) seen = group->n_entries > MANY_KEYS ? g_hash_table_new (g_str_hash, g_str_equal) : NULL;

  for (guint i = 1; seen == NULL && i < group->n_entries; i++)
    for (guint j = 0; j < i; j++)
      if (*entries[i].key == *entries[j].key && strcmp (entries[i].key, entries[j].key) == 0)
        {
          *key = entries[i].key;
          return TRUE;
        }
  for (guint i = 0; seen != NULL && i < group->n_entries; i++)
    if (!g_hash_table_add (seen, entries[i].key))
      {
        *key = entries[i].key;
        return TRUE;
      }

  return FALSE;
}

/* Check the group before the current line, if there is one, for duplicate keys. */
static gboolean
check_last_group (KeyTextReader *self, GError **error)
{
  GArray *groups = self->text->groups;
  const RoastKeyGroup *last = groups->len > 0 ? &g_array_index (groups, RoastKeyGroup, groups->len - 1) : NULL;
  const char *key = NULL;
  g_autofree char *where = NULL;

  if (last == NULL || !has_key_twice (self->text, last, &key))
    return TRUE;
  where = g_strdup_printf (" in [%s]", last->name);

  return fail_twice (error, key, where);
}

static gboolean
key_text_read_group (KeyTextReader *self, GError **error)
{
  RoastKeyGroup group = { self->line + 1, self->text->entries->len, 0 };
  char *bracket = strchr (self->line, ']');
  const char *rest = bracket != NULL ? bracket + 1 : "?";
  g_autofree char *what = NULL;

  while (g_ascii_isspace (*rest))
    rest++;
  if (*rest != '\0' || bracket == self->line + 1 || strchr (self->line + 1, '[') != NULL)
    return key_text_fail (self, error, "“%s” is not the name of a group in brackets", self->line);
  *bracket = '\0';
  for (const char *c = group.name; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      return key_text_fail (self, error, "a group's name contains a control character");
  if (!check_last_group (self, error))
    return FALSE;
  g_array_append_val (self->text->groups, group);
  if (g_hash_table_insert (self->text->places, (char *) group.name, GUINT_TO_POINTER (self->text->groups->len)))
    return TRUE;
  what = g_strdup_printf ("group [%s]", group.name);

  return fail_twice (error, what, "");
}

static gboolean
read_entry (KeyTextReader *self, GError **error)
{
  char *equals = memchr (self->line, '=', (gsize) (self->end - self->line));
  RoastKeyEntry entry = { self->line, NULL };
  GArray *groups = self->text->groups;
  char *end = equals;

  while (end != NULL && end > self->line && g_ascii_isspace (end[-1]))
    end--;
  if (end == NULL || end == self->line)
    return key_text_fail (self, error, "“%s” is not a group, a comment or KEY=VALUE", self->line);
  *end = '\0';
  if (strchr (entry.key, '[') != NULL || strchr (entry.key, ']') != NULL)
    return key_text_fail (self, error, "key “%s” contains a bracket", entry.key);
  if (groups->len == 0)
    return key_text_fail (self, error, "key “%s” comes before the first group: write a line [GROUP] before this key",
                          entry.key);
  entry.value = equals + 1;
  while (g_ascii_isspace (*entry.value))
    entry.value++;
  if (memchr (entry.value, '\\', (gsize) (self->end - entry.value)) != NULL &&
      !resolve_escapes (self, entry.key, entry.value, error))
    return FALSE;
  g_array_append_val (self->text->entries, entry);
  g_array_index (groups, RoastKeyGroup, groups->len - 1).n_entries++;

  return TRUE;
}

static gboolean
key_text_read_line (KeyTextReader *self, GError **error)
{
  while (g_ascii_isspace (*self->line))
    self->line++;
  if (*self->line == '\0' || *self->line == '#')
    return TRUE;

  return *self->line == '[' ? key_text_read_group (self, error) : read_entry (self, error);
}

static gboolean
key_text_read_lines (RoastKeyText *text, gsize length, GError **error)
{
  KeyTextReader reader = { .text = text };
  char *next = text->data;
  const char *end = text->data + length;

  while (next < end)
    {
      reader.line = next;
      reader.number++;
      reader.end = memchr (next, '\n', (gsize) (end - next));
      if (reader.end == NULL)
        reader.end = text->data + length;
      next = reader.end + 1;
      if (reader.end > reader.line && reader.end[-1] == '\r')
        reader.end--;
      *reader.end = '\0';
      if (!key_text_read_line (&reader, error))
        return FALSE;
    }

  return check_last_group (&reader, error);
}

RoastKeyText *
roast_key_text_new (const char *data, gsize length, GError **error)
{
  g_autoptr (RoastKeyText) self = g_new0 (RoastKeyText, 1);

  self->data = g_atomic_rc_box_alloc (length + 1);
  self->entries = g_array_new (FALSE, FALSE, sizeof (RoastKeyEntry));
  self->groups = g_array_new (FALSE, FALSE, sizeof (RoastKeyGroup));
  self->places = g_hash_table_new (g_str_hash, g_str_equal);
  if (length > 0)
    memcpy (self->data, data, length);
  self->data[length] = '\0';
  if (!g_utf8_validate_len (self->data, length, NULL))
    {
      g_set_error_literal (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_PARSE, "the text is not UTF-8");
      return NULL;
    }

  return key_text_read_lines (self, length, error) ? g_steal_pointer (&self) : NULL;
}

void
roast_key_text_free (RoastKeyText *self)
{
  g_hash_table_unref (self->places);
  g_array_unref (self->groups);
  g_array_unref (self->entries);
  g_atomic_rc_box_release (self->data);
  g_free (self);
}

RoastKeyGroup *
roast_key_text_find (RoastKeyText *self, const char *group)
{
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (self->places, group));

  return place > 0 ? &g_array_index (self->groups, RoastKeyGroup, place - 1) : NULL;
}

RoastKeyEntry *
roast_key_text_get_entries (RoastKeyText *self, const RoastKeyGroup *group)
{
  return &g_array_index (self->entries, RoastKeyEntry, group->first);
}
