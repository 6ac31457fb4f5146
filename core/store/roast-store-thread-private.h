/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* The store's thread, the only thread of the process that uses SQLite. The thread runs while a run file is open. */

/* A function that runs in the store's thread, and returns FALSE on failure, possibly with an error. */
typedef gboolean (*RoastStoreCallFunc) (gpointer data, GError **error);

/* Keep the thread running until roast_store_thread_release () is called. This function is called for each file that is
 * opened. Return FALSE in a process that was forked while files were open. */
gboolean roast_store_thread_hold (void);
void roast_store_thread_release (void);
/* Run a function in the thread and wait for its result. */
gboolean roast_store_thread_call (RoastStoreCallFunc func, gpointer data, GError **error);
/* Let the thread run a function later, and repeat the function as long as it returns TRUE. */
void roast_store_thread_post (GSourceFunc func, gpointer data);
