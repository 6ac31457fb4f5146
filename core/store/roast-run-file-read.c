/* SPDX-License-Identifier: BSD-3-Clause */

/* Reading a run file. */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/roast-fail-private.h"
#include "recording/roast-recording-private.h"
#include "roast-run-file-private.h"
#include "roast-store-checksum-private.h"
#include "roast-store-descriptors-private.h"
#include "roast-store-layout-private.h"
#include "roast-store-reader-private.h"
#include "roast/roast-error.h"
#include "roast/roast-tables.h"

/* Check the file's type and first page before SQLite opens the file. Find out whether a process still writes the
 * file. */
static gboolean
examine (RoastRunFile *self, GError **error)
{
  struct flock lock = roast_run_file_make_lock (F_WRLCK);
  guint8 page[ROAST_STORE_PAGE];
  struct stat status;
  gssize n = 0;

  self->store->fd = roast_store_descriptors_open (self->path);
  if (self->store->fd < 0)
    return roast_fail (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN, "cannot open the run file %s: %s", self->path,
                       g_strerror (errno));
  if (fstat (self->store->fd, &status) != 0)
    status.st_mode = 0;
  if (S_ISDIR (status.st_mode))
    return roast_fail (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_FOREIGN, "%s is a directory, not a run file",
                       self->path);
  if (S_ISFIFO (status.st_mode) || S_ISSOCK (status.st_mode))
    return roast_fail (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_FOREIGN,
                       "%s is a pipe, not a run file: save its contents to a file first", self->path);
  n = pread (self->store->fd, page, sizeof page, 0);
  if (!roast_store_layout_check (page, (gsize) MAX (n, 0), self->path, error))
    return FALSE;
  if (fcntl (self->store->fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK)
    self->state = ROAST_RUN_FILE_STATE_GROWING;
  else
    self->state = ROAST_RUN_FILE_STATE_INTERRUPTED;

  return TRUE;
}

static void
check_state (RoastRunFile *self)
{
  if (g_strcmp0 (g_hash_table_lookup (self->meta, ROAST_STORE_META_STATE), "closed") == 0)
    self->state = ROAST_RUN_FILE_STATE_CLOSED;
}

/* Return whether the file is shorter than its header says. SQLite refuses such a file. */
static gboolean
is_cut (RoastRunFile *self, GError **error)
{
  goffset expected = roast_store_layout_get_size (self->store->fd);
  struct stat status;

  if (fstat (self->store->fd, &status) != 0 || status.st_size >= expected)
    return FALSE;
  g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_DAMAGED,
               "%s is cut short, with %" G_GOFFSET_FORMAT " of %" G_GOFFSET_FORMAT " bytes: copy the file again",
               self->path, (goffset) status.st_size, expected);

  return TRUE;
}

/* Open the database. A growing run file has a log, PATH-wal, with the newest data, and at first with all data. If the
 * data are missing, the user may have copied the run file without the log. */
static gboolean
open_store (RoastRunFile *self, GError **error)
{
  g_autofree char *wal = g_strconcat (self->path, "-wal", NULL);
  struct stat status;
  GError *local = NULL;

  if (roast_store_reader_open (self->store, self->state == ROAST_RUN_FILE_STATE_GROWING, self->meta, &local))
    return TRUE;
  if (g_error_matches (local, ROAST_STORE_ERROR, ROAST_STORE_ERROR_DAMAGED) && is_cut (self, error))
    {
      g_error_free (local);
      return FALSE;
    }
  if (strstr (local->message, "no such table") == NULL || (stat (wal, &status) == 0 && status.st_size > 0))
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  g_error_free (local);
  return roast_fail (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_DAMAGED,
                     "%s has no tables: the file was copied during the run, without the file %s. Copy both files, or "
                     "copy the run file after the run",
                     self->path, wal);
}

/**
 * roast_run_file_open:
 * @path: (type filename): name of the file
 * @error: return location for an error
 *
 * Opens a run file for reading, even while another process writes it.
 *
 * Returns: (transfer full): the file; %NULL with an error of the domain #RoastStoreError
 *
 * Since: 0.9
 */
RoastRunFile *
roast_run_file_open (const char *path, GError **error)
{
  g_autoptr (RoastRunFile) self = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  self = roast_run_file_new (path);
  self->store = roast_store_file_new (self->path, error);
  if (self->store == NULL || !examine (self, error) || !open_store (self, error))
    return NULL;
  check_state (self);

  return g_steal_pointer (&self);
}

