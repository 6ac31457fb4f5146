/* SPDX-License-Identifier: BSD-3-Clause */
#include "exchange.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void
exchange_set_error (GError **error, const char *name, const char *format, ...)
{
  va_list arguments;
  g_autofree char *problem = NULL;

  va_start (arguments, format);
  problem = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_DAMAGED, "cannot import %s: %s", name, problem);
}

void
exchange_set_output_error (GError **error, const char *path)
{
  g_set_error (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT, "cannot write to %s: %s",
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
    {
      g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN, "cannot read %s: %s", path, g_strerror (errno));
      return FALSE;
    }
  if (*length > max)
    {
      exchange_set_error (error, path, "it is longer than %" G_GSIZE_FORMAT " kB, the limit for this format",
                          max >> 10);
      return FALSE;
    }
  read[*length] = '\0';
  *text = g_steal_pointer (&read);

  return TRUE;
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
  if (!ok)
    exchange_set_output_error (error, path);

  return ok;
}

gboolean
exchange_get_metadata (RoastRecording *recording, const char *key, gint64 *value)
{
  g_autoptr (GVariant) metadata = roast_recording_dup_metadata (recording);

  return g_variant_lookup (metadata, key, "x", value);
}
