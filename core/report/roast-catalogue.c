/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast/roast-catalogue.h"

#include <math.h>

#include "base/roast-key-file-private.h"
#include "roast/roast-error.h"
#include "table/roast-metric-info-private.h"

#define MAX_SIZE (1 << 20) /* bytes of a catalogue's file */

/**
 * RoastCatalogue:
 *
 * What each metric is called, means, and how it is computed: read from text, the core's own and one beside each plugin.
 *
 * The text is a key file with a group for each metric: see `roast.roast-metrics` in the source for its keys.
 *
 * Since: 0.9
 */
struct _RoastCatalogue
{
  GObject parent_instance;

  GPtrArray *entries;
  GHashTable *names; /* name or older name to Name */
};

typedef struct
{
  RoastMetricInfo *info;
  double scale;
} Name;

G_DEFINE_FINAL_TYPE (RoastCatalogue, roast_catalogue, G_TYPE_OBJECT)

static void
roast_catalogue_finalize (GObject *object)
{
  RoastCatalogue *self = ROAST_CATALOGUE (object);

  g_ptr_array_unref (self->entries);
  g_hash_table_unref (self->names);

  G_OBJECT_CLASS (roast_catalogue_parent_class)->finalize (object);
}

static void
roast_catalogue_class_init (RoastCatalogueClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_catalogue_finalize;
}

static void
roast_catalogue_init (RoastCatalogue *self)
{
  self->entries = g_ptr_array_new_with_free_func (g_object_unref);
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

/**
 * roast_catalogue_new:
 *
 * Makes a catalogue of nothing, to be filled with [method@Roast.Catalogue.load_file].
 *
 * Returns: (transfer full): an empty catalogue; [method@Roast.Registry.get_catalogue] has one that is filled
 *
 * Since: 0.9
 */
RoastCatalogue *
roast_catalogue_new (void)
{
  return g_object_new (ROAST_TYPE_CATALOGUE, NULL);
}

static gboolean
add_name (GHashTable *names, GHashTable *taken, const char *text, RoastMetricInfo *info, GError **error)
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
        {
          g_set_error (error, ROAST_CATALOGUE_ERROR, ROAST_CATALOGUE_ERROR_SYNTAX,
                       "metric “%s”: older name “%s” has no number after the colon", roast_metric_info_get_name (info),
                       text);
          return FALSE;
        }
    }
  if (g_hash_table_contains (names, parts[0]) || g_hash_table_contains (taken, parts[0]))
    {
      g_set_error (error, ROAST_CATALOGUE_ERROR, ROAST_CATALOGUE_ERROR_DUPLICATE,
                   "metric “%s”: the name “%s” is taken already", roast_metric_info_get_name (info), parts[0]);
      return FALSE;
    }
  g_hash_table_insert (names, g_strdup (parts[0]), g_memdup2 (&name, sizeof name));

  return TRUE;
}

static gboolean
read_groups (RoastCatalogue *self, GKeyFile *file, GPtrArray *entries, GHashTable *names, GError **error)
{
  g_auto (GStrv) groups = g_key_file_get_groups (file, NULL);

  for (guint i = 0; groups[i] != NULL; i++)
    {
      RoastMetricInfo *info = roast_metric_info_new_from_group (file, groups[i], groups[i], error);
      const char *const *aliases = NULL;

      if (info == NULL)
        return FALSE;
      g_ptr_array_add (entries, info);
      if (!add_name (names, self->names, groups[i], info, error))
        return FALSE;
      aliases = roast_metric_info_get_aliases (info);
      for (guint j = 0; aliases[j] != NULL; j++)
        if (!add_name (names, self->names, aliases[j], info, error))
          return FALSE;
    }

  return TRUE;
}

/* GKeyFile makes one of two groups of the same name. */
static gboolean
check_groups (GBytes *data, GError **error)
{
  gsize size = 0;
  const char *text = g_bytes_get_data (data, &size);
  g_autofree char *copy = g_strndup (text, size);
  g_auto (GStrv) lines = g_strsplit (copy, "\n", -1);
  g_autoptr (GHashTable) groups = g_hash_table_new (g_str_hash, g_str_equal);

  for (char **line = lines; *line != NULL; line++)
    {
      g_strstrip (*line);
      if (**line != '[' || g_hash_table_add (groups, *line))
        continue;
      g_set_error (error, ROAST_CATALOGUE_ERROR, ROAST_CATALOGUE_ERROR_DUPLICATE, "group %s is there twice", *line);
      return FALSE;
    }

  return TRUE;
}

