/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Each adds its metrics and tables to the report. */
void flow_add_attempts  (RoastReport *report, RoastRecordingSnapshot *recording);
void flow_add_transfers (RoastReport *report, RoastRecordingSnapshot *recording);
void flow_add_executor  (RoastReport *report, RoastRecordingSnapshot *recording);

/* ---- what these share ---- */

/* A table of the recording, with the columns asked for. */
typedef struct
{
  RoastTableSnapshot *table;
  guint64 n_rows; /* 0 if there is no such table */
  guint columns[20];
} FlowTable;

/* @names ends with NULL. */
void        flow_table_open (FlowTable *self, RoastRecordingSnapshot *recording, const char *name, const char *const *names);
/* -1, NaN, NULL if the cell is missing. */
gint64      flow_table_int64  (const FlowTable *self, guint64 row, guint column);
double      flow_table_double (const FlowTable *self, guint64 row, guint column);
const char *flow_table_text   (const FlowTable *self, guint64 row, guint column);

/* Whether rows of tasks are missing: the message, or NULL. */
const char *flow_find_dropped    (RoastRecordingSnapshot *recording);
void        flow_add             (RoastReport *report, const char *name, double value, RoastCompleteness completeness, const char *note);
/* @note: why it is "at least", or NULL */
void        flow_add_count       (RoastReport *report, const char *name, gint64 value, const char *note);
void        flow_add_unavailable (RoastReport *report, const char *name, const char *reason);

G_END_DECLS
