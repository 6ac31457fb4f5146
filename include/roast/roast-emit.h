/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#if !defined(__ROAST_INSIDE__) && !defined(ROAST_COMPILATION)
#error "Only <roast/roast.h> can be included directly."
#endif

#include <glib.h>

#include <roast/roast-recording.h>

G_BEGIN_DECLS

ROAST_AVAILABLE_IN_0_9
gboolean roast_emit_enabled (void);
ROAST_AVAILABLE_IN_0_9
void roast_emit_events (const char *dataset, gint64 events);
ROAST_AVAILABLE_IN_0_9
void roast_emit_bytes_read (const char *dataset, gint64 bytes);
ROAST_AVAILABLE_IN_0_9
void roast_emit_chunk (const char *dataset, const char *file, gint64 entry_start, gint64 entry_stop, gint64 events,
                       gint64 bytes_read, gint64 started, gint64 ended, const char *error);
ROAST_AVAILABLE_IN_0_9
void roast_emit_section (const char *name, const char *kind, double value);
ROAST_AVAILABLE_IN_0_9
void roast_emit_message (RoastSeverity severity, const char *message);
ROAST_AVAILABLE_IN_0_9
void roast_emit_flush (void);

G_END_DECLS
