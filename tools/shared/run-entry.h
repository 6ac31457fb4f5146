/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* A run in a list of runs, with its file or, if the file cannot be opened, the error. */
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
/* Returns the duration in seconds; negative if unknown. For an incomplete run, this is the duration up to the end of
 * its data. */
double run_entry_get_duration (const RunEntry *self);
/* Returns the size of the run file in bytes, including the auxiliary files that exist while it grows. */
guint64 run_entry_get_size (const RunEntry *self);
const char *run_entry_get_state (const RunEntry *self);
gboolean run_entry_has_meta (const RunEntry *self, const char *key, const char *text);
/* Returns whether this run succeeded and repeats another run: both have the same command and the same host. @metadata:
 * metadata of the other run. */
gboolean run_entry_repeats (const RunEntry *self, GVariant *metadata);

/* Keeps the entries that fulfill all conditions. A condition is KEY=VALUE; “*” and “?” in VALUE are wildcards.
 * Afterwards sorts the entries by the key @sort, in descending order if a minus sign precedes the key, or keeps the
 * order if @sort is NULL. A key is a column of the list, a tag, or a key that “show” prints. Returns FALSE if no entry
 * has such a key. */
gboolean run_entry_select (GPtrArray *entries, char **conditions, const char *sort, GError **error);
