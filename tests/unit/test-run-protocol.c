/* SPDX-License-Identifier: BSD-3-Clause */

/* Lines of the run's socket, one by one: what becomes a row, what is refused and why. */

#include <roast/roast.h>
#include <string.h>

#include "../../core/socket/roast-run-protocol-private.h"

typedef struct
{
  RoastRecording *recording;
  RoastRunPeer *peer;
} Fixture;

static gboolean
read_line (Fixture *fixture, const char *line, GError **error)
{
  gsize length = strlen (line);
  g_autofree char *copy = g_memdup2 (line, length > 0 ? length : 1);

  return roast_run_peer_read_line (fixture->peer, copy, length, error);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->recording = roast_recording_new (NULL);
  fixture->peer = roast_run_peer_new (fixture->recording, "program-1", "secret");
  if (data == NULL)
    g_assert_true (read_line (fixture, "{\"roast\":2,\"token\":\"secret\",\"program\":\"test\"}", NULL));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  roast_run_peer_free (fixture->peer);
  g_object_unref (fixture->recording);
}

static void
take (Fixture *fixture, const char *line)
{
  g_autoptr (GError) error = NULL;

  read_line (fixture, line, &error);
  g_assert_no_error (error);
}

static void
assert_refused (Fixture *fixture, const char *line, const char *word)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (read_line (fixture, line, &error));
  g_assert_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL);
  if (strstr (error->message, word) == NULL)
    g_error ("%s: “%s” is not in “%s”", line, word, error->message);
}

static RoastTableSnapshot *
table (Fixture *fixture, const char *name, guint64 n_rows)
{
  RoastTableSnapshot *snapshot = roast_table_snapshot (roast_recording_get_table (fixture->recording, name));

  g_assert_cmpuint (roast_table_snapshot_get_n_rows (snapshot), ==, n_rows);

  return snapshot;
}

static guint
column (RoastTableSnapshot *snapshot, const char *name)
{
  int index = roast_table_snapshot_find_column (snapshot, name);

  g_assert_cmpint (index, >=, 0);

  return (guint) index;
}

static gint64
integer (RoastTableSnapshot *snapshot, guint64 row, const char *name)
{
  g_assert_true (roast_table_snapshot_is_valid (snapshot, row, column (snapshot, name)));

  return roast_table_snapshot_get_int64 (snapshot, row, column (snapshot, name));
}

static const char *
text (RoastTableSnapshot *snapshot, guint64 row, const char *name)
{
  return roast_table_snapshot_get_string (snapshot, row, column (snapshot, name));
}

static gboolean
is_missing (RoastTableSnapshot *snapshot, guint64 row, const char *name)
{
  return !roast_table_snapshot_is_valid (snapshot, row, column (snapshot, name));
}

static void
test_hello (Fixture *fixture, gconstpointer data)
{
  assert_refused (fixture, "{\"type\":\"events\",\"events\":1}", "the first line must be");
  assert_refused (fixture, "{\"roast\":2}", "token");
  assert_refused (fixture, "{\"roast\":2,\"token\":null}", "token");
  assert_refused (fixture, "{\"roast\":2,\"token\":\"secretx\"}", "token");
  assert_refused (fixture, "{\"roast\":1,\"token\":\"secret\"}", "version 2");
  assert_refused (fixture, "{\"roast\":\"2\",\"token\":\"secret\"}", "no number");
  g_assert_false (roast_run_peer_is_greeted (fixture->peer));
  take (fixture, "{\"roast\":2,\"token\":\"secret\",\"more\":[{}]}");
  g_assert_true (roast_run_peer_is_greeted (fixture->peer));
}