/* Add a gap for the end of an unfinished run, so that numbers computed from the recording are marked as incomplete. */
static void
add_end_gap (RoastRecording *recording, gboolean is_growing, gint64 reach, const char *time)
{
  g_autofree char *reason = NULL;

  if (time != NULL)
    reason = g_strdup_printf ("%s: the data reach until %s UTC",
                              is_growing ? "the run goes on" : "the recording ended early", time);
  else
    {
      reason = g_strdup (is_growing ? "nothing is recorded yet" : "nothing was recorded before the recording ended");
      roast_recording_set_metadata (recording, "nothing-recorded", g_variant_new_string (reason));
    }
  roast_recording_add_gap (recording, NULL, MAX (reach, 0), TRUE, reason);
}

/* Add an event that names the time up to which an incomplete file has data. Use this time as the end of the run. */
static void
report_reach (RoastRunFile *self, RoastRecording *recording)
{
  gboolean is_growing = self->state == ROAST_RUN_FILE_STATE_GROWING;
  gint64 reach = roast_run_file_lookup_time (self, ROAST_STORE_META_REACH);
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (MAX (reach, 0) / G_USEC_PER_SEC);
  g_autofree char *time = reach >= 0 ? g_date_time_format (utc, "%F %T") : NULL;
  g_autofree char *message = NULL;
  g_autoptr (GVariant) metadata = roast_recording_dup_metadata (recording);

  if (time == NULL)
    message = g_strdup (is_growing ? "the run goes on: nothing is written into the run file yet"
                                   : "the recording ended before anything was written into the run file");
  else
    message = g_strdup_printf ("%s: the data reach until %s.%03d UTC",
                               is_growing ? "the run goes on"
                                          : "the recording ended early, because the process that wrote it was killed",
                               time, (int) (reach % G_USEC_PER_SEC / 1000));
  roast_recording_add_event (recording, NULL, reach, is_growing ? ROAST_SEVERITY_INFO : ROAST_SEVERITY_WARNING,
                             "run-file", message);
  add_end_gap (recording, is_growing, reach, time);
  if (is_growing)
    roast_recording_set_metadata (recording, "goes-on", g_variant_new_boolean (TRUE));
  if (reach >= 0 && !g_variant_lookup (metadata, "ended", "x", NULL))
    roast_recording_set_metadata (recording, "ended", g_variant_new_int64 (reach));
}

/* Report tables and columns that the older version which wrote the file did not record. Metrics that need these columns
 * report by themselves that they are not available. */
static void
report_lacking (RoastRunFile *self, RoastRecording *recording, GPtrArray *lacking)
{
  const char *version = g_hash_table_lookup (self->meta, "roast");
  g_autofree char *by = NULL;
  g_autofree char *all = NULL;
  g_autofree char *message = NULL;
  g_autoptr (GVariant) metadata = roast_recording_dup_metadata (recording);
  gint64 started = 0;

  if (version == NULL)
    g_variant_lookup (metadata, "roast-version", "&s", &version);
  g_variant_lookup (metadata, "started", "x", &started);
  by = version != NULL ? g_strdup_printf ("roast %s", version) : g_strdup ("another version of roast");
  g_ptr_array_add (lacking, NULL);
  all = g_strjoinv (", ", (char **) lacking->pdata);
  message = g_strdup_printf ("the run was recorded by %s, which did not have: %s", by, all);
  roast_recording_add_event (recording, NULL, started, ROAST_SEVERITY_INFO, "older-file", message);
  roast_recording_set_metadata (recording, "recorded-by", g_variant_new_string (by));
  roast_recording_set_metadata (recording, "lacking", g_variant_new_strv ((const char *const *) lacking->pdata, -1));
}

static gboolean
has_event (RoastRecording *recording, const char *message)
{
  g_autoptr (RoastTableReader) reader =
      roast_recording_read_table (recording, ROAST_TABLE_EVENTS, roast_events_columns, NULL);

  while (reader != NULL && roast_table_reader_next (reader))
    if (g_strcmp0 (roast_table_reader_get_string (reader, ROAST_EVENTS_MESSAGE), message) == 0)
      return TRUE;

  return FALSE;
}

/* Report rows that are missing from the file. The writer cannot always add this event, because the last transaction may
 * drop rows after the recording was finished. */
