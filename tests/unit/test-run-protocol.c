/* SPDX-License-Identifier: BSD-3-Clause */

/* Lines of the run's socket, one by one: what becomes a row, what is refused and why. */

#include <roast/roast.h>
#include <string.h>

#include "socket/roast-run-protocol-private.h"

typedef struct
{
  RoastRecording *recording;
  RoastRunFaults *faults;
  RoastRunQuota *quota;
  RoastRunPeer *peer;
} Fixture;

static gboolean
read_line (Fixture *fixture, const char *line)
{
  gsize length = strlen (line);
  g_autofree char *copy = g_memdup2 (line, length > 0 ? length : 1);

  return roast_run_peer_read_line (fixture->peer, copy, length);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->recording = roast_recording_new (NULL);
  fixture->faults = roast_run_faults_new ();
  fixture->quota = roast_run_quota_new ();
  fixture->peer = roast_run_peer_new (fixture->recording, "secret", 42, fixture->faults, fixture->quota);
  if (data == NULL)
    {
      g_assert_true (read_line (fixture, "{\"roast\":2,\"token\":\"secret\",\"program\":\"test\"}"));
      roast_run_peer_set_source (fixture->peer, "program-1");
    }
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  roast_run_peer_free (fixture->peer);
  roast_run_faults_free (fixture->faults);
  roast_run_quota_free (fixture->quota);
  g_object_unref (fixture->recording);
}

/* A table as it is now, which must have so many rows; on its first one. */
static RoastTableReader *
table (Fixture *fixture, const char *name, guint64 n_rows)
{
  g_autoptr (GError) error = NULL;
  RoastTableReader *reader = roast_recording_read_table (fixture->recording, name, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (roast_table_reader_get_n_rows (reader), ==, n_rows);
  roast_table_reader_next (reader);

  return reader;
}

/* Reports what was found since the last call; the events are those of the peer before. */
static void
assert_reported (Fixture *fixture, guint64 n, const char *severity, const char *message)
{
  g_autoptr (RoastTableReader) events = NULL;

  roast_run_faults_report (fixture->faults, fixture->recording, "program-1");
  events = table (fixture, ROAST_TABLE_EVENTS, n);
  for (guint64 i = 1; i < n; i++)
    roast_table_reader_next (events);
  g_assert_cmpstr (roast_table_reader_get_string (events, ROAST_EVENTS_KIND), ==, "protocol");
  g_assert_cmpstr (roast_table_reader_get_string (events, ROAST_EVENTS_SEVERITY), ==, severity);
  if (strstr (roast_table_reader_get_string (events, ROAST_EVENTS_MESSAGE), message) == NULL)
    g_error ("“%s” is not in “%s”", message, roast_table_reader_get_string (events, ROAST_EVENTS_MESSAGE));
}

static void
take (Fixture *fixture, const char *line)
{
  if (!read_line (fixture, line))
    {
      assert_reported (fixture, 1, "", "");
      g_error ("%s was refused", line);
    }
}

/* The reason stands in the event that it makes. */
static void
assert_refused (Fixture *fixture, const char *line, const char *words)
{
  guint64 n;
  g_autoptr (RoastTableReader) before = roast_recording_read_table (fixture->recording, ROAST_TABLE_EVENTS, NULL, NULL);

  n = roast_table_reader_get_n_rows (before);
  if (read_line (fixture, line))
    g_error ("%s was taken", line);
  assert_reported (fixture, n + 1, "warning", words);
}

/* Events count even if the clock of their process is wrong; clocks may differ by a minute. */
static void
test_outside (Fixture *fixture, gconstpointer data)
{
  const gint64 now = g_get_real_time ();
  g_autofree char *early = g_strdup_printf ("[\"chunks\",1,%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT "]",
                                            now - 2 * G_TIME_SPAN_HOUR, now - G_TIME_SPAN_HOUR);
  g_autofree char *late =
      g_strdup_printf ("[\"chunks\",1,%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT "]", now, now + G_TIME_SPAN_HOUR);
  g_autofree char *near = g_strdup_printf ("[\"chunks\",1,%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT "]",
                                           now - 59 * G_USEC_PER_SEC, now + 30 * G_USEC_PER_SEC);
  g_autoptr (RoastTableReader) chunks = NULL;
  g_autoptr (RoastTableReader) coverage = NULL;

  roast_recording_set_metadata (fixture->recording, "started", g_variant_new_int64 (now));
  take (fixture, "{\"table\":\"chunks\",\"columns\":[\"events\",\"started\",\"ended\"]}");
  take (fixture, near);
  take (fixture, early);
  take (fixture, late);
  chunks = table (fixture, ROAST_TABLE_CHUNKS, 3);
  g_assert_true (roast_table_reader_has (chunks, ROAST_CHUNKS_STARTED));
  g_assert_true (roast_table_reader_has (chunks, ROAST_CHUNKS_ENDED));
  g_assert_true (roast_table_reader_next (chunks));
  g_assert_cmpint (roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_EVENTS, 0), ==, 1);
  g_assert_false (roast_table_reader_has (chunks, ROAST_CHUNKS_STARTED));
  g_assert_false (roast_table_reader_has (chunks, ROAST_CHUNKS_ENDED));
  g_assert_true (roast_table_reader_next (chunks));
  g_assert_true (roast_table_reader_has (chunks, ROAST_CHUNKS_STARTED));
  g_assert_false (roast_table_reader_has (chunks, ROAST_CHUNKS_ENDED));
  assert_reported (fixture, 1, "warning",
                   "roast counted only parts of 2 rows from test (pid 42) on the run's socket: column “ended” of table "
                   "“chunks” has times outside the run, which roast leaves out");
  coverage = table (fixture, ROAST_TABLE_COVERAGE, 2);
  g_assert_cmpstr (roast_table_reader_get_string (coverage, ROAST_COVERAGE_COLUMN), ==, "started");
}

