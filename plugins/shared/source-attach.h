/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Helpers for GSources in the thread-default main context. */

/* Sets the callback of @source, attaches @source, and returns it. The caller keeps its reference to @source, and must
 * release it with source_clear(). */
static inline GSource *
source_attach (GSource *source, GSourceFunc function, gpointer data)
{
  g_source_set_callback (source, function, data, NULL);
  g_source_attach (source, g_main_context_get_thread_default ());

  return source;
}

/* Destroys a source that was attached by source_attach(), and sets @source to NULL. */
static inline void
source_clear (GSource **source)
{
  if (*source != NULL)
    g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}