static void
test_events_and_bytes (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastTableSnapshot) datasets = NULL;

  roast_run_peer_set_pid (fixture->peer, 42);
  take (fixture, "{\"type\":\"events\",\"events\":1000,\"dataset\":\"ttbar\"}");
  take (fixture, "{\"type\":\"bytes_read\",\"bytes\":9007199254740992}");
  take (fixture,
        "{\"type\":\"dataset\",\"dataset\":\"zz\",\"events\":1e3,\"bytes_read\":7,\"duration\":0.5,\"chunks\":2}");
  take (fixture, "{\"type\":\"events\",\"events\":0,\"dataset\":\"\"}");
  datasets = table (fixture, "datasets", 4);
  g_assert_cmpstr (text (datasets, 0, "source"), ==, "program-1");
  g_assert_cmpstr (text (datasets, 0, "dataset"), ==, "ttbar");
  g_assert_cmpint (integer (datasets, 0, "events"), ==, 1000);
  g_assert_cmpint (integer (datasets, 0, "pid"), ==, 42);
  g_assert_cmpint (ABS (integer (datasets, 0, "time") - g_get_real_time ()), <, 60 * G_USEC_PER_SEC);
  g_assert_true (is_missing (datasets, 0, "bytes_read"));
  g_assert_cmpint (integer (datasets, 1, "bytes_read"), ==, G_GINT64_CONSTANT (9007199254740992));
  g_assert_true (is_missing (datasets, 1, "dataset"));
  g_assert_cmpint (integer (datasets, 2, "events"), ==, 1000);
  g_assert_cmpint (integer (datasets, 2, "chunks"), ==, 2);
  g_assert_cmpfloat (roast_table_snapshot_get_double (datasets, 2, column (datasets, "duration")), ==, 0.5);
  g_assert_cmpint (integer (datasets, 3, "events"), ==, 0);
  g_assert_true (is_missing (datasets, 3, "dataset"));
}

static void
test_chunk (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastTableSnapshot) chunks = NULL;

  take (fixture,
        "{\"type\":\"chunk\",\"chunk\":\"7\",\"task\":\"t\",\"dataset\":\"d\",\"file\":\"f.root\",\"tree\":\"Events\","
        "\"entry_start\":10,\"entry_stop\":30,\"events\":20,\"bytes_read\":4000,\"memory\":-5,"
        "\"started\":1700000000.25,\"ended\":1700000002.5}");
  take (fixture, "{\"type\":\"chunk\",\"error\":\"OSError\",\"events\":null}");
  take (fixture, "{\"type\":\"chunk\",\"error\":\"\"}");
  chunks = table (fixture, "chunks", 3);
  g_assert_cmpstr (text (chunks, 0, "chunk"), ==, "7");
  g_assert_cmpstr (text (chunks, 0, "task"), ==, "t");
  g_assert_cmpstr (text (chunks, 0, "file"), ==, "f.root");
  g_assert_cmpstr (text (chunks, 0, "tree"), ==, "Events");
  g_assert_cmpint (integer (chunks, 0, "entry_start"), ==, 10);
  g_assert_cmpint (integer (chunks, 0, "entry_stop"), ==, 30);
  g_assert_cmpint (integer (chunks, 0, "memory"), ==, -5);
  g_assert_cmpint (integer (chunks, 0, "started"), ==, G_GINT64_CONSTANT (1700000000250000));
  g_assert_cmpint (integer (chunks, 0, "ended"), ==, G_GINT64_CONSTANT (1700000002500000));
  g_assert_true (is_missing (chunks, 0, "error"));
  g_assert_cmpstr (text (chunks, 1, "error"), ==, "OSError");
  g_assert_true (is_missing (chunks, 1, "events"));
  g_assert_true (is_missing (chunks, 2, "error"));
}

/* Two of start, end and duration are enough, and of the duration alone the end is now. */
static void
test_chunk_times (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastTableSnapshot) chunks = NULL;

  take (fixture, "{\"type\":\"chunk\",\"started\":100,\"duration\":2.5}");
  take (fixture, "{\"type\":\"chunk\",\"ended\":100,\"duration\":2.5}");
  take (fixture, "{\"type\":\"chunk\",\"started\":100,\"ended\":101,\"duration\":2.5}");
  take (fixture, "{\"type\":\"chunk\",\"duration\":2.5}");
  take (fixture, "{\"type\":\"chunk\",\"started\":100}");
  chunks = table (fixture, "chunks", 5);
  g_assert_cmpint (integer (chunks, 0, "ended"), ==, 102500000);
  g_assert_cmpint (integer (chunks, 1, "started"), ==, 97500000);
  g_assert_cmpint (integer (chunks, 2, "ended"), ==, 101000000);
  g_assert_cmpint (ABS (integer (chunks, 3, "ended") - integer (chunks, 3, "started") - 2500000), <=, 1);
  g_assert_cmpint (ABS (integer (chunks, 3, "ended") - g_get_real_time ()), <, 60 * G_USEC_PER_SEC);
  g_assert_true (is_missing (chunks, 4, "ended"));
}

