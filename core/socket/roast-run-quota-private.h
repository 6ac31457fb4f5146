/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-wire-reader-private.h"
#include "roast/roast-recording.h"

/* How much the programs of a run may send. The first rows of a table are kept; the others are added up by what the
 * reports need, so that a program that sends without end needs no more memory and its totals are still right. */
typedef struct _RoastRunQuota RoastRunQuota;

/* The part of one table. It belongs to the quota. */
typedef struct _RoastRunShare RoastRunShare;

RoastRunQuota *roast_run_quota_new (void);
void roast_run_quota_free (RoastRunQuota *self);
/* For tests: so many rows of each table. */
void roast_run_quota_set_rows (RoastRunQuota *self, guint64 rows);

RoastRunShare *roast_run_quota_get_share (RoastRunQuota *self, RoastRecording *recording, RoastTableInfo *info);
/* Whether there is room for a row. */
gboolean roast_run_share_has_room (RoastRunShare *self);
/* A row was kept. */
void roast_run_share_add_kept (RoastRunShare *self);
/* Adds up a row for which there is no room. @values: one for each column of the table, checked. */
void roast_run_share_sum (RoastRunShare *self, const RoastWireValue *values);
/* The program itself dropped rows. */
void roast_run_share_add_dropped (RoastRunShare *self, guint64 rows);
/* FALSE if there were too many remarks: this one is counted. */
gboolean roast_run_quota_take_remark (RoastRunQuota *self);

/* Writes the sums and says in an event for each table what was not kept; forgets both. */
void roast_run_quota_report (RoastRunQuota *self, RoastRecording *recording, const char *source);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastRunQuota, roast_run_quota_free)
