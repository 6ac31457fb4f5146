/* SPDX-License-Identifier: BSD-3-Clause */

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "vine-manager.h"

#include "vine-log.h"
#include "vine-status.h"

#define CLOCKS 60                 /* s that the clock of another machine may be wrong */
#define LOOK (2 * G_USEC_PER_SEC) /* between two looks at all processes: each takes some ms */

struct _VineManager
{
  RoastRecording *recording;
  VineManagerOptions options;
  char *source, *directory, *version;
  int pid;
  guint64 device, inode;
  guint16 port;
  VineLog *transactions, *performance; /* performance may be NULL */
  VineReplay *replay;
  VinePerformance *rows;
  gboolean over, shorter, broken;
  guint64 lines_then; /* when it was looked whether it is alive */
  gint64 looked;      /* monotonic, µs */
};

VineManager *
vine_manager_new (RoastRecording *recording, VineFinding *finding, const VineManagerOptions *options)
{
  VineManager *self = g_new0 (VineManager, 1);
  g_autofree char *address = NULL;

  self->recording = g_object_ref (recording);
  self->options = *options;
  self->directory = g_strdup (finding->directory);
  self->pid = finding->pid;
  self->device = finding->device;
  self->inode = finding->inode;
  self->port = finding->port;
  self->transactions = vine_log_new_for_fd (finding->transactions);
  if (finding->performance >= 0)
    self->performance = vine_log_new_for_fd (finding->performance);
  finding->transactions = finding->performance = -1;
  address = g_utf8_make_valid (self->directory, -1);
  self->source = roast_recording_add_source (recording, "taskvine", address, NULL, NULL);
  self->replay = vine_replay_new (recording, self->source, &options->replay);
  self->rows = vine_performance_new (recording, self->source, options->replay.interval);

  return self;
}

void
vine_manager_free (VineManager *self)
{
  vine_replay_free (self->replay);
  vine_performance_free (self->rows);
  vine_log_free (self->transactions);
  g_clear_pointer (&self->performance, vine_log_free);
  g_object_unref (self->recording);
  g_free (self->source);
  g_free (self->directory);
  g_free (self->version);
  g_free (self);
}

/* ---- reading ---- */

static void
take_transaction (const char *line, gsize length, gpointer user_data)
{
  vine_replay_take_line (((VineManager *) user_data)->replay, line, length);
}

static void
take_performance (const char *line, gsize length, gpointer user_data)
{
  vine_performance_take_line (((VineManager *) user_data)->rows, line, length);
}

gboolean
vine_manager_read (VineManager *self, gsize bytes)
{
  VineLogState state;
  gboolean more = FALSE;

  if (self->over)
    return FALSE;
  if (self->performance != NULL)
    more = vine_log_read (self->performance, bytes, take_performance, self) == VINE_LOG_MORE;
  state = vine_log_read (self->transactions, bytes, take_transaction, self);
  self->shorter = state == VINE_LOG_SHORTER;
  self->broken |= state == VINE_LOG_BROKEN;

  return more || state == VINE_LOG_MORE;
}

void
vine_manager_flush (VineManager *self)
{
  if (!self->over)
    vine_replay_flush (self->replay);
}

gboolean
vine_manager_is_over (VineManager *self)
{
  return self->over || vine_replay_get_ended (self->replay) >= 0;
}

gboolean
vine_manager_is_alive (VineManager *self)
{
  double age = vine_log_get_age (self->transactions);
  /* A copy is younger than what is in it. */
  double silence = (double) (g_get_real_time () - vine_replay_get_last (self->replay)) / G_USEC_PER_SEC;

  if (vine_manager_is_over (self) || self->broken)
    return FALSE;
  if (self->pid > 0)
    return vine_discovery_is_alive (self->pid);
  if (vine_discovery_is_in_use (self->device, self->inode))
    return TRUE;
  /* It may run on another machine, unless it was started here. Its log has no heartbeat: whether it lives is only known
   * while it writes. */
  return self->pid == 0 && age >= 0 && age < self->options.quiet && silence < self->options.quiet + CLOCKS;
}

