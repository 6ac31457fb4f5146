/* SPDX-License-Identifier: BSD-3-Clause */

/* Opens the files of a measurement. Maps metrics.json, which may be gigabytes large. */

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats.h"
#include "roastcoffea.h"
#include "tool.h"

#define MAX_METRICS (G_GUINT64_CONSTANT (64) << 30)
#define MAX_SMALL 65536

/* Opens a regular file. Refuses devices and FIFOs, which cannot be mapped or would block. Returns -1 and sets the error
 * on failure. */
static int
open_member (const char *directory, const char *name, guint64 max, GError **error)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat status;

  if (fd < 0)
    {
      g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN,
                   "cannot read %s: %s; a roastcoffea measurement is a directory with metrics.json and "
                   "start_end_time.txt",
                   path, g_strerror (errno));
      return -1;
    }
  if (fstat (fd, &status) == 0 && S_ISREG (status.st_mode) && (guint64) status.st_size <= max)
    return fd;
  close (fd);
  exchange_fail (error, "cannot import %s: %s", path,
                 S_ISREG (status.st_mode) ? "the file is too long" : "not a regular file");

  return -1;
}

static GMappedFile *
map_member (const char *directory, const char *name, guint64 max, GError **error)
{
  int fd = open_member (directory, name, max, error);
  GMappedFile *mapped = NULL;

  if (fd < 0)
    return NULL;
  mapped = g_mapped_file_new_from_fd (fd, FALSE, error);
  close (fd);

  return mapped;
}

/* Reads a small file as text. Returns NULL and sets the error on failure. */
static char *
read_member (const char *directory, const char *name, GError **error)
{
  g_autoptr (GMappedFile) file = map_member (directory, name, MAX_SMALL, error);

  const char *text = file != NULL ? g_mapped_file_get_contents (file) : NULL;

  if (file == NULL)
    return NULL;

  /* GMappedFile returns NULL contents for an empty file. */
  return g_strndup (text != NULL ? text : "", g_mapped_file_get_length (file));
}

gboolean
roastcoffea_import (ExchangeImport *import, GError **error)
{
  g_autoptr (GMappedFile) metrics = map_member (import->path, "metrics.json", MAX_METRICS, error);
  g_autofree char *times = metrics != NULL ? read_member (import->path, "start_end_time.txt", error) : NULL;
  g_autofree char *metadata = times != NULL ? read_member (import->path, "metadata.json", NULL) : NULL;
  g_autofree char *config = g_build_filename (import->path, "config.json", NULL);
  g_autoptr (GPtrArray) left_out = g_ptr_array_new_with_free_func (g_free);
  const char *text = NULL;

  if (times == NULL)
    return FALSE;
  text = g_mapped_file_get_contents (metrics);
  if (!roastcoffea_take (import->recording, text != NULL ? text : "", g_mapped_file_get_length (metrics), times,
                         metadata, left_out, error))
    {
      g_prefix_error (error, "cannot import %s: ", import->name);
      return FALSE;
    }
  if (g_file_test (config, G_FILE_TEST_EXISTS))
    g_ptr_array_add (left_out, g_strdup ("config.json"));
  g_ptr_array_sort (left_out, tool_compare_texts);
  exchange_say_left_out (import->name, left_out, "roast has no columns for them");

  return TRUE;
}