/* Nothing that opens a file is kept: not in its name, and not in the message that names it. */
static void
test_secrets (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastTableReader) chunks = NULL;
  g_autoptr (RoastTableReader) files = NULL;

  take (fixture, "{\"table\":\"chunks\",\"columns\":[\"file\",\"error\",\"error_message\"]}");
  take (fixture, "[\"chunks\",\"http://h/a.root?authz=Bearer%20s3cret\",\"OSError\",\"404: "
                 "http://h/a.root?authz=s3cret\"]");
  take (fixture, "{\"table\":\"files\",\"columns\":[\"file\",\"branches\"]}");
  take (fixture, "[\"files\",\"http://h/a.root?authz=Bearer%20s3cret\",8]");
  chunks = table (fixture, ROAST_TABLE_CHUNKS, 1);
  g_assert_cmpstr (roast_table_reader_get_string (chunks, ROAST_CHUNKS_FILE), ==, "http://h/a.root?authz=***");
  g_assert_cmpstr (roast_table_reader_get_string (chunks, ROAST_CHUNKS_ERROR_MESSAGE), ==,
                   "404: http://h/a.root?authz=***");
  files = table (fixture, ROAST_TABLE_FILES, 1);
  g_assert_cmpstr (roast_table_reader_get_string (files, ROAST_FILES_FILE), ==, "http://h/a.root?authz=***");
}

static void
test_greeting (Fixture *fixture, gconstpointer data)
{
  assert_refused (fixture, "{\"type\":\"events\",\"events\":1}", "the first line must be {\"roast\":2,");
  assert_refused (fixture, "{\"table\":\"chunks\",\"columns\":[\"events\"]}", "the first line must be");
  assert_refused (fixture, "[\"chunks\",1]", "the first line must be");
  assert_refused (fixture, "{\"roast\":2}", "token");
  assert_refused (fixture, "{\"roast\":2,\"token\":null}", "token");
  assert_refused (fixture, "{\"roast\":2,\"token\":\"secretx\"}", "token");
  assert_refused (fixture, "{\"roast\":1,\"token\":\"secret\",\"program\":\"old\"}",
                  "roast refused 1 connection from old (pid 42) on the run's socket: the program uses version 1 of the "
                  "protocol, but "
                  "this roast supports only version 2");
  assert_refused (fixture, "{\"roast\":\"2\",\"token\":\"secret\"}", "the first line must be");
  g_assert_false (roast_run_peer_is_greeted (fixture->peer));
  take (fixture, "{\"roast\":2,\"token\":\"secret\",\"more\":[{}]}");
  g_assert_true (roast_run_peer_is_greeted (fixture->peer));
}

/* ---- rows ---- */

static void
test_rows (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastTableReader) chunks = NULL;

  take (fixture, "{\"table\":\"chunks\",\"columns\":[\"dataset\",\"events\",\"started\",\"ended\",\"memory\"]}");
  take (fixture, "[\"chunks\",\"tt\\u00e4\",1000,1700000000250000,1700000002500000,-5]");
  take (fixture, "[\"chunks\",\"\",7.0]");
  take (fixture, "{\"table\":\"chunks\",\"columns\":[\"chunk\",\"pid\"]}");
  take (fixture, "[\"chunks\",\"c1\",77]");
  take (fixture, "[\"chunks\",\"c2\",null]");
  chunks = table (fixture, ROAST_TABLE_CHUNKS, 4);
  g_assert_cmpstr (roast_table_reader_get_string (chunks, ROAST_CHUNKS_SOURCE), ==, "program-1");
  g_assert_cmpstr (roast_table_reader_get_string (chunks, ROAST_CHUNKS_DATASET), ==, "ttä");
  g_assert_cmpint (roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_EVENTS, 0), ==, 1000);
  g_assert_cmpint (roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_STARTED, 0), ==,
                   G_GINT64_CONSTANT (1700000000250000));
  g_assert_cmpint (roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_MEMORY, 0), ==, -5);
  g_assert_cmpint (roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_PID, 0), ==, 42);
  g_assert_true (roast_table_reader_next (chunks));
  g_assert_false (roast_table_reader_has (chunks, ROAST_CHUNKS_DATASET));
  g_assert_cmpint (roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_EVENTS, 0), ==, 7);
  g_assert_false (roast_table_reader_has (chunks, ROAST_CHUNKS_STARTED));
  g_assert_true (roast_table_reader_next (chunks));
  g_assert_cmpstr (roast_table_reader_get_string (chunks, ROAST_CHUNKS_CHUNK), ==, "c1");
  g_assert_cmpint (roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_PID, 0), ==, 77);
  g_assert_true (roast_table_reader_next (chunks));
  g_assert_cmpint (roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_PID, 0), ==, 42);
}

/* roast adds the time where the table has one and the row does not. */
static void
test_row_times (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastTableReader) sections = NULL;
  gint64 before = g_get_real_time ();

  take (fixture, "{\"table\":\"sections\",\"columns\":[\"name\",\"kind\",\"value\"]}");
  take (fixture, "[\"sections\",\"jets\",\"time\",0.25]");
  take (fixture, "{\"table\":\"sections\",\"columns\":[\"name\",\"kind\",\"value\",\"time\"]}");
  take (fixture, "[\"sections\",\"jets\",\"custom\",-1,1700000000000000]");
  sections = table (fixture, ROAST_TABLE_SECTIONS, 2);
  g_assert_cmpint (roast_table_reader_get_int64 (sections, ROAST_SECTIONS_TIME, 0), >=, before);
  g_assert_cmpint (roast_table_reader_get_int64 (sections, ROAST_SECTIONS_TIME, 0), <=, g_get_real_time ());
  g_assert_cmpfloat (roast_table_reader_get_double (sections, ROAST_SECTIONS_VALUE), ==, 0.25);
  g_assert_true (roast_table_reader_next (sections));
  g_assert_cmpint (roast_table_reader_get_int64 (sections, ROAST_SECTIONS_TIME, 0), ==,
                   G_GINT64_CONSTANT (1700000000000000));
  g_assert_cmpfloat (roast_table_reader_get_double (sections, ROAST_SECTIONS_VALUE), ==, -1);
}

/* A row of an entity table completes the one with the same key. */
static void
test_row_keys (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastTableReader) files = NULL;

  take (fixture, "{\"table\":\"files\",\"columns\":[\"file\",\"dataset\",\"branches\"]}");
  take (fixture, "[\"files\",\"a.root\",\"tt\"]");
  take (fixture, "[\"files\",\"a.root\",null,7]");
  take (fixture, "[\"files\",\"a.root\",\"tt\",7]");
  assert_refused (fixture, "[\"files\",\"a.root\",\"tt\",8]", "branches");
  assert_refused (fixture, "[\"files\",null,\"tt\",8]", "file");
  files = table (fixture, ROAST_TABLE_FILES, 1);
  g_assert_cmpstr (roast_table_reader_get_string (files, ROAST_FILES_DATASET), ==, "tt");
  g_assert_cmpint (roast_table_reader_get_int64 (files, ROAST_FILES_BRANCHES, 0), ==, 7);
}

