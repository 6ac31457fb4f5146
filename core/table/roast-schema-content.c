/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-schema-content-private.h"

#include "roast-agreement-private.h"
#include "roast-metric-info-private.h"
#include "roast/roast-chart-info.h"

RoastSchemaContent *
roast_schema_content_new (void)
{
  RoastSchemaContent *self = g_new (RoastSchemaContent, 1);

  self->tables = g_ptr_array_new_with_free_func (g_object_unref);
  self->table_places = g_hash_table_new (g_str_hash, g_str_equal);
  self->vocabularies = g_ptr_array_new_with_free_func (g_object_unref);
  self->groups = g_ptr_array_new_with_free_func (g_free);
  self->metrics = g_ptr_array_new_with_free_func (g_object_unref);
  self->metric_names = g_hash_table_new (g_str_hash, g_str_equal);
  self->charts = g_ptr_array_new_with_free_func (g_object_unref);
  self->agreements = g_ptr_array_new_with_free_func ((GDestroyNotify) roast_agreement_unref);
  self->labels = g_hash_table_new_full (g_str_hash, g_str_equal, (GDestroyNotify) g_ref_string_release,
                                        (GDestroyNotify) g_ref_string_release);
  self->origins = g_hash_table_new_full (g_str_hash, g_str_equal, (GDestroyNotify) g_ref_string_release, NULL);

  return self;
}

void
roast_schema_content_free (RoastSchemaContent *self)
{
  g_hash_table_unref (self->table_places);
  g_ptr_array_unref (self->tables);
  g_ptr_array_unref (self->vocabularies);
  g_ptr_array_unref (self->groups);
  g_ptr_array_unref (self->metrics);
  g_hash_table_unref (self->metric_names);
  g_ptr_array_unref (self->charts);
  g_ptr_array_unref (self->agreements);
  g_hash_table_unref (self->labels);
  g_hash_table_unref (self->origins);
  g_free (self);
}

GPtrArray *
roast_schema_content_copy_objects (GPtrArray *objects)
{
  return g_ptr_array_copy (objects, (GCopyFunc) g_object_ref, NULL);
}

/* Add a table, or replace a table of the same name. */
void
roast_schema_content_take_table (RoastSchemaContent *self, RoastTableInfo *info)
{
  const char *name = roast_table_info_get_name (info);
  guint index = 0;

  if (!roast_schema_content_find_table (self, name, &index))
    {
      index = self->tables->len;
      g_ptr_array_add (self->tables, NULL);
    }
  g_hash_table_replace (self->table_places, (char *) name, GUINT_TO_POINTER (index + 1));
  g_clear_object ((RoastTableInfo **) &g_ptr_array_index (self->tables, index));
  g_ptr_array_index (self->tables, index) = info;
}

gboolean
roast_schema_content_find_table (RoastSchemaContent *self, const char *name, guint *index)
{
  *index = GPOINTER_TO_UINT (g_hash_table_lookup (self->table_places, name)) - 1;

  return *index < self->tables->len;
}

RoastVocabulary *
roast_schema_content_find_vocabulary (RoastSchemaContent *self, const char *name)
{
  for (guint i = 0; i < self->vocabularies->len; i++)
    if (g_str_equal (roast_vocabulary_get_name (g_ptr_array_index (self->vocabularies, i)), name))
      return g_ptr_array_index (self->vocabularies, i);

  return NULL;
}

RoastChartInfo *
roast_schema_content_find_chart (RoastSchemaContent *self, const char *name)
{
  for (guint i = 0; i < self->charts->len; i++)
    if (g_str_equal (roast_chart_info_get_name (g_ptr_array_index (self->charts, i)), name))
      return g_ptr_array_index (self->charts, i);

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
} SchemaContentPlace;

static int
compare_places (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const SchemaContentPlace *first = a;
  const SchemaContentPlace *second = b;

  if (first->group != second->group)
    return first->group < second->group ? -1 : 1;

  return first->rank - second->rank;
}

GPtrArray *
roast_schema_content_list_metrics (RoastSchemaContent *self)
{
  GPtrArray *sorted = roast_schema_content_copy_objects (self->metrics);
  g_autofree SchemaContentPlace *places = g_new (SchemaContentPlace, sorted->len);

  for (guint i = 0; i < sorted->len; i++)
    {
      RoastMetricInfo *info = g_ptr_array_index (sorted, i);

      places[i] = (SchemaContentPlace) { info, 0, roast_metric_info_get_rank (info) };
      g_ptr_array_find_with_equal_func (self->groups, roast_metric_info_get_group (info), g_str_equal,
                                        &places[i].group);
    }
  /* g_qsort_with_data() is stable, so equal ranks stay in the order of reading. */
  g_qsort_with_data (places, (int) sorted->len, sizeof places[0], compare_places, NULL);
  for (guint i = 0; i < sorted->len; i++)
    g_ptr_array_index (sorted, i) = places[i].info;

  return sorted;
}

static void
add_group (RoastSchemaContent *self, const char *name)
{
  if (!g_ptr_array_find_with_equal_func (self->groups, name, g_str_equal, NULL))
    g_ptr_array_add (self->groups, g_strdup (name));
}

/* Add a metric. If no schema declared the metric's group, add the group after all known groups. @info owns the metric's
 * name and aliases. */
static void
add_metric (RoastSchemaContent *self, RoastMetricInfo *info)
{
  guint n_aliases = 0;
  const RoastMetricAlias *aliases = roast_metric_info_get_aliases (info, &n_aliases);

  g_ptr_array_add (self->metrics, g_object_ref (info));
  add_group (self, roast_metric_info_get_group (info));
  g_hash_table_insert (self->metric_names, (char *) roast_metric_info_get_name (info), info);
  for (guint i = 0; i < n_aliases; i++)
    g_hash_table_insert (self->metric_names, aliases[i].name, info);
}

void
roast_schema_content_add (RoastSchemaContent *self, RoastSchemaContent *other)
{
  GHashTableIter iter;
  gpointer key = NULL;
  gpointer value = NULL;

  for (guint i = 0; i < other->tables->len; i++)
    roast_schema_content_take_table (self, g_object_ref (g_ptr_array_index (other->tables, i)));
  for (guint i = 0; i < other->groups->len; i++)
    add_group (self, g_ptr_array_index (other->groups, i));
  g_ptr_array_extend (self->vocabularies, other->vocabularies, (GCopyFunc) g_object_ref, NULL);
  for (guint i = 0; i < other->metrics->len; i++)
    add_metric (self, g_ptr_array_index (other->metrics, i));
  g_ptr_array_extend (self->charts, other->charts, (GCopyFunc) g_object_ref, NULL);
  g_ptr_array_extend (self->agreements, other->agreements, (GCopyFunc) roast_agreement_ref, NULL);
  g_hash_table_iter_init (&iter, other->labels);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (self->labels, g_ref_string_acquire (key), g_ref_string_acquire (value));
  g_hash_table_iter_init (&iter, other->origins);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (self->origins, g_ref_string_acquire (key), value);
}
