/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* A run in a list: its file, or the error if it cannot be opened. */
typedef struct
{
  char *path;
  char *id;
  RoastRunFile *file;
  GError *error;
} RunEntry;

/* Returns all runs, newest first. */
GPtrArray *run_entry_list (RoastRuns *runs, GError **error);
/* Returns the start time in µs since the epoch; -1 if unknown. */
gint64 run_entry_get_started (const RunEntry *self);
/* Returns the duration in seconds, for an incomplete run up to the end of its data; negative if unknown. */
double run_entry_get_duration (const RunEntry *self);
/* Returns the bytes on disk, including the auxiliary files of a growing file. */
guint64 run_entry_get_size (const RunEntry *self);
const char *run_entry_get_state (const RunEntry *self);
gboolean run_entry_has_meta (const RunEntry *self, const char *key, const char *text);
/* Returns whether this is another successful run of a run's command on its host. @metadata: of that run */
gboolean run_entry_repeats (const RunEntry *self, GVariant *metadata);

/* Keeps the entries that fulfill all conditions. A condition is KEY=VALUE, with * and ? in VALUE. Sorts the entries by
 * a key: NULL keeps the order; a minus sign before the key means descending. A key is a column of the list, a tag, or a
 * key that “show” prints. Returns FALSE if no entry has such a key. */
gboolean run_entry_select (GPtrArray *entries, char **conditions, const char *sort, GError **error);

G_END_DECLS
