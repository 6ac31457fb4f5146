/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-schema-private.h"

#include <math.h>
#include <string.h>

#include "base/roast-key-file-private.h"
#include "roast-column-private.h"
#include "roast-metric-info-private.h"
#include "roast-table-info-private.h"
#include "roast-vocabulary-private.h"
#include "roast/roast-error.h"

#define MAX_SIZE (1 << 20) /* of a text */

/**
 * RoastSchema:
 *
 * What recordings and reports hold, declared as text: tables with their columns, vocabularies and metrics.
 *
 * A new schema holds what the core declares. Each plugin may add a text of its own, a file `NAME.roast-schema` beside
 * its module, which the registry reads without loading the plugin: new tables, columns of tables that exist,
 * vocabularies, metrics, and the labels by which an executor's users know a column or a word. The format is explained
 * at the top of `core/roast.roast-schema`.
 *
 * ```c
 * g_autoptr (RoastSchema) schema = roast_schema_new ();
 * g_autoptr (GError) error = NULL;
 *
 * if (!roast_schema_load (schema, "mine.roast-schema", &error))
 *   g_printerr ("%s\n", error->message);
 * ```
 *
 * Since: 0.9
 */
struct _RoastSchema
{
  GObject parent_instance;

  GPtrArray *tables;        /* of RoastTableInfo, in the order of their declaration */
  GPtrArray *vocabularies;  /* of RoastVocabulary */
  GPtrArray *metrics;       /* of RoastMetricInfo */
  GHashTable *metric_names; /* name or alias to Name */
  GHashTable *labels;       /* "BACKEND\nNAME" to text */
};

/* A name of a metric: its own, or an alias whose value is scale times as large. */
typedef struct
{
  RoastMetricInfo *info; /* owned by metrics */
  double scale;
} Name;

G_DEFINE_FINAL_TYPE (RoastSchema, roast_schema, G_TYPE_OBJECT)

static void
roast_schema_finalize (GObject *object)
{
  RoastSchema *self = ROAST_SCHEMA (object);

  g_ptr_array_unref (self->tables);
  g_ptr_array_unref (self->vocabularies);
  g_ptr_array_unref (self->metrics);
  g_hash_table_unref (self->metric_names);
  g_hash_table_unref (self->labels);

  G_OBJECT_CLASS (roast_schema_parent_class)->finalize (object);
}

static void
roast_schema_class_init (RoastSchemaClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_schema_finalize;
}

