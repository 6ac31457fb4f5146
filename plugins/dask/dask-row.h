/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Rows of the wire, as the reader holds them, on their way into tables. All functions that return a boolean set an
 * error of %ROAST_BACKEND_ERROR_PROTOCOL if it is FALSE. */

#define DASK_MAX_NAME 1024 /* bytes */
/* µs since the epoch: the year 5138. */
#define DASK_MAX_TIME G_GINT64_CONSTANT (100000000000000000)

gboolean dask_row_refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* A name that must be there, and not be longer than DASK_MAX_NAME. */
gboolean dask_row_get_name (RoastWireReader *row, guint slot, const char **name, GError **error);
/* A number from 0 that must be there, and be less than @end. */
gboolean dask_row_get_number (RoastWireReader *row, guint slot, gint64 end, gint64 *number, GError **error);
/* A time of a clock that is ahead by @offset µs; -1 if it is missing. */
gboolean dask_row_get_time (RoastWireReader *row, guint slot, gint64 offset, gint64 *time, GError **error);
/* The cell is relative to @now, and 0 if it is missing. */
gboolean dask_row_get_time_after (RoastWireReader *row, guint slot, gint64 now, gint64 *time, GError **error);

/* Sets all cells of a writer, which has the same slots as the row; but those of which the bit in @except is set. */
void dask_row_copy (RoastWireReader *row, RoastTableWriter *writer, guint n_slots, guint64 except);
/* Ends what was set in the writer if all cells of the row were good. */
gboolean dask_row_end (RoastWireReader *row, RoastTableWriter *writer, GError **error);
gboolean dask_row_close (RoastWireReader *row, RoastTableWriter *writer, GError **error);

G_END_DECLS
