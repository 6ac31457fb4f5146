/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Helpers that copy rows of the wire protocol into tables. If a function that returns a boolean fails, it sets a
 * %ROAST_BACKEND_ERROR_PROTOCOL error. */

#define DASK_MAX_NAME 1024 /* maximum length of a name, bytes */
/* Latest valid time, µs since the epoch: in the year 5138. */
#define DASK_MAX_TIME G_GINT64_CONSTANT (100000000000000000)

gboolean dask_row_refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Get the name in a cell. The cell must exist and have at most DASK_MAX_NAME bytes. */
gboolean dask_row_get_name (RoastWireReader *row, guint slot, const char **name, GError **error);
/* Get the number in a cell. The cell must exist, and the number must be at least 0 and less than @end. */
gboolean dask_row_get_number (RoastWireReader *row, guint slot, gint64 end, gint64 *number, GError **error);
/* Get a time, and subtract the offset of its clock (@offset, µs); -1 if the cell is missing. */
gboolean dask_row_get_time (RoastWireReader *row, guint slot, gint64 offset, gint64 *time, GError **error);
/* Get a time that the cell contains relative to @now; -1 if the cell is missing. */
gboolean dask_row_get_time_after (RoastWireReader *row, guint slot, gint64 now, gint64 *time, GError **error);

/* Copy all cells to a writer that has the same columns. Leave out columns whose bit is set in @except. */
void dask_row_copy (RoastWireReader *row, RoastTableWriter *writer, guint n_slots, guint64 except);
/* End the writer's row if all cells of the wire row were valid. Otherwise discard the row and return FALSE. */
gboolean dask_row_end (RoastWireReader *row, RoastTableWriter *writer, GError **error);
gboolean dask_row_close (RoastWireReader *row, RoastTableWriter *writer, GError **error);
