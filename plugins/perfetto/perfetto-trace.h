/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>
#include <roast/roast.h>

/* Writes a trace, which consists of tracks and events. All times are in µs since the epoch. Packets are collected, and
 * written to the stream in blocks. trace_close () returns the first error that occurred. */
typedef struct _Trace Trace;

/* Uses of interned texts. The texts of each use are numbered separately. */
typedef enum
{
  TRACE_CATEGORY,
  TRACE_NAME,
  TRACE_ANNOTATION,
  TRACE_STRING,
  TRACE_N_TEXTS,
} TraceText;

Trace *trace_new (GOutputStream *stream, gint64 origin, gboolean compress, GCancellable *cancellable);
void trace_free (Trace *self);
gboolean trace_has_failed (Trace *self);
gboolean trace_close (Trace *self, GError **error);

guint trace_get_text (Trace *self, TraceText use, const char *text);

/* ---- tracks ---- */

/* Adds the track of a process. The process gets the number @pid, or another number if a process with this pid already
 * exists. Sets @number to this number, which trace_add_thread () needs. */
guint64 trace_add_process (Trace *self, gint64 pid, const char *name, const char *label, gint32 *number);
guint64 trace_add_thread (Trace *self, gint32 process_number, const char *name);
guint64 trace_add_track (Trace *self, guint64 parent, const char *name);
guint64 trace_add_counter (Trace *self, guint64 parent, const char *name, const char *unit);

/* ---- events ---- */

/* Returns whether @time is in the range that a trace can represent. */
gboolean trace_is_time (gint64 time);
/* Returns whether a trace can represent a slice with these times. If @ended is G_MAXINT64, the slice lasts until the
 * end of the recording. */
gboolean trace_is_interval (gint64 started, gint64 ended);

/* Begins an event. Put its arguments after this call and before trace_end_event (). */
void trace_begin_slice (Trace *self, gint64 time, guint64 track, guint name, guint category);
/* Begins an event that is a slice with both a start and an end. It needs half the space of two events. @thread must be
 * the track of a thread. The slice must not have length zero. */
void trace_begin_whole_slice (Trace *self, gint64 started, gint64 ended, guint64 thread, guint name, guint category);
void trace_begin_instant (Trace *self, gint64 time, guint64 track, guint name, guint category);
void trace_put_int (Trace *self, guint name, gint64 value);
void trace_put_double (Trace *self, guint name, double value);
void trace_put_boolean (Trace *self, guint name, gboolean value);
void trace_put_text (Trace *self, guint name, const char *text); /* does nothing if @text is NULL */
void trace_put_number_of_text (Trace *self, guint name, guint text);
void trace_end_event (Trace *self);

void trace_end_slice (Trace *self, gint64 time, guint64 track);

void trace_count_int (Trace *self, gint64 time, guint64 track, gint64 value);
void trace_count_double (Trace *self, gint64 time, guint64 track, double value);
