/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-schema-private.h"

#include "base/roast-type-private.h"
#include "roast-metric-info-private.h"
#include "roast-schema-content-private.h"

/**
 * RoastSchema:
 *
 * The tables with their columns, vocabularies, metrics and charts of recordings and reports, declared as text.
 *
 * A new schema has the declarations of the core. Each plugin may add its own declarations, in a file
 * `NAME.roast-schema` beside its module. The registry reads this file without loading the plugin. The text declares new
 * tables, columns of existing tables, vocabularies, metrics, charts, and labels, which are the names that the users of
 * an executor know. The top of `core/roast.roast-schema` explains the format.
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

  RoastSchemaContent *content;
  GPtrArray *texts; /* texts that were loaded, of RoastSchemaText */

  /* Texts to read as soon as their declarations may be needed: */
  int is_pending; /* whether there are texts that have not been read; accessed atomically */
  GRecMutex lock; /* lock held while a thread reads the texts */
  gboolean is_reading;
  const RoastSchemaPending *pending; /* functions that provide the texts; NULL if the schema never had pending texts */
  gpointer data;
  GHashTable *extended; /* names of core tables to which the texts add columns */
};

ROAST_DEFINE_TYPE (RoastSchema, roast_schema)

/* Read the pending texts, and return the content. Other threads wait here until all texts are read. If the thread that
 * reads the texts calls this function again while it reads, it gets the incomplete content, to which it adds
 * declarations. */
static RoastSchemaContent *
get_content (RoastSchema *self)
{
  if (g_atomic_int_get (&self->is_pending))
    {
      G_GNUC_UNUSED g_autoptr (GRecMutexLocker) locker = g_rec_mutex_locker_new (&self->lock);

      if (!self->is_reading && g_atomic_int_get (&self->is_pending))
        {
          self->is_reading = TRUE;
          self->pending->read (self, self->data);
          g_atomic_int_set (&self->is_pending, FALSE);
        }
    }

  return self->content;
}

static void
text_free (gpointer data)
{
  RoastSchemaText *text = data;

  g_free (text->origin);
  g_bytes_unref (text->data);
  g_free (text);
}

RoastSchemaText *
roast_schema_text_new (const char *origin, GBytes *data)
{
  RoastSchemaText *text = g_new (RoastSchemaText, 1);

  text->origin = g_strdup (origin);
  text->data = g_bytes_ref (data);

  return text;
}

static gpointer
copy_text (gconstpointer from, gpointer user_data)
{
  const RoastSchemaText *text = from;

  return roast_schema_text_new (text->origin, text->data);
}

static void
roast_schema_release (RoastSchema *self)
{
  if (self->pending != NULL)
    self->pending->destroy (self->data);
  g_clear_pointer (&self->extended, g_hash_table_unref);
  g_rec_mutex_clear (&self->lock);
  roast_schema_content_free (self->content);
  g_ptr_array_unref (self->texts);
}

static void
roast_schema_init (RoastSchema *self)
{
  g_rec_mutex_init (&self->lock);
  self->content = roast_schema_content_new ();
  self->texts = g_ptr_array_new_with_free_func (text_free);
}

RoastSchema *
roast_schema_new_empty (void)
{
  return g_object_new (ROAST_TYPE_SCHEMA, NULL);
}

RoastSchema *
roast_schema_copy (RoastSchema *from)
{
  RoastSchema *self = roast_schema_new_empty ();

  roast_schema_content_add (self->content, get_content (from));
  g_ptr_array_extend (self->texts, from->texts, copy_text, NULL);

  return self;
}

/**
 * roast_schema_new:
 *
 * Makes a schema with the declarations of the core.
 *
 * Returns: (transfer full): a schema
 *
 * Since: 0.9
 */
RoastSchema *
roast_schema_new (void)
{
  return roast_schema_copy (roast_schema_get_core ());
}

