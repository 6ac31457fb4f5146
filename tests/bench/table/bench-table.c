/* SPDX-License-Identifier: BSD-3-Clause */

/* How many doubles a second a table takes and gives back on one core, in how many bytes, beside a plain array. */

#include <roast/roast.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WRITTEN 4000000 /* values */
#define READ 10000000
#define REPETITIONS 5
#define WRITE_GOAL 20e6 /* values a second */
#define SUM_GOAL 200e6
#define BYTES_GOAL 9.0

static const char schema_text[] = "[table bench]\nDescription=Numbers\n[columns bench]\nc0=double: c0\nc1=double: c1\n"
                                  "c2=double: c2\nc3=double: c3\nc4=double: c4\nc5=double: c5\nc6=double: c6\n"
                                  "c7=double: c7\n"
                                  "[table things]\nKind=entity\nKey=id\nDescription=Things\n[columns things]\n"
                                  "id=string: id\nvalue=double: value\n";

static double
seconds_since (gint64 begin)
{
  return (double) (g_get_monotonic_time () - begin) / G_USEC_PER_SEC;
}

static RoastRecording *
new_recording (void)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (GBytes) text = g_bytes_new_static (schema_text, strlen (schema_text));

  if (!roast_schema_load_data (schema, text, "bench", NULL))
    g_error ("the schema was refused");

  return roast_recording_new (schema);
}

/* What a program without tables would do. */
typedef struct
{
  double *values;
  gsize length, room;
} Array;

static __attribute__ ((noinline)) void
array_append (Array *array, double value)
{
  if (array->length == array->room)
    {
      array->room = MAX (64, array->room * 2);
      array->values = g_renew (double, array->values, array->room);
    }
  array->values[array->length++] = value;
}

static __attribute__ ((noinline)) double
array_sum (const Array *array)
{
  double sum = 0;

  for (gsize i = 0; i < array->length; i++)
    sum += array->values[i];

  return sum;
}

static void
fill_array (Array *array, gsize n)
{
  for (gsize i = 0; i < n; i++)
    array_append (array, (double) i);
}

static void
write_rows (RoastRecording *recording, guint columns, gsize n_rows)
{
  g_autoptr (RoastTableWriter) writer = roast_recording_write_table (recording, "bench", NULL, NULL, NULL);

  for (gsize i = 0; i < n_rows; i++)
    {
      for (guint c = 0; c < columns; c++)
        roast_table_writer_set_double (writer, c, (double) i);
      if (!roast_table_writer_end (writer, NULL))
        g_error ("a row was refused");
    }
}

static double
time_writing (guint columns, double *bytes)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  gint64 begin = g_get_monotonic_time ();
  double seconds;

  write_rows (recording, columns, WRITTEN / columns);
  seconds = seconds_since (begin);
  *bytes = (double) roast_recording_get_memory (recording, "bench") / WRITTEN;

  return seconds;
}

static double
time_sum (RoastTableReader *reader, double expected)
{
  gint64 begin = g_get_monotonic_time ();
  double sum = 0;

  roast_table_reader_sum (reader, 0, &sum, NULL);
  if (sum != expected)
    g_error ("the sum is %f, not %f", sum, expected);

  return seconds_since (begin);
}

static double
time_rows (RoastTableReader *reader, double expected)
{
  gint64 begin = g_get_monotonic_time ();
  double sum = 0;

  roast_table_reader_rewind (reader);
  while (roast_table_reader_next (reader))
    sum += roast_table_reader_get_double (reader, 0);
  if (sum != expected)
    g_error ("the sum is %f, not %f", sum, expected);

  return seconds_since (begin);
}

static double
time_array_sum (const Array *array, double expected)
{
  gint64 begin = g_get_monotonic_time ();

  if (array_sum (array) != expected)
    g_error ("the sum of the array is not %f", expected);

  return seconds_since (begin);
}

/* Bytes of a row of an entity table. */
static double
measure_entities (gboolean close)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableWriter) writer = roast_recording_write_table (recording, "things", NULL, NULL, NULL);
  char id[32];

  for (int i = 0; i < 100000; i++)
    {
      g_snprintf (id, sizeof id, "thing-%08d", i);
      roast_table_writer_set_string (writer, 0, id);
      roast_table_writer_set_double (writer, 1, i);
      if (!(close ? roast_table_writer_close (writer, NULL) : roast_table_writer_end (writer, NULL)))
        g_error ("a row was refused");
    }

  return (double) roast_recording_get_memory (recording, "things") / 100000;
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static double
median (double *times)
{
  qsort (times, REPETITIONS, sizeof times[0], compare_doubles);

  return times[REPETITIONS / 2];
}

static void
print_rate (const char *name, double *times, gsize n, double peer, double goal)
{
  double rate = (double) n / median (times);

  printf ("%-34s %8.1f M/s", name, rate / 1e6);
  if (peer > 0)
    printf (" (%.2f of the array's)", rate / peer);
  if (goal > 0)
    printf (", goal %.0f M/s: %s", goal / 1e6, rate >= goal ? "met" : "missed");
  printf ("\n");
}

int
main (void)
{
  static const guint columns[] = { 1, 4, 8 };
  double append[REPETITIONS], writes[G_N_ELEMENTS (columns)][REPETITIONS], bytes[G_N_ELEMENTS (columns)];
  double array_sums[REPETITIONS], sums[REPETITIONS], rows[REPETITIONS];
  double expected = (double) READ * (READ - 1) / 2;
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableReader) reader = NULL;
  Array array = { NULL, 0, 0 };
  double peer;

  for (int i = 0; i < REPETITIONS; i++)
    {
      Array written = { NULL, 0, 0 };
      gint64 begin = g_get_monotonic_time ();

      fill_array (&written, WRITTEN);
      append[i] = seconds_since (begin);
      g_free (written.values);
      for (guint w = 0; w < G_N_ELEMENTS (columns); w++)
        writes[w][i] = time_writing (columns[w], &bytes[w]);
    }
  printf ("writing %d doubles, median of %d runs\n", WRITTEN, REPETITIONS);
  peer = WRITTEN / median (append);
  print_rate ("plain array", append, WRITTEN, 0, 0);
  for (guint w = 0; w < G_N_ELEMENTS (columns); w++)
    {
      g_autofree char *name = g_strdup_printf ("table writer, %u column(s) a row", columns[w]);

      print_rate (name, writes[w], WRITTEN, peer, WRITE_GOAL);
      printf ("%-34s %8.3f bytes each, goal %.1f: %s\n", "", bytes[w], BYTES_GOAL,
              bytes[w] <= BYTES_GOAL ? "met" : "missed");
    }

  fill_array (&array, READ);
  write_rows (recording, 1, READ);
  reader = roast_recording_read_table (recording, "bench", NULL, NULL);
  for (int i = 0; i < REPETITIONS; i++)
    {
      array_sums[i] = time_array_sum (&array, expected);
      sums[i] = time_sum (reader, expected);
      rows[i] = time_rows (reader, expected);
    }
  printf ("reading %d doubles\n", READ);
  peer = READ / median (array_sums);
  print_rate ("plain array, summed", array_sums, READ, 0, 0);
  print_rate ("table reader, a column summed", sums, READ, peer, SUM_GOAL);
  print_rate ("table reader, row by row", rows, READ, peer, 0);
  g_free (array.values);

  printf ("a row of an entity table, key of 14 bytes: %.0f bytes open, %.0f bytes closed\n", measure_entities (FALSE),
          measure_entities (TRUE));

  return EXIT_SUCCESS;
}