static void
report_missing (RoastRunFile *self, RoastRecording *recording)
{
  gint64 since = roast_run_file_lookup_time (self, ROAST_STORE_META_MISSING);
  gboolean by_limit = g_strcmp0 (g_hash_table_lookup (self->meta, ROAST_STORE_META_MISSING_WHY), "limit") == 0;
  const char *tables = g_hash_table_lookup (self->meta, ROAST_STORE_META_MISSING_TABLES);
  g_auto (GStrv) names = g_strsplit (tables != NULL ? tables : "", ",", -1);
  g_autofree char *message = since >= 0 ? roast_store_describe_missing (since, by_limit) : NULL;

  for (guint i = 0; since >= 0 && names[i] != NULL; i++)
    roast_recording_add_gap (recording, names[i], since, FALSE,
                             by_limit ? ROAST_STORE_GAP_LIMIT : ROAST_STORE_GAP_MEMORY);
  if (since >= 0 && names[0] == NULL)
    roast_recording_add_gap (recording, NULL, since, FALSE, ROAST_STORE_GAP_MEMORY);
  if (message != NULL && !has_event (recording, message))
    roast_recording_add_event (recording, NULL, -1, ROAST_SEVERITY_ERROR, "run-file", message);
}

/* Report damage as events, and set the problem of the file. */
static void
run_file_read_report_damage (RoastRunFile *self, RoastRecording *recording, const RoastStoreScan *scan,
                             GPtrArray *problems)
{
  g_autofree char *unknown = roast_store_scan_describe_unknown (scan);

  if (scan->n_damaged > 0)
    {
      g_ptr_array_add (problems, roast_store_scan_describe_damage (scan));
      roast_recording_add_gap (recording, NULL, -1, FALSE, ROAST_STORE_GAP_DAMAGE);
    }
  for (guint i = 0; i < problems->len; i++)
    {
      const char *message = g_ptr_array_index (problems, i);

      roast_recording_add_event (recording, NULL, -1, ROAST_SEVERITY_ERROR, "run-file", message);
      roast_store_file_set_problem (self->store, message);
    }
  if (unknown != NULL)
    roast_recording_add_event (recording, NULL, -1, ROAST_SEVERITY_INFO, "run-file", unknown);
}

/**
 * roast_run_file_read:
 * @self: a file
 * @error: return location for an error
 *
 * Makes a recording from the current contents of the file. The recording reads rows block by block, when they are
 * needed, so the file must stay in place. If the file is incomplete, an event of the recording names the time up to
 * which the file has data. If the file is damaged, events and [method@Roast.RunFile.dup_problem] say what is missing.
 * Tables and columns that did not exist in the version of roast that wrote the file are empty; an event lists these
 * tables and columns.
 *
 * Returns: (transfer full): a finished recording; %NULL with an error of the domain #RoastStoreError
 *
 * Since: 0.9
 */
RoastRecording *
roast_run_file_read (RoastRunFile *self, GError **error)
{
  g_autoptr (GMutexLocker) locker = NULL;
  g_autoptr (GPtrArray) lacking = NULL;
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  RoastRecording *recording = NULL;
  RoastStoreScan scan = { 0 };
  gboolean is_written;

  g_return_val_if_fail (ROAST_IS_RUN_FILE (self), NULL);
  g_return_val_if_fail (self->writer == NULL, NULL);

  locker = g_mutex_locker_new (&self->mutex);
  is_written = self->state == ROAST_RUN_FILE_STATE_GROWING;
  /* Do not check checksums while a process writes the file, because a page may be half written. */
  if (!is_written)
    scan = roast_store_scan (self->store->fd);
  recording =
      roast_store_reader_read (self->store, is_written, scan.n_unknown > 0, self->meta, problems, &lacking, error);
  if (recording == NULL)
    return NULL;
  check_state (self);
  if (self->state != ROAST_RUN_FILE_STATE_CLOSED)
    report_reach (self, recording);
  if (lacking->len > 0)
    report_lacking (self, recording, lacking);
  report_missing (self, recording);
  run_file_read_report_damage (self, recording, &scan, problems);
  roast_recording_finish (recording);

  return recording;
}

/**
 * roast_recording_open:
 * @path: (type filename): name of a run file
 * @error: return location for an error
 *
 * Reads a recording from a run file. Combines [func@Roast.RunFile.open] and [method@Roast.RunFile.read].
 *
 * Returns: (transfer full): a finished recording; %NULL with an error of the domain #RoastStoreError
 *
 * Since: 0.9
 */
RoastRecording *
roast_recording_open (const char *path, GError **error)
{
  g_autoptr (RoastRunFile) file = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  file = roast_run_file_open (path, error);

  return file != NULL ? roast_run_file_read (file, error) : NULL;
}