static void
test_refused_tables (Fixture *fixture, gconstpointer data)
{
  assert_refused (fixture, "{\"table\":\"workers\",\"columns\":[\"worker\"]}",
                  "roast did not count 1 line from test (pid 42) on the run's socket: rows of table “workers” are not "
                  "accepted here; the tables are: coverage, chunks, chunk_branches, chunk_results, processing, "
                  "sections, files, "
                  "branches, datasets");
  assert_refused (fixture, "[\"workers\",\"w\"]", "a row belongs to table “workers”, which no earlier line declares");
  assert_refused (fixture, "{\"table\":\"chunk\",\"columns\":[\"events\"]}",
                  "rows of table “chunk” are not accepted here; the tables are: coverage, chunks, chunk_branches, "
                  "chunk_results, "
                  "processing, sections, files, branches, datasets. Did you mean chunks?");
  assert_refused (fixture, "{\"table\":\"per_dataset\",\"columns\":[\"events\"]}", "table “per_dataset”");
  assert_refused (fixture, "{\"table\":\"chunks\",\"columns\":[\"evnts\"]}", "table “chunks” has no column “evnts”");
  assert_refused (fixture, "{\"table\":\"chunks\",\"columns\":[\"evnts\"]}", "Did you mean events?");
  assert_refused (fixture, "[\"chunks\",1]", "table “chunks”, which no earlier line declares");
  take (fixture, "{\"table\":\"chunks\",\"columns\":[\"source\"]}");
  assert_refused (fixture, "[\"chunks\",\"x\"]",
                  "column “source” of table “chunks”: the cell must be empty, because roast writes this column");
  assert_refused (fixture, "[\"files\",1]", "table “files”, which no earlier line declares");
  /* A good one helps. */
  take (fixture, "{\"table\":\"chunks\",\"columns\":[\"events\"]}");
  take (fixture, "[\"chunks\",1]");
  g_object_unref (table (fixture, ROAST_TABLE_CHUNKS, 1));
  g_object_unref (table (fixture, ROAST_TABLE_WORKERS, 0));
}

static void
refuse_rows (Fixture *fixture)
{
  static const char *const rows[][2] = {
    { "\"d\",\"1\"", "column “events” of table “chunks” cannot hold a string" },
    { "\"d\",1.5", "column “events” of table “chunks” cannot hold a double" },
    { "\"d\",true", "column “events” of table “chunks” cannot hold a boolean" },
    { "\"d\",[1]", "column “events” of table “chunks”: a cell cannot hold an array or object" },
    { "\"d\",-1", "column “events” of table “chunks”: the value cannot be negative" },
    { "7", "column “dataset” of table “chunks” cannot hold an integer" },
    { "\"d\",1,1700000000",
      "column “started” of table “chunks”: the value is not a time since 1973 (times are microseconds" },
    { "\"d\",1,1700000000.5", "column “started” of table “chunks”: the value is not a time since 1973" },
    { "\"d\",1,99999999999999999", "column “started” of table “chunks”: the value is not a time since 1973" },
    { "\"d\",1,1700000000000001,1700000000000000",
      "column “ended” of table “chunks”: the end cannot be before the start" },
    { "\"d\",1,null,null,5,4",
      "column “entry_stop” of table “chunks”: the last entry cannot be before the first entry" },
    { "\"d\",1e999", "column “events” of table “chunks”: a number is out of range" },
    { "1,2,3,4,5,6,7", "invalid row of table “chunks”: the row has more cells than declared columns" },
    { "\"\\udcff\"", "column “dataset” of table “chunks”: a string contains one half of a surrogate pair" },
  };

  assert_refused (fixture, "{\"type\":\"events\",\"events\":5, \"events\" : 7}",
                  "two members of an object have the same name");
  take (fixture, "{ \"type\" : \"message\", \"message\" : \"type\" }");
  assert_refused (fixture, "{\"type\":\"chunk\",\"started\":1700000000,\"ended\":1700000001,\"thread_cpu\":1.03}",
                  "column “thread_cpu” of table “chunks”: the value cannot be longer than the chunk took");
  take (fixture, "{\"table\":\"chunks\",\"columns\":[\"dataset\",\"events\",\"started\",\"ended\",\"entry_start\","
                 "\"entry_stop\"]}");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *line = g_strdup_printf ("[\"chunks\",%s]", rows[i][0]);

      assert_refused (fixture, line, rows[i][1]);
    }
  take (fixture, "{\"table\":\"sections\",\"columns\":[\"name\",\"kind\",\"value\"]}");
  assert_refused (fixture, "[\"sections\",\"x\",\"y\",1]", "column “kind” of table “sections” cannot hold “y”");
  assert_refused (fixture, "[\"sections\",\"x\",\"time\",-1]",
                  "column “value” of table “sections”: the value cannot be negative");
}

static void
test_refused_rows (Fixture *fixture, gconstpointer data)
{
  refuse_rows (fixture);
  /* Nothing is left of what was refused. */
  take (fixture, "[\"chunks\",null,5]");
  g_object_unref (table (fixture, ROAST_TABLE_SECTIONS, 0));
  {
    g_autoptr (RoastTableReader) chunks = table (fixture, ROAST_TABLE_CHUNKS, 1);

    g_assert_false (roast_table_reader_has (chunks, ROAST_CHUNKS_DATASET));
    g_assert_false (roast_table_reader_has (chunks, ROAST_CHUNKS_STARTED));
  }
}

/* ---- the quota ---- */

/* The first event of a kind. */
static void
assert_event (Fixture *fixture, const char *kind, const char *severity, const char *message)
{
  g_autoptr (RoastTableReader) events =
      roast_recording_read_table (fixture->recording, ROAST_TABLE_EVENTS, roast_events_columns, NULL);

  while (roast_table_reader_next (events))
    if (g_str_equal (roast_table_reader_get_string (events, ROAST_EVENTS_KIND), kind))
      break;
  g_assert_cmpstr (roast_table_reader_get_string (events, ROAST_EVENTS_SEVERITY), ==, severity);
  if (strstr (roast_table_reader_get_string (events, ROAST_EVENTS_MESSAGE), message) == NULL)
    g_error ("“%s” is not in “%s”", message, roast_table_reader_get_string (events, ROAST_EVENTS_MESSAGE));
}

static void
assert_quota_event (Fixture *fixture, const char *severity, const char *message)
{
  assert_event (fixture, "quota", severity, message);
}

