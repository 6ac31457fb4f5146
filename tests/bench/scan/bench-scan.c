/* SPDX-License-Identifier: BSD-3-Clause */

/* How long it takes to know 100 plugins and their schemas without opening one, beside merely reading their key files.
 */

#include <roast/roast.h>

#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>

#define PLUGINS 100
#define REPETITIONS 200
#define GOAL_MS 1.5
#define SCHEMA_GOAL_MS 5.0

static const char key_file[] = "[Roast Plugin]\n"
                               "Module=roast-plugin-%d\n"
                               "Name=plugin-%d\n"
                               "Api=%d.%d\n"
                               "Provides=backend:plugin-%d;exporter:plugin-%d\n"
                               "Capabilities=launch;attach;worker-metrics\n"
                               "Description=A plugin among many\n"
                               "Version=1.0.0\n"
                               "License=BSD-3-Clause\n"
                               "Website=https://example.org/\n"
                               "\n"
                               "[Option backend:plugin-%d address]\n"
                               "Type=string\n"
                               "Help=Where what is measured listens\n"
                               "\n"
                               "[Option backend:plugin-%d detail]\n"
                               "Type=choice\n"
                               "Choices=low;high\n"
                               "Default=low\n"
                               "Help=How much is measured\n";

static const char schema[] = "[table table_%d]\n"
                             "Description=A table of one plugin among many\n"
                             "\n"
                             "[columns table_%d]\n"
                             "source=category: name of the source that the row comes from\n"
                             "time=int64 us: when\n"
                             "state=category of status: how it ended\n"
                             "memory=int64 B: resident memory\n"
                             "\n"
                             "[metric metric_%d_bytes]\n"
                             "Label=Memory\n"
                             "Group=Memory\n"
                             "Unit=B\n"
                             "Format=bytes\n"
                             "Description=Memory of one plugin among many\n"
                             "Aliases=older_%d_mb:1e-6\n";

static void
write_text (const char *path, const char *text)
{
  g_autoptr (GError) error = NULL;

  if (!g_file_set_contents (path, text, -1, &error))
    g_error ("%s", error->message);
}

static void
write_files (const char *directory, char **paths, char **schemas)
{
  for (int i = 0; i < PLUGINS; i++)
    {
      g_autofree char *base = g_strdup_printf ("plugin-%d.roast-plugin", i);
      g_autofree char *text = g_strdup_printf (key_file, i, i, ROAST_API_MAJOR, ROAST_API_MINOR, i, i, i, i);
      g_autofree char *declared = g_strdup_printf (schema, i, i, i, i);

      paths[i] = g_build_filename (directory, base, NULL);
      schemas[i] = g_strdup_printf ("%s/plugin-%d.roast-schema", directory, i);
      write_text (paths[i], text);
      write_text (schemas[i], declared);
    }
}

static double
time_scan (const char *directory, double *schema_time)
{
  gint64 begin = g_get_monotonic_time ();
  g_autoptr (RoastRegistry) registry = roast_registry_new_for_path (directory);
  g_autoptr (GPtrArray) broken = roast_registry_list_broken (registry);
  g_autoptr (GPtrArray) still_broken = NULL;
  gint64 end;

  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (registry)), ==, PLUGINS);
  end = g_get_monotonic_time ();
  g_assert_cmpuint (broken->len, ==, 0);
  roast_registry_get_schema (registry);
  *schema_time = (double) (g_get_monotonic_time () - end) / 1000.0;
  still_broken = roast_registry_list_broken (registry);
  g_assert_cmpuint (still_broken->len, ==, 0);
  return (double) (end - begin) / 1000.0;
}

static double
time_reading (char **paths)
{
  gint64 begin = g_get_monotonic_time ();

  for (int i = 0; i < PLUGINS; i++)
    {
      g_autofree char *content = NULL;

      if (!g_file_get_contents (paths[i], &content, NULL, NULL))
        g_error ("cannot read %s", paths[i]);
    }
  return (double) (g_get_monotonic_time () - begin) / 1000.0;
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

int
main (void)
{
  static double scans[REPETITIONS], readings[REPETITIONS], schema_times[REPETITIONS];
  g_autofree char *directory = g_dir_make_tmp ("roast-scan-XXXXXX", NULL);
  char *paths[PLUGINS];
  char *schemas[PLUGINS];
  double scan, reading, schema_time;

  write_files (directory, paths, schemas);
  for (int i = 0; i < REPETITIONS; i++)
    {
      scans[i] = time_scan (directory, &schema_times[i]);
      readings[i] = time_reading (paths);
    }
  qsort (scans, REPETITIONS, sizeof scans[0], compare_doubles);
  qsort (readings, REPETITIONS, sizeof readings[0], compare_doubles);
  qsort (schema_times, REPETITIONS, sizeof schema_times[0], compare_doubles);
  scan = scans[REPETITIONS / 2];
  schema_time = schema_times[REPETITIONS / 2];
  reading = readings[REPETITIONS / 2];

  printf ("scan of %d plugins: %.3f ms (median of %d; least %.3f); goal %.1f ms: %s\n", PLUGINS, scan, REPETITIONS,
          scans[0], GOAL_MS, scan <= GOAL_MS ? "met" : "missed");
  printf ("reading their key files alone: %.3f ms (least %.3f); ratio %.2f\n", reading, readings[0], scan / reading);
  printf ("their schemas: %.3f ms (least %.3f); goal %.1f ms: %s\n", schema_time, schema_times[0], SCHEMA_GOAL_MS,
          schema_time <= SCHEMA_GOAL_MS ? "met" : "missed");

  for (int i = 0; i < PLUGINS; i++)
    {
      g_remove (paths[i]);
      g_remove (schemas[i]);
      g_free (paths[i]);
      g_free (schemas[i]);
    }
  g_rmdir (directory);
  return scan <= GOAL_MS && schema_time <= SCHEMA_GOAL_MS ? EXIT_SUCCESS : EXIT_FAILURE;
}
