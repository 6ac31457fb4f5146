/* SPDX-License-Identifier: BSD-3-Clause */

/* The exporter perfetto: its encoding of protocol buffers, its lanes, and the bytes of small traces. What Perfetto's
 * own classes read in traces of real runs: tests/integration/test-perfetto.py. */

#include <roast/roast.h>
#include <string.h>

#include "perfetto-lanes.h"
#include "protobuf.h"
#include "rows.h"

#define assert_bytes(buffer, expected)                                                                                 \
  G_STMT_START                                                                                                         \
  {                                                                                                                    \
    g_autofree char *shown_ = show ((buffer)->data, (buffer)->length);                                                 \
    g_assert_cmpstr (shown_, ==, expected);                                                                            \
  }                                                                                                                    \
  G_STMT_END

static char *
show (const guint8 *bytes, gsize length)
{
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < length; i++)
    g_string_append_printf (text, "%s%02x", i > 0 ? " " : "", bytes[i]);

  return g_string_free (text, FALSE);
}

/* ---- protocol buffers: the examples are those of the format's own documentation ---- */

static void
test_values (void)
{
  Protobuf buffer = { 0 };

  protobuf_put_uint (&buffer, 1, 150);
  protobuf_put_int (&buffer, 2, -2);
  protobuf_put_double (&buffer, 3, 1.5);
  protobuf_put_padded (&buffer, 4, 5, 3);
  protobuf_put_padded (&buffer, 4, 300, 1);
  protobuf_put_uint (&buffer, 16, 0);
  assert_bytes (&buffer,
                "08 96 01 10 fe ff ff ff ff ff ff ff ff 01 19 00 00 00 00 00 00 f8 3f 20 85 80 00 20 ac 02 80 01 00");
  protobuf_clear (&buffer);
}

static void
test_strings (void)
{
  Protobuf buffer = { 0 };

  protobuf_put_string (&buffer, 2, "testing");
  assert_bytes (&buffer, "12 07 74 65 73 74 69 6e 67");
  buffer.length = 0;
  protobuf_put_string (&buffer, 2, "a\377");
  assert_bytes (&buffer, "12 04 61 ef bf bd");
  protobuf_clear (&buffer);
}

/* A length of one byte, and one of two in a message that is in another one. */
static void
test_messages (void)
{
  Protobuf buffer = { 0 };
  g_autofree char *text = g_strnfill (200, 'x');
  gsize outer, inner;

  outer = protobuf_begin (&buffer, 3);
  protobuf_put_uint (&buffer, 1, 150);
  protobuf_end (&buffer, outer);
  assert_bytes (&buffer, "1a 03 08 96 01");

  buffer.length = 0;
  outer = protobuf_begin (&buffer, 1);
  inner = protobuf_begin (&buffer, 2);
  protobuf_put_string (&buffer, 3, text);
  protobuf_end (&buffer, inner);
  protobuf_end (&buffer, outer);
  g_assert_cmpuint (buffer.length, ==, 3 + 3 + 3 + 200);
  g_assert_cmpmem (buffer.data, 10, "\012\316\001\022\313\001\032\310\001x", 10);
  g_assert_cmpint (buffer.data[buffer.length - 1], ==, 'x');
  protobuf_clear (&buffer);
}

/* ---- lanes ---- */

static void
test_lanes (void)
{
  static const struct
  {
    guint group;
    gint64 started, ended;
    guint lane;
  } intervals[] = {
    { 0, 10, 20, 0 },
    { 0, 15, 30, 1 }, /* overlaps the first */
    { 0, 20, 25, 0 }, /* begins where the first ends, and is written later */
    { 1, 0, 100, 0 }, /* another group */
    { 0, 5, 10, 1 },  /* the first begins where this ends, but is written before: not in its lane */
    { LANES_NONE, 0, 1, LANES_NONE },
    { 0, 40, G_MAXINT64, 0 }, /* the lowest that is free */
    { 0, 1000, 2000, 1 },
  };
  g_autoptr (Lanes) lanes = lanes_new ();

  for (guint i = 0; i < G_N_ELEMENTS (intervals); i++)
    lanes_add (lanes, intervals[i].group, intervals[i].started, intervals[i].ended);
  lanes_pack (lanes);
  g_assert_cmpuint (lanes_get (lanes, 4), ==, 0);
  g_assert_cmpuint (lanes_get (lanes, 0), ==, 1);
  g_assert_cmpuint (lanes_get (lanes, 1), ==, 0);
  g_assert_cmpuint (lanes_get (lanes, 2), ==, 1);
  g_assert_cmpuint (lanes_get (lanes, 3), ==, 0);
  g_assert_cmpuint (lanes_get (lanes, 5), ==, LANES_NONE);
  g_assert_cmpuint (lanes_get (lanes, 6), ==, 0);
  g_assert_cmpuint (lanes_get (lanes, 7), ==, 1);
}

