/* SPDX-License-Identifier: BSD-3-Clause */

/* The performance log of a manager: its columns are found by name. */

#include <math.h>
#include <string.h>

#include "rows.h"
#include "vine-performance.h"

#define ZERO G_GINT64_CONSTANT (1700000000000000) /* µs */

/* Columns of later versions, each with the column that precedes it. */
static const char *const later[][2] = { { "tasks_successful", "tasks_failed" },
                                        { "tasks_recovery", "tasks_exhausted_attempts" } };

typedef struct
{
  RoastRecording *recording;
  VinePerformance *performance;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->recording = roast_recording_new (NULL);
  fixture->performance = vine_performance_new (fixture->recording, "taskvine-1", G_USEC_PER_SEC);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  vine_performance_free (fixture->performance);
  g_object_unref (fixture->recording);
}

static void
take (Fixture *fixture, const char *line)
{
  vine_performance_take_line (fixture->performance, line, strlen (line));
}

static char **
read_lines (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "taskvine", "run-7.14.5", "performance", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);

  return g_strsplit (g_strchomp (text), "\n", -1);
}

static guint
find (char **words, const char *name)
{
  for (guint i = 0; words[i] != NULL; i++)
    if (g_str_equal (words[i], name))
      return i;
  g_assert_not_reached ();
}

/* A line as a later version writes it. */
static char *
make_later (const char *header, const char *line)
{
  g_auto (GStrv) names = g_strsplit (header, " ", -1);
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  gboolean is_header = *line == '#';
  GString *out = g_string_new (NULL);

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_string_append_printf (out, "%s%s", i > 0 ? " " : "", words[i]);
      for (guint k = 0; k < G_N_ELEMENTS (later); k++)
        if (i == find (names, later[k][1]) - (is_header ? 0 : 1))
          g_string_append_printf (out, " %s", is_header ? later[k][0] : "7");
    }

  return g_string_free (out, FALSE);
}

static void
check_last (Fixture *fixture, const char *recovery)
{
  g_autofree char *expected =
      g_strdup_printf ("time=1795208370970068 workers=0 cores=0 cores_committed=0 memory_limit=0 memory_committed=0 "
                       "disk_limit=0 "
                       "disk_used=0 tasks_queued=0 tasks_executing=0%s bytes_sent=3001277 bytes_received=850",
                       recovery);
  static const char *const parts[][2] = {
    { "send", "0.193986" },       { "receive", "0.064869" },  { "status", "0.050261" },      { "internal", "0.013513" },
    { "scheduling", "0.001806" }, { "polling", "25.620222" }, { "application", "0.039867" },
  };
  guint64 samples = rows_count (fixture->recording, "cluster_samples");
  guint64 executor_times = rows_count (fixture->recording, "executor_times");

  assert_row (fixture->recording, "cluster_samples", samples - 1, expected);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *row = g_strdup_printf ("time=1795208370970068 part=%s value=%s", parts[i][0], parts[i][1]);

      assert_row (fixture->recording, "executor_times", executor_times - G_N_ELEMENTS (parts) + i, row);
    }
  g_assert_cmpuint (executor_times, ==, samples * G_N_ELEMENTS (parts));
}

static void
test_recording (Fixture *fixture, gconstpointer data)
{
  g_auto (GStrv) lines = read_lines ();

  g_assert_null (vine_performance_get_version (fixture->performance));
  g_assert_true (isnan (vine_performance_get (fixture->performance, "tasks_done")));
  for (guint i = 0; lines[i] != NULL; i++)
    take (fixture, lines[i]);
  vine_performance_finish (fixture->performance);
  g_assert_cmpuint (vine_performance_get_n_bad (fixture->performance), ==, 0);
  g_assert_cmpstr (vine_performance_get_version (fixture->performance), ==, "7.14 to 7.16");
  g_assert_cmpfloat (vine_performance_get (fixture->performance, "tasks_dispatched"), ==, 157);
  g_assert_cmpfloat (vine_performance_get (fixture->performance, "time_execute"), ==, 20108205);
  g_assert_true (isnan (vine_performance_get (fixture->performance, "tasks_recovery")));
  check_last (fixture, "");
}

static void
test_later (Fixture *fixture, gconstpointer data)
{
  g_auto (GStrv) lines = read_lines ();

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *line = make_later (lines[0], lines[i]);

      take (fixture, line);
    }
  vine_performance_finish (fixture->performance);
  g_assert_cmpuint (vine_performance_get_n_bad (fixture->performance), ==, 0);
  g_assert_cmpstr (vine_performance_get_version (fixture->performance), ==, "7.17 or later");
  g_assert_cmpfloat (vine_performance_get (fixture->performance, "tasks_recovery"), ==, 7);
  g_assert_cmpfloat (vine_performance_get (fixture->performance, "tasks_successful"), ==, 7);
  g_assert_cmpfloat (vine_performance_get (fixture->performance, "time_execute"), ==, 20108205);
  check_last (fixture, " tasks_recovery=7");
}

