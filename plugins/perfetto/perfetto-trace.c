/* SPDX-License-Identifier: BSD-3-Clause */
#include "perfetto-trace.h"

#include "perfetto-fields.h"
#include "protobuf.h"

#include <math.h>

#define FLUSH_AT (256 * 1024) /* number of bytes that are compressed at a time */
#define LEVEL 1               /* compression level of zlib; level 6 saves only a tenth, but takes six times as long */
#define SEQUENCE 1            /* sequence ID of all packets: there is only one writer */
#define MOST_PID 4194304      /* largest pid on Linux; larger numbers are given to tracks without a pid of their own */
#define MOST_TIME (G_MAXINT64 / 1000)

struct _Trace
{
  GOutputStream *stream;
  GCancellable *cancellable;
  GConverter *compressor; /* NULL if the trace is not compressed */
  GError *error;          /* first error; NULL if there was none */
  Protobuf packets;
  Protobuf compressed;
  Protobuf interned; /* fields of InternedData, for the texts that occur in the open packet for the first time */

  gint64 origin; /* µs since the epoch; timestamps count from this time */
  GHashTable *texts[TRACE_N_TEXTS];
  GHashTable *pids;
  gint32 last_number; /* number that was last given to a process or thread without a pid */
  guint64 last_track;

  gsize packet, event;  /* offsets at which the open packet and the open event start */
  guint name, category; /* name and category of the open event; 0 if it has none */
};

static const guint interned_fields[TRACE_N_TEXTS] = {
  [TRACE_CATEGORY] = INTERNED_CATEGORIES,
  [TRACE_NAME] = INTERNED_NAMES,
  [TRACE_ANNOTATION] = INTERNED_ANNOTATION_NAMES,
  [TRACE_STRING] = INTERNED_ANNOTATION_STRINGS,
};

/* Compress the packets into a single packet, whose content is a trace that consists of the packets. */
static const Protobuf *
compress_packets (Trace *self)
{
  gsize size = self->packets.length + self->packets.length / 64 + 1024; /* incompressible bytes grow slightly */
  g_autofree guint8 *bytes = g_malloc (size);
  gsize read = 0, written = 0, packet;
  GConverterResult result;

  g_converter_reset (self->compressor);
  result = g_converter_convert (self->compressor, self->packets.data, self->packets.length, bytes, size,
                                G_CONVERTER_INPUT_AT_END, &read, &written, NULL);
  /* This cannot fail, because the output buffer is large enough. */
  g_assert (result == G_CONVERTER_FINISHED && read == self->packets.length);
  self->compressed.length = 0;
  packet = protobuf_begin (&self->compressed, TRACE_PACKET);
  protobuf_put_bytes (&self->compressed, PACKET_COMPRESSED_PACKETS, bytes, written);
  protobuf_end (&self->compressed, packet);

  return &self->compressed;
}

static void
write_packets (Trace *self)
{
  if (self->error == NULL && !g_cancellable_set_error_if_cancelled (self->cancellable, &self->error))
    {
      const Protobuf *bytes = self->compressor != NULL ? compress_packets (self) : &self->packets;

      g_output_stream_write_all (self->stream, bytes->data, bytes->length, NULL, self->cancellable, &self->error);
    }
  self->packets.length = 0;
}

/* ---- packets ---- */

static void
begin_packet (Trace *self, guint flags)
{
  self->packet = protobuf_begin (&self->packets, TRACE_PACKET);
  protobuf_put_uint (&self->packets, PACKET_SEQUENCE_ID, SEQUENCE);
  protobuf_put_uint (&self->packets, PACKET_SEQUENCE_FLAGS, flags);
}

static void
end_packet (Trace *self)
{
  if (self->interned.length > 0)
    {
      protobuf_put_bytes (&self->packets, PACKET_INTERNED_DATA, self->interned.data, self->interned.length);
      self->interned.length = 0;
    }
  protobuf_end (&self->packets, self->packet);
  if (G_UNLIKELY (self->packets.length >= FLUSH_AT))
    write_packets (self);
}

