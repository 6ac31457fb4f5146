/* SPDX-License-Identifier: BSD-3-Clause */
#include "exchange.h"

#include <errno.h>
#include <sys/stat.h>

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
exchange_read_line (FILE *file, GString *line, gsize max, gboolean *is_too_long)
{
  int c;

  g_string_truncate (line, 0);
  while ((c = getc_unlocked (file)) != EOF && c != '\n' && line->len < max)
    g_string_append_c (line, (char) c);
  *is_too_long = c != EOF && c != '\n';

  return c != EOF || (line->len > 0 && !ferror (file));
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
