/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define DASK_MAX_NAME 1024 /* bytes of a name */

/* A row as it comes from a scheduler: an array of JSON whose cells may be missing or null. A cell of a wrong type is
 * taken for missing, and makes the whole bad. */
typedef struct
{
  JsonArray *array;
  gboolean bad;
} DaskCells;

gboolean dask_cells_has (DaskCells *self, guint i);
/* Not less than 0 and not more than 2^53; -1 if it is missing. */
gint64 dask_cells_get_count (DaskCells *self, guint i);
/* Any whole number, rounded; 0 if it is missing. */
gint64 dask_cells_get_int (DaskCells *self, guint i);
/* NaN if it is missing. */
double dask_cells_get_number (DaskCells *self, guint i);
/* Seconds since the epoch to µs; -1 if it is missing. */
gint64 dask_cells_get_time (DaskCells *self, guint i);
/* NULL if it is missing. */
const char *dask_cells_get_text (DaskCells *self, guint i);
JsonArray *dask_cells_get_array (DaskCells *self, guint i);

/* Members of an object, likewise. */
double dask_member_number (JsonObject *object, const char *name);
const char *dask_member_text (JsonObject *object, const char *name);
gboolean dask_member_boolean (JsonObject *object, const char *name);
JsonArray *dask_member_array (JsonObject *object, const char *name);
JsonObject *dask_member_object (JsonObject *object, const char *name);

/* Not longer than a name should be, and still UTF-8. */
char *dask_dup_name (const char *text);
/* -1 if it is no time. */
gint64 dask_time (double seconds);

G_END_DECLS