static gboolean
load_data (RoastSchema *self, GBytes *data, const char *origin, gboolean is_recorded, GError **error)
{
  RoastSchemaContent *content = get_content (self);
  g_autoptr (RoastSchemaContent) added = NULL;

  if (g_bytes_get_size (data) == 0)
    return TRUE;
  added = roast_schema_content_read (content, data, origin, is_recorded, error);
  if (added == NULL)
    return FALSE;
  roast_schema_content_add (content, added);
  g_ptr_array_add (self->texts, roast_schema_text_new (origin, data));

  return TRUE;
}

gboolean
roast_schema_load_recorded (RoastSchema *self, GBytes *data, const char *origin, GError **error)
{
  return load_data (self, data, origin, TRUE, error);
}

/**
 * roast_schema_load_data:
 * @self: a schema
 * @data: a text in the format of `core/roast.roast-schema`
 * @origin: origin of the text, for error messages
 * @error: return location for an error
 *
 * Adds the declarations of a text, or nothing if there is an error. Recordings that were made earlier with this schema
 * do not change.
 *
 * Returns: %TRUE if the declarations were added; %FALSE with %ROAST_SCHEMA_ERROR_SYNTAX, %ROAST_SCHEMA_ERROR_DUPLICATE
 * or %ROAST_SCHEMA_ERROR_UNKNOWN
 *
 * Since: 0.9
 */
gboolean
roast_schema_load_data (RoastSchema *self, GBytes *data, const char *origin, GError **error)
{
  g_return_val_if_fail (ROAST_IS_SCHEMA (self), FALSE);
  g_return_val_if_fail (data != NULL && origin != NULL, FALSE);

  return load_data (self, data, origin, FALSE, error);
}

/**
 * roast_schema_load:
 * @self: a schema
 * @path: (type filename): name of the file
 * @error: return location for an error
 *
 * Adds the declarations of a file, like [method@Roast.Schema.load_data].
 *
 * Fails with an error of the domain #RoastSchemaError, or of #GFileError if the file cannot be read.
 *
 * Returns: %TRUE if the declarations were added
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

void
roast_schema_set_pending (RoastSchema *self, GHashTable *extended, const RoastSchemaPending *pending, gpointer data)
{
  self->extended = extended;
  self->pending = pending;
  self->data = data;
  g_atomic_int_set (&self->is_pending, TRUE);
}

void
roast_schema_read_pending (RoastSchema *self)
{
  get_content (self);
}

RoastSchema *
roast_schema_get_core (void)
{
  static gsize core = 0;

  if (g_once_init_enter (&core))
    {
      RoastSchema *schema = roast_schema_new_empty ();
      g_autoptr (GBytes) data =
          g_resources_lookup_data ("/roast/roast.roast-schema", G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
      g_autoptr (GError) error = NULL;

      if (data == NULL || !roast_schema_load_data (schema, data, ROAST_SCHEMA_ORIGIN_CORE, &error))
        g_error ("%s", error != NULL ? error->message : "the schema of roast is missing from the library");
      g_once_init_leave (&core, (gsize) schema);
    }

  return (RoastSchema *) core;
}

GPtrArray *
roast_schema_list_texts (RoastSchema *self)
{
  G_GNUC_UNUSED g_autoptr (GRecMutexLocker) locker = g_rec_mutex_locker_new (&self->lock);
  GPtrArray *texts = g_ptr_array_new_with_free_func (text_free);

  g_ptr_array_extend (texts, self->texts, copy_text, NULL);
  if (g_atomic_int_get (&self->is_pending))
    self->pending->list (texts, self->data);

  return texts;
}

GPtrArray *
roast_schema_list_known_tables (RoastSchema *self)
{
  RoastSchema *known = g_atomic_int_get (&self->is_pending) ? roast_schema_get_core () : self;

  return roast_schema_content_copy_objects (known->content->tables);
}

/* ---- contents ---- */

/**
 * roast_schema_list_tables:
 * @self: a schema
 *
 * Lists the declared tables.
 *
 * Returns: (transfer container) (element-type RoastTableInfo): the tables, beginning with the tables of the core
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Schema, SCHEMA, GPtrArray *, roast_schema_list_tables, NULL,
                     roast_schema_content_copy_objects (get_content (self)->tables))

/* Return whether a table is a core table to which pending texts add no columns, so that the texts need not be read. */
static gboolean
is_cores (RoastSchema *self, const char *name)
{
  guint i = 0;

  return g_atomic_int_get (&self->is_pending) && !g_hash_table_contains (self->extended, name) &&
         roast_schema_content_find_table (roast_schema_get_core ()->content, name, &i);
}

