/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "report.h"

/* Writes tables of a run as plain arrays to @path: see docs/raw.md. If @path is NULL, writes to standard output.
 * @tables: “all”, “none”, or names of tables, separated by “+” */
gboolean raw_export (ReportRun *run, const char *tables, const char *path, GError **error);