gboolean
vine_manager_seems_alive (VineManager *self)
{
  guint64 lines = vine_replay_get_counts (self->replay)->lines;
  gint64 now = g_get_monotonic_time ();
  gboolean grew = lines != self->lines_then;

  if (vine_manager_is_over (self) || self->broken)
    return FALSE;
  self->lines_then = lines;
  if (grew || now < self->looked + LOOK)
    return TRUE;
  self->looked = now;

  return vine_manager_is_alive (self);
}

VineManager *
vine_manager_follow (VineManager *self)
{
  g_autoptr (VineFinding) finding = NULL;
  VineManager *next = NULL;

  if (!self->shorter || self->over)
    return NULL;
  finding = vine_discovery_open_path (self->directory, NULL);
  vine_manager_finish (self, "its log was written anew by another manager");
  if (finding == NULL)
    return NULL;
  finding->pid = self->pid;
  next = vine_manager_new (self->recording, finding, &self->options);

  return next;
}

/* ---- the end ---- */

static void
note (VineManager *self, RoastSeverity severity, const char *kind, const char *message)
{
  roast_recording_add_event (self->recording, self->source, -1, severity, kind, message);
}

static void
tell_of_files (VineManager *self)
{
  guint64 bad = vine_performance_get_n_bad (self->rows);
  gsize torn = vine_log_get_torn (self->transactions);
  guint64 n_long = vine_log_get_n_long (self->transactions);

  if (torn > 0)
    {
      g_autofree char *message =
          g_strdup_printf ("the transactions log ends in the middle of a line: %" G_GSIZE_FORMAT " bytes are left out",
                           torn);

      note (self, ROAST_SEVERITY_WARNING, "torn-line", message);
    }
  if (n_long > 0)
    {
      g_autofree char *message =
          g_strdup_printf ("%" G_GUINT64_FORMAT " lines of the transactions log are too long for any record: left out",
                           n_long);

      note (self, ROAST_SEVERITY_WARNING, "unusable-lines", message);
    }
  if (bad > 0)
    {
      g_autofree char *message =
          g_strdup_printf ("%" G_GUINT64_FORMAT
                           " lines of the performance log are unusable: the manager's own time and the cluster's "
                           "samples lack them",
                           bad);

      note (self, ROAST_SEVERITY_WARNING, "unusable-lines", message);
    }
  if (self->performance == NULL)
    note (self, ROAST_SEVERITY_WARNING, "no-performance-log",
          "the performance log cannot be read: the manager's own time and the cluster's samples are missing");
  if (vine_log_is_deleted (self->transactions))
    note (self, ROAST_SEVERITY_WARNING, "log-deleted",
          "the logs were deleted while they were read: what was there until then is here");
  if (self->broken)
    note (self, ROAST_SEVERITY_ERROR, "log-broken",
          "the transactions log cannot be read any more: what follows is missing");
}

/* Only now it is known what there was. */
static void
describe (VineManager *self)
{
  static const char *const columns[] = { "source", "version", "capabilities", "activities", NULL };
  const char *version = vine_performance_get_version (self->rows);
  g_autofree char *written = version != NULL ? g_strconcat ("TaskVine ", version, " (by its columns)", NULL) : NULL;
  gboolean all = TRUE;
  gboolean some = vine_replay_is_measured (self->replay, &all);
  Sheet sheet = { 0 };

  sheet_open (&sheet, self->recording, "sources", columns);
  sheet_begin (&sheet, self->source);
  sheet_set_text (&sheet, 1, self->version != NULL ? self->version : written);
  sheet_set_text (&sheet, 2,
                  some ? "workers, attempts with every phase, transfers, libraries, the manager's own time; CPU time, "
                         "memory and bytes of tasks "
                         "by the resource monitor"
                       : "workers, attempts with every phase, transfers, libraries, the manager's own time; fine "
                         "metrics not available: the "
                         "resource monitor was off (enable_monitoring())");
  sheet_set_text (&sheet, 3, some ? "cpu" : "none");
  sheet_end (&sheet);
  sheet_clear (&sheet);
  if (some && !all)
    note (self, ROAST_SEVERITY_INFO, "partly-measured",
          "the resource monitor measured some attempts only: of the others, time in tasks is neither computing nor "
          "waiting");
}

