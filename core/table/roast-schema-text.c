/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads the text of a schema. */

#include <math.h>
#include <string.h>

#include "base/roast-key-file-private.h"
#include "roast-column-private.h"
#include "roast-metric-info-private.h"
#include "roast-schema-content-private.h"
#include "roast-table-info-private.h"
#include "roast-vocabulary-private.h"
#include "roast/roast-error.h"

#define MAX_SIZE (1 << 20) /* of a text */

/* One text, what it declares, and what others have declared before. */
typedef struct
{
  RoastSchemaContent *base;
  RoastSchemaContent *added;
  GKeyFile *file;
  const char *origin;
} Reader;

static gboolean fail (GError **error, RoastSchemaError code, const char *format, ...) G_GNUC_PRINTF (3, 4);

static gboolean
fail (GError **error, RoastSchemaError code, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (error != NULL)
    *error = g_error_new_valist (ROAST_SCHEMA_ERROR, (int) code, format, arguments);
  va_end (arguments);

  return FALSE;
}

/* What has a name in C, SQL and Python. */
static gboolean
check_name (const char *group, const char *name, GError **error)
{
  gboolean valid = g_ascii_islower (*name);

  for (const char *c = name; valid && *c != '\0'; c++)
    valid = g_ascii_islower (*c) || g_ascii_isdigit (*c) || *c == '_';

  return valid ||
         fail (error, ROAST_SCHEMA_ERROR_SYNTAX,
               "[%s]: “%s”: a name has lower-case letters, digits and underscores, and no digit first", group, name);
}

/* Nothing is declared twice, in one text or in two. */
static gboolean
claim (Reader *self, const char *kind, const char *name, GError **error)
{
  g_autofree char *key = g_strdup_printf ("%s “%s”", kind, name);
  const char *taken = g_hash_table_lookup (self->base->origins, key);

  if (taken == NULL)
    taken = g_hash_table_lookup (self->added->origins, key);
  if (taken != NULL)
    return fail (error, ROAST_SCHEMA_ERROR_DUPLICATE, "%s is declared already by %s: choose another name", key, taken);
  g_hash_table_insert (self->added->origins, g_steal_pointer (&key), g_strdup (self->origin));

  return TRUE;
}

static RoastVocabulary *
find_vocabulary (Reader *self, const char *name)
{
  RoastVocabulary *vocabulary = roast_schema_content_find_vocabulary (self->added, name);

  return vocabulary != NULL ? vocabulary : roast_schema_content_find_vocabulary (self->base, name);
}

/* Reads a key that has a fixed set of values; the first is the default. */
static gboolean
read_choice (Reader *self, const char *group, const char *key, const char *const *choices, guint *choice,
             GError **error)
{
  g_autofree char *value = g_key_file_get_string (self->file, group, key, NULL);
  g_autofree char *list = NULL;

  *choice = 0;
  for (guint i = 0; value != NULL && choices[i] != NULL; i++)
    {
      *choice = i;
      if (g_str_equal (choices[i], value))
        return TRUE;
    }
  if (value == NULL)
    return TRUE;
  list = g_strjoinv (", ", (char **) choices);

  return fail (error, ROAST_SCHEMA_ERROR_SYNTAX, "[%s]: %s=%s must be one of %s", group, key, value, list);
}

static gboolean
check_keys (Reader *self, const char *group, const char *const *known, GError **error)
{
  g_auto (GStrv) keys = g_key_file_get_keys (self->file, group, NULL, NULL);
  g_autofree char *list = NULL;

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    {
      if (g_strv_contains (known, keys[i]))
        continue;
      list = g_strjoinv (", ", (char **) known);
      return fail (error, ROAST_SCHEMA_ERROR_SYNTAX, "[%s] has an unknown key %s; it may have: %s", group, keys[i],
                   list);
    }

  return TRUE;
}

