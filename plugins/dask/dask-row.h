/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Helpers that copy wire rows from the reader into tables. On failure, functions that return a boolean set a
 * %ROAST_BACKEND_ERROR_PROTOCOL error. */

#define DASK_MAX_NAME 1024 /* maximum length of a name, bytes */
/* Greatest valid time, µs since the epoch: in the year 5138. */
#define DASK_MAX_TIME G_GINT64_CONSTANT (100000000000000000)

gboolean dask_row_refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Get a required name of at most DASK_MAX_NAME bytes. */
gboolean dask_row_get_name (RoastWireReader *row, guint slot, const char **name, GError **error);
/* Get a required number, at least 0 and less than @end. */
gboolean dask_row_get_number (RoastWireReader *row, guint slot, gint64 end, gint64 *number, GError **error);
/* Get a time and correct it for a clock that is @offset µs ahead; -1 if the cell is missing. */
gboolean dask_row_get_time (RoastWireReader *row, guint slot, gint64 offset, gint64 *time, GError **error);
/* Get a time that the cell gives relative to @now; -1 if the cell is missing. */
gboolean dask_row_get_time_after (RoastWireReader *row, guint slot, gint64 now, gint64 *time, GError **error);

/* Copy all cells to a writer that has the same columns, except columns whose bit is set in @except. */
void dask_row_copy (RoastWireReader *row, RoastTableWriter *writer, guint n_slots, guint64 except);
/* End the writer's row if all cells of the wire row were valid, else discard the row and return FALSE. */
gboolean dask_row_end (RoastWireReader *row, RoastTableWriter *writer, GError **error);
gboolean dask_row_close (RoastWireReader *row, RoastTableWriter *writer, GError **error);

G_END_DECLS
