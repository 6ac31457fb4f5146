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

typedef struct
{
  RoastMetricInfo *info;
  guint group;
  int rank;
} Place;

static int
compare_places (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Place *first = a;
  const Place *second = b;

  if (first->group != second->group)
    return first->group < second->group ? -1 : 1;

  return first->rank - second->rank;
}

/* By group, then by rank, then as they were read. */
static void
sort_metrics (RoastSchemaContent *self)
{
  g_autofree Place *places = g_new (Place, self->metrics->len);

  for (guint i = 0; i < self->metrics->len; i++)
    {
      RoastMetricInfo *info = g_ptr_array_index (self->metrics, i);
      const char *group = roast_metric_info_get_group (info);

      places[i] = (Place) { info, self->groups->len, roast_metric_info_get_rank (info) };
      /* A group that no schema declares comes after those that are known by then. */
      if (!g_ptr_array_find_with_equal_func (self->groups, group, g_str_equal, &places[i].group))
        g_ptr_array_add (self->groups, g_strdup (group));
    }
  /* The sort is stable. */
  g_qsort_with_data (places, (int) self->metrics->len, sizeof places[0], compare_places, NULL);
  for (guint i = 0; i < self->metrics->len; i++)
    g_ptr_array_index (self->metrics, i) = places[i].info;
}

void
roast_schema_content_add (RoastSchemaContent *self, RoastSchemaContent *other)
{
  for (guint i = 0; i < other->tables->len; i++)
    {
      RoastTableInfo *info = g_ptr_array_index (other->tables, i);
      guint index = 0;

      if (roast_schema_content_find_table (self, roast_table_info_get_name (info), &index))
        g_set_object ((RoastTableInfo **) &g_ptr_array_index (self->tables, index), info);
      else
        g_ptr_array_add (self->tables, g_object_ref (info));
    }
  for (guint i = 0; i < other->groups->len; i++)
    if (!g_ptr_array_find_with_equal_func (self->groups, g_ptr_array_index (other->groups, i), g_str_equal, NULL))
      g_ptr_array_add (self->groups, g_strdup (g_ptr_array_index (other->groups, i)));
  g_ptr_array_extend (self->vocabularies, other->vocabularies, copy_ref, NULL);
  g_ptr_array_extend (self->metrics, other->metrics, copy_ref, NULL);
  copy_entries (self->metric_names, other->metric_names, copy_metric);
  copy_entries (self->labels, other->labels, copy_text);
  copy_entries (self->origins, other->origins, copy_text);
  if (other->metrics->len > 0)
    sort_metrics (self);
}
