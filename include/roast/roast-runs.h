/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

#include <roast/roast-version-macros.h>

G_BEGIN_DECLS

#define ROAST_TYPE_RUNS (roast_runs_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastRuns, roast_runs, ROAST, RUNS, GObject)

ROAST_AVAILABLE_IN_0_9
RoastRuns *roast_runs_new (GError **error);
ROAST_AVAILABLE_IN_0_9
const char *roast_runs_get_directory (RoastRuns *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_runs_get_reason (RoastRuns *self);
ROAST_AVAILABLE_IN_0_9
guint64 roast_runs_get_max_run_size (RoastRuns *self);
ROAST_AVAILABLE_IN_0_9
char *roast_runs_begin (RoastRuns *self, GError **error);
ROAST_AVAILABLE_IN_0_9
void roast_runs_mark_scratch (RoastRuns *self, const char *path, gint64 owner);
ROAST_AVAILABLE_IN_0_9
void roast_runs_end (RoastRuns *self, const char *path);
ROAST_AVAILABLE_IN_0_9
char **roast_runs_list (RoastRuns *self, GError **error);
ROAST_AVAILABLE_IN_0_9
char *roast_runs_find (RoastRuns *self, const char *name, GError **error);
ROAST_AVAILABLE_IN_0_9
gboolean roast_runs_remove (RoastRuns *self, const char *path, GError **error);

G_END_DECLS
