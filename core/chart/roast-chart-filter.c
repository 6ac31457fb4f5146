/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-chart-filter-private.h"

#include <string.h>

typedef struct
{
  guint slot;
  RoastColumnType type;
  char **words;         /* borrowed */
  gboolean *is_allowed; /* for a category: by code + 1 */
  guint n_texts;
} Condition;

struct _RoastChartFilter
{
  Condition conditions[ROAST_CHART_MAX_WHERE];
  guint n_conditions;
  guint *kept;
  guint room;
};

/* Treat a missing cell as an empty word. */
static gboolean
has_word (const Condition *condition, const char *text)
{
  return g_strv_contains ((const char *const *) condition->words, text != NULL ? text : "");
}

static void
add_condition (Condition *to, RoastTableReader *reader, const RoastChartWhere *where, guint slot)
{
  g_auto (GStrv) texts = NULL;

  to->slot = slot;
  to->type = roast_column_get_column_type (roast_table_reader_get_column (reader, slot));
  to->words = where->words;
  if (to->type != ROAST_COLUMN_TYPE_CATEGORY)
    return;
  texts = roast_table_reader_dup_dictionary (reader, slot);
  to->n_texts = g_strv_length (texts);
  to->is_allowed = g_new0 (gboolean, to->n_texts + 1);
  to->is_allowed[0] = has_word (to, NULL);
  for (guint i = 0; texts[i] != NULL; i++)
    to->is_allowed[i + 1] = has_word (to, texts[i]);
}

RoastChartFilter *
roast_chart_filter_new (RoastTableReader *reader, const RoastChartWhere *where, guint n_where, guint first)
{
  RoastChartFilter *self = g_new0 (RoastChartFilter, 1);

  self->n_conditions = MIN (n_where, ROAST_CHART_MAX_WHERE);
  for (guint i = 0; i < self->n_conditions; i++)
    add_condition (&self->conditions[i], reader, &where[i], first + i);

  return self;
}

void
roast_chart_filter_free (RoastChartFilter *self)
{
  for (guint i = 0; i < self->n_conditions; i++)
    g_free (self->conditions[i].is_allowed);
  g_free (self->kept);
  g_free (self);
}

static const char *
get_text (const Condition *condition, RoastTableReader *reader)
{
  if (!roast_table_reader_has (reader, condition->slot))
    return NULL;
  if (condition->type == ROAST_COLUMN_TYPE_BOOLEAN)
    return roast_table_reader_get_boolean (reader, condition->slot) ? "true" : "false";

  return roast_table_reader_get_string (reader, condition->slot);
}

static guint
keep_of_category (RoastChartFilter *self, const Condition *condition, RoastTableReader *reader, guint n)
{
  g_autoptr (GBytes) bytes = roast_table_reader_dup_block_data (reader, condition->slot);
  const gint32 *codes = g_bytes_get_data (bytes, NULL);
  guint left = 0;

  for (guint i = 0; i < n; i++)
    {
      gint32 code = codes[self->kept[i]];

      if (condition->is_allowed[code >= 0 && (guint) code < condition->n_texts ? code + 1 : 0])
        self->kept[left++] = self->kept[i];
    }

  return left;
}

static guint
keep_of_texts (RoastChartFilter *self, const Condition *condition, RoastTableReader *reader, guint n)
{
  guint64 first = roast_table_reader_get_row (reader);
  guint left = 0;

  for (guint i = 0; i < n; i++)
    if (roast_table_reader_seek (reader, first + self->kept[i]) && has_word (condition, get_text (condition, reader)))
      self->kept[left++] = self->kept[i];
  roast_table_reader_seek (reader, first);

  return left;
}

const guint *
roast_chart_filter_keep (RoastChartFilter *self, RoastTableReader *reader, guint *n_kept)
{
  guint n = roast_table_reader_get_block_n_rows (reader);

  if (n > self->room)
    {
      self->room = n;
      self->kept = g_renew (guint, self->kept, n);
    }
  for (guint i = 0; i < n; i++)
    self->kept[i] = i;
  for (guint i = 0; i < self->n_conditions; i++)
    n = (self->conditions[i].type == ROAST_COLUMN_TYPE_CATEGORY
             ? keep_of_category
             : keep_of_texts) (self, &self->conditions[i], reader, n);
  *n_kept = n;

  return self->kept;
}
