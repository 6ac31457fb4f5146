/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "vine-log.h"

/* Finds the logs and ports of managers, through the open files of processes and in directories. */

/* The logs of one manager, or the common logs of several managers. */
typedef struct
{
  int pid;         /* process of the program that writes the logs, or wrote them; 0 if unknown */
  char *directory; /* path of the directory, as the manager sees it */
  VineLog *transactions;
  VineLog *performance, *debug; /* may be NULL */
  gint64 started; /* time of the first line, µs since the epoch; -1 if unknown; only set for logs from a directory */
  gint64 writer;  /* pid in the first line */
} VineLogs;

void vine_logs_free (VineLogs *logs);
/* Return the port of the manager, or 0 if it is unknown. */
guint16 vine_logs_read_port (VineLogs *logs);

/* Search the open files of a process and all its descendants. */
GPtrArray *vine_discovery_scan_processes (int pid);
/* Search the directory `vine-run-info` of @base for runs whose logs were modified after @since (µs since the epoch). */
GPtrArray *vine_discovery_scan_directory (const char *base, gint64 since);
/* Open the logs at @path. This may be the directory of a run, the directory of its logs, a transactions log, or the
 * directory of all runs; in the last case, the most recent run is used. */
VineLogs *vine_discovery_open_path (const char *path, GError **error);

/* Return whether any process on this machine has the file open. Processes of other users may be invisible and are
 * missed. */
gboolean vine_discovery_is_in_use (VineLog *log);
gboolean vine_discovery_is_alive (int pid);
/* Return the parent of a process, or 0 if the process does not exist. */
int vine_discovery_get_parent (int pid);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (VineLogs, vine_logs_free)