static char *
read_description (Reader *self, const char *group, GError **error)
{
  g_autofree char *text = g_key_file_get_string (self->file, group, "Description", NULL);

  if (text != NULL && *text != '\0')
    return g_steal_pointer (&text);
  fail (error, ROAST_SCHEMA_ERROR_SYNTAX, "[%s] needs a Description of one line", group);

  return NULL;
}

static gboolean
read_vocabulary (Reader *self, const char *group, const char *name, GError **error)
{
  static const char *const known[] = { "Closed", "Description", NULL };
  static const char *const closed_choices[] = { "false", "true", NULL };
  g_autoptr (RoastVocabulary) vocabulary = NULL;
  g_autofree char *description = NULL;
  g_autofree char *words = g_strconcat ("words ", name, NULL);
  g_auto (GStrv) keys = NULL;
  guint closed = 0;

  if (!check_name (group, name, error) || !claim (self, "vocabulary", name, error))
    return FALSE;
  description = read_description (self, group, error);
  if (description == NULL || !check_keys (self, group, known, error) ||
      !read_choice (self, group, "Closed", closed_choices, &closed, error))
    return FALSE;
  vocabulary = roast_vocabulary_new (name, description, closed != 0);
  keys = g_key_file_get_keys (self->file, words, NULL, NULL);
  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    {
      g_autofree char *meaning = g_key_file_get_string (self->file, words, keys[i], NULL);

      if (meaning == NULL || *meaning == '\0')
        return fail (error, ROAST_SCHEMA_ERROR_SYNTAX, "[%s]: word “%s” needs a meaning of one line", words, keys[i]);
      roast_vocabulary_add (vocabulary, keys[i], meaning);
    }
  if (roast_vocabulary_get_n_words (vocabulary) == 0 && closed != 0)
    return fail (error, ROAST_SCHEMA_ERROR_SYNTAX, "vocabulary “%s” is closed and has no words: add [%s]", name, words);
  g_ptr_array_add (self->added->vocabularies, g_steal_pointer (&vocabulary));

  return TRUE;
}

static gboolean
read_table (Reader *self, const char *group, const char *name, GError **error)
{
  static const char *const known[] = { "Kind", "Key", "Origin", "Storage", "From", "Description", NULL };
  static const char *const kinds[] = { "log", "entity", NULL };
  static const char *const origins[] = { "measured", "derived", NULL };
  static const char *const storages[] = { "blocks", "rows", NULL };
  static const char *const from_choices[] = { "backend", "program", NULL };
  g_autofree char *description = NULL;
  g_autofree char *columns = g_strconcat ("columns ", name, NULL);
  guint kind, origin, storage, from;

  if (!check_name (group, name, error) || !claim (self, "table", name, error))
    return FALSE;
  if (!g_key_file_has_group (self->file, columns))
    return fail (error, ROAST_SCHEMA_ERROR_SYNTAX, "table “%s” has no columns: add [%s]", name, columns);
  description = read_description (self, group, error);
  if (description == NULL || !check_keys (self, group, known, error) ||
      !read_choice (self, group, "Kind", kinds, &kind, error) ||
      !read_choice (self, group, "Origin", origins, &origin, error) ||
      !read_choice (self, group, "Storage", storages, &storage, error) ||
      !read_choice (self, group, "From", from_choices, &from, error))
    return FALSE;
  g_ptr_array_add (self->added->tables,
                   roast_table_info_new (name, description, (RoastTableKind) kind, (RoastTableOrigin) origin,
                                         (RoastTableStorage) storage, (RoastTableFrom) from));

  return TRUE;
}

static gboolean
fail_at_column (GError **error, RoastSchemaError code, const char *group, const char *name, const char *problem)
{
  return fail (error, code, "[%s]: column “%s”: %s", group, name, problem);
}

