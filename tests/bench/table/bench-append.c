/* SPDX-License-Identifier: BSD-3-Clause */

/* How many doubles a second a table takes on one core, in how many bytes, beside a plain array that grows. */

#include <roast/roast.h>

#include <stdio.h>
#include <stdlib.h>

#define VALUES 4000000
#define REPETITIONS 5
#define GOAL_RATE 20e6
#define GOAL_BYTES 9.0

typedef struct
{
  const char *name;
  guint columns; /* a row */
  guint block;   /* values at once; 0: by rows */
} Way;

static const Way ways[] = {
  { "row by row, 1 column", 1, 0 },      { "row by row, 4 columns", 4, 0 },           { "row by row, 8 columns", 8, 0 },
  { "blocks of 100, 1 column", 1, 100 }, { "blocks of 100000, 1 column", 1, 100000 },
};

typedef struct
{
  double *values;
  gsize length;
  gsize room;
} Array;

/* What a program without tables would do. */
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

static double
time_array (void)
{
  gint64 begin = g_get_monotonic_time ();
  Array array = { NULL, 0, 0 };
  double seconds;

  for (gsize i = 0; i < VALUES; i++)
    array_append (&array, (double) i);
  seconds = (double) (g_get_monotonic_time () - begin) / G_USEC_PER_SEC;
  g_free (array.values);

  return seconds;
}

static void
append_rows (RoastTable *table, guint columns)
{
  g_autoptr (RoastRow) row = roast_row_new (table);

  for (gsize i = 0; i < VALUES / columns; i++)
    {
      roast_row_clear (row);
      for (guint c = 0; c < columns; c++)
        roast_row_set_double (row, c, (double) i);
      if (!roast_table_append (table, row, NULL))
        g_error ("a row was refused");
    }
}

static void
append_blocks (RoastTable *table, guint block)
{
  g_autofree double *values = g_new (double, block);

  for (gsize i = 0; i < block; i++)
    values[i] = (double) i;
  for (gsize i = 0; i < VALUES / block; i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (values, block * sizeof (double));

      if (!roast_table_append_column (table, "c0", bytes, NULL))
        g_error ("a block was refused");
    }
}

static double
time_table (const Way *way, double *bytes)
{
  g_autoptr (RoastTable) table = roast_table_new ("bench", ROAST_TABLE_KIND_LOG, NULL);
  gint64 begin;
  double seconds;

  for (guint c = 0; c < way->columns; c++)
    {
      g_autofree char *name = g_strdup_printf ("c%u", c);

      roast_table_add_column (table, name, ROAST_COLUMN_TYPE_DOUBLE, NULL, NULL, NULL);
    }

  begin = g_get_monotonic_time ();
  if (way->block > 0)
    append_blocks (table, way->block);
  else
    append_rows (table, way->columns);
  seconds = (double) (g_get_monotonic_time () - begin) / G_USEC_PER_SEC;

  g_assert_cmpuint (roast_table_get_n_rows (table), ==, VALUES / way->columns);
  *bytes = (double) roast_table_get_memory (table) / VALUES;

  return seconds;
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

int
main (void)
{
  double array_times[REPETITIONS], times[G_N_ELEMENTS (ways)][REPETITIONS], bytes[G_N_ELEMENTS (ways)];
  double array;

  for (int i = 0; i < REPETITIONS; i++)
    {
      array_times[i] = time_array ();
      for (guint w = 0; w < G_N_ELEMENTS (ways); w++)
        times[w][i] = time_table (&ways[w], &bytes[w]);
    }

  array = VALUES / median (array_times);
  printf ("%d doubles, median of %d runs; goals: %.0f M/s, %.1f bytes each\n", VALUES, REPETITIONS, GOAL_RATE / 1e6,
          GOAL_BYTES);
  printf ("%-28s %7.1f M/s\n", "plain array", array / 1e6);
  for (guint w = 0; w < G_N_ELEMENTS (ways); w++)
    {
      double rate = VALUES / median (times[w]);

      printf ("%-28s %7.1f M/s (%.2f of the array's), %.3f bytes each: %s\n", ways[w].name, rate / 1e6, rate / array,
              bytes[w], rate >= GOAL_RATE && bytes[w] <= GOAL_BYTES ? "met" : "missed");
    }

  return EXIT_SUCCESS;
}