/* The header of one version and rows of another: it is unknown which column is missing. */
static void
test_width (Fixture *fixture, gconstpointer data)
{
  g_auto (GStrv) lines = read_lines ();
  g_autofree char *header = make_later (lines[0], lines[0]);

  take (fixture, header);
  for (guint i = 1; lines[i] != NULL; i++)
    take (fixture, lines[i]);
  vine_performance_finish (fixture->performance);
  g_assert_cmpuint (vine_performance_get_n_bad (fixture->performance), ==, g_strv_length (lines) - 1);
  g_assert_cmpuint (rows_count (fixture->recording, "cluster_samples"), ==, 0);
}

static void
test_bad (Fixture *fixture, gconstpointer data)
{
  static const char *const lines[] = {
    "1700000000000000 1 2", /* before any header */
    "# time a b",
    "#",
    "# timestamp bytes_received bytes_sent",
    "# timestamp bytes_received bytes_sent",
    "1700000001000000 1",
    "1700000001000000 1 2 3",
    "1700000001000000 x 2",
    "1700000001000000 nan 2",
    "1700000001000000 0x10 2",
    "1700000001000000 1 2.",
    "170000000100000 1 2",
    "17000000010000001700000001000000 1 2",
    "\xff\xfe",
    "1700000001000000 \x01 2",
  };
  guint good = 3;

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      take (fixture, lines[i]);
      g_test_message ("line %u", i);
      g_assert_cmpuint (vine_performance_get_n_bad (fixture->performance), ==, i + (i >= good ? 0 : 1));
    }
  take (fixture, "");
  vine_performance_finish (fixture->performance);
  g_assert_cmpuint (rows_count (fixture->recording, "cluster_samples"), ==, 0);
  take (fixture, "1700000001000000 1 2 ");
  vine_performance_finish (fixture->performance);
  g_assert_cmpuint (vine_performance_get_n_bad (fixture->performance), ==, G_N_ELEMENTS (lines) - 1);
  assert_row (fixture->recording, "cluster_samples", 0, "time=1700000001000000 bytes_sent=2 bytes_received=1");
}

static void
test_wide (Fixture *fixture, gconstpointer data)
{
  GString *header = g_string_new ("# timestamp");

  for (guint i = 0; i < 300; i++)
    g_string_append_printf (header, " column%u", i);
  take (fixture, header->str);
  g_string_free (header, TRUE);
  g_assert_cmpuint (vine_performance_get_n_bad (fixture->performance), ==, 1);
  g_assert_null (vine_performance_get_version (fixture->performance));
}

/* One row per second is kept, and the last row. */
static void
test_thinning (Fixture *fixture, gconstpointer data)
{
  take (fixture, "# timestamp bytes_received");
  for (guint i = 0; i <= 105; i++)
    {
      g_autofree char *row = g_strdup_printf ("%" G_GINT64_FORMAT " %u", ZERO + i * 100000, i);

      take (fixture, row);
    }
  g_assert_cmpuint (rows_count (fixture->recording, "cluster_samples"), ==, 11);
  assert_row (fixture->recording, "cluster_samples", 10, "time=1700000010000000 bytes_received=100");
  vine_performance_finish (fixture->performance);
  vine_performance_finish (fixture->performance);
  g_assert_cmpuint (rows_count (fixture->recording, "cluster_samples"), ==, 12);
  assert_row (fixture->recording, "cluster_samples", 11, "time=1700000010500000 bytes_received=105");
}

/* In a long run the interval between rows grows. */
static void
test_long (Fixture *fixture, gconstpointer data)
{
  take (fixture, "# timestamp bytes_received");
  for (gint64 i = 0; i < 150000; i++)
    {
      g_autofree char *row = g_strdup_printf ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT, ZERO + i * G_USEC_PER_SEC, i);

      take (fixture, row);
    }
  vine_performance_finish (fixture->performance);
  g_assert_cmpuint (rows_count (fixture->recording, "cluster_samples"), >, 50000);
  g_assert_cmpuint (rows_count (fixture->recording, "cluster_samples"), <=, 100001);
  assert_cell (fixture->recording, "cluster_samples", rows_count (fixture->recording, "cluster_samples") - 1,
               "bytes_received", "149999");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/vine-performance/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("recording", test_recording);
  ADD ("later", test_later);
  ADD ("width", test_width);
  ADD ("bad", test_bad);
  ADD ("wide", test_wide);
  ADD ("thinning", test_thinning);
  ADD ("long", test_long);

  return g_test_run ();
}