static void
assert_sums (Fixture *fixture, guint64 row, const char *expected)
{
  g_autoptr (RoastTableReader) sums =
      roast_recording_read_table (fixture->recording, ROAST_TABLE_PROGRAM_SUMS, roast_program_sums_columns, NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  g_assert_true (roast_table_reader_seek (sums, row));
  for (guint i = ROAST_PROGRAM_SUMS_TABLE; i <= ROAST_PROGRAM_SUMS_DROPPED; i++)
    {
      g_autoptr (GVariant) value = roast_table_reader_dup_value (sums, i);
      g_autofree char *printed = value != NULL ? g_variant_print (value, FALSE) : g_strdup ("-");

      g_string_append_printf (text, "%s%s", i > ROAST_PROGRAM_SUMS_TABLE ? " " : "", printed);
    }
  g_assert_cmpstr (text->str, ==, expected);
}

/* What is beyond the quota is added up by dataset, as a report adds up rows. */
static void
test_quota_chunks (Fixture *fixture, gconstpointer data)
{
  roast_run_quota_set_rows (fixture->quota, 2);
  take (fixture, "{\"table\":\"chunks\",\"columns\":[\"dataset\",\"events\",\"started\",\"ended\",\"bytes_read\","
                 "\"error\"]}");
  take (fixture, "[\"chunks\",\"a\",1]");
  take (fixture, "[\"chunks\",\"a\",2]");
  take (fixture, "[\"chunks\",\"a\",10,1700000000000000,1700000002000000,5]");
  take (fixture, "[\"chunks\",\"a\",20,1700000001000000,1700000004000000]");
  take (fixture, "[\"chunks\",\"a\",40,1700000000500000,1700000001000000,7,\"failed\"]");
  take (fixture, "[\"chunks\",null,null,null,null,1]");
  take (fixture, "{\"type\":\"chunk\",\"dataset\":\"b\",\"events\":3,\"ended\":1700000009}");
  g_object_unref (table (fixture, ROAST_TABLE_CHUNKS, 2));
  roast_run_quota_report (fixture->quota, fixture->recording, "program-1");
  assert_sums (fixture, 0,
               "'chunks' 'a' - - 3 3 1 30.0 12.0 5.5 0 1 0 2 5.0 2.0 3.0 1700000000000000 1700000004000000 -");
  assert_sums (fixture, 1, "'chunks' - - - 1 1 0 - 1.0 - 1 0 1 0 - - - - - -");
  assert_sums (fixture, 2, "'chunks' 'b' - - 1 1 0 3.0 - - 0 1 1 0 - - - - 1700000009000000 -");
  assert_quota_event (fixture, "warning", "the program sent 7 rows of the table “chunks”, more than the quota");
}

static void
test_quota_totals (Fixture *fixture, gconstpointer data)
{
  roast_run_quota_set_rows (fixture->quota, 1);
  for (guint i = 0; i < 5; i++)
    {
      take (fixture, "{\"type\":\"events\",\"events\":1000,\"dataset\":\"a\"}");
      take (fixture, "{\"type\":\"dataset\",\"dataset\":\"a\",\"bytes_read\":7,\"duration\":0.5,\"chunks\":2}");
      take (fixture, "{\"type\":\"section\",\"name\":\"jets\",\"kind\":\"time\",\"value\":1.5}");
      take (fixture, "{\"type\":\"section\",\"name\":\"jets\",\"kind\":\"memory\",\"value\":-2}");
    }
  g_object_unref (table (fixture, ROAST_TABLE_DATASETS, 1));
  g_object_unref (table (fixture, ROAST_TABLE_SECTIONS, 1));
  roast_run_quota_report (fixture->quota, fixture->recording, "program-1");
  assert_sums (fixture, 0, "'datasets' 'a' - - 9 10 - 4000.0 35.0 2.5 - - - - - - - - - -");
  assert_sums (fixture, 1, "'sections' - 'jets' 'memory' 5 - - - - - - - - 5 -10.0 -2.0 -2.0 - - -");
  assert_sums (fixture, 2, "'sections' - 'jets' 'time' 4 - - - - - - - - 4 6.0 1.5 1.5 - - -");
  assert_quota_event (fixture, "info", "the program sent 10 rows of the table “datasets”");
}

static void
assert_gap (Fixture *fixture, guint64 n, const char *name, const char *reason)
{
  g_autoptr (RoastTableReader) gaps = table (fixture, ROAST_TABLE_COVERAGE, n);

  for (guint64 i = 1; i < n; i++)
    roast_table_reader_next (gaps);
  g_assert_cmpstr (roast_table_reader_get_string (gaps, ROAST_COVERAGE_TABLE), ==, name);
  g_assert_nonnull (strstr (roast_table_reader_get_string (gaps, ROAST_COVERAGE_REASON), reason));
}

/* A row that is not counted is missing from its table. Another line may be of any table that the program writes. */
static void
test_lost_lines (Fixture *fixture, gconstpointer data)
{
  take (fixture, "{\"table\":\"chunks\",\"columns\":[\"dataset\",\"events\"]}");
  take (fixture, "{\"table\":\"sections\",\"columns\":[\"name\",\"kind\",\"value\"]}");
  take (fixture, "[\"sections\",\"fit\",\"time\",1]");
  g_assert_false (read_line (fixture, "[\"chunks\",\"d\",-5]"));
  assert_gap (fixture, 1, "chunks", "the value cannot be negative");
  g_assert_false (read_line (fixture, "not JSON"));
  assert_gap (fixture, 2, "sections", "not counted, for example");
}

/* A program that is killed may have rows that it did not send yet. */
static void
test_killed (Fixture *fixture, gconstpointer data)
{
  take (fixture, "{\"table\":\"sections\",\"columns\":[\"name\",\"kind\",\"value\"]}");
  take (fixture, "{\"type\":\"buffers\"}");
  take (fixture, "[\"sections\",\"fit\",\"time\",1]");
  take (fixture, "{\"type\":\"sent\"}");
  roast_run_peer_free (fixture->peer);
  g_object_unref (table (fixture, ROAST_TABLE_COVERAGE, 0));
  fixture->peer = roast_run_peer_new (fixture->recording, "secret", 43, fixture->faults, fixture->quota);
  take (fixture, "{\"roast\":2,\"token\":\"secret\",\"program\":\"test\"}");
  roast_run_peer_set_source (fixture->peer, "program-1");
  take (fixture, "{\"type\":\"buffers\"}");
  take (fixture, "{\"table\":\"sections\",\"columns\":[\"name\",\"kind\",\"value\"]}");
  take (fixture, "[\"sections\",\"fit\",\"time\",1]");
  roast_run_peer_free (fixture->peer);
  assert_gap (fixture, 1, "sections", "without sending its last rows");
  fixture->peer = roast_run_peer_new (fixture->recording, "secret", 44, fixture->faults, fixture->quota);
}

/* What the program could not send is counted by table. */
static void
test_dropped (Fixture *fixture, gconstpointer data)
{
  take (fixture, "{\"type\":\"dropped\",\"table\":\"sections\",\"rows\":40}");
  take (fixture, "{\"type\":\"dropped\",\"table\":\"sections\",\"rows\":2}");
  assert_refused (fixture, "{\"type\":\"dropped\",\"table\":\"sections\",\"rows\":0}", "positive whole number");
  assert_refused (fixture, "{\"type\":\"dropped\",\"table\":\"sections\",\"rows\":\"1\"}", "positive whole number");
  assert_refused (fixture, "{\"type\":\"dropped\",\"table\":\"spans\",\"rows\":1}",
                  "must name a table that programs may write");
  assert_refused (fixture, "{\"type\":\"dropped\",\"rows\":1}", "must name a table that programs may write");
  roast_run_quota_report (fixture->quota, fixture->recording, "program-1");
  assert_sums (fixture, 0, "'sections' - - - - - - - - - - - - - - - - - - 42");
  assert_event (fixture, "dropped", "warning", "the program dropped 42 rows of the table “sections”");
  roast_run_quota_report (fixture->quota, fixture->recording, "program-1");
  g_object_unref (table (fixture, ROAST_TABLE_PROGRAM_SUMS, 1));
}

/* A line that breaks a rule does not count beyond the quota either. */
static void
test_quota_refused (Fixture *fixture, gconstpointer data)
{
  roast_run_quota_set_rows (fixture->quota, 1);
  take (fixture, "{\"type\":\"chunk\",\"events\":1}");
  take (fixture, "{\"type\":\"section\",\"name\":\"a\",\"kind\":\"time\",\"value\":1}");
  refuse_rows (fixture);
  roast_run_quota_report (fixture->quota, fixture->recording, "program-1");
  g_object_unref (table (fixture, ROAST_TABLE_PROGRAM_SUMS, 0));
}

/* Names without end do not fill the memory. */
static void
test_quota_groups (Fixture *fixture, gconstpointer data)
{
  g_autofree char *name = g_strnfill (2000, 'x');
  g_autofree char *longer = g_strdup_printf ("{\"type\":\"events\",\"events\":1,\"dataset\":\"%s\"}", name);

  roast_run_quota_set_rows (fixture->quota, 1);
  take (fixture, longer);
  for (guint i = 0; i < 10100; i++)
    {
      g_autofree char *line = g_strdup_printf ("{\"type\":\"events\",\"events\":1,\"dataset\":\"d%u\"}", i);

      take (fixture, line);
    }
  take (fixture, longer);
  roast_run_quota_report (fixture->quota, fixture->recording, "program-1");
  assert_sums (fixture, 10000, "'datasets' '(others)' - - 101 - - 101.0 - - - - - - - - - - - -");
  g_object_unref (table (fixture, ROAST_TABLE_PROGRAM_SUMS, 10001));
}

static void
test_quota_remarks (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < 1005; i++)
    take (fixture, "{\"type\":\"message\",\"message\":\"hello\"}");
  g_object_unref (table (fixture, ROAST_TABLE_EVENTS, 1000));
  roast_run_quota_report (fixture->quota, fixture->recording, "program-1");
  assert_quota_event (fixture, "warning", "the program sent 1005 remarks, more than the quota: only the first 1000");
}