/* As many lanes as overlap at most; those of one lane do not. */
static void
test_many_lanes (void)
{
  enum
  {
    N = 5000
  };
  g_autoptr (Lanes) lanes = lanes_new ();
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  gint64 started[N], ended[N];
  guint n_lanes = 0, most = 0;

  for (guint i = 0; i < N; i++)
    {
      started[i] = g_rand_int_range (random, 0, 100000) * 2;
      ended[i] = started[i] + 1 + g_rand_int_range (random, 0, 1000) * 2;
      lanes_add (lanes, 0, started[i], ended[i]);
    }
  lanes_pack (lanes);
  for (guint i = 0; i < N; i++)
    {
      guint n = 0;

      n_lanes = MAX (n_lanes, lanes_get (lanes, i) + 1);
      for (guint k = 0; k < N; k++)
        {
          gboolean overlap = started[k] <= started[i] && started[i] < ended[k];

          n += overlap;
          if (overlap && k != i)
            g_assert_cmpuint (lanes_get (lanes, k), !=, lanes_get (lanes, i));
        }
      most = MAX (most, n);
    }
  g_assert_cmpuint (n_lanes, ==, most);
}

/* ---- traces ---- */

static GBytes *export (RoastRecording *recording, const char *options)
{
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (RoastReport) report = roast_report_new (schema);
  g_autoptr (RoastOutput) output = roast_output_new_for_memory ();
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autoptr (RoastExporter) exporter = NULL;
  g_autoptr (GError) error = NULL;

  exporter = roast_registry_create_exporter (registry, "perfetto", g_variant_new_parsed (options), &error);
  g_assert_no_error (error);
  roast_exporter_export_report (exporter, snapshot, report, output, NULL, &error);
  g_assert_no_error (error);

  return roast_output_dup_bytes (output, "report.perfetto-trace");
}

static RoastRecording *
make_recording (void)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  RoastRecording *recording = roast_recording_new (schema);

  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (1000000));

  return recording;
}

/* @text: as show () has them. */
static gboolean
contains_bytes (GBytes *bytes, const char *text)
{
  gsize size = 0;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  g_autofree char *shown = show (data, size);

  return strstr (shown, text) != NULL;
}

/* The first packet, the process, the thread, and the slice. */
static void
test_trace (void)
{
  static const char expected[] =
      /* packet 1: writer 1, state cleared, first of the writer */
      "0a 24 50 01 68 01 b8 05 01"
      /* its default clock is 64 */
      " da 03 03 d0 03 40"
      /* clock 64 is 0 µs where clock 1 is 1e9 ns; times are shown by clock 1 */
      " 32 15 0a 07 08 40 10 00 20 e8 07 0a 08 08 01 10 80 94 eb dc 03 10 01"
      /* packet 2: track 1, a process without a known pid, “local-1 w” */
      " 0a 1b 50 01 68 02 e2 03 14 08 01 1a 10 08 81 80 80 02 32 09 6c 6f 63 61 6c 2d 31 20 77";
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (GBytes) bytes = NULL;
  const guint8 *data = NULL;
  gsize size = 0;
  g_autofree char *text = NULL;

  rows_add (recording, "tasks",
            "{'source': <'local-1'>, 'task': <'t'>, 'attempt': <int64 1>, 'category': <'c'>, 'worker': <'w'>, "
            "'started': <int64 1000005>, 'ended': <int64 1000009>, 'status': <'done'>}");
  bytes = export (recording, "{'compress': <false>}");
  data = g_bytes_get_data (bytes, &size);
  g_assert_cmpuint (size, >, 100);
  text = show (data, strlen (expected) / 3 + 1);
  g_assert_cmpstr (text, ==, expected);
  /* the slice is one event: 5 µs, track 2, complete, 4 µs long; name and category, and the texts, are last */
  g_assert_true (contains_bytes (bytes, "40 85 80 80 00 5a 1d 58 02 32 07 18 84 80 80 00 10 58"));
  g_assert_true (contains_bytes (bytes, "50 01 18 01 62"));
  g_assert_false (contains_bytes (bytes, "48 02"));
}

/* An attempt that was over at once has a begin and an end, one that is under way has a begin only. */
static void
test_begin_and_end (void)
{
  static const char *const ends[] = { "'ended': <int64 1000005>, ", "" };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autoptr (RoastRecording) recording = make_recording ();
      g_autofree char *row = g_strdup_printf ("{'source': <'local-1'>, 'task': <'t'>, 'attempt': <int64 1>, %s"
                                              "'worker': <'w'>, 'started': <int64 1000005>}",
                                              ends[i]);
      g_autoptr (GBytes) bytes = NULL;

      rows_add (recording, "tasks", row);
      bytes = export (recording, "{'compress': <false>}");
      g_assert_true (contains_bytes (bytes, "58 02 48 01"));
      g_assert_cmpint (contains_bytes (bytes, "0a 0f 50 01 68 02 40 85 80 80 00 5a 04 58 02 48 02"), ==, i == 0);
    }
}

