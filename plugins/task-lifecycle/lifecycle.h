/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Each adds its metrics and tables to the report. */
void lifecycle_add_attempts (RoastReport *report, RoastRecordingSnapshot *recording);
void lifecycle_add_transfers (RoastReport *report, RoastRecordingSnapshot *recording);
void lifecycle_add_executor (RoastReport *report, RoastRecordingSnapshot *recording);

/* ---- what these share ---- */

/* A table of the recording, with the columns asked for. */
typedef struct
{
  RoastTableSnapshot *table;
  guint64 n_rows; /* 0 if there is no such table */
  guint columns[20];
} LifecycleTable;

/* @names ends with NULL. */
void lifecycle_table_open (LifecycleTable *self, RoastRecordingSnapshot *recording, const char *name,
                           const char *const *names);
/* -1, NaN, NULL if the cell is missing. */
gint64 lifecycle_table_int64 (const LifecycleTable *self, guint64 row, guint column);
double lifecycle_table_double (const LifecycleTable *self, guint64 row, guint column);
const char *lifecycle_table_text (const LifecycleTable *self, guint64 row, guint column);

/* Whether rows of tasks are missing: the message, or NULL. */
const char *lifecycle_find_dropped (RoastRecordingSnapshot *recording);
void lifecycle_add (RoastReport *report, const char *name, double value, RoastCompleteness completeness,
                    const char *note);
/* @note: why it is "at least", or NULL */
void lifecycle_add_count (RoastReport *report, const char *name, gint64 value, const char *note);
void lifecycle_add_unavailable (RoastReport *report, const char *name, const char *reason);

G_END_DECLS
