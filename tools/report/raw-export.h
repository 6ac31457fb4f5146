/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "report.h"

G_BEGIN_DECLS

/* Writes tables of a run as plain arrays: see docs/raw.md. @tables is “all”, “none” or names joined by +; to @path, or
 * to standard output if it is NULL. */
gboolean raw_export (ReportRun *run, const char *tables, const char *path, GError **error);

G_END_DECLS
