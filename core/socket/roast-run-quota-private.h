/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-wire-reader-private.h"
#include "roast/roast-recording.h"

/* Limits how much the programs of a run may send. The first rows of a table are kept. The other rows are summed up by
 * the values that reports need, so that a program that sends without end uses no more memory and its totals stay
 * correct. */
typedef struct _RoastRunQuota RoastRunQuota;

/* The quota of one table. Owned by the RoastRunQuota. */
typedef struct _RoastRunShare RoastRunShare;

RoastRunQuota *roast_run_quota_new (void);
void roast_run_quota_free (RoastRunQuota *self);
/* Sets the number of rows to keep of each table, for tests. */
void roast_run_quota_set_rows (RoastRunQuota *self, guint64 rows);

RoastRunShare *roast_run_quota_get_share (RoastRunQuota *self, RoastRecording *recording, RoastTableInfo *info);
/* Returns whether there is room for another row. */
gboolean roast_run_share_has_room (RoastRunShare *self);
/* Counts a row that was kept. */
void roast_run_share_add_kept (RoastRunShare *self);
/* Adds a row for which there is no room to the sums. @values: a checked value for each column of the table. */
void roast_run_share_sum (RoastRunShare *self, const RoastWireValue *values);
/* Counts rows that the program itself dropped. */
void roast_run_share_add_dropped (RoastRunShare *self, guint64 rows);
/* Counts a remark. Returns FALSE if there were too many. */
gboolean roast_run_quota_take_remark (RoastRunQuota *self);

/* Writes the sums, adds an event for each table about rows that were not kept, and clears both. */
void roast_run_quota_report (RoastRunQuota *self, RoastRecording *recording, const char *source);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastRunQuota, roast_run_quota_free)
