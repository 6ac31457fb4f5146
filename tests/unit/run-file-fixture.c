/* SPDX-License-Identifier: BSD-3-Clause */

#include "run-file-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->directory = g_dir_make_tmp ("roast-run-file-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->path = g_build_filename (fixture->directory, "run.roast", NULL);
}

void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDir) directory = g_dir_open (fixture->directory, 0, NULL);
  const char *name = NULL;

  while ((name = g_dir_read_name (directory)) != NULL)
    {
      g_autofree char *path = g_build_filename (fixture->directory, name, NULL);

      g_assert_no_errno (g_unlink (path));
    }
  g_assert_no_errno (g_rmdir (fixture->directory));
  g_free (fixture->directory);
  g_free (fixture->path);
}

RoastRecording *
new_recording_of (const char *schema_text)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (GBytes) bytes = g_bytes_new_static (schema_text, strlen (schema_text));
  g_autoptr (GError) error = NULL;

  g_assert_true (roast_schema_load_data (schema, bytes, "test", &error));
  g_assert_no_error (error);

  return roast_recording_new (schema);
}