static void
test_sections_and_messages (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastTableSnapshot) sections = NULL;
  g_autoptr (RoastTableSnapshot) events = NULL;

  take (fixture, "{\"type\":\"section\",\"name\":\"jets\",\"kind\":\"time\",\"value\":0.25,\"chunk\":\"7\"}");
  take (fixture, "{\"type\":\"section\",\"name\":\"jets\",\"kind\":\"memory\",\"value\":-1000}");
  take (fixture, "{\"type\":\"message\",\"message\":\"a \\\"quoted\\\" word\"}");
  take (fixture, "{\"type\":\"message\",\"message\":\"bad\",\"severity\":\"error\"}");
  sections = table (fixture, "sections", 2);
  g_assert_cmpstr (text (sections, 0, "name"), ==, "jets");
  g_assert_cmpstr (text (sections, 0, "chunk"), ==, "7");
  g_assert_cmpfloat (roast_table_snapshot_get_double (sections, 1, column (sections, "value")), ==, -1000);
  events = table (fixture, "events", 2);
  g_assert_cmpstr (text (events, 0, "severity"), ==, "info");
  g_assert_cmpstr (text (events, 0, "message"), ==, "a \"quoted\" word");
  g_assert_cmpstr (text (events, 1, "severity"), ==, "error");
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  static const char *const lines[][2] = {
    { "", "JSON" },
    { "nonsense", "JSON" },
    { "[]", "object" },
    { "1", "object" },
    { "{\"type\":\"events\",\"events\":1", "breaks off" },
    { "{\"type\":\"events\",\"events\":1}{}", "after its end" },
    { "{\"type\":\"events\",\"events\":0x10}", "JSON" },
    { "{\"type\":\"events\",\"events\":010}", "number" },
    { "{\"type\":\"events\",\"events\":NaN}", "JSON" },
    { "{\"type\":\"events\",\"events\":18446744073709551617}", "digits" },
    { "{\"type\":\"events\",\"events\":9007199254740993.0e1}", "out of range" },
    { "{\"type\":\"events\",\"events\":1e999}", "out of range" },
    { "{\"type\":\"events\",\"events\":-1}", "negative" },
    { "{\"type\":\"events\",\"events\":1.5}", "whole" },
    { "{\"type\":\"events\",\"events\":true}", "no number" },
    { "{\"type\":\"events\",\"events\":\"1\"}", "no number" },
    { "{\"type\":\"events\",\"events\":[1]}", "no number" },
    { "{\"type\":\"events\",\"events\":null}", "missing" },
    { "{\"type\":\"events\"}", "missing" },
    { "{\"type\":\"events\",\"events\":1,\"dataset\":5}", "no text" },
    { "{\"type\":\"events\",\"events\":1,\"dataset\":\"\\udcff\"}", "half a character" },
    { "{\"type\":\"bytes_read\",\"events\":1}", "“bytes” is missing" },
    { "{\"type\":\"dataset\",\"events\":1}", "“dataset” is missing" },
    { "{\"type\":\"dataset\",\"dataset\":\"d\",\"duration\":-1}", "negative" },
    { "{\"type\":\"chunk\",\"started\":1700000000000}", "seconds since the epoch" },
    { "{\"type\":\"chunk\",\"started\":2,\"ended\":1}", "before" },
    { "{\"type\":\"chunk\",\"entry_start\":2,\"entry_stop\":1}", "before" },
    { "{\"type\":\"chunk\",\"ended\":2,\"duration\":3}", "out of range" },
    { "{\"type\":\"chunk\",\"started\":2,\"duration\":9007199254740992}", "out of range" },
    { "{\"type\":\"chunk\",\"duration\":9007199254740992}", "out of range" },
    { "{\"type\":\"chunk\",\"memory\":0.5}", "whole" },
    { "{\"type\":\"section\",\"name\":\"x\",\"kind\":\"y\",\"value\":1}", "none of" },
    { "{\"type\":\"section\",\"name\":\"x\",\"kind\":\"time\",\"value\":-1}", "negative" },
    { "{\"type\":\"section\",\"name\":\"\",\"kind\":\"time\",\"value\":1}", "missing" },
    { "{\"type\":\"message\"}", "missing" },
    { "{\"type\":\"message\",\"message\":\"x\",\"severity\":\"loud\"}", "none of" },
    { "{\"events\":1}", "“type” is missing" },
    { "{\"type\":1}", "no text" },
    /* What json-glib would follow: a comment with a quote in it, and nesting behind. */
    { "{\"type\":\"x\"/* \" */,\"a\":[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]}", "JSON" },
    { "{\"a\":[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]}", "deeply" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    assert_refused (fixture, lines[i][0], lines[i][1]);
  g_object_unref (table (fixture, "chunks", 0));
  g_object_unref (table (fixture, "datasets", 0));
  g_object_unref (table (fixture, "sections", 0));
  g_object_unref (table (fixture, "events", 0));
}

static void
test_length (Fixture *fixture, gconstpointer data)
{
  g_autofree char *filler = g_strnfill (ROAST_RUN_PROTOCOL_MAX_LINE - 31, 'x');
  g_autofree char *fits = g_strdup_printf ("{\"type\":\"message\",\"message\":\"%s\"}", filler);
  g_autofree char *longer = g_strdup_printf ("{\"type\":\"message\",\"message\":\"x%s\"}", filler);

  g_assert_cmpuint (strlen (fits), ==, ROAST_RUN_PROTOCOL_MAX_LINE);
  take (fixture, fits);
  assert_refused (fixture, longer, "64 KiB");
}

static void
test_unknown (Fixture *fixture, gconstpointer data)
{
  g_autofree char *remark = NULL;

  g_assert_null (roast_run_peer_dup_remark (fixture->peer));
  take (fixture, "{\"type\":\"events\",\"events\":1,\"color\":\"red\",\"shape\":{\"a\":[1]}}");
  take (fixture, "{\"type\":\"parrot\"}");
  g_object_unref (table (fixture, "datasets", 1));
  remark = roast_run_peer_dup_remark (fixture->peer);
  g_assert_nonnull (strstr (remark, "1 message(s), 2 member(s) from test"));
  g_assert_nonnull (strstr (remark, "“color”"));
  g_assert_null (roast_run_peer_dup_complaint (fixture->peer));
}

static void
test_complaint (Fixture *fixture, gconstpointer data)
{
  g_autofree char *complaint = NULL;

  roast_run_peer_set_pid (fixture->peer, 42);
  take (fixture, "{\"type\":\"events\",\"events\":1}");
  assert_refused (fixture, "{\"type\":\"events\",\"events\":-1}", "negative");
  assert_refused (fixture, "x", "JSON");
  roast_run_peer_skip_line (fixture->peer);
  complaint = roast_run_peer_dup_complaint (fixture->peer);
  g_assert_cmpstr (complaint, ==,
                   "3 of 5 lines from test (pid 42) on the run's socket do not count: 1 malformed, 1 against the "
                   "rules, "
                   "1 too long. The first reason: “events” is negative");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add (name, Fixture, NULL, set_up, function, tear_down)
  g_test_add ("/run-protocol/hello", Fixture, "no hello", set_up, test_hello, tear_down);
  ADD ("/run-protocol/events-and-bytes", test_events_and_bytes);
  ADD ("/run-protocol/chunk", test_chunk);
  ADD ("/run-protocol/chunk-times", test_chunk_times);
  ADD ("/run-protocol/sections-and-messages", test_sections_and_messages);
  ADD ("/run-protocol/refused", test_refused);
  ADD ("/run-protocol/length", test_length);
  ADD ("/run-protocol/unknown", test_unknown);
  ADD ("/run-protocol/complaint", test_complaint);

  return g_test_run ();
}
