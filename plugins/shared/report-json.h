/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "json-writer.h"

/* Write members of the JSON object of a report, as report.schema.json specifies them. */
void report_json_put_run (JsonWriter *w, RoastRecordingSnapshot *recording);
void report_json_put_findings (JsonWriter *w, RoastReport *report);
void report_json_put_metrics (JsonWriter *w, RoastReport *report);
void report_json_put_notes (JsonWriter *w, RoastReport *report);
/* Write a cell of the current row, or the members that describe a column. */
void report_json_put_cell (JsonWriter *w, RoastTableReader *table, guint slot, RoastColumnType type);
void report_json_put_column (JsonWriter *w, RoastColumn *column);