/* The same reason is reported once, with the number of lines and whether several processes sent them. */
static void
test_faults (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastRunPeer) other =
      roast_run_peer_new (fixture->recording, "secret", 43, fixture->faults, fixture->quota);
  char greeting[] = "{\"roast\":2,\"token\":\"secret\",\"program\":\"test\"}";
  char line[] = "{\"type\":\"events\",\"events\":-1}";

  for (guint i = 0; i < 1000; i++)
    g_assert_false (read_line (fixture, line));
  assert_reported (fixture, 1, "warning",
                   "roast did not count 1000 lines from test (pid 42) on the run's socket: column “events” of table "
                   "“datasets”: "
                   "the value cannot be negative");
  g_assert_false (read_line (fixture, line));
  g_assert_true (roast_run_peer_read_line (other, greeting, strlen (greeting)));
  g_assert_false (roast_run_peer_read_line (other, line, strlen (line)));
  assert_reported (fixture, 2, "warning", "2 lines from test (pid 42 and others) on");
  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *word = g_strdup_printf ("{\"type\":\"section\",\"name\":\"x\",\"kind\":\"k%u\",\"value\":1}", i);

      g_assert_false (read_line (fixture, word));
    }
  assert_reported (fixture, 2 + 33, "warning",
                   "roast did not count 68 lines more on the run's socket, from other programs or");
}

/* ---- messages ---- */

static void
test_events_and_bytes (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastTableReader) datasets = NULL;
  gint64 before = g_get_real_time ();

  take (fixture, "{\"type\":\"events\",\"events\":1000,\"dataset\":\"ttbar\"}");
  take (fixture, "{\"type\":\"bytes_read\",\"bytes\":9007199254740992}");
  take (fixture,
        "{\"type\":\"dataset\",\"dataset\":\"zz\",\"events\":1e3,\"bytes_read\":7,\"duration\":0.5,\"chunks\":2}");
  take (fixture, "{\"type\":\"events\",\"events\":0,\"dataset\":\"\"}");
  datasets = table (fixture, ROAST_TABLE_DATASETS, 4);
  g_assert_cmpstr (roast_table_reader_get_string (datasets, ROAST_DATASETS_SOURCE), ==, "program-1");
  g_assert_cmpstr (roast_table_reader_get_string (datasets, ROAST_DATASETS_DATASET), ==, "ttbar");
  g_assert_cmpint (roast_table_reader_get_int64 (datasets, ROAST_DATASETS_EVENTS, -1), ==, 1000);
  g_assert_cmpint (roast_table_reader_get_int64 (datasets, ROAST_DATASETS_PID, -1), ==, 42);
  g_assert_cmpint (roast_table_reader_get_int64 (datasets, ROAST_DATASETS_TIME, 0), >=, before);
  g_assert_cmpint (roast_table_reader_get_int64 (datasets, ROAST_DATASETS_TIME, 0), <=, g_get_real_time ());
  g_assert_false (roast_table_reader_has (datasets, ROAST_DATASETS_BYTES_READ));
  g_assert_true (roast_table_reader_next (datasets));
  g_assert_cmpint (roast_table_reader_get_int64 (datasets, ROAST_DATASETS_BYTES_READ, -1), ==,
                   G_GINT64_CONSTANT (9007199254740992));
  g_assert_false (roast_table_reader_has (datasets, ROAST_DATASETS_DATASET));
  g_assert_true (roast_table_reader_next (datasets));
  g_assert_cmpint (roast_table_reader_get_int64 (datasets, ROAST_DATASETS_EVENTS, -1), ==, 1000);
  g_assert_cmpint (roast_table_reader_get_int64 (datasets, ROAST_DATASETS_CHUNKS, -1), ==, 2);
  g_assert_cmpfloat (roast_table_reader_get_double (datasets, ROAST_DATASETS_DURATION), ==, 0.5);
  g_assert_true (roast_table_reader_next (datasets));
  g_assert_cmpint (roast_table_reader_get_int64 (datasets, ROAST_DATASETS_EVENTS, -1), ==, 0);
  g_assert_false (roast_table_reader_has (datasets, ROAST_DATASETS_DATASET));
}

