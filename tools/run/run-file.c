/* SPDX-License-Identifier: BSD-3-Clause */
#include "run-file.h"

#include "keeper-file.h"
#include "keeper.h"
#include "run-meta.h"
#include "tool.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MUCH ((gsize) 4 << 20) /* bytes; if nothing reads the run file, rows of up to this size stay in memory */

struct _RunFile
{
  RoastSession *session;
  RoastRuns *runs; /* directory of kept runs; NULL if the user gave the name of the file */
  char *path;
  RoastRunFile *file; /* NULL if the run cannot be kept */
  char *problem;      /* reason why the run cannot be kept or why the file is incomplete; NULL if there is none */
  gboolean is_removed;
  dev_t device; /* device and inode of the file after it was created; they show whether it was replaced */
  ino_t number;
  RunSave save;
  gboolean announces;
};

void
run_file_free (RunFile *self)
{
  g_clear_object (&self->file);
  g_clear_object (&self->runs);
  g_clear_object (&self->session);
  g_free (self->path);
  g_free (self->problem);
  g_free (self);
}

static gboolean
choose_path (RunFile *self, const RunOptions *options, GError **error)
{
  if (options->save == RUN_SAVE_FILE)
    {
      self->path = g_canonicalize_filename (options->save_file, NULL);
      return TRUE;
    }
  self->runs = roast_runs_new (error);
  if (self->runs != NULL)
    self->path = roast_runs_begin (self->runs, error);

  return self->path != NULL;
}

static const char *
get_place (RunFile *self)
{
  return roast_run_file_get_path (self->file);
}

const char *
run_file_get_place (RunFile *self)
{
  return self->file != NULL ? get_place (self) : NULL;
}

static void
remember_identity (RunFile *self)
{
  struct stat info;

  if (stat (get_place (self), &info) != 0)
    return;
  self->device = info.st_dev;
  self->number = info.st_ino;
}

/* Closes the file. If the final path is on a network file system, the file is also moved there. */
static gboolean
close_file (RunFile *self, GError **error)
{
  g_autofree char *before = g_strdup (get_place (self));
  gboolean success = roast_run_file_close (self->file, error);

  if (!g_str_equal (get_place (self), before))
    remember_identity (self);

  return success;
}

/* Returns whether another process removed or replaced the file. */
static gboolean
is_gone (RunFile *self)
{
  struct stat info;

  return self->number != 0 &&
         (stat (get_place (self), &info) != 0 || info.st_dev != self->device || info.st_ino != self->number);
}

static gboolean
goes_to_standard_error (const ExportOption *export, const struct stat *standard_error)
{
  struct stat target;

  if (export->target == NULL)
    return TRUE;
  if (g_str_equal (export->target, "-") ? fstat (STDOUT_FILENO, &target) != 0 : stat (export->target, &target) != 0)
    return FALSE;

  return target.st_dev == standard_error->st_dev && target.st_ino == standard_error->st_ino;
}

/* Returns whether printing a line on standard error is allowed. It is not allowed if the user chose --quiet, or if a
 * report for programs goes to standard error. */
static gboolean
is_note_welcome (const RunOptions *options)
{
  struct stat standard_error;

  if (options->quiet || fstat (STDERR_FILENO, &standard_error) != 0)
    return FALSE;
  for (guint i = 0; i < options->exports->len; i++)
    {
      const ExportOption *export = g_ptr_array_index (options->exports, i);

      if (!g_str_equal (export->name, "table") && goes_to_standard_error (export, &standard_error))
        return FALSE;
    }

  return TRUE;
}

/* Quotes a word for a shell, unless it needs no quotes. @plain contains additional characters that need no quotes. */
static char *
quote (const char *word, const char *plain)
{
  g_autofree char *pattern = g_strconcat ("^[\\w@%+=:,./", plain, "-]+$", NULL);

  return g_regex_match_simple (pattern, word, 0, 0) ? g_strdup (word) : g_shell_quote (word);
}

/* Returns a note that says where the run is kept, why it is incomplete, and with which command it can be shown
 * again. */
