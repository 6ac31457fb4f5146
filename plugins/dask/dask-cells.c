/* SPDX-License-Identifier: BSD-3-Clause */
#include "dask-cells.h"

#include <math.h>
#include <string.h>

#define MAX_INTEGER 9007199254740992.0 /* 2^53: beyond, JSON's numbers are not exact */
#define MAX_TIME 1e11                  /* s since the epoch: the year 5138 */

gint64
dask_time (double seconds)
{
  if (!(seconds >= 0 && seconds < MAX_TIME))
    return -1;

  return llround (seconds * G_USEC_PER_SEC);
}

char *
dask_dup_name (const char *text)
{
  /* What is cut within a character ends with a replacement for it. */
  return g_utf8_make_valid (text, (gssize) MIN (strlen (text), DASK_MAX_NAME));
}

/* NaN if it is no number. */
static double
number_of (JsonNode *node)
{
  GType type = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_NONE;

  if (type == G_TYPE_INT64)
    return (double) json_node_get_int (node);

  return type == G_TYPE_DOUBLE ? json_node_get_double (node) : NAN;
}

static const char *
text_of (JsonNode *node)
{
  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_STRING)
    return NULL;

  return json_node_get_string (node);
}

/* ---- cells ---- */

static JsonNode *
get (DaskCells *self, guint i)
{
  JsonNode *node = i < json_array_get_length (self->array) ? json_array_get_element (self->array, i) : NULL;

  return node == NULL || JSON_NODE_HOLDS_NULL (node) ? NULL : node;
}

gboolean
dask_cells_has (DaskCells *self, guint i)
{
  return get (self, i) != NULL;
}

double
dask_cells_get_number (DaskCells *self, guint i)
{
  JsonNode *node = get (self, i);
  double number = number_of (node);

  if (node != NULL && !isfinite (number))
    self->bad = TRUE;

  return isfinite (number) ? number : NAN;
}

gint64
dask_cells_get_count (DaskCells *self, guint i)
{
  double number = dask_cells_get_number (self, i);

  if (isnan (number))
    return -1;
  if (number < 0 || number > MAX_INTEGER)
    {
      self->bad = TRUE;
      return -1;
    }

  return llround (number);
}

gint64
dask_cells_get_int (DaskCells *self, guint i)
{
  double number = dask_cells_get_number (self, i);

  if (isnan (number))
    return 0;
  if (fabs (number) > MAX_INTEGER)
    {
      self->bad = TRUE;
      return 0;
    }

  return llround (number);
}

gint64
dask_cells_get_time (DaskCells *self, guint i)
{
  double number = dask_cells_get_number (self, i);
  gint64 time = isnan (number) ? -1 : dask_time (number);

  if (!isnan (number) && time < 0)
    self->bad = TRUE;

  return time;
}

const char *
dask_cells_get_text (DaskCells *self, guint i)
{
  JsonNode *node = get (self, i);
  const char *text = text_of (node);

  if (node != NULL && text == NULL)
    self->bad = TRUE;

  return text;
}

JsonArray *
dask_cells_get_array (DaskCells *self, guint i)
{
  JsonNode *node = get (self, i);

  if (node != NULL && !JSON_NODE_HOLDS_ARRAY (node))
    self->bad = TRUE;

  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

/* ---- members ---- */

double
dask_member_number (JsonObject *object, const char *name)
{
  double number = number_of (json_object_get_member (object, name));

  return isfinite (number) ? number : NAN;
}

const char *
dask_member_text (JsonObject *object, const char *name)
{
  return text_of (json_object_get_member (object, name));
}

gboolean
dask_member_boolean (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_BOOLEAN &&
         json_node_get_boolean (node);
}

JsonArray *
dask_member_array (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

JsonObject *
dask_member_object (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}