static gboolean
load (GKeyFile *file, GBytes *data, GError **error)
{
  g_autofree char *half_escape = NULL;

  if (!g_key_file_load_from_bytes (file, data, G_KEY_FILE_NONE, error) || !check_groups (data, error))
    return FALSE;
  half_escape = roast_key_file_find_half_escape (file);
  if (half_escape == NULL)
    return TRUE;
  g_set_error (error, ROAST_CATALOGUE_ERROR, ROAST_CATALOGUE_ERROR_SYNTAX,
               "%s ends in half of an escape: write \\\\ for a backslash", half_escape);

  return FALSE;
}

/**
 * roast_catalogue_load_data:
 * @self: a catalogue
 * @data: the text
 * @origin: where it is from, for messages
 * @error: return location for an error
 *
 * Adds the metrics of a text: all of them, or none if there is an error.
 *
 * Returns: %FALSE with %ROAST_CATALOGUE_ERROR_SYNTAX or %ROAST_CATALOGUE_ERROR_DUPLICATE
 *
 * Since: 0.9
 */
gboolean
roast_catalogue_load_data (RoastCatalogue *self, GBytes *data, const char *origin, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GError) local = NULL;
  GHashTableIter iter;
  gpointer name = NULL;
  gpointer value = NULL;

  g_return_val_if_fail (ROAST_IS_CATALOGUE (self), FALSE);
  g_return_val_if_fail (data != NULL && origin != NULL, FALSE);

  if (g_bytes_get_size (data) == 0)
    return TRUE;
  if (g_bytes_get_size (data) > MAX_SIZE)
    {
      g_set_error (error, ROAST_CATALOGUE_ERROR, ROAST_CATALOGUE_ERROR_SYNTAX,
                   "%s: a catalogue of metrics has at most 1 MiB, this has %zu bytes", origin, g_bytes_get_size (data));
      return FALSE;
    }
  if (!load (file, data, &local) || !read_groups (self, file, entries, names, &local))
    {
      g_set_error (error, ROAST_CATALOGUE_ERROR,
                   local->domain == ROAST_CATALOGUE_ERROR ? local->code : (int) ROAST_CATALOGUE_ERROR_SYNTAX,
                   "%s is not a catalogue of metrics: %s", origin, local->message);
      return FALSE;
    }

  for (guint i = 0; i < entries->len; i++)
    g_ptr_array_add (self->entries, g_object_ref (g_ptr_array_index (entries, i)));
  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, &value))
    {
      g_hash_table_iter_steal (&iter);
      g_hash_table_insert (self->names, name, value);
    }

  return TRUE;
}

/**
 * roast_catalogue_load_file:
 * @self: a catalogue
 * @path: name of a file
 * @error: return location for an error
 *
 * Adds the metrics of a file, as [method@Roast.Catalogue.load_data].
 *
 * Fails with an error of the domain #RoastCatalogueError, or of #GFileError if the file cannot be read.
 *
 * Returns: %TRUE if they were added
 *
 * Since: 0.9
 */
gboolean
roast_catalogue_load_file (RoastCatalogue *self, const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;
  char *text = NULL;
  gsize length = 0;

  g_return_val_if_fail (ROAST_IS_CATALOGUE (self), FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  if (!g_file_get_contents (path, &text, &length, error))
    return FALSE;
  bytes = g_bytes_new_take (text, length);

  return roast_catalogue_load_data (self, bytes, path, error);
}

/**
 * roast_catalogue_lookup:
 * @self: a catalogue
 * @name: name of a metric, or an older one
 * @scale: (out) (optional): what its value is to be multiplied with to have the one of that name: 1 but for some older
 * ones
 *
 * Finds a metric by its name, or by an older one.
 *
 * Returns: (transfer none) (nullable): the entry; %NULL if there is none
 *
 * Since: 0.9
 */
RoastMetricInfo *
roast_catalogue_lookup (RoastCatalogue *self, const char *name, double *scale)
{
  const Name *found = NULL;

  g_return_val_if_fail (ROAST_IS_CATALOGUE (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  found = g_hash_table_lookup (self->names, name);
  if (scale != NULL)
    *scale = found != NULL ? found->scale : 1.0;

  return found != NULL ? found->info : NULL;
}

/**
 * roast_catalogue_list:
 * @self: a catalogue
 *
 * Lists what is in the catalogue.
 *
 * Returns: (transfer container) (element-type RoastMetricInfo): all entries, in the order in which a person reads them
 *
 * Since: 0.9
 */
GPtrArray *
roast_catalogue_list (RoastCatalogue *self)
{
  GPtrArray *list = NULL;

  g_return_val_if_fail (ROAST_IS_CATALOGUE (self), NULL);

  list = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < self->entries->len; i++)
    g_ptr_array_add (list, g_object_ref (g_ptr_array_index (self->entries, i)));

  return list;
}
