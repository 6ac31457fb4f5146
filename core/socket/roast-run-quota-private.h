/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-wire-reader-private.h"
#include "roast/roast-recording.h"

/* Limits how much data the programs of a run may add. The first rows of each table are kept. Later rows are only added
 * to sums of the values that reports need. Therefore the memory is limited even if a program sends rows without end,
 * and the totals stay correct. */
typedef struct _RoastRunQuota RoastRunQuota;

/* The quota of one table, which the RoastRunQuota owns. */
typedef struct _RoastRunShare RoastRunShare;

RoastRunQuota *roast_run_quota_new (void);
void roast_run_quota_free (RoastRunQuota *self);
/* Sets the number of rows that are kept in each table. Only tests use this function. */
void roast_run_quota_set_rows (RoastRunQuota *self, guint64 rows);

RoastRunShare *roast_run_quota_get_share (RoastRunQuota *self, RoastRecording *recording, RoastTableInfo *info);
/* Returns whether there is room for another row in the table. */
gboolean roast_run_share_has_room (RoastRunShare *self);
/* Counts a row that was kept in the table. */
void roast_run_share_add_kept (RoastRunShare *self);
/* Adds a row to the sums, because there is no room for the row. @values: a checked value for each column of the
 * table. */
void roast_run_share_sum (RoastRunShare *self, const RoastWireValue *values);
/* Counts rows that the program itself has dropped. */
void roast_run_share_add_dropped (RoastRunShare *self, guint64 rows);
/* Counts a remark of a program. Returns FALSE if there are already too many remarks. */
gboolean roast_run_quota_take_remark (RoastRunQuota *self);

/* Writes the sums and clears them. Adds an event for each table with rows that were not kept. */
void roast_run_quota_report (RoastRunQuota *self, RoastRecording *recording, const char *source);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastRunQuota, roast_run_quota_free)
