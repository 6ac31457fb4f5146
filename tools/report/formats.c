/* SPDX-License-Identifier: BSD-3-Clause */

/* Table of the formats of import and export. To add a format, add a row to this table and a program to formats/. */

#include <string.h>

#include "formats.h"

#define N_START 4096 /* number of bytes at the start of a file from which its format is guessed */

static const Format formats[] = {
  { "stream", "{\"" STREAM_MAGIC "\"", "", NULL },
  { "prmon-text", "Time\t", "", "prmon.py" },
  { "prmon-json", "{", "\"Avg\"", "prmon.py" },
  { "roastcoffea", NULL, NULL, "roastcoffea.py" },
};

static char *
dup_names (void)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    g_string_append_printf (names, "%s%s",
                            i == 0                           ? ""
                            : i + 1 < G_N_ELEMENTS (formats) ? ", "
                                                             : " or ",
                            formats[i].name);

  return g_string_free (g_steal_pointer (&names), FALSE);
}

const Format *
format_find (const char *name, GError **error)
{
  g_autofree char *names = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_str_equal (formats[i].name, name))
      return &formats[i];
  names = dup_names ();
  return roast_fail_null (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                          "“--format=%s” is invalid: the format must be %s", name, names);
}

static const Format *
guess_by_start (const char *path, GError **error)
{
  g_autoptr (FILE) file = exchange_open (path, error);
  g_autofree char *names = NULL;
  char start[N_START + 1];

  if (file == NULL)
    return NULL;
  start[fread (start, 1, N_START, file)] = '\0';
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (formats[i].start != NULL && g_str_has_prefix (start, formats[i].start) &&
        strstr (start, formats[i].near_start) != NULL)
      return &formats[i];
  if (g_str_has_prefix (start, "SQLite format 3"))
    return roast_fail_null (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_DAMAGED,
                            "cannot import %s: a run file needs no import: “roast-report FILE” reads it directly",
                            path);
  names = dup_names ();
  return roast_fail_null (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_DAMAGED,
                          "cannot import %s: the content does not look like %s. If the input has one of these formats, "
                          "name the "
                          "format with --format",
                          path, names);
}

const Format *
format_guess (const char *path, GError **error)
{
  /* Assume that standard input is a stream. Its format cannot be guessed, because bytes that were read from a pipe
   * cannot be read again. */
  if (g_str_equal (path, "-"))
    return &formats[0];
  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    return g_file_test (path, G_FILE_TEST_IS_REGULAR) || !g_file_test (path, G_FILE_TEST_EXISTS)
               ? guess_by_start (path, error)
               : &formats[0];
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (formats[i].start == NULL)
      return &formats[i];
  return roast_fail_null (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN,
                          "cannot import %s: this path is a directory", path);
}