/* "TYPE [UNIT] [of VOCABULARY]: MEANING" */
static RoastColumn *
parse_column (Reader *self, const char *group, const char *name, const char *text, gboolean key, GError **error)
{
  static const char *const types[] = { "int64", "double", "boolean", "string", "category", NULL };
  const char *colon = strstr (text, ": ");
  g_autofree char *head = g_strndup (text, colon != NULL ? (gsize) (colon - text) : 0);
  g_auto (GStrv) words = g_strsplit (head, " ", -1);
  guint n = g_strv_length (words);
  gboolean has_vocabulary = n == 3 && g_str_equal (words[1], "of");
  RoastVocabulary *vocabulary = NULL;
  guint type = 0;

  if (colon == NULL || colon[2] == '\0' || n == 0 || (n > 2 && !has_vocabulary) || g_str_equal (words[n - 1], "of"))
    {
      fail_at_column (error, ROAST_SCHEMA_ERROR_SYNTAX, group, name, "write TYPE [UNIT] [of VOCABULARY]: MEANING");
      return NULL;
    }
  while (types[type] != NULL && !g_str_equal (types[type], words[0]))
    type++;
  if (has_vocabulary)
    vocabulary = find_vocabulary (self, words[2]);
  if (types[type] == NULL)
    fail_at_column (error, ROAST_SCHEMA_ERROR_SYNTAX, group, name,
                    "the type must be one of int64, double, boolean, string, category");
  else if (has_vocabulary && type != ROAST_COLUMN_TYPE_CATEGORY)
    fail_at_column (error, ROAST_SCHEMA_ERROR_SYNTAX, group, name, "only a category has a vocabulary");
  else if (has_vocabulary && vocabulary == NULL)
    fail_at_column (error, ROAST_SCHEMA_ERROR_UNKNOWN, group, name, "its vocabulary is not declared");
  else
    return roast_column_new (name, (RoastColumnType) type, n == 2 ? words[1] : NULL, colon + 2, key, vocabulary);

  return NULL;
}

/* The table that gets columns: one of the text, or a copy of one that others have declared and may hold. */
static RoastTableInfo *
find_table (Reader *self, const char *name)
{
  guint i = 0;

  if (roast_schema_content_find_table (self->added, name, &i))
    return g_ptr_array_index (self->added->tables, i);
  if (!roast_schema_content_find_table (self->base, name, &i))
    return NULL;
  g_ptr_array_add (self->added->tables, roast_table_info_copy (g_ptr_array_index (self->base->tables, i)));

  return g_ptr_array_index (self->added->tables, self->added->tables->len - 1);
}

static gboolean
read_columns (Reader *self, const char *group, const char *name, GError **error)
{
  g_autofree char *declaration = g_strconcat ("table ", name, NULL);
  g_auto (GStrv) keys = g_key_file_get_string_list (self->file, declaration, "Key", NULL, NULL);
  g_auto (GStrv) names = g_key_file_get_keys (self->file, group, NULL, NULL);
  RoastTableInfo *info = find_table (self, name);
  guint n_keys = 0;

  if (info == NULL)
    return fail (error, ROAST_SCHEMA_ERROR_UNKNOWN, "[%s]: no table “%s” is declared: add [%s]", group, name,
                 declaration);
  for (guint j = 0; names != NULL && names[j] != NULL; j++)
    {
      g_autofree char *text = g_key_file_get_string (self->file, group, names[j], NULL);
      gboolean is_key = keys != NULL && g_strv_contains ((const char *const *) keys, names[j]);
      g_autofree char *full_name = g_strconcat (name, ".", names[j], NULL);
      g_autoptr (RoastColumn) column = NULL;

      if (!check_name (group, names[j], error) || !claim (self, "column", full_name, error))
        return FALSE;
      column = parse_column (self, group, names[j], text != NULL ? text : "", is_key, error);
      if (column == NULL)
        return FALSE;
      n_keys += is_key ? 1 : 0;
      roast_table_info_add_column (info, column);
    }
  if (!g_key_file_has_group (self->file, declaration))
    return TRUE;
  if (keys != NULL && n_keys < g_strv_length (keys))
    return fail (error, ROAST_SCHEMA_ERROR_UNKNOWN, "[%s]: Key names a column that [%s] does not have", declaration,
                 group);
  if ((n_keys > 0) != (roast_table_info_get_kind (info) == ROAST_TABLE_KIND_ENTITY))
    return fail (error, ROAST_SCHEMA_ERROR_SYNTAX, "[%s]: an entity table needs a Key, and a log has none",
                 declaration);

  return TRUE;
}

