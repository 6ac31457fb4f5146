/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The one thread of the process that uses SQLite. It runs while a file is open. */

/* FALSE if it failed, perhaps with an error. */
typedef gboolean (*RoastStoreCallFunc) (gpointer data, GError **error);

/* Each file that is open holds the thread. FALSE in a process that was forked while files were open. */
gboolean roast_store_thread_hold (void);
void roast_store_thread_release (void);
/* Runs a function in the thread and waits for its result. */
gboolean roast_store_thread_call (RoastStoreCallFunc func, gpointer data, GError **error);
/* Runs a function in the thread some time, and again if it returns TRUE. */
void roast_store_thread_post (GSourceFunc func, gpointer data);

G_END_DECLS
