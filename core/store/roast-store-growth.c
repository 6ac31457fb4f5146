/* SPDX-License-Identifier: BSD-3-Clause */

/* A file that cannot grow, and one that can again. */

#include <sqlite3.h>
#include <string.h>
#include <sys/statvfs.h>

#include "recording/roast-recording-private.h"
#include "roast-store-layout-private.h"
#include "roast-store-table-private.h"
#include "roast-store-writing-private.h"

static void
add_event (RoastStoreWriter *self, RoastSeverity severity, const char *message)
{
  g_debug ("%s", message);
  if (self->recording != NULL)
    roast_recording_add_event (self->recording, NULL, -1, severity, "run-file", message);
}

char *
roast_store_describe_missing (gint64 since, gboolean by_limit)
{
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (since / G_USEC_PER_SEC);
  g_autofree char *when = utc != NULL ? g_date_time_format (utc, "%F %T UTC") : g_strdup ("an unknown time");

  return g_strdup_printf ("%s: of rows from %s on, only sums are kept",
                          by_limit ? "the run file was at its limit when the run ended"
                                   : "the run file could not grow, and the memory for its rows was used up",
                          when);
}

void
roast_store_set_missing_since (RoastStoreWriter *self, gint64 since)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  if (since >= 0 && (self->missing_since < 0 || since < self->missing_since))
    self->missing_since = since;
}

/* The report of this process lacks these rows, too. */
static void
add_gaps (RoastStoreWriter *self)
{
  for (guint i = 0; i < self->tables->len; i++)
    {
      RoastStoredTable *table = g_ptr_array_index (self->tables, i);

      if (roast_stored_table_lacks_rows (table))
        roast_recording_add_gap (self->recording, roast_table_get_name (roast_stored_table_get_table (table)), FALSE,
                                 ROAST_STORE_GAP_MEMORY);
    }
}

void
roast_store_give_up (RoastStoreWriter *self)
{
  gsize memory = 0;
  gsize bound = 0;
  gint64 since = -1;
  g_autofree char *message = NULL;

  g_mutex_lock (&self->mutex);
  bound = self->bound;
  g_mutex_unlock (&self->mutex);
  for (guint i = 0; i < self->tables->len; i++)
    {
      gint64 first = roast_stored_table_give_up (g_ptr_array_index (self->tables, i), &memory, bound);

      if (first >= 0)
        since = since < 0 ? first : MIN (since, first);
    }
  if (since < 0)
    return;
  self->gave_up = TRUE;
  add_gaps (self);
  if (self->missing_since >= 0)
    return;
  roast_store_set_missing_since (self, since);
  message = roast_store_describe_missing (since, FALSE);
  add_event (self, ROAST_SEVERITY_ERROR, message);
}

#define ROOM ((guint64) 1 << 20) /* of a disk that is not full */

/* SQLite says the same of a file that has reached its limit and of a full disk. */
static gboolean
has_reached_limit (RoastStoreWriter *self, const GError *error)
{
  struct statvfs disk;

  return self->pages > 0 && strstr (error->message, sqlite3_errstr (SQLITE_FULL)) != NULL &&
         statvfs (roast_store_file_get_path (self->file), &disk) == 0 && (guint64) disk.f_bavail * disk.f_frsize > ROOM;
}

static char *
explain (RoastStoreWriter *self, const GError *error)
{
  guint64 limit;

  if (!has_reached_limit (self, error))
    return g_strdup_printf ("the run file cannot grow: %s", error->message);
  g_mutex_lock (&self->mutex);
  limit = self->max_size;
  g_mutex_unlock (&self->mutex);

  return g_strdup_printf ("the run file has reached its limit of %.4g MB", (double) limit / 1e6);
}

void
roast_store_report_growth (RoastStoreWriter *self, const GError *error)
{
  g_autofree char *message = NULL;

  if (error == NULL && !self->is_stuck)
    return;
  if (error == NULL)
    {
      self->is_stuck = FALSE;
      roast_store_file_set_problem (self->file, NULL);
      add_event (self, ROAST_SEVERITY_INFO, "the run file grows again");
      return;
    }
  roast_store_file_set_problem (self->file, error->message);
  if (!self->is_stuck)
    {
      g_autofree char *reason = explain (self, error);

      message = g_strdup_printf ("%s; the run goes on, and rows stay in memory", reason);
      add_event (self, ROAST_SEVERITY_WARNING, message);
    }
  self->is_stuck = TRUE;
  roast_store_give_up (self);
}