/* Python does not delete what is in a global variable when it ends: such a manager writes no end, and nothing is wrong.
 */
static void
tell_of_no_end (VineManager *self, const char *why)
{
  const VineCounts *counts = vine_replay_get_counts (self->replay);
  g_autofree char *message = NULL;

  if (counts->interrupted == 0 && counts->waiting == 0 && !self->shorter)
    {
      note (self, ROAST_SEVERITY_INFO, "interrupted",
            "the log has no end of the manager, but all that was submitted is done: as where a manager is in a global "
            "variable of a Python script");
      return;
    }
  message = g_strdup_printf ("the log has no end of the manager (%s): %" G_GUINT64_FORMAT
                             " attempts that were under way are closed with its last "
                             "line, %" G_GUINT64_FORMAT " were still waiting",
                             why, counts->interrupted, counts->waiting);
  note (self, ROAST_SEVERITY_WARNING, "interrupted", message);
}

static void
tell_of_waiting (VineManager *self, gboolean ended)
{
  g_autofree char *message = g_strdup_printf ("%" G_GUINT64_FORMAT " tasks were still waiting when the %s",
                                              vine_replay_get_counts (self->replay)->waiting,
                                              ended ? "manager ended: they never ran" : "measurement was stopped");

  note (self, ended ? ROAST_SEVERITY_WARNING : ROAST_SEVERITY_INFO, "not-run", message);
}

void
vine_manager_finish (VineManager *self, const char *why)
{
  gboolean ended = vine_replay_get_ended (self->replay) >= 0;

  if (self->over)
    return;
  vine_performance_finish (self->rows);
  vine_replay_finish (self->replay, self->rows, why == NULL ? g_get_real_time () : -1);
  self->over = TRUE;
  if (vine_replay_get_last (self->replay) < 0)
    note (self, ROAST_SEVERITY_WARNING, "empty-log", "the transactions log tells of nothing: is it one of TaskVine?");
  else if (!ended && why != NULL)
    tell_of_no_end (self, why);
  else if (vine_replay_get_counts (self->replay)->waiting > 0)
    tell_of_waiting (self, ended);
  tell_of_files (self);
  describe (self);
}

/* ---- what the status adds ---- */

static void
take_worker (VineManager *self, JsonObject *worker)
{
  const char *address = vine_status_get_text (worker, "addrport");
  const char *host = vine_status_get_text (worker, "hostname");
  double disk = vine_status_get_number (worker, "disk_inuse");
  double time = vine_status_get_number (worker, "current_time");

  if (address == NULL || strchr (address, ':') == NULL || strlen (address) > 200)
    return;
  if (host != NULL && *host != '\0' && strlen (host) < 200)
    vine_replay_set_host (self->replay, address, host);
  if (disk >= 0 && disk < 1e9 && time > 1e15 && time < 1e17)
    vine_replay_set_disk (self->replay, address, (gint64) time, llround (disk * (1 << 20)));
}

void
vine_manager_take_status (VineManager *self, const char *what, JsonArray *status)
{
  for (guint i = 0; i < json_array_get_length (status); i++)
    {
      JsonNode *node = json_array_get_element (status, i);
      JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;

      if (object == NULL || self->over)
        continue;
      if (g_str_equal (what, "worker"))
        take_worker (self, object);
      else if (self->version == NULL && vine_status_get_text (object, "version") != NULL)
        self->version = g_strconcat ("TaskVine ", vine_status_get_text (object, "version"), NULL);
    }
}

/* ---- questions ---- */

gboolean
vine_manager_is_same (VineManager *self, guint64 device, guint64 inode)
{
  return vine_log_is_same (self->transactions, device, inode);
}

VineReplay *
vine_manager_get_replay (VineManager *self)
{
  return self->replay;
}

gboolean
vine_manager_is_local (VineManager *self)
{
  return self->pid != 0 || vine_discovery_is_in_use (self->device, self->inode);
}

guint16
vine_manager_get_port (VineManager *self)
{
  return self->port;
}

const char *
vine_manager_get_source (VineManager *self)
{
  return self->source;
}