static gboolean
contains (GBytes *bytes, const char *text)
{
  gsize size = 0;
  const char *data = g_bytes_get_data (bytes, &size);

  return memmem (data, size, text, strlen (text)) != NULL;
}

/* Rows without times are counted; names that are not UTF-8 are repaired; a time before the start does not wrap. */
static void
test_odd_rows (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autofree char *longer = g_strnfill (10000, 'n');
  g_autofree char *row =
      g_strdup_printf ("{'source': <'local-1'>, 'task': <'%s'>, 'attempt': <int64 1>, 'worker': <'w'>, "
                       "'started': <int64 999999>, 'ended': <int64 1000009>, 'status': <'done'>}",
                       longer);
  g_autoptr (GBytes) bytes = NULL;

  rows_add (recording, "tasks", row);
  rows_add (recording, "tasks",
            "{'source': <'local-1'>, 'task': <'lost'>, 'attempt': <int64 1>, 'worker': <'w'>, 'status': <'lost'>}");
  rows_add (recording, "tasks",
            "{'source': <'local-1'>, 'task': <'waits'>, 'attempt': <int64 1>, 'status': <'never_ran'>}");
  rows_add (recording, "tasks",
            "{'source': <'local-1'>, 'task': <'back'>, 'attempt': <int64 1>, 'worker': <'w'>, 'status': <'done'>, "
            "'started': <int64 2000000>, 'ended': <int64 1999999>}");
  rows_add (recording, "chunks", "{'source': <'p'>, 'chunk': <'c'>, 'events': <int64 5>}");
  bytes = export (recording, "{'compress': <false>}");
  g_assert_true (contains (bytes, longer));
  g_assert_true (contains (bytes, "rows left out"));
  g_assert_false (contains (bytes, "waits"));
  g_assert_false (contains (bytes, "back"));
  /* two tasks, one chunk: an argument of three bytes each */
  g_assert_true (contains (bytes, "\012\005tasks") || contains (bytes, "\022\005tasks"));
  g_assert_true (contains (bytes, "\040\202\200"));
  g_assert_true (contains (bytes, "\040\201\200"));
}

static void
test_nothing (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (GBytes) bytes = export (recording, "{'compress': <false>}");
  g_autoptr (GBytes) again = export (recording, "{'compress': <false>}");

  g_assert_cmpuint (g_bytes_get_size (bytes), ==, 38);
  g_assert_true (g_bytes_equal (bytes, again));
}

/* What is compressed is the same trace. */
static void
test_compressed (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (GBytes) plain = NULL, compressed = NULL;
  g_autoptr (GZlibDecompressor) decompressor = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB);
  g_autoptr (GError) error = NULL;
  const guint8 *data = NULL;
  guint8 text[100000];
  gsize size = 0, read = 0, written = 0, at = 1;

  rows_add (recording, "cluster_samples",
            "{'source': <'local-1'>, 'time': <int64 1000005>, 'memory': <int64 77>, 'cpu': <0.25>}");
  plain = export (recording, "{'compress': <false>}");
  compressed = export (recording, "{'compress': <true>}");
  data = g_bytes_get_data (compressed, &size);
  g_assert_cmpint (data[0], ==, 0x0a);
  for (guint i = 0; i < 2; i++) /* two lengths: of the packet, and of its field 50 */
    {
      while (data[at] & 0x80)
        at++;
      at++;
      if (i == 0)
        {
          g_assert_cmpmem (data + at, 2, "\222\003", 2);
          at += 2;
        }
    }
  g_converter_convert (G_CONVERTER (decompressor), data + at, size - at, text, sizeof text, G_CONVERTER_INPUT_AT_END,
                       &read, &written, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (text, written, g_bytes_get_data (plain, NULL), g_bytes_get_size (plain));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/perfetto/values", test_values);
  g_test_add_func ("/perfetto/strings", test_strings);
  g_test_add_func ("/perfetto/messages", test_messages);
  g_test_add_func ("/perfetto/lanes", test_lanes);
  g_test_add_func ("/perfetto/many-lanes", test_many_lanes);
  g_test_add_func ("/perfetto/trace", test_trace);
  g_test_add_func ("/perfetto/begin-and-end", test_begin_and_end);
  g_test_add_func ("/perfetto/odd-rows", test_odd_rows);
  g_test_add_func ("/perfetto/nothing", test_nothing);
  g_test_add_func ("/perfetto/compressed", test_compressed);

  return g_test_run ();
}
