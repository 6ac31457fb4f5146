/* SPDX-License-Identifier: BSD-3-Clause */

/* Any bytes in the files by which the logs of a run are found, and any name of its directory and target of most-recent:
 * the logs are found or not, and those that are found are of this run. */

#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "pieces.h"
#include "vine-discovery.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

enum
{
  NAME,
  MOST_RECENT,
  TRANSACTIONS,
  DEBUG,
  PERFORMANCE,
  N_PIECES
};

static char base[] = "/tmp/roast-fuzz-XXXXXX";

static void
remove_base (void)
{
  g_autofree char *runs = g_build_filename (base, "vine-run-info", NULL);

  g_rmdir (runs);
  g_rmdir (base);
}

static void
check (VineLogs *logs)
{
  g_assert_nonnull (logs->transactions);
  g_assert_true (g_str_has_prefix (logs->directory, base));
  g_assert_cmpint (logs->pid, ==, 0);
  vine_logs_read_port (logs);
  vine_logs_free (logs);
}

static void
open_path (const char *path)
{
  g_autoptr (GError) error = NULL;
  VineLogs *logs = vine_discovery_open_path (path, &error);

  g_assert_true ((logs == NULL) == (error != NULL));
  if (logs != NULL)
    check (logs);
}

static void
search (const char *runs, const char *run)
{
  g_autofree char *recent = g_build_filename (runs, "most-recent", NULL);
  GPtrArray *found = vine_discovery_scan_directory (base, 0);

  g_assert_cmpuint (found->len, <=, 1);
  g_ptr_array_set_free_func (found, (GDestroyNotify) check);
  g_ptr_array_unref (found);
  open_path (base);
  open_path (runs);
  open_path (recent);
  open_path (run);
}

static void
put (const char *directory, const char *name, const char *text, size_t length)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);

  if (text != NULL)
    g_assert_true (g_file_set_contents_full (path, text, (gssize) length, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
}

static void
remove_file (const char *directory, const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);

  g_unlink (path);
}

/* The last part of a path that can be made. */
static char *
make_name (const char *text, size_t length)
{
  g_autofree char *copy = g_strndup (text != NULL ? text : "", MIN (length, 100));
  char *name = g_path_get_basename (copy);

  return g_str_equal (name, ".") || g_str_equal (name, "..") || g_str_equal (name, "/") ||
                 g_str_equal (name, "most-recent")
             ? (g_free (name), g_strdup ("run"))
             : name;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static gboolean made;
  Pieces pieces = { (const char *) data, size };
  char *text[N_PIECES];
  size_t length[N_PIECES] = { 0 };
  g_autofree char *runs = NULL, *name = NULL, *run = NULL, *logs = NULL, *recent = NULL, *target = NULL;

  if (!made)
    {
      g_assert_nonnull (g_mkdtemp (base));
      atexit (remove_base);
    }
  made = TRUE;
  for (guint i = 0; i < N_PIECES; i++)
    text[i] = pieces_next (&pieces, &length[i]);
  runs = g_build_filename (base, "vine-run-info", NULL);
  name = make_name (text[NAME], length[NAME]);
  run = g_build_filename (runs, name, NULL);
  logs = g_build_filename (run, "vine-logs", NULL);
  g_assert_cmpint (g_mkdir_with_parents (logs, 0700), ==, 0);
  put (logs, "transactions", text[TRANSACTIONS], length[TRANSACTIONS]);
  put (logs, "debug", text[DEBUG], length[DEBUG]);
  put (logs, "performance", text[PERFORMANCE], length[PERFORMANCE]);
  recent = g_build_filename (runs, "most-recent", NULL);
  target = g_strndup (text[MOST_RECENT] != NULL ? text[MOST_RECENT] : "", length[MOST_RECENT]);
  if (symlink (target, recent) == 0)
    made = TRUE;
  search (runs, run);
  remove_file (runs, "most-recent");
  remove_file (logs, "transactions");
  remove_file (logs, "debug");
  remove_file (logs, "performance");
  g_assert_cmpint (g_rmdir (logs), ==, 0);
  g_assert_cmpint (g_rmdir (run), ==, 0);
  for (guint i = 0; i < N_PIECES; i++)
    g_free (text[i]);

  return 0;
}