static void
put_clock (Trace *self, guint id, guint64 time, guint64 unit)
{
  gsize clock = protobuf_begin (&self->packets, SNAPSHOT_CLOCKS);

  protobuf_put_uint (&self->packets, CLOCK_ID, id);
  protobuf_put_uint (&self->packets, CLOCK_TIMESTAMP, time);
  if (unit != 1)
    protobuf_put_uint (&self->packets, CLOCK_UNIT_MULTIPLIER_NS, unit);
  protobuf_end (&self->packets, clock);
}

/* Define that timestamps are µs since the origin rather than ns since the epoch, which saves four of nine bytes. */
static void
put_first_packet (Trace *self)
{
  gsize message;

  begin_packet (self, FLAG_STATE_CLEARED);
  protobuf_put_uint (&self->packets, PACKET_FIRST_PACKET_OF_WRITER, 1);
  message = protobuf_begin (&self->packets, PACKET_DEFAULTS);
  protobuf_put_uint (&self->packets, DEFAULTS_TIMESTAMP_CLOCK_ID, CLOCK_OF_RUN);
  protobuf_end (&self->packets, message);
  message = protobuf_begin (&self->packets, PACKET_CLOCK_SNAPSHOT);
  put_clock (self, CLOCK_OF_RUN, 0, 1000);
  put_clock (self, CLOCK_OF_DAY, (guint64) self->origin * 1000, 1);
  protobuf_put_uint (&self->packets, SNAPSHOT_PRIMARY_CLOCK, CLOCK_OF_DAY);
  protobuf_end (&self->packets, message);
  end_packet (self);
}

/* ---- construction and end ---- */

Trace *
trace_new (GOutputStream *stream, gint64 origin, gboolean compress, GCancellable *cancellable)
{
  Trace *self = g_new0 (Trace, 1);

  self->stream = g_object_ref (stream);
  self->cancellable = cancellable != NULL ? g_object_ref (cancellable) : NULL;
  if (compress)
    self->compressor = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB, LEVEL));
  self->origin = CLAMP (origin, 0, MOST_TIME - 1);
  for (guint i = 0; i < TRACE_N_TEXTS; i++)
    self->texts[i] = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->pids = g_hash_table_new (NULL, NULL);
  self->last_number = MOST_PID;
  put_first_packet (self);

  return self;
}

void
trace_free (Trace *self)
{
  for (guint i = 0; i < TRACE_N_TEXTS; i++)
    g_hash_table_unref (self->texts[i]);
  g_hash_table_unref (self->pids);
  protobuf_clear (&self->packets);
  protobuf_clear (&self->compressed);
  protobuf_clear (&self->interned);
  g_clear_error (&self->error);
  g_clear_object (&self->compressor);
  g_clear_object (&self->cancellable);
  g_object_unref (self->stream);
  g_free (self);
}

gboolean
trace_has_failed (Trace *self)
{
  return self->error != NULL;
}

gboolean
trace_close (Trace *self, GError **error)
{
  write_packets (self);
  if (self->error == NULL)
    g_output_stream_close (self->stream, self->cancellable, &self->error);
  if (self->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&self->error));

  return FALSE;
}

/* ---- texts ---- */

guint
trace_get_text (Trace *self, TraceText use, const char *text)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->texts[use], text));
  gsize message;

  if (number > 0)
    return number;
  number = g_hash_table_size (self->texts[use]) + 1;
  g_hash_table_insert (self->texts[use], g_strdup (text), GUINT_TO_POINTER (number));
  message = protobuf_begin (&self->interned, interned_fields[use]);
  protobuf_put_uint (&self->interned, INTERNED_IID, number);
  protobuf_put_string (&self->interned, INTERNED_TEXT, text);
  protobuf_end (&self->interned, message);

  return number;
}

/* ---- tracks ---- */

static gsize
begin_track (Trace *self, guint64 parent, const char *name)
{
  gsize track;

  begin_packet (self, FLAG_NEEDS_STATE);
  track = protobuf_begin (&self->packets, PACKET_TRACK_DESCRIPTOR);
  protobuf_put_uint (&self->packets, TRACK_UUID, ++self->last_track);
  if (parent != 0)
    protobuf_put_uint (&self->packets, TRACK_PARENT_UUID, parent);
  if (name != NULL)
    protobuf_put_string (&self->packets, TRACK_NAME, name);

  return track;
}