static gboolean
add_metric_name (Reader *self, const char *text, RoastMetricInfo *info, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", 2);
  RoastSchemaMetric name = { info, 1.0 };

  if (parts[0] == NULL || *parts[0] == '\0')
    return TRUE;
  if (parts[1] != NULL)
    {
      char *end = NULL;

      name.scale = g_ascii_strtod (parts[1], &end);
      if (end == parts[1] || *end != '\0' || !isfinite (name.scale) || name.scale == 0)
        return fail (error, ROAST_SCHEMA_ERROR_SYNTAX, "metric “%s”: alias “%s” needs a number after the colon",
                     roast_metric_info_get_name (info), text);
    }
  if (!claim (self, "metric", parts[0], error))
    return FALSE;
  g_hash_table_insert (self->added->metric_names, g_strdup (parts[0]), g_memdup2 (&name, sizeof name));

  return TRUE;
}

static gboolean
read_group (Reader *self, const char *group, const char *name, GError **error)
{
  static const char *const known[] = { "Description", NULL };
  g_autofree char *description = read_description (self, group, error);

  if (description == NULL || !check_keys (self, group, known, error) || !claim (self, "group", name, error))
    return FALSE;
  g_ptr_array_add (self->added->groups, g_strdup (name));

  return TRUE;
}

static gboolean
read_metric (Reader *self, const char *group, const char *name, GError **error)
{
  static const char *const known[] = { "Label",       "Group",   "Rank",   "Unit",    "Format", "Show",
                                       "Description", "Formula", "Source", "Aliases", NULL };
  RoastMetricInfo *info = NULL;
  const char *const *aliases = NULL;

  if (!check_keys (self, group, known, error))
    return FALSE;
  info = roast_metric_info_new_from_group (self->file, group, name, error);
  if (info == NULL)
    return FALSE;
  g_ptr_array_add (self->added->metrics, info);
  if (!add_metric_name (self, name, info, error))
    return FALSE;
  aliases = roast_metric_info_get_aliases (info);
  for (guint i = 0; aliases[i] != NULL; i++)
    if (!add_metric_name (self, aliases[i], info, error))
      return FALSE;

  return TRUE;
}

static gboolean
read_labels (Reader *self, const char *group, const char *name, GError **error)
{
  g_auto (GStrv) keys = g_key_file_get_keys (self->file, group, NULL, NULL);

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    {
      g_autofree char *label = g_key_file_get_string (self->file, group, keys[i], NULL);
      g_autofree char *full_name = g_strconcat (name, ".", keys[i], NULL);

      if (label == NULL || *label == '\0')
        return fail (error, ROAST_SCHEMA_ERROR_SYNTAX, "[%s]: “%s” needs a label", group, keys[i]);
      if (!claim (self, "label", full_name, error))
        return FALSE;
      g_hash_table_insert (self->added->labels, roast_schema_content_dup_label_key (name, keys[i]),
                           g_steal_pointer (&label));
    }

  return TRUE;
}

/* [words NAME] is read with its vocabulary. */
static gboolean
check_words (Reader *self, const char *group, const char *name, GError **error)
{
  g_autofree char *declaration = g_strconcat ("vocabulary ", name, NULL);

  return g_key_file_has_group (self->file, declaration) ||
         fail (error, ROAST_SCHEMA_ERROR_UNKNOWN, "[%s]: this text does not declare the vocabulary: add [%s]", group,
               declaration);
}

/* In the order in which they depend on each other. */
static const struct
{
  const char *name;
  gboolean (*read) (Reader *self, const char *group, const char *name, GError **error);
} kinds[] = {
  { "vocabulary", read_vocabulary }, { "words", check_words },  { "table", read_table },   { "columns", read_columns },
  { "group", read_group },           { "metric", read_metric }, { "labels", read_labels },
};