static char *
make_note (RunFile *self)
{
  const char *path = get_place (self);
  RoastRuns *runs = g_str_equal (path, self->path) ? self->runs : NULL;
  g_autoptr (GString) text = g_string_new ("this run is kept");
  const char *reason = runs != NULL ? roast_runs_get_reason (runs) : NULL;
  g_autofree char *name = runs != NULL ? g_path_get_basename (path) : quote (path, "");

  if (reason != NULL)
    g_string_append_printf (text, " in %s, because %s", roast_runs_get_directory (runs), reason);
  if (self->problem != NULL)
    g_string_append_printf (text, ", but %s", self->problem);
  if (runs != NULL && g_str_has_suffix (name, ".roast"))
    name[strlen (name) - strlen (".roast")] = '\0';
  g_string_append_printf (text, "; “roast-report %s” shows this run again", name);

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
create (RunFile *self, const RunOptions *options, GError **error)
{
  g_autofree char *note = NULL;

  if (!choose_path (self, options, error))
    return FALSE;
  self->file = roast_run_file_create (self->path, error);
  if (self->file == NULL)
    {
      if (self->runs == NULL && g_file_test (self->path, G_FILE_TEST_EXISTS))
        g_prefix_error (error, "--save does not overwrite a file. Remove the file or choose another name: ");
      if (self->runs != NULL)
        roast_runs_end (self->runs, self->path);
      return FALSE;
    }
  /* Limit the size of the file only if the user did not ask to keep the run. */
  if (self->save == RUN_SAVE_DEFAULT || self->save == RUN_SAVE_NOT)
    roast_run_file_set_max_size (self->file, roast_runs_get_max_run_size (self->runs));
  remember_identity (self);
  /* Pass the ID of the keeper, which is the parent of this process, because the keeper makes a report from the file if
   * this process is killed. */
  if (self->save == RUN_SAVE_NOT && self->runs != NULL)
    roast_runs_mark_scratch (self->runs, self->path, getppid ());
  note = make_note (self);
  keeper_set_file (get_place (self), note, self->save == RUN_SAVE_NOT);
  roast_run_file_attach (self->file, roast_session_get_recording (self->session));

  return TRUE;
}

/* Returns whether nothing reads the run file, because neither the session nor the keeper makes a report from it and
 * roast-top does not run. */
static gboolean
is_unread (const RunOptions *options)
{
  return options->save == RUN_SAVE_NOT && options->exports->len == 0 && !options->top;
}

gboolean
run_file_begin (const RunOptions *options, RoastSession *session, RunFile **file, GError **error)
{
  g_autoptr (RunFile) self = g_new0 (RunFile, 1);
  g_autoptr (GError) local = NULL;

  *file = NULL;
  self->session = g_object_ref (session);
  self->save = options->save;
  self->announces = is_note_welcome (options);
  if (!is_unread (options) && !create (self, options, &local))
    {
      if (self->save == RUN_SAVE_RUNS || self->save == RUN_SAVE_FILE)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      self->problem = g_strdup (local->message);
    }
  *file = g_steal_pointer (&self);

  return TRUE;
}

gboolean
run_file_free_memory (RunFile *self, const RunOptions *options)
{
  if (!is_unread (options))
    return FALSE;
  if (roast_recording_get_memory (roast_session_get_recording (self->session), NULL) < MUCH)
    return TRUE;
  if (create (self, options, NULL))
    run_file_describe (self);

  return FALSE;
}

void
run_file_set_report (RunFile *self, const RunOptions *options)
{
  g_autoptr (GPtrArray) command = g_ptr_array_new_with_free_func (g_free);

  if (self->file == NULL || options->exports->len == 0)
    return;
  g_ptr_array_add (command, tool_find ("roast-report"));
  if (options->color != NULL)
    g_ptr_array_add (command, g_strdup_printf ("--color=%s", options->color));
  for (guint i = 0; i < options->exports->len; i++)
    {
      g_autofree char *text = export_option_dup_text (g_ptr_array_index (options->exports, i), "/dev/stderr");

      g_ptr_array_add (command, g_strconcat ("--export=", text, NULL));
    }
  if (!options->quiet)
    g_ptr_array_add (command, g_strdup ("--fallback=table:/dev/stderr"));
  g_ptr_array_add (command, g_strdup (get_place (self)));
  g_ptr_array_add (command, NULL);
  keeper_set_report_command ((const char *const *) command->pdata);
}

/* Stores the command, quoted for a shell. Words that may be secrets are left out. */
static void
set_command (RoastRunFile *file, GVariant *metadata)
{
  g_autofree const char **argv = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  if (!g_variant_lookup (metadata, "command", "^a&s", &argv))
    return;
  for (guint i = 0; argv[i] != NULL; i++)
    {
      g_autofree char *quoted = quote (argv[i], "*");

      g_string_append_printf (text, "%s%s", i > 0 ? " " : "", quoted);
    }
  roast_run_file_set_meta (file, "command", text->str);
}

static void
set_tags (RoastRunFile *file, GVariant *metadata)
{
  g_autoptr (GVariantIter) iter = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  const char *key = NULL;
  const char *value = NULL;

  if (!g_variant_lookup (metadata, "tags", "a{ss}", &iter))
    return;
  while (g_variant_iter_next (iter, "{&s&s}", &key, &value))
    {
      g_autofree char *meta = g_strconcat ("tag.", key, NULL);

      g_string_append_printf (text, "%s%s=%s", text->len > 0 ? " " : "", key, value);
      roast_run_file_set_meta (file, meta, value);
    }
  if (text->len > 0)
    roast_run_file_set_meta (file, "tags", text->str);
}

static void
set_backends (RoastRunFile *file, GVariant *metadata)
{
  g_autofree const char **backends = NULL;
  g_autofree char *text = NULL;

  if (!g_variant_lookup (metadata, "backends", "^a&s", &backends))
    return;
  text = g_strjoinv (",", (char **) backends);
  roast_run_file_set_meta (file, "backends", text);
}

void
run_file_describe (RunFile *self)
{
  static const char *const keys[] = { "run-id", "host", "kernel", "python", "started", "cores", NULL };
  g_autoptr (GVariant) metadata = NULL;

  if (self->file == NULL)
    return;
  metadata = roast_recording_dup_metadata (roast_session_get_recording (self->session));
  set_command (self->file, metadata);
  set_tags (self->file, metadata);
  set_backends (self->file, metadata);
  run_meta_set (self->file, metadata, keys);
  roast_run_file_set_meta (self->file, "roast", ROAST_VERSION_S);
}

/* Stores the versions that executors reported, each together with the name of its executor. */
static void
set_versions (RoastRunFile *file, RoastRecording *recording)
{
  g_autoptr (RoastTableReader) sources =
      roast_recording_read_table (recording, ROAST_TABLE_SOURCES, roast_sources_columns, NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  while (roast_table_reader_next (sources))
    if (roast_table_reader_has (sources, ROAST_SOURCES_VERSION))
      g_string_append_printf (text, "%s%s: %s", text->len > 0 ? "; " : "",
                              roast_table_reader_get_string (sources, ROAST_SOURCES_SOURCE),
                              roast_table_reader_get_string (sources, ROAST_SOURCES_VERSION));
  if (text->len > 0)
    roast_run_file_set_meta (file, "versions", text->str);
}

/* Returns a text about rows that are missing although the file was written without errors; NULL if no rows are
 * missing. */
static char *
describe_gap (RoastRunFile *file)
{
  gint64 since = roast_run_file_get_missing_since (file);
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (MAX (since, 0) / G_USEC_PER_SEC);
  g_autofree char *time = g_date_time_format (utc, "%F %T UTC");

  return since >= 0 ? g_strdup_printf ("incomplete: for rows from %s on, only sums are kept", time) : NULL;
}

static char *
describe_failure (RunFile *self, const GError *error)
{
  RoastRunFile *file = self->file;

  if (self->is_removed)
    return g_strdup_printf ("%s was removed or replaced during the run", get_place (self));
  if (roast_run_file_get_reach (file) < 0)
    return g_strdup (error->message);
  if (roast_run_file_get_state (file) == ROAST_RUN_FILE_STATE_CLOSED)
    return g_strconcat ("not as intended: ", error->message, NULL);

  return g_strconcat ("incomplete: ", error->message, NULL);
}

static void
set_status (RoastRunFile *file, int wait_status)
{
  g_autofree char *text = NULL;

  if (wait_status < 0)
    return;
  text = WIFSIGNALED (wait_status) ? g_strdup_printf ("signal %d", WTERMSIG (wait_status))
                                   : g_strdup_printf ("exit %d", WEXITSTATUS (wait_status));
  roast_run_file_set_meta (file, "status", text);
}

/* Stores the reason why rows are missing, for example that the supervisor was lost. Lists of runs show this reason. */
static void
set_incomplete (RoastRunFile *file, GVariant *metadata)
{
  g_autoptr (GVariantIter) gaps = NULL;
  const char *table = NULL;
  GVariant *reason = NULL;

  if (!g_variant_lookup (metadata, "incomplete", "a{sv}", &gaps))
    return;
  while (g_variant_iter_loop (gaps, "{&sv}", &table, &reason))
    if (g_variant_is_of_type (reason, G_VARIANT_TYPE_STRING))
      roast_run_file_set_meta (file, "incomplete", g_variant_get_string (reason, NULL));
}

void
run_file_end (RunFile *self, int wait_status)
{
  static const char *const keys[] = { "started", "ended", "tree-elapsed", "host", NULL };
  g_autoptr (GVariant) metadata = NULL;
  g_autoptr (GError) error = NULL;
  RoastRecording *recording = NULL;

  if (self->file == NULL)
    return;
  recording = roast_session_get_recording (self->session);
  metadata = roast_recording_dup_metadata (recording);
  /* Store the start time again, because a backend that reads logs of a past run replaces it with the start of that
   * run. */
  run_meta_set (self->file, metadata, keys);
  set_backends (self->file, metadata);
  set_versions (self->file, recording);
  set_incomplete (self->file, metadata);
  set_status (self->file, wait_status);
  if (close_file (self, &error))
    self->problem = describe_gap (self->file);
  else
    {
      self->is_removed = is_gone (self);
      self->problem = describe_failure (self, error);
    }
  if (self->is_removed && self->runs != NULL)
    roast_runs_end (self->runs, self->path);
  else if (self->problem != NULL && roast_run_file_get_reach (self->file) < 0)
    run_file_discard (self);
  else if (self->runs != NULL && self->save != RUN_SAVE_NOT)
    roast_runs_end (self->runs, self->path);
}

gboolean
run_file_is_whole (const RunFile *self)
{
  return self->file != NULL && !self->is_removed && self->problem == NULL && self->save != RUN_SAVE_NOT;
}

gboolean
run_file_is_plain (RunFile *self)
{
  g_autofree char *log = self->file != NULL ? g_strconcat (self->path, "-wal", NULL) : NULL;

  return log == NULL || (self->problem == NULL && !g_file_test (log, G_FILE_TEST_EXISTS));
}

void
run_file_announce (RunFile *self)
{
  g_autofree char *note = NULL;

  keeper_set_file (NULL, NULL, FALSE);
  if (self->save == RUN_SAVE_NOT)
    {
      run_file_discard (self);
      return;
    }
  if (self->file == NULL || self->is_removed)
    note = g_strdup_printf ("this run is not kept: %s", self->problem);
  else
    note = make_note (self);
  if (self->announces || (self->problem != NULL && self->save != RUN_SAVE_DEFAULT))
    g_printerr ("roast-run: %s\n", note);
}

void
run_file_discard (RunFile *self)
{
  if (self == NULL)
    return;
  keeper_set_file (NULL, NULL, FALSE);
  if (self->file == NULL || self->is_removed)
    return;
  self->is_removed = TRUE;
  close_file (self, NULL);
  if (!is_gone (self))
    keeper_file_remove (get_place (self));
  if (self->runs != NULL)
    roast_runs_end (self->runs, self->path);
}
