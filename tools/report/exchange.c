/* SPDX-License-Identifier: BSD-3-Clause */
#include "exchange.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/roast-fail-private.h"

gboolean
exchange_fail (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_propagate_error (error, g_error_new_valist (ROAST_STORE_ERROR, ROAST_STORE_ERROR_DAMAGED, format, arguments));
  va_end (arguments);

  return FALSE;
}

gboolean
exchange_set_output_error (GError **error, const char *path)
{
  return roast_fail (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT, "cannot write to %s: %s",
                     path != NULL ? path : "standard output", g_strerror (errno));
}

FILE *
exchange_open (const char *path, GError **error)
{
  FILE *file = g_str_equal (path, "-") ? stdin : fopen (path, "re");
  struct stat status;

  if (file != NULL && fstat (fileno (file), &status) == 0 && S_ISDIR (status.st_mode))
    {
      exchange_close (file);
      file = NULL;
      errno = EISDIR;
    }
  if (file == NULL)
    g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN, "cannot read %s: %s", path, g_strerror (errno));

  return file;
}

void
exchange_close (FILE *file)
{
  if (file != stdin && file != stdout)
    fclose (file);
}

gboolean
exchange_read (const char *path, gsize max, char **text, gsize *length, GError **error)
{
  g_autoptr (FILE) file = exchange_open (path, error);
  g_autofree char *read = NULL;

  if (file == NULL)
    return FALSE;
  read = g_malloc (max + 2);
  *length = fread (read, 1, max + 1, file);
  if (ferror (file))
    return roast_fail (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN, "cannot read %s: %s", path,
                       g_strerror (errno));
  if (*length > max)
    return exchange_fail (error,
                          "cannot import %s: the file is longer than %" G_GSIZE_FORMAT " kB, the limit for this format",
                          path, max >> 10);
  read[*length] = '\0';
  *text = g_steal_pointer (&read);

  return TRUE;
}

gboolean
exchange_read_line (FILE *file, GString *line, gsize max, gboolean *is_too_long)
{
  int c;

  g_string_truncate (line, 0);
  while ((c = getc_unlocked (file)) != EOF && c != '\n' && line->len < max)
    g_string_append_c (line, (char) c);
  *is_too_long = c != EOF && c != '\n';

  return c != EOF || (line->len > 0 && !ferror (file));
}

const char *
exchange_get_text (JsonObject *object, const char *member)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, member) : NULL;

  return node != NULL && json_node_get_value_type (node) == G_TYPE_STRING ? json_node_get_string (node) : NULL;
}

void
exchange_say_left_out (const char *input, const GPtrArray *what, const char *why)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (what == NULL || what->len == 0)
    return;
  for (guint i = 0; i < what->len; i++)
    {
      g_autofree char *name = g_strdup (g_ptr_array_index (what, i));

      for (char *c = name; *c != '\0'; c++)
        if (g_ascii_iscntrl (*c))
          *c = '?';
      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", name);
    }
  g_printerr ("roast-report: %s: left out: %s: %s\n", input, text->str, why);
}

FILE *
exchange_create (const char *path, GError **error)
{
  FILE *file = path == NULL || g_str_equal (path, "-") ? stdout : fopen (path, "wxe");

  if (file == NULL)
    exchange_set_output_error (error, path);

  return file;
}

gboolean
exchange_finish (FILE *file, const char *path, GError **error)
{
  gboolean ok = fflush (file) == 0 && !ferror (file);

  if (file != stdout)
    ok = fclose (file) == 0 && ok;

  return ok || exchange_set_output_error (error, path);
}

char *
exchange_add_source (RoastRecording *recording, const ExchangeSource *source)
{
  const char *const backends[] = { source->name, NULL };
  char *name = roast_recording_add_source (recording, source->name, NULL, source->version, source->capabilities);
  g_autoptr (RoastTableWriter) sources =
      roast_recording_write_table (recording, ROAST_TABLE_SOURCES, name, roast_sources_columns, NULL);
  g_autoptr (RoastTableWriter) coverage =
      roast_recording_write_table (recording, ROAST_TABLE_COVERAGE, name, roast_coverage_columns, NULL);

  roast_table_writer_set_string (coverage, ROAST_COVERAGE_TABLE, ROAST_TABLE_TASKS);
  roast_table_writer_set_word (coverage, ROAST_COVERAGE_STATE, ROAST_COVERAGE_STATE_NONE);
  roast_table_writer_set_string (coverage, ROAST_COVERAGE_REASON, source->tasks_missing);
  roast_table_writer_end (coverage, NULL);
  roast_table_writer_set_word (sources, ROAST_SOURCES_WORKER_KIND, source->worker_kind);
  if (source->activities_missing != NULL)
    {
      roast_table_writer_set_word (sources, ROAST_SOURCES_ACTIVITIES, ROAST_COVERAGE_NONE);
      roast_table_writer_set_string (sources, ROAST_SOURCES_ACTIVITIES_MISSING, source->activities_missing);
    }
  roast_table_writer_end (sources, NULL);
  roast_recording_set_metadata (recording, "backends", g_variant_new_strv (backends, 1));
  roast_recording_set_metadata (recording, "processes-missing", g_variant_new_string (source->processes_missing));

  return name;
}