static void
test_chunk (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastTableReader) chunks = NULL;

  take (fixture,
        "{\"type\":\"chunk\",\"chunk\":\"7\",\"task\":\"t\",\"dataset\":\"d\",\"file\":\"f.root\",\"tree\":\"Events\","
        "\"entry_start\":10,\"entry_stop\":30,\"events\":20,\"bytes_read\":4000,\"memory\":-5,"
        "\"started\":1700000000.25,\"ended\":1700000002.5}");
  take (fixture, "{\"type\":\"chunk\",\"error\":\"OSError\",\"events\":null}");
  take (fixture, "{\"type\":\"chunk\",\"error\":\"\"}");
  chunks = table (fixture, ROAST_TABLE_CHUNKS, 3);
  g_assert_cmpstr (roast_table_reader_get_string (chunks, ROAST_CHUNKS_CHUNK), ==, "7");
  g_assert_cmpstr (roast_table_reader_get_string (chunks, ROAST_CHUNKS_TASK), ==, "t");
  g_assert_cmpstr (roast_table_reader_get_string (chunks, ROAST_CHUNKS_FILE), ==, "f.root");
  g_assert_cmpstr (roast_table_reader_get_string (chunks, ROAST_CHUNKS_TREE), ==, "Events");
  g_assert_cmpint (roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_ENTRY_START, -1), ==, 10);
  g_assert_cmpint (roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_ENTRY_STOP, -1), ==, 30);
  g_assert_cmpint (roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_MEMORY, 0), ==, -5);
  g_assert_cmpint (roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_STARTED, 0), ==,
                   G_GINT64_CONSTANT (1700000000250000));
  g_assert_cmpint (roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_ENDED, 0), ==,
                   G_GINT64_CONSTANT (1700000002500000));
  g_assert_false (roast_table_reader_has (chunks, ROAST_CHUNKS_ERROR));
  g_assert_true (roast_table_reader_next (chunks));
  g_assert_cmpstr (roast_table_reader_get_string (chunks, ROAST_CHUNKS_ERROR), ==, "OSError");
  g_assert_false (roast_table_reader_has (chunks, ROAST_CHUNKS_EVENTS));
  g_assert_true (roast_table_reader_next (chunks));
  g_assert_false (roast_table_reader_has (chunks, ROAST_CHUNKS_ERROR));
}

static gint64
get_duration (RoastTableReader *chunks)
{
  return roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_ENDED, 0) -
         roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_STARTED, 0);
}

/* Two of start, end and duration are enough, and of the duration alone the end is now. */
static void
test_chunk_times (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastTableReader) chunks = NULL;
  gint64 before = g_get_real_time ();

  take (fixture, "{\"type\":\"chunk\",\"started\":1700000000,\"duration\":2.5}");
  take (fixture, "{\"type\":\"chunk\",\"ended\":1700000000,\"duration\":2.5}");
  take (fixture, "{\"type\":\"chunk\",\"started\":1700000000,\"ended\":1700000001,\"duration\":2.5}");
  take (fixture, "{\"type\":\"chunk\",\"duration\":2.5}");
  take (fixture, "{\"type\":\"chunk\",\"started\":1700000000}");
  chunks = table (fixture, ROAST_TABLE_CHUNKS, 5);
  g_assert_cmpint (roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_ENDED, 0), ==,
                   G_GINT64_CONSTANT (1700000002500000));
  g_assert_true (roast_table_reader_next (chunks));
  g_assert_cmpint (roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_STARTED, 0), ==,
                   G_GINT64_CONSTANT (1699999997500000));
  g_assert_true (roast_table_reader_next (chunks));
  g_assert_cmpint (get_duration (chunks), ==, 1000000);
  g_assert_true (roast_table_reader_next (chunks));
  g_assert_cmpint (ABS (get_duration (chunks) - 2500000), <=, 1);
  g_assert_cmpint (roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_ENDED, 0), >=, before);
  g_assert_cmpint (roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_ENDED, 0), <=, g_get_real_time ());
  g_assert_true (roast_table_reader_next (chunks));
  g_assert_false (roast_table_reader_has (chunks, ROAST_CHUNKS_ENDED));
}

/* A call is reported when it starts, and completed when it ends. */
static void
test_processing (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastTableReader) processing = NULL;

  take (fixture, "{\"type\":\"processing\",\"call\":\"c1\",\"kind\":\"processing\",\"executor\":\"Pool\",\"items\":12,"
                 "\"started\":1700000000.25}");
  take (fixture, "{\"type\":\"processing\",\"call\":\"c1\",\"ended\":1700000002.5,\"confirmed\":true}");
  assert_refused (fixture, "{\"type\":\"processing\",\"kind\":\"processing\"}", "member “call”");
  assert_refused (fixture, "{\"type\":\"processing\",\"call\":\"c2\",\"kind\":\"cooking\"}", "cannot hold “cooking”");
  assert_refused (fixture, "{\"type\":\"processing\",\"call\":\"c1\",\"executor\":\"Other\"}", "executor");
  assert_refused (fixture, "{\"type\":\"processing\",\"call\":\"c3\",\"started\":1700000002,\"ended\":1700000001}",
                  "column “ended” of table “processing”: the end cannot be before the start");
  processing = table (fixture, ROAST_TABLE_PROCESSING, 1);
  g_assert_cmpstr (roast_table_reader_get_string (processing, ROAST_PROCESSING_EXECUTOR), ==, "Pool");
  g_assert_cmpint (roast_table_reader_get_int64 (processing, ROAST_PROCESSING_ITEMS, 0), ==, 12);
  g_assert_cmpint (roast_table_reader_get_int64 (processing, ROAST_PROCESSING_ENDED, 0), ==,
                   G_GINT64_CONSTANT (1700000002500000));
  g_assert_true (roast_table_reader_get_boolean (processing, ROAST_PROCESSING_CONFIRMED));
  g_assert_cmpint (roast_table_reader_get_int64 (processing, ROAST_PROCESSING_PID, 0), ==, 42);
}

