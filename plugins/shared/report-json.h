/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "json-writer.h"

/* Members of the JSON object of a report, as report.schema.json has them. */
void report_json_put_run (JsonWriter *w, RoastRecordingSnapshot *recording);
void report_json_put_findings (JsonWriter *w, RoastReport *report);
void report_json_put_metrics (JsonWriter *w, RoastReport *report);
void report_json_put_notes (JsonWriter *w, RoastReport *report);
