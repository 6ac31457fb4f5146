/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The one thread of the process that uses SQLite. It runs while a file is open. */

typedef void (*RoastStoreFunc) (gpointer data);

/* Each file that is open holds the thread. FALSE in a process that was forked while files were open. */
gboolean roast_store_thread_hold (void);
void roast_store_thread_release (void);
/* Runs a function in the thread and waits for it. */
void roast_store_thread_call (RoastStoreFunc func, gpointer data);
/* Runs a function in the thread some time. */
void roast_store_thread_post (RoastStoreFunc func, gpointer data);
/* Runs a function in the thread every so many ms, until the source is destroyed in the thread. */
GSource *roast_store_thread_add_timer (guint interval, GSourceFunc func, gpointer data);
/* Closes a descriptor of a run file once no file is open: POSIX takes all locks of a process on a file when one
 * descriptor is closed, those of SQLite, too. */
void roast_store_thread_close_later (int fd);

G_END_DECLS