/**
 * roast_schema_lookup_table:
 * @self: a schema
 * @name: name of a table
 *
 * Looks up a table.
 *
 * Returns: (transfer none) (nullable): the declaration of the table; %NULL if it is not declared
 *
 * Since: 0.9
 */
RoastTableInfo *
roast_schema_lookup_table (RoastSchema *self, const char *name)
{
  RoastSchemaContent *content = NULL;
  guint i = 0;

  g_return_val_if_fail (ROAST_IS_SCHEMA (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  content = is_cores (self, name) ? roast_schema_get_core ()->content : get_content (self);

  return roast_schema_content_find_table (content, name, &i) ? g_ptr_array_index (content->tables, i) : NULL;
}

ROAST_DEFINE_GETTER (Schema, SCHEMA, GPtrArray *, roast_schema_get_agreements, NULL, get_content (self)->agreements)

/**
 * roast_schema_list_vocabularies:
 * @self: a schema
 *
 * Lists the declared vocabularies.
 *
 * Returns: (transfer container) (element-type RoastVocabulary): the vocabularies, beginning with the vocabularies of
 * the core
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Schema, SCHEMA, GPtrArray *, roast_schema_list_vocabularies, NULL,
                     roast_schema_content_copy_objects (get_content (self)->vocabularies))

/**
 * roast_schema_lookup_vocabulary:
 * @self: a schema
 * @name: name of a vocabulary
 *
 * Looks up a vocabulary.
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

  return roast_schema_content_find_vocabulary (get_content (self), name);
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
ROAST_DEFINE_GETTER (Schema, SCHEMA, GPtrArray *, roast_schema_list_metrics, NULL,
                     roast_schema_content_list_metrics (get_content (self)))

/**
 * roast_schema_lookup_metric:
 * @self: a schema
 * @name: name of a metric, or one of its aliases
 * @scale: (out) (optional): factor that turns a value of the metric into a value under @name; 1 except for some aliases
 *
 * Looks up a metric.
 *
 * Returns: (transfer none) (nullable): the metric; %NULL if it is not declared
 *
 * Since: 0.9
 */
RoastMetricInfo *
roast_schema_lookup_metric (RoastSchema *self, const char *name, double *scale)
{
  RoastMetricInfo *found = NULL;

  g_return_val_if_fail (ROAST_IS_SCHEMA (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  found = g_hash_table_lookup (get_content (self)->metric_names, name);
  if (scale != NULL)
    *scale = found != NULL ? roast_metric_info_get_scale (found, name) : 1.0;

  return found;
}

/**
 * roast_schema_list_charts:
 * @self: a schema
 *
 * Lists the declared charts.
 *
 * Returns: (transfer container) (element-type RoastChartInfo): the charts, beginning with the charts of the core
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Schema, SCHEMA, GPtrArray *, roast_schema_list_charts, NULL,
                     roast_schema_content_copy_objects (get_content (self)->charts))

/**
 * roast_schema_get_chart:
 * @self: a schema
 * @name: name of a chart
 *
 * Looks up a chart.
 *
 * Returns: (transfer none) (nullable): the chart; %NULL if it is not declared
 *
 * Since: 0.9
 */
RoastChartInfo *
roast_schema_get_chart (RoastSchema *self, const char *name)
{
  g_return_val_if_fail (ROAST_IS_SCHEMA (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return roast_schema_content_find_chart (get_content (self), name);
}

/**
 * roast_schema_get_label:
 * @self: a schema
 * @backend: name of a backend
 * @name: name of a column, or a word of a vocabulary
 *
 * Gets the label of a column or word: the name that the users of an executor know.
 *
 * Returns: (transfer none): the label, or @name if the backend has no label for this name
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

  key = roast_schema_content_dup_label_key (backend, name);
  label = g_hash_table_lookup (get_content (self)->labels, key);

  return label != NULL ? label : name;
}