static void
roast_schema_init (RoastSchema *self)
{
  self->tables = g_ptr_array_new_with_free_func (g_object_unref);
  self->vocabularies = g_ptr_array_new_with_free_func (g_object_unref);
  self->metrics = g_ptr_array_new_with_free_func (g_object_unref);
  self->metric_names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->labels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static gpointer
copy_ref (gconstpointer object, gpointer user_data)
{
  return g_object_ref ((gpointer) object);
}

static GPtrArray *
copy_array (GPtrArray *array)
{
  GPtrArray *copy = g_ptr_array_new_full (array->len, g_object_unref);

  for (guint i = 0; i < array->len; i++)
    g_ptr_array_add (copy, copy_ref (g_ptr_array_index (array, i), NULL));

  return copy;
}

/* Loading works on a copy, so that a text with an error changes nothing. */
static RoastSchema *
copy_schema (RoastSchema *self)
{
  RoastSchema *copy = g_object_new (ROAST_TYPE_SCHEMA, NULL);
  GHashTableIter iter;
  gpointer key = NULL;
  gpointer value = NULL;

  g_ptr_array_unref (copy->tables);
  copy->tables = copy_array (self->tables);
  g_ptr_array_unref (copy->vocabularies);
  copy->vocabularies = copy_array (self->vocabularies);
  g_ptr_array_unref (copy->metrics);
  copy->metrics = copy_array (self->metrics);
  g_hash_table_iter_init (&iter, self->metric_names);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (copy->metric_names, g_strdup (key), g_memdup2 (value, sizeof (Name)));
  g_hash_table_iter_init (&iter, self->labels);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (copy->labels, g_strdup (key), g_strdup (value));

  return copy;
}

static void
swap_content (RoastSchema *a, RoastSchema *b){
#define SWAP(type, member)                                                                                             \
  {                                                                                                                    \
    type *kept = a->member;                                                                                            \
    a->member = b->member;                                                                                             \
    b->member = kept;                                                                                                  \
  }
  SWAP (GPtrArray, tables) SWAP (GPtrArray, vocabularies) SWAP (GPtrArray, metrics) SWAP (GHashTable, metric_names)
      SWAP (GHashTable, labels)
#undef SWAP
}

/**
 * roast_schema_new:
 *
 * Makes a schema that holds what the core declares.
 *
 * Returns: (transfer full): a schema
 *
 * Since: 0.9
 */
RoastSchema *roast_schema_new (void)
{
  return copy_schema (roast_schema_get_core ());
}

/* ---- reading a text ---- */

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

/* Columns and tables are names in C, SQL and Python. */
static gboolean
is_name (const char *name)
{
  if (!g_ascii_islower (*name))
    return FALSE;
  for (const char *c = name; *c != '\0'; c++)
    if (!g_ascii_islower (*c) && !g_ascii_isdigit (*c) && *c != '_')
      return FALSE;

  return TRUE;
}

/* Reads a key that has a fixed set of values; the first is the default. */
static gboolean
read_choice (GKeyFile *file, const char *group, const char *key, const char *const *choices, guint *choice,
             GError **error)
{
  g_autofree char *value = g_key_file_get_string (file, group, key, NULL);
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
check_keys (GKeyFile *file, const char *group, const char *const *known, GError **error)
{
  g_auto (GStrv) keys = g_key_file_get_keys (file, group, NULL, NULL);
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
read_description (GKeyFile *file, const char *group, GError **error)
{
  g_autofree char *text = g_key_file_get_string (file, group, "Description", NULL);

  if (text != NULL && *text != '\0')
    return g_steal_pointer (&text);
  fail (error, ROAST_SCHEMA_ERROR_SYNTAX, "[%s] needs a Description of one line", group);

  return NULL;
}

static gboolean
read_vocabulary (RoastSchema *self, GKeyFile *file, const char *group, const char *name, GError **error)
{
  static const char *const known[] = { "Closed", "Description", NULL };
  static const char *const closed_choices[] = { "false", "true", NULL };
  g_autoptr (RoastVocabulary) vocabulary = NULL;
  g_autofree char *description = NULL;
  g_autofree char *words = g_strconcat ("words ", name, NULL);
  g_auto (GStrv) keys = NULL;
  guint closed = 0;

  if (roast_schema_lookup_vocabulary (self, name) != NULL)
    return fail (error, ROAST_SCHEMA_ERROR_DUPLICATE, "vocabulary “%s” is declared already", name);
  description = read_description (file, group, error);
  if (description == NULL || !check_keys (file, group, known, error) ||
      !read_choice (file, group, "Closed", closed_choices, &closed, error))
    return FALSE;
  vocabulary = roast_vocabulary_new (name, description, closed != 0);
  keys = g_key_file_get_keys (file, words, NULL, NULL);
  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    {
      g_autofree char *meaning = g_key_file_get_string (file, words, keys[i], NULL);

      if (meaning == NULL || *meaning == '\0')
        return fail (error, ROAST_SCHEMA_ERROR_SYNTAX, "[%s]: word “%s” needs a meaning of one line", words, keys[i]);
      roast_vocabulary_add (vocabulary, keys[i], meaning);
    }
  if (roast_vocabulary_get_n_words (vocabulary) == 0 && closed != 0)
    return fail (error, ROAST_SCHEMA_ERROR_SYNTAX, "vocabulary “%s” is closed and has no words: add [%s]", name, words);
  g_ptr_array_add (self->vocabularies, g_steal_pointer (&vocabulary));

  return TRUE;
}

static gboolean
read_table (RoastSchema *self, GKeyFile *file, const char *group, const char *name, GError **error)
{
  static const char *const known[] = { "Kind", "Key", "Origin", "Storage", "From", "Description", NULL };
  static const char *const kinds[] = { "log", "entity", NULL };
  static const char *const origins[] = { "measured", "derived", NULL };
  static const char *const storages[] = { "blocks", "rows", NULL };
  static const char *const froms[] = { "backend", "program", NULL };
  g_autofree char *description = NULL;
  g_autofree char *columns = g_strconcat ("columns ", name, NULL);
  guint kind, origin, storage, from;

  if (!is_name (name))
    return fail (error, ROAST_SCHEMA_ERROR_SYNTAX,
                 "[%s]: a table's name has lower-case letters, digits and underscores, and no digit first", group);
  if (roast_schema_lookup_table (self, name) != NULL)
    return fail (error, ROAST_SCHEMA_ERROR_DUPLICATE, "table “%s” is declared already", name);
  if (!g_key_file_has_group (file, columns))
    return fail (error, ROAST_SCHEMA_ERROR_SYNTAX, "table “%s” has no columns: add [%s]", name, columns);
  description = read_description (file, group, error);
  if (description == NULL || !check_keys (file, group, known, error) ||
      !read_choice (file, group, "Kind", kinds, &kind, error) ||
      !read_choice (file, group, "Origin", origins, &origin, error) ||
      !read_choice (file, group, "Storage", storages, &storage, error) ||
      !read_choice (file, group, "From", froms, &from, error))
    return FALSE;
  g_ptr_array_add (self->tables,
                   roast_table_info_new (name, description, (RoastTableKind) kind, (RoastTableOrigin) origin,
                                         (RoastTableStorage) storage, (RoastTableFrom) from));

  return TRUE;
}

/* "TYPE [UNIT] [of VOCABULARY]: MEANING" */
static RoastColumn *
parse_column (RoastSchema *self, const char *group, const char *name, const char *text, gboolean key, GError **error)
{
  static const char *const types[] = { "int64", "double", "boolean", "string", "category", NULL };
  const char *colon = strstr (text, ": ");
  g_autofree char *head = g_strndup (text, colon != NULL ? (gsize) (colon - text) : 0);
  g_auto (GStrv) words = g_strsplit (head, " ", -1);
  guint n = g_strv_length (words);
  RoastVocabulary *vocabulary = NULL;
  guint type = 0;

  if (!is_name (name))
    fail (error, ROAST_SCHEMA_ERROR_SYNTAX,
          "[%s]: column “%s”: a name has lower-case letters, digits and underscores, and no digit first", group, name);
  else if (colon == NULL || colon[2] == '\0' || n == 0)
    fail (error, ROAST_SCHEMA_ERROR_SYNTAX, "[%s]: column “%s”: write TYPE [UNIT] [of VOCABULARY]: MEANING", group,
          name);
  else
    {
      while (types[type] != NULL && !g_str_equal (types[type], words[0]))
        type++;
      if (types[type] == NULL)
        fail (error, ROAST_SCHEMA_ERROR_SYNTAX,
              "[%s]: column “%s”: unknown type %s; types are int64, double, boolean, string, category", group, name,
              words[0]);
      else if (n == 3 && g_str_equal (words[1], "of"))
        {
          vocabulary = roast_schema_lookup_vocabulary (self, words[2]);
          if (type != ROAST_COLUMN_TYPE_CATEGORY)
            fail (error, ROAST_SCHEMA_ERROR_SYNTAX, "[%s]: column “%s”: only a category has a vocabulary", group, name);
          else if (vocabulary == NULL)
            fail (error, ROAST_SCHEMA_ERROR_UNKNOWN, "[%s]: column “%s”: no vocabulary “%s” is declared", group, name,
                  words[2]);
          else
            return roast_column_new (name, (RoastColumnType) type, NULL, colon + 2, key, vocabulary);
        }
      else if (n > 2)
        fail (error, ROAST_SCHEMA_ERROR_SYNTAX, "[%s]: column “%s”: write TYPE [UNIT] [of VOCABULARY]: MEANING", group,
              name);
      else
        return roast_column_new (name, (RoastColumnType) type, n > 1 ? words[1] : NULL, colon + 2, key, NULL);
    }

  return NULL;
}

static guint
find_table (RoastSchema *self, const char *name)
{
  guint i = 0;

  while (i < self->tables->len && !g_str_equal (roast_table_info_get_name (g_ptr_array_index (self->tables, i)), name))
    i++;

  return i;
}

/* Of a table that the same text declares, or of one that is there: that one is replaced, since others hold it. */
static gboolean
read_columns (RoastSchema *self, GKeyFile *file, const char *group, const char *name, GError **error)
{
  g_autofree char *declaration = g_strconcat ("table ", name, NULL);
  g_auto (GStrv) keys = g_key_file_get_string_list (file, declaration, "Key", NULL, NULL);
  g_auto (GStrv) names = g_key_file_get_keys (file, group, NULL, NULL);
  guint i = find_table (self, name);
  RoastTableInfo *info = NULL;
  guint n_keys = 0;

  if (i == self->tables->len)
    return fail (error, ROAST_SCHEMA_ERROR_UNKNOWN, "[%s]: no table “%s” is declared: add [%s]", group, name,
                 declaration);
  info = roast_table_info_copy (g_ptr_array_index (self->tables, i));
  g_object_unref (g_ptr_array_index (self->tables, i));
  g_ptr_array_index (self->tables, i) = info;
  for (guint j = 0; names != NULL && names[j] != NULL; j++)
    {
      g_autofree char *text = g_key_file_get_string (file, group, names[j], NULL);
      gboolean is_key = keys != NULL && g_strv_contains ((const char *const *) keys, names[j]);
      g_autoptr (RoastColumn) column = parse_column (self, group, names[j], text != NULL ? text : "", is_key, error);

      if (column == NULL)
        return FALSE;
      n_keys += is_key ? 1 : 0;
      if (!roast_table_info_add_column (info, column))
        return fail (error, ROAST_SCHEMA_ERROR_DUPLICATE, "table “%s” has a column “%s” already", name, names[j]);
    }
  if (!g_key_file_has_group (file, declaration))
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
add_metric_name (RoastSchema *self, const char *text, RoastMetricInfo *info, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", 2);
  Name name = { info, 1.0 };

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
  if (g_hash_table_contains (self->metric_names, parts[0]))
    return fail (error, ROAST_SCHEMA_ERROR_DUPLICATE, "metric “%s”: the name “%s” is taken already",
                 roast_metric_info_get_name (info), parts[0]);
  g_hash_table_insert (self->metric_names, g_strdup (parts[0]), g_memdup2 (&name, sizeof name));

  return TRUE;
}

static gboolean
read_metric (RoastSchema *self, GKeyFile *file, const char *group, const char *name, GError **error)
{
  RoastMetricInfo *info = roast_metric_info_new_from_group (file, group, name, error);
  const char *const *aliases = NULL;

  if (info == NULL)
    return FALSE;
  g_ptr_array_add (self->metrics, info);
  if (!add_metric_name (self, name, info, error))
    return FALSE;
  aliases = roast_metric_info_get_aliases (info);
  for (guint i = 0; aliases[i] != NULL; i++)
    if (!add_metric_name (self, aliases[i], info, error))
      return FALSE;

  return TRUE;
}

static char *
label_key (const char *backend, const char *name)
{
  return g_strjoin ("\n", backend, name, NULL);
}

static gboolean
read_labels (RoastSchema *self, GKeyFile *file, const char *group, const char *name, GError **error)
{
  g_auto (GStrv) keys = g_key_file_get_keys (file, group, NULL, NULL);

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    {
      char *label = g_key_file_get_string (file, group, keys[i], NULL);

      if (label == NULL || *label == '\0')
        {
          g_free (label);
          return fail (error, ROAST_SCHEMA_ERROR_SYNTAX, "[%s]: “%s” needs a label", group, keys[i]);
        }
      g_hash_table_replace (self->labels, label_key (name, keys[i]), label);
    }

  return TRUE;
}

/* [words NAME] is read with its vocabulary. */
static gboolean
check_words (RoastSchema *self, GKeyFile *file, const char *group, const char *name, GError **error)
{
  g_autofree char *declaration = g_strconcat ("vocabulary ", name, NULL);

  return g_key_file_has_group (file, declaration) ||
         fail (error, ROAST_SCHEMA_ERROR_UNKNOWN, "[%s]: this text does not declare the vocabulary: add [%s]", group,
               declaration);
}

/* In the order in which they depend on each other. */
static const struct
{
  const char *name;
  gboolean (*read) (RoastSchema *self, GKeyFile *file, const char *group, const char *name, GError **error);
} kinds[] = {
  { "vocabulary", read_vocabulary }, { "words", check_words },  { "table", read_table },
  { "columns", read_columns },       { "metric", read_metric }, { "labels", read_labels },
};

static gboolean
read_groups (RoastSchema *self, GKeyFile *file, GError **error)
{
  g_auto (GStrv) groups = g_key_file_get_groups (file, NULL);
  guint n_groups = g_strv_length (groups);
  guint n_read = 0;

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    for (guint i = 0; i < n_groups; i++)
      {
        gsize length = strlen (kinds[k].name);

        if (!g_str_has_prefix (groups[i], kinds[k].name) || groups[i][length] != ' ' || groups[i][length + 1] == '\0')
          continue;
        n_read++;
        if (!kinds[k].read (self, file, groups[i], groups[i] + length + 1, error))
          return FALSE;
      }
  for (guint i = 0; n_read < n_groups; i++)
    {
      gboolean known = FALSE;

      for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
        known |= g_str_has_prefix (groups[i], kinds[k].name) && groups[i][strlen (kinds[k].name)] == ' ' &&
                 groups[i][strlen (kinds[k].name) + 1] != '\0';
      if (!known)
        return fail (error, ROAST_SCHEMA_ERROR_SYNTAX,
                     "unknown group [%s]; groups are [vocabulary NAME], [words NAME], [table NAME], [columns NAME], "
                     "[metric NAME], [labels BACKEND]",
                     groups[i]);
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
read_text (RoastSchema *self, GBytes *data, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *half_escape = NULL;

  if (g_bytes_get_size (data) > MAX_SIZE)
    return fail (error, ROAST_SCHEMA_ERROR_SYNTAX, "it has %zu bytes; a schema has at most 1 MiB",
                 g_bytes_get_size (data));
  if (!g_key_file_load_from_bytes (file, data, G_KEY_FILE_NONE, error) || !check_duplicates (data, error))
    return FALSE;
  half_escape = roast_key_file_find_half_escape (file);
  if (half_escape != NULL)
    return fail (error, ROAST_SCHEMA_ERROR_SYNTAX, "%s ends in half of an escape: write \\\\ for a backslash",
                 half_escape);

  return read_groups (self, file, error);
}

/**
 * roast_schema_load_data:
 * @self: a schema
 * @data: a text in the format of `core/roast.roast-schema`
 * @origin: where the text comes from, for error messages
 * @error: return location for an error
 *
 * Adds what a text declares: all of it, or nothing if there is an error. Recordings that were made with the schema
 * before do not change.
 *
 * Returns: %FALSE with %ROAST_SCHEMA_ERROR_SYNTAX, %ROAST_SCHEMA_ERROR_DUPLICATE or %ROAST_SCHEMA_ERROR_UNKNOWN
 *
 * Since: 0.9
 */
gboolean
roast_schema_load_data (RoastSchema *self, GBytes *data, const char *origin, GError **error)
{
  g_autoptr (RoastSchema) copy = NULL;
  g_autoptr (GError) local = NULL;

  g_return_val_if_fail (ROAST_IS_SCHEMA (self), FALSE);
  g_return_val_if_fail (data != NULL && origin != NULL, FALSE);

  if (g_bytes_get_size (data) == 0)
    return TRUE;
  copy = copy_schema (self);
  if (!read_text (copy, data, &local))
    return fail (error,
                 local->domain == ROAST_SCHEMA_ERROR ? (RoastSchemaError) local->code : ROAST_SCHEMA_ERROR_SYNTAX,
                 "%s is not a valid schema: %s", origin, local->message);
  swap_content (self, copy);

  return TRUE;
}

/**
 * roast_schema_load:
 * @self: a schema
 * @path: (type filename): name of a file
 * @error: return location for an error
 *
 * Adds what a file declares, as [method@Roast.Schema.load_data] does.
 *
 * Fails with an error of the domain #RoastSchemaError, or of #GFileError if the file cannot be read.
 *
 * Returns: %TRUE if it was added
 *
 * Since: 0.9
 */
gboolean
roast_schema_load (RoastSchema *self, const char *path, GError **error)
{
  g_autoptr (GBytes) data = NULL;
  char *text = NULL;
  gsize length = 0;

  g_return_val_if_fail (ROAST_IS_SCHEMA (self), FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  if (!g_file_get_contents (path, &text, &length, error))
    return FALSE;
  data = g_bytes_new_take (text, length);

  return roast_schema_load_data (self, data, path, error);
}

RoastSchema *
roast_schema_get_core (void)
{
  static gsize core = 0;

  if (g_once_init_enter (&core))
    {
      RoastSchema *schema = g_object_new (ROAST_TYPE_SCHEMA, NULL);
      g_autoptr (GBytes) data =
          g_resources_lookup_data ("/roast/roast.roast-schema", G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
      g_autoptr (GError) error = NULL;

      if (data == NULL || !roast_schema_load_data (schema, data, "the schema of roast", &error))
        g_error ("%s", error != NULL ? error->message : "the schema of roast is missing from the library");
      g_once_init_leave (&core, (gsize) schema);
    }

  return (RoastSchema *) core;
}

/* ---- what it holds ---- */

/**
 * roast_schema_list_tables:
 * @self: a schema
 *
 * Lists the declared tables.
 *
 * Returns: (transfer container) (element-type RoastTableInfo): the tables, the core's first
 *
 * Since: 0.9
 */
GPtrArray *
roast_schema_list_tables (RoastSchema *self)
{
  g_return_val_if_fail (ROAST_IS_SCHEMA (self), NULL);

  return copy_array (self->tables);
}

/**
 * roast_schema_lookup_table:
 * @self: a schema
 * @name: name of a table
 *
 * Looks a table up.
 *
 * Returns: (transfer none) (nullable): what is declared of the table; %NULL if it is not declared
 *
 * Since: 0.9
 */
RoastTableInfo *
roast_schema_lookup_table (RoastSchema *self, const char *name)
{
  guint i = 0;

  g_return_val_if_fail (ROAST_IS_SCHEMA (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  i = find_table (self, name);

  return i < self->tables->len ? g_ptr_array_index (self->tables, i) : NULL;
}

/**
 * roast_schema_list_vocabularies:
 * @self: a schema
 *
 * Lists the declared vocabularies.
 *
 * Returns: (transfer container) (element-type RoastVocabulary): the vocabularies, the core's first
 *
 * Since: 0.9
 */
GPtrArray *
roast_schema_list_vocabularies (RoastSchema *self)
{
  g_return_val_if_fail (ROAST_IS_SCHEMA (self), NULL);

  return copy_array (self->vocabularies);
}

/**
 * roast_schema_lookup_vocabulary:
 * @self: a schema
 * @name: name of a vocabulary
 *
 * Looks a vocabulary up.
 *
 * Returns: (transfer none) (nullable): the vocabulary; %NULL if it is not declared
 *
 * Since: 0.9
 */
RoastVocabulary *
roast_schema_lookup_vocabulary (RoastSchema *self, const char *name)
{
  g_return_val_if_fail (ROAST_IS_SCHEMA (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  for (guint i = 0; i < self->vocabularies->len; i++)
    if (g_str_equal (roast_vocabulary_get_name (g_ptr_array_index (self->vocabularies, i)), name))
      return g_ptr_array_index (self->vocabularies, i);

  return NULL;
}

/**
 * roast_schema_list_metrics:
 * @self: a schema
 *
 * Lists the declared metrics.
 *
 * Returns: (transfer container) (element-type RoastMetricInfo): the metrics, in the order in which reports show them
 *
 * Since: 0.9
 */
GPtrArray *
roast_schema_list_metrics (RoastSchema *self)
{
  g_return_val_if_fail (ROAST_IS_SCHEMA (self), NULL);

  return copy_array (self->metrics);
}

/**
 * roast_schema_lookup_metric:
 * @self: a schema
 * @name: name of a metric, or one of its aliases
 * @scale: (out) (optional): factor by which a value of the metric is multiplied to get one of that name; 1 except for
 * some aliases
 *
 * Looks a metric up.
 *
 * Returns: (transfer none) (nullable): the metric; %NULL if it is not declared
 *
 * Since: 0.9
 */
RoastMetricInfo *
roast_schema_lookup_metric (RoastSchema *self, const char *name, double *scale)
{
  const Name *found = NULL;

  g_return_val_if_fail (ROAST_IS_SCHEMA (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  found = g_hash_table_lookup (self->metric_names, name);
  if (scale != NULL)
    *scale = found != NULL ? found->scale : 1.0;

  return found != NULL ? found->info : NULL;
}

/**
 * roast_schema_get_label:
 * @self: a schema
 * @backend: name of a backend
 * @name: name of a column, or a word of a vocabulary
 *
 * Gets what the users of an executor call something.
 *
 * Returns: (transfer none): the label, or @name if the backend has none for it
 *
 * Since: 0.9
 */
const char *
roast_schema_get_label (RoastSchema *self, const char *backend, const char *name)
{
  g_autofree char *key = NULL;
  const char *label = NULL;

  g_return_val_if_fail (ROAST_IS_SCHEMA (self), NULL);
  g_return_val_if_fail (backend != NULL && name != NULL, NULL);

  key = label_key (backend, name);
  label = g_hash_table_lookup (self->labels, key);

  return label != NULL ? label : name;
}
