/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "vine-log.h"

G_BEGIN_DECLS

/* Finds the logs and ports of managers, from the open files of processes and from directories. */

/* A pid: the logs are of a process of the program on this machine, which had ended before it was seen. */
#define VINE_LOGS_LOCAL -1

/* The logs of one manager, or of several that share them. */
typedef struct
{
  int pid;         /* of the process that has them open; 0 if unknown, or VINE_LOGS_LOCAL */
  char *directory; /* as the manager names it */
  VineLog *transactions;
  VineLog *performance; /* may be NULL */
  gint64 started;       /* time of the first line, µs since the epoch; -1 if unknown; for logs found in a directory */
  gint64 writer;        /* pid in the first line */
  guint16 port;         /* 0 if unknown */
} VineLogs;

void vine_logs_free (VineLogs *logs);

/* Whether logs are known already. */
typedef gboolean (*VineSeenFunction) (VineLog *transactions, gpointer user_data);
/* Searches the open files of a process and all its descendants. */
GPtrArray *vine_discovery_scan_processes (int pid, VineSeenFunction seen, gpointer user_data);
/* Searches the runs in the directory `vine-run-info` of @base whose logs were written to since @since (µs since the
 * epoch). */
GPtrArray *vine_discovery_scan_directory (const char *base, gint64 since, VineSeenFunction seen, gpointer user_data);
/* @path: the directory of a run, of its logs or of all runs (the most recent one), or a transactions log */
VineLogs *vine_discovery_open_path (const char *path, GError **error);

/* Whether any process of this machine has the file open, as far as permissions show. */
gboolean vine_discovery_is_in_use (VineLog *log);
gboolean vine_discovery_is_alive (int pid);
/* 0 if there is no such process. */
int vine_discovery_get_parent (int pid);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (VineLogs, vine_logs_free)

G_END_DECLS