static void
test_confirm (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastTableReader) results = NULL;

  take (fixture, "{\"type\":\"confirm\",\"call\":\"c1\",\"chunks\":[\"a\",\"b\"]}");
  take (fixture, "{\"type\":\"confirm\",\"chunks\":[]}");
  take (fixture, "{\"type\":\"confirm\",\"chunks\":[\"c\"]}");
  assert_refused (fixture, "{\"type\":\"confirm\"}", "member “chunks”");
  assert_refused (fixture, "{\"type\":\"confirm\",\"chunks\":\"d\"}", "must be an array of chunk identities");
  assert_refused (fixture, "{\"type\":\"confirm\",\"chunks\":[\"d\",7]}", "must be an array of chunk identities");
  assert_refused (fixture, "{\"type\":\"confirm\",\"chunks\":[\"d\",[]]}", "must be an array of chunk identities");
  assert_refused (fixture, "{\"type\":\"confirm\",\"chunks\":[\"d\",\"\"]}", "must be an array of chunk identities");
  assert_refused (fixture, "{\"type\":\"confirm\",\"chunks\":{}}", "must be an array of chunk identities");
  results = table (fixture, ROAST_TABLE_CHUNK_RESULTS, 3);
  g_assert_cmpstr (roast_table_reader_get_string (results, ROAST_CHUNK_RESULTS_CHUNK), ==, "a");
  g_assert_cmpstr (roast_table_reader_get_string (results, ROAST_CHUNK_RESULTS_CALL), ==, "c1");
  g_assert_cmpint (roast_table_reader_get_int64 (results, ROAST_CHUNK_RESULTS_PID, 0), ==, 42);
  g_assert_true (roast_table_reader_next (results));
  g_assert_cmpstr (roast_table_reader_get_string (results, ROAST_CHUNK_RESULTS_CHUNK), ==, "b");
  g_assert_true (roast_table_reader_next (results));
  g_assert_cmpstr (roast_table_reader_get_string (results, ROAST_CHUNK_RESULTS_CHUNK), ==, "c");
  g_assert_false (roast_table_reader_has (results, ROAST_CHUNK_RESULTS_CALL));
}

static void
test_sections_and_remarks (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastTableReader) sections = NULL;
  g_autoptr (RoastTableReader) events = NULL;

  take (fixture, "{\"type\":\"section\",\"name\":\"jets\",\"kind\":\"time\",\"value\":0.25,\"chunk\":\"7\"}");
  take (fixture, "{\"type\":\"section\",\"name\":\"jets\",\"kind\":\"memory\",\"value\":-1000}");
  take (fixture, "{\"type\":\"message\",\"message\":\"a \\\"quoted\\\" word\"}");
  take (fixture, "{\"type\":\"message\",\"message\":\"bad\",\"severity\":\"error\"}");
  sections = table (fixture, ROAST_TABLE_SECTIONS, 2);
  g_assert_cmpstr (roast_table_reader_get_string (sections, ROAST_SECTIONS_NAME), ==, "jets");
  g_assert_cmpstr (roast_table_reader_get_string (sections, ROAST_SECTIONS_CHUNK), ==, "7");
  g_assert_true (roast_table_reader_next (sections));
  g_assert_cmpfloat (roast_table_reader_get_double (sections, ROAST_SECTIONS_VALUE), ==, -1000);
  events = table (fixture, ROAST_TABLE_EVENTS, 2);
  g_assert_cmpstr (roast_table_reader_get_string (events, ROAST_EVENTS_SEVERITY), ==, "info");
  g_assert_cmpstr (roast_table_reader_get_string (events, ROAST_EVENTS_MESSAGE), ==, "a \"quoted\" word");
  g_assert_true (roast_table_reader_next (events));
  g_assert_cmpstr (roast_table_reader_get_string (events, ROAST_EVENTS_SEVERITY), ==, "error");
}

