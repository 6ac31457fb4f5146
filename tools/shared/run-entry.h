/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* A run in a list: its file, or why it cannot be opened. */
typedef struct
{
  char *path;
  char *id;
  RoastRunFile *file;
  GError *error;
} RunEntry;

/* All runs, the newest first. */
GPtrArray *run_entry_list (RoastRuns *runs, GError **error);
/* A time in µs since the epoch; -1 if it is unknown. */
gint64 run_entry_get_started (const RunEntry *self);
/* In seconds: of an incomplete run, as far as its data reach; negative if it is unknown. */
double run_entry_get_duration (const RunEntry *self);
/* Bytes on disk, with those of the companions of a file that grows. */
guint64 run_entry_get_size (const RunEntry *self);
const char *run_entry_get_state (const RunEntry *self);

/* Keeps the entries for which all conditions hold, KEY=VALUE with * and ? in values, and sorts them by a key (NULL: as
 * they are; from great to small after a minus sign). A key is a column of the list, a tag, or one of those that show
 * prints. FALSE if no entry has such a key. */
gboolean run_entry_select (GPtrArray *entries, char **conditions, const char *sort, GError **error);

G_END_DECLS