/* The name in [KIND NAME], if it is of that kind. */
static const char *
name_of (const char *group, const char *kind)
{
  gsize length = strlen (kind);

  return g_str_has_prefix (group, kind) && group[length] == ' ' && group[length + 1] != '\0' ? group + length + 1
                                                                                             : NULL;
}

static gboolean
check_kinds (char **groups, GError **error)
{
  for (char **group = groups; *group != NULL; group++)
    {
      gboolean known = FALSE;

      for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
        known |= name_of (*group, kinds[k].name) != NULL;
      if (!known)
        return fail (error, ROAST_SCHEMA_ERROR_SYNTAX,
                     "unknown group [%s]; groups are [vocabulary NAME], [words NAME], [table NAME], [columns NAME], "
                     "[group NAME], [metric NAME], [labels BACKEND]",
                     *group);
    }

  return TRUE;
}

static gboolean
read_groups (Reader *self, GError **error)
{
  g_auto (GStrv) groups = g_key_file_get_groups (self->file, NULL);

  if (!check_kinds (groups, error))
    return FALSE;
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    for (char **group = groups; *group != NULL; group++)
      {
        const char *name = name_of (*group, kinds[k].name);

        if (name != NULL && !kinds[k].read (self, *group, name, error))
          return FALSE;
      }

  return TRUE;
}

/* GKeyFile merges two groups of the same name, and of two keys it keeps the last. */
static gboolean
check_duplicates (GBytes *data, GError **error)
{
  gsize size = 0;
  const char *text = g_bytes_get_data (data, &size);
  g_autofree char *copy = g_strndup (text, size);
  g_auto (GStrv) lines = g_strsplit (copy, "\n", -1);
  g_autoptr (GHashTable) groups = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const char *group = "";

  for (char **line = lines; *line != NULL; line++)
    {
      char *equals = NULL;

      g_strstrip (*line);
      equals = strchr (*line, '=');
      if (**line == '[')
        {
          group = *line;
          if (!g_hash_table_add (groups, *line))
            return fail (error, ROAST_SCHEMA_ERROR_DUPLICATE, "group %s appears twice", *line);
        }
      else if (**line != '#' && equals != NULL)
        {
          g_autofree char *name = g_strndup (*line, (gsize) (equals - *line));

          if (!g_hash_table_add (keys, g_strconcat (group, g_strstrip (name), NULL)))
            return fail (error, ROAST_SCHEMA_ERROR_DUPLICATE, "%s appears twice in %s", name, group);
        }
    }

  return TRUE;
}

static gboolean
read_text (Reader *self, GBytes *data, GError **error)
{
  g_autofree char *half_escape = NULL;

  if (g_bytes_get_size (data) > MAX_SIZE)
    return fail (error, ROAST_SCHEMA_ERROR_SYNTAX, "it has %zu bytes; a schema has at most 1 MiB",
                 g_bytes_get_size (data));
  if (!g_key_file_load_from_bytes (self->file, data, G_KEY_FILE_NONE, error) || !check_duplicates (data, error))
    return FALSE;
  half_escape = roast_key_file_find_half_escape (self->file);
  if (half_escape != NULL)
    return fail (error, ROAST_SCHEMA_ERROR_SYNTAX, "%s ends in half of an escape: write \\\\ for a backslash",
                 half_escape);

  return read_groups (self, error);
}

RoastSchemaContent *
roast_schema_content_read (RoastSchemaContent *base, GBytes *data, const char *origin, GError **error)
{
  g_autoptr (RoastSchemaContent) added = roast_schema_content_new ();
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) local = NULL;
  Reader reader = { base, added, file, origin };

  if (read_text (&reader, data, &local))
    return g_steal_pointer (&added);
  fail (error, local->domain == ROAST_SCHEMA_ERROR ? (RoastSchemaError) local->code : ROAST_SCHEMA_ERROR_SYNTAX,
        "%s is not a valid schema: %s", origin, local->message);

  return NULL;
}
