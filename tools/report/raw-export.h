/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "report.h"

G_BEGIN_DECLS

/* Writes tables of a run as plain arrays to @path, or to standard output if @path is NULL: see docs/raw.md. @tables:
 * “all”, “none”, or names of tables joined by + */
gboolean raw_export (ReportRun *run, const char *tables, const char *path, GError **error);

G_END_DECLS
