/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The only thread of the process that uses SQLite. It runs while a file is open. */

/* Return FALSE on failure, possibly with an error. */
typedef gboolean (*RoastStoreCallFunc) (gpointer data, GError **error);

/* Hold the thread; each open file does so. Return FALSE in a process that was forked while files were open. */
gboolean roast_store_thread_hold (void);
void roast_store_thread_release (void);
/* Run a function in the thread and wait for its result. */
gboolean roast_store_thread_call (RoastStoreCallFunc func, gpointer data, GError **error);
/* Run a function in the thread later, and again as long as it returns TRUE. */
void roast_store_thread_post (GSourceFunc func, gpointer data);

G_END_DECLS