static guint64
end_track (Trace *self, gsize track)
{
  protobuf_end (&self->packets, track);
  end_packet (self);

  return self->last_track;
}

/* Return the pid if it is still free, otherwise another number: two machines may have processes with the same pid, and
 * Perfetto would merge these. */
static gint32
number_process (Trace *self, gint64 pid)
{
  if (pid > 0 && pid <= MOST_PID && g_hash_table_add (self->pids, GINT_TO_POINTER ((int) pid)))
    return (gint32) pid;

  return ++self->last_number;
}

guint64
trace_add_process (Trace *self, gint64 pid, const char *name, const char *label, gint32 *number)
{
  gsize track = begin_track (self, 0, NULL);
  gsize process = protobuf_begin (&self->packets, TRACK_PROCESS);

  *number = number_process (self, pid);
  protobuf_put_int (&self->packets, PROCESS_PID, *number);
  protobuf_put_string (&self->packets, PROCESS_NAME, name);
  if (label != NULL)
    protobuf_put_string (&self->packets, PROCESS_LABELS, label);
  protobuf_end (&self->packets, process);

  return end_track (self, track);
}

guint64
trace_add_thread (Trace *self, gint32 process_number, const char *name)
{
  gsize track = begin_track (self, 0, NULL);
  gsize thread = protobuf_begin (&self->packets, TRACK_THREAD);

  protobuf_put_int (&self->packets, THREAD_PID, process_number);
  protobuf_put_int (&self->packets, THREAD_TID, ++self->last_number);
  protobuf_put_string (&self->packets, THREAD_NAME, name);
  protobuf_end (&self->packets, thread);

  return end_track (self, track);
}

guint64
trace_add_track (Trace *self, guint64 parent, const char *name)
{
  gsize track = begin_track (self, parent, name);

  protobuf_put_uint (&self->packets, TRACK_CHILD_ORDERING, ORDERING_CHRONOLOGICAL);

  return end_track (self, track);
}

guint64
trace_add_counter (Trace *self, guint64 parent, const char *name, const char *unit)
{
  gsize track = begin_track (self, parent, name);
  gsize counter = protobuf_begin (&self->packets, TRACK_COUNTER);

  if (unit == NULL || *unit == '\0')
    protobuf_put_uint (&self->packets, COUNTER_UNIT, UNIT_COUNT);
  else if (g_str_equal (unit, "B"))
    protobuf_put_uint (&self->packets, COUNTER_UNIT, UNIT_SIZE_BYTES);
  else
    protobuf_put_string (&self->packets, COUNTER_UNIT_NAME, unit);
  protobuf_end (&self->packets, counter);

  return end_track (self, track);
}

/* ---- events ---- */

gboolean
trace_is_time (gint64 time)
{
  return time > 0 && time < MOST_TIME;
}

gboolean
trace_is_interval (gint64 started, gint64 ended)
{
  return trace_is_time (started) && ended >= started && (ended == G_MAXINT64 || trace_is_time (ended));
}

/* Begin an event. Write a time before the origin in ns since the epoch, because a timestamp that counts from the origin
 * cannot be negative. */
static void
begin_event (Trace *self, gint64 time, guint64 track)
{
  begin_packet (self, FLAG_NEEDS_STATE);
  if (time >= self->origin)
    {
      protobuf_put_padded (&self->packets, PACKET_TIMESTAMP, (guint64) (time - self->origin), 4);
    }
  else
    {
      protobuf_put_uint (&self->packets, PACKET_TIMESTAMP, (guint64) time * 1000);
      protobuf_put_uint (&self->packets, PACKET_TIMESTAMP_CLOCK_ID, CLOCK_OF_DAY);
    }
  self->event = protobuf_begin (&self->packets, PACKET_TRACK_EVENT);
  protobuf_put_uint (&self->packets, EVENT_TRACK_UUID, track);
}

static void
begin_typed (Trace *self, gint64 time, guint type, guint64 track)
{
  begin_event (self, time, track);
  protobuf_put_uint (&self->packets, EVENT_TYPE, type);
}