static void
test_refused_messages (Fixture *fixture, gconstpointer data)
{
  static const char *const lines[][2] = {
    { "", "JSON" },
    { "nonsense", "JSON" },
    { "[]", "neither a JSON object nor a row" },
    { "1", "neither a JSON object nor a row" },
    { "{\"type\":\"events\",\"events\":1", "ends too early" },
    { "{\"type\":\"events\",\"events\":1}{}", "follows the end of the value" },
    { "{\"type\":\"events\",\"events\":0x10}", "JSON" },
    { "{\"type\":\"events\",\"events\":010}", "number" },
    { "{\"type\":\"events\",\"events\":NaN}", "JSON" },
    { "{\"type\":\"events\",\"events\":18446744073709551617}", "does not fit in 64 bits" },
    { "{\"type\":\"events\",\"events\":1000000000000000000}",
      "“events” of table “datasets”: an integer cannot have more than 18 digits" },
    { "{\"type\":\"section\",\"name\":\"n\",\"kind\":\"custom\",\"value\":-9223372036854775808}",
      "more than 18 digits" },
    { "{\"type\":\"events\",\"events\":9007199254740993.0e1}", "cannot hold a double" },
    { "{\"type\":\"events\",\"events\":1e999}", "out of range" },
    { "{\"type\":\"events\",\"events\":-1}", "“events” of table “datasets”: the value cannot be negative" },
    { "{\"type\":\"events\",\"events\":1.5}", "cannot hold a double" },
    { "{\"type\":\"events\",\"events\":true}", "cannot hold a boolean" },
    { "{\"type\":\"events\",\"events\":\"1\"}", "cannot hold a string" },
    { "{\"type\":\"events\",\"events\":[1]}",
      "member “events” of message “events”: the value cannot be an array or object" },
    { "{\"type\":\"events\",\"events\":null}", "member “events” of message “events”: the value is missing" },
    { "{\"type\":\"events\"}", "is missing" },
    { "{\"type\":\"events\",\"events\":1,\"dataset\":5}", "“dataset” of table “datasets” cannot hold an integer" },
    { "{\"type\":\"events\",\"events\":1,\"dataset\":\"\\udcff\"}", "one half of a surrogate pair" },
    { "{\"type\":\"bytes_read\",\"events\":1}", "member “bytes” of message “bytes_read”: the value is missing" },
    { "{\"type\":\"dataset\",\"events\":1}", "member “dataset” of message “dataset”: the value is missing" },
    { "{\"type\":\"dataset\",\"dataset\":\"d\",\"duration\":-1}", "negative" },
    { "{\"type\":\"chunk\",\"started\":1700000000000}", "the value is not a time since 1973" },
    { "{\"type\":\"chunk\",\"started\":\"x\",\"duration\":1}", "cannot hold a string" },
    { "{\"type\":\"chunk\",\"started\":2e9,\"ended\":1e9}", "before" },
    { "{\"type\":\"chunk\",\"entry_start\":2,\"entry_stop\":1}", "before" },
    { "{\"type\":\"chunk\",\"ended\":2e9,\"duration\":3e9}", "the value is not a time since 1973" },
    { "{\"type\":\"chunk\",\"started\":1e9,\"duration\":9007199254740992}", "the value is not a time since 1973" },
    { "{\"type\":\"chunk\",\"duration\":9007199254740992}", "the value is not a time since 1973" },
    { "{\"type\":\"chunk\",\"duration\":-1}", "must be a number of seconds" },
    { "{\"type\":\"chunk\",\"duration\":\"1\"}", "must be a number of seconds" },
    { "{\"type\":\"chunk\",\"memory\":0.5}", "cannot hold a double" },
    { "{\"type\":\"section\",\"name\":\"x\",\"kind\":\"y\",\"value\":1}", "cannot hold “y”" },
    { "{\"type\":\"section\",\"name\":\"x\",\"kind\":\"time\",\"value\":-1}", "negative" },
    { "{\"type\":\"section\",\"name\":\"\",\"kind\":\"time\",\"value\":1}",
      "member “name” of message “section”: the value is missing" },
    { "{\"type\":\"message\"}", "has no text in the member “message”" },
    { "{\"type\":\"message\",\"message\":\"x\",\"severity\":\"loud\"}", "info, warning or error" },
    { "{\"events\":1}", "has no member “type”" },
    { "{\"type\":1}", "must be text" },
    /* What json-glib would follow: a comment with a quote in it, and nesting behind. */
    { "{\"type\":\"x\"/* \" */,\"a\":[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]}", "JSON" },
    { "{\"a\":[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]}", "deeply" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    assert_refused (fixture, lines[i][0], lines[i][1]);
  g_object_unref (table (fixture, ROAST_TABLE_CHUNKS, 0));
  g_object_unref (table (fixture, ROAST_TABLE_DATASETS, 0));
  g_object_unref (table (fixture, ROAST_TABLE_SECTIONS, 0));
}

static void
test_length (Fixture *fixture, gconstpointer data)
{
  g_autofree char *filler = g_strnfill (ROAST_RUN_PROTOCOL_MAX_LINE - 31, 'x');
  g_autofree char *fits = g_strdup_printf ("{\"type\":\"message\",\"message\":\"%s\"}", filler);
  g_autofree char *longer = g_strdup_printf ("{\"type\":\"message\",\"message\":\"x%s\"}", filler);

  g_assert_cmpuint (strlen (fits), ==, ROAST_RUN_PROTOCOL_MAX_LINE);
  take (fixture, fits);
  assert_refused (fixture, longer, "longer than 64 KiB");
  /* Whether it was kept or not is the same to a reader. */
  g_assert_false (read_line (fixture, longer));
  roast_run_peer_skip_line (fixture->peer);
  assert_reported (fixture, 3, "warning",
                   "roast did not count 2 lines from test (pid 42) on the run's socket: a line is longer than");
}

static void
test_unknown (Fixture *fixture, gconstpointer data)
{
  take (fixture, "{\"type\":\"events\",\"events\":1,\"color\":\"red\",\"shape\":{\"a\":[1]}}");
  assert_reported (fixture, 2, "info",
                   "roast ignored parts of 1 message from test (pid 42) on the run's socket: this version of roast "
                   "does not "
                   "know "
                   "the member “shape”");
  take (fixture, "{\"type\":\"parrot\"}");
  assert_reported (fixture, 3, "info", "does not know the type of message “parrot”");
  take (fixture, "{\"type\":\"message\",\"message\":\"x\",\"mood\":1}");
  assert_reported (fixture, 5, "info", "does not know the member “mood”");
  g_object_unref (table (fixture, ROAST_TABLE_DATASETS, 1));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add (name, Fixture, NULL, set_up, function, tear_down)
  g_test_add ("/run-protocol/greeting", Fixture, "none yet", set_up, test_greeting, tear_down);
  ADD ("/run-protocol/rows", test_rows);
  ADD ("/run-protocol/row-times", test_row_times);
  ADD ("/run-protocol/outside", test_outside);
  ADD ("/run-protocol/secrets", test_secrets);
  ADD ("/run-protocol/row-keys", test_row_keys);
  ADD ("/run-protocol/refused-tables", test_refused_tables);
  ADD ("/run-protocol/refused-rows", test_refused_rows);
  ADD ("/run-protocol/quota/chunks", test_quota_chunks);
  ADD ("/run-protocol/quota/totals", test_quota_totals);
  ADD ("/run-protocol/lost-lines", test_lost_lines);
  ADD ("/run-protocol/killed", test_killed);
  ADD ("/run-protocol/dropped", test_dropped);
  ADD ("/run-protocol/quota/refused", test_quota_refused);
  ADD ("/run-protocol/quota/groups", test_quota_groups);
  ADD ("/run-protocol/quota/remarks", test_quota_remarks);
  ADD ("/run-protocol/faults", test_faults);
  ADD ("/run-protocol/events-and-bytes", test_events_and_bytes);
  ADD ("/run-protocol/chunk", test_chunk);
  ADD ("/run-protocol/chunk-times", test_chunk_times);
  ADD ("/run-protocol/processing", test_processing);
  ADD ("/run-protocol/confirm", test_confirm);
  ADD ("/run-protocol/sections-and-remarks", test_sections_and_remarks);
  ADD ("/run-protocol/refused-messages", test_refused_messages);
  ADD ("/run-protocol/length", test_length);
  ADD ("/run-protocol/unknown", test_unknown);

  return g_test_run ();
}
