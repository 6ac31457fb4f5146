/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-schema-content-private.h"

#include "roast-metric-info-private.h"

RoastSchemaContent *
roast_schema_content_new (void)
{
  RoastSchemaContent *self = g_new (RoastSchemaContent, 1);

  self->tables = g_ptr_array_new_with_free_func (g_object_unref);
  self->vocabularies = g_ptr_array_new_with_free_func (g_object_unref);
  self->groups = g_ptr_array_new_with_free_func (g_free);
  self->metrics = g_ptr_array_new_with_free_func (g_object_unref);
  self->metric_names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->labels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->origins = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  return self;
}

static gpointer
copy_ref (gconstpointer object, gpointer user_data)
{
  return g_object_ref ((gpointer) object);
}

static gpointer
copy_text (gconstpointer text, gpointer user_data)
{
  return g_strdup (text);
}

static void
copy_entries (GHashTable *to, GHashTable *from, GCopyFunc copy)
{
  GHashTableIter iter;
  gpointer key = NULL;
  gpointer value = NULL;

  g_hash_table_iter_init (&iter, from);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (to, g_strdup (key), copy (value, NULL));
}

static gpointer
copy_metric (gconstpointer metric, gpointer user_data)
{
  return g_memdup2 (metric, sizeof (RoastSchemaMetric));
}

RoastSchemaContent *
roast_schema_content_copy (RoastSchemaContent *self)
{
  RoastSchemaContent *copy = roast_schema_content_new ();

  g_ptr_array_extend (copy->tables, self->tables, copy_ref, NULL);
  g_ptr_array_extend (copy->vocabularies, self->vocabularies, copy_ref, NULL);
  g_ptr_array_extend (copy->groups, self->groups, copy_text, NULL);
  g_ptr_array_extend (copy->metrics, self->metrics, copy_ref, NULL);
  copy_entries (copy->metric_names, self->metric_names, copy_metric);
  copy_entries (copy->labels, self->labels, copy_text);
  copy_entries (copy->origins, self->origins, copy_text);

  return copy;
}

void
roast_schema_content_free (RoastSchemaContent *self)
{
  g_ptr_array_unref (self->tables);
  g_ptr_array_unref (self->vocabularies);
  g_ptr_array_unref (self->groups);
  g_ptr_array_unref (self->metrics);
  g_hash_table_unref (self->metric_names);
  g_hash_table_unref (self->labels);
  g_hash_table_unref (self->origins);
  g_free (self);
}

GPtrArray *
roast_schema_content_copy_objects (GPtrArray *objects)
{
  GPtrArray *copy = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_extend (copy, objects, copy_ref, NULL);

  return copy;
}

gboolean
roast_schema_content_find_table (RoastSchemaContent *self, const char *name, guint *index)
{
  for (*index = 0; *index < self->tables->len; (*index)++)
    if (g_str_equal (roast_table_info_get_name (g_ptr_array_index (self->tables, *index)), name))
      return TRUE;

  return FALSE;
}

RoastVocabulary *
roast_schema_content_find_vocabulary (RoastSchemaContent *self, const char *name)
{
  for (guint i = 0; i < self->vocabularies->len; i++)
    if (g_str_equal (roast_vocabulary_get_name (g_ptr_array_index (self->vocabularies, i)), name))
      return g_ptr_array_index (self->vocabularies, i);

  return NULL;
}

char *
roast_schema_content_dup_label_key (const char *backend, const char *name)
{
  return g_strjoin ("\n", backend, name, NULL);
}

static guint
find_group (RoastSchemaContent *self, RoastMetricInfo *info)
{
  guint index = self->groups->len;

  g_ptr_array_find_with_equal_func (self->groups, roast_metric_info_get_group (info), g_str_equal, &index);

  return index;
}

static int
compare_metrics (gconstpointer a, gconstpointer b, gpointer user_data)
{
  RoastMetricInfo *first = *(RoastMetricInfo *const *) a;
  RoastMetricInfo *second = *(RoastMetricInfo *const *) b;
  guint first_group = find_group (user_data, first);
  guint second_group = find_group (user_data, second);

  if (first_group != second_group)
    return first_group < second_group ? -1 : 1;

  return roast_metric_info_get_rank (first) - roast_metric_info_get_rank (second);
}

void
roast_schema_content_sort_metrics (RoastSchemaContent *self)
{
  /* A group that nobody declares comes where its first metric does. */
  for (guint i = 0; i < self->metrics->len; i++)
    {
      RoastMetricInfo *info = g_ptr_array_index (self->metrics, i);

      if (find_group (self, info) == self->groups->len)
        g_ptr_array_add (self->groups, g_strdup (roast_metric_info_get_group (info)));
    }
  /* The sort is stable. */
  g_ptr_array_sort_with_data (self->metrics, compare_metrics, self);
}
