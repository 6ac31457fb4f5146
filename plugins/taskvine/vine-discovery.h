/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Where managers keep their logs, and where they listen: from what their processes have open, and from directories. */

/* It was written on this machine, by a process of the program that was over before it was seen. */
#define VINE_FINDING_LOCAL -1

/* The logs of one manager, or of several that share them. */
typedef struct
{
  int pid;               /* that has them open; 0 if they were found in a directory, or VINE_FINDING_LOCAL */
  int transactions;      /* fd; to be taken, else it is closed */
  int performance;       /* fd, or -1 */
  guint64 device, inode; /* of transactions */
  char *directory;       /* of the logs, as the manager names it */
  gint64 started; /* by the first line of what was found in a directory: µs since the epoch, and by which process; -1 */
  gint64 writer;
  guint16 port; /* 0 if it is not known */
} VineFinding;

void vine_finding_free (VineFinding *finding);

/* Of a process and all its descendants. @seen: tells of a file whether it is known already, so that it is not opened
 * again. */
typedef gboolean (*VineSeenFunction) (guint64 device, guint64 inode, gpointer user_data);
GPtrArray *vine_discovery_scan_processes (int pid, VineSeenFunction seen, gpointer user_data);
/* Of the runs in the directory `vine-run-info` of @base whose logs were written to since @since (µs since the epoch).
 */
GPtrArray *vine_discovery_scan_directory (const char *base, gint64 since, VineSeenFunction seen, gpointer user_data);
/* Of what a person says: the directory of a run, of its logs, of all runs (the most recent), or a transactions log. */
VineFinding *vine_discovery_open_path (const char *path, GError **error);

/* Tells whether any process of this machine that may be looked at has the file open. */
gboolean vine_discovery_is_in_use (guint64 device, guint64 inode);
gboolean vine_discovery_is_alive (int pid);
/* 0 if there is none. */
int vine_discovery_get_parent (int pid);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (VineFinding, vine_finding_free)

G_END_DECLS