static void
begin_named (Trace *self, gint64 time, guint type, guint64 track, guint name, guint category)
{
  begin_typed (self, time, type, track);
  self->name = name;
  self->category = category;
}

void
trace_begin_slice (Trace *self, gint64 time, guint64 track, guint name, guint category)
{
  begin_named (self, time, TYPE_SLICE_BEGIN, track, name, category);
}

void
trace_begin_instant (Trace *self, gint64 time, guint64 track, guint name, guint category)
{
  begin_named (self, time, TYPE_INSTANT, track, name, category);
}

/* Do not change the order of the fields: it halves the compressed size. The bytes between time and duration are often
 * the same as in the previous slice. The bytes after the duration are often the same as in the last slice with the same
 * name. */
void
trace_begin_whole_slice (Trace *self, gint64 started, gint64 ended, guint64 thread, guint name, guint category)
{
  gsize legacy;

  begin_event (self, started, thread);
  legacy = protobuf_begin (&self->packets, EVENT_LEGACY);
  protobuf_put_padded (&self->packets, LEGACY_DURATION_US, (guint64) (ended - started), 4);
  protobuf_put_int (&self->packets, LEGACY_PHASE, LEGACY_COMPLETE);
  protobuf_end (&self->packets, legacy);
  self->name = name;
  self->category = category;
}

static gsize
begin_annotation (Trace *self, guint name)
{
  gsize annotation = protobuf_begin (&self->packets, EVENT_ANNOTATIONS);

  protobuf_put_uint (&self->packets, ANNOTATION_NAME_IID, name);

  return annotation;
}

void
trace_put_int (Trace *self, guint name, gint64 value)
{
  gsize annotation = begin_annotation (self, name);

  protobuf_put_padded (&self->packets, ANNOTATION_INT, (guint64) value, 3);
  protobuf_end (&self->packets, annotation);
}

void
trace_put_double (Trace *self, guint name, double value)
{
  gsize annotation;

  if (!isfinite (value))
    return;
  annotation = begin_annotation (self, name);
  protobuf_put_double (&self->packets, ANNOTATION_DOUBLE, value);
  protobuf_end (&self->packets, annotation);
}

void
trace_put_boolean (Trace *self, guint name, gboolean value)
{
  gsize annotation = begin_annotation (self, name);

  protobuf_put_uint (&self->packets, ANNOTATION_BOOL, value != FALSE);
  protobuf_end (&self->packets, annotation);
}

void
trace_put_text (Trace *self, guint name, const char *text)
{
  gsize annotation;

  if (text == NULL)
    return;
  annotation = begin_annotation (self, name);
  protobuf_put_string (&self->packets, ANNOTATION_STRING, text);
  protobuf_end (&self->packets, annotation);
}

void
trace_put_number_of_text (Trace *self, guint name, guint text)
{
  gsize annotation = begin_annotation (self, name);

  protobuf_put_uint (&self->packets, ANNOTATION_STRING_IID, text);
  protobuf_end (&self->packets, annotation);
}

/* Put the name after the arguments. There it compresses better, because the next event often has the same name. */
void
trace_end_event (Trace *self)
{
  if (self->name != 0)
    protobuf_put_uint (&self->packets, EVENT_NAME_IID, self->name);
  if (self->category != 0)
    protobuf_put_uint (&self->packets, EVENT_CATEGORY_IIDS, self->category);
  self->name = self->category = 0;
  protobuf_end (&self->packets, self->event);
  end_packet (self);
}

void
trace_end_slice (Trace *self, gint64 time, guint64 track)
{
  begin_typed (self, time, TYPE_SLICE_END, track);
  trace_end_event (self);
}

void
trace_count_int (Trace *self, gint64 time, guint64 track, gint64 value)
{
  begin_typed (self, time, TYPE_COUNTER, track);
  protobuf_put_int (&self->packets, EVENT_COUNTER_VALUE, value);
  trace_end_event (self);
}

void
trace_count_double (Trace *self, gint64 time, guint64 track, double value)
{
  begin_typed (self, time, TYPE_COUNTER, track);
  protobuf_put_double (&self->packets, EVENT_DOUBLE_COUNTER_VALUE, value);
  trace_end_event (self);
}
