/* SPDX-License-Identifier: BSD-3-Clause */
#include "inspect.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A plugin counts as hanging if it takes longer than this. The limit is longer than the time for which a session waits
 * for a backend. */
#define TIMEOUT 60 /* s */

#define STEP 'S'
#define PROBLEM 'P'

/* These are set only in the child process: the file descriptor to which it reports, and the path of the plugin. */
static int report_fd = -1;
static const char *report_path;

static void
write_record (char kind, const char *const *fields, gsize n)
{
  g_autoptr (GString) line = g_string_new (NULL);
  const char *rest;
  gsize left;

  g_string_append_c (line, kind);
  for (gsize i = 0; i < n; i++)
    {
      /* Escape tabs and newlines, because they separate fields and records. The parent process undoes this with
       * g_strcompress(). */
      g_autofree char *field = g_strescape (fields[i] != NULL ? fields[i] : "", NULL);

      g_string_append_printf (line, "\t%s", field);
    }
  g_string_append_c (line, '\n');
  for (rest = line->str, left = line->len; left > 0;)
    {
      ssize_t written = write (report_fd, rest, left);

      if (written < 0 && errno != EINTR)
        return;
      rest += MAX (written, 0);
      left -= (gsize) MAX (written, 0);
    }
}

void
inspect_child_step (const char *step)
{
  write_record (STEP, &step, 1);
}

void
inspect_child_report (const char *path, const char *code, const char *text, const char *cure)
{
  const char *fields[] = { path, code, text, cure };

  write_record (PROBLEM, fields, G_N_ELEMENTS (fields));
}

void
inspect_child_finding (RoastPlugin *plugin, const char *cure, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  inspect_child_report (roast_plugin_get_path (plugin), NULL, text, cure);
}

void
inspect_child_error (RoastPlugin *plugin, const GError *error)
{
  inspect_child_report (roast_plugin_get_path (plugin), inspect_error_code (error), error->message, NULL);
}

static gboolean
load_role (RoastPlugin *plugin, RoastRole role)
{
  g_auto (GStrv) names = roast_plugin_dup_provides (plugin, role);

  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *step = g_strdup_printf ("roast registers the type of %s:%s", inspect_role_name (role), *name);

      inspect_child_step (step);
      if (roast_plugin_get_provided_type (plugin, role, *name, &error) == G_TYPE_INVALID)
        {
          inspect_child_error (plugin, error);
          return FALSE;
        }
    }
  return TRUE;
}

gboolean
inspect_child_load (RoastPlugin *plugin)
{
  g_autoptr (GError) error = NULL;

  inspect_child_step ("roast opens the module");
  if (!roast_plugin_load (plugin, &error))
    {
      inspect_child_error (plugin, error);
      return FALSE;
    }
  return load_role (plugin, ROAST_ROLE_BACKEND) && load_role (plugin, ROAST_ROLE_AGGREGATOR) &&
         load_role (plugin, ROAST_ROLE_EXPORTER);
}

static void
on_log (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  g_autofree char *text = NULL;

  if ((level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING)) == 0)
    return;
  if (strstr (message, "ever_returned") != NULL)
    {
      inspect_child_report (report_path, NULL, "the plugin completes a task twice", "Complete each task once");
      return;
    }
  text = g_strdup_printf ("the plugin makes %s log an error: %s", domain != NULL ? domain : "itself", message);
  inspect_child_report (report_path, NULL, text, "Correct the plugin");
}

static void G_GNUC_NORETURN
be_child (InspectChildFunc func, gpointer data, int fd, const char *path)
{
  report_fd = fd;
  report_path = path;
  /* Redirect what the plugin prints to standard error, because the parent process prints the result on standard
   * output. */
  dup2 (STDERR_FILENO, STDOUT_FILENO);
  g_log_set_default_handler (on_log, NULL);
  func (data);
  _exit (0);
}

/* Adds @finding, and takes ownership of it. If there already is an equal finding, for example from an earlier cycle,
 * drops it. */
static void
add_finding (GPtrArray *findings, char **finding)
{
  for (guint i = 0; i < findings->len; i++)
    {
      char **known = g_ptr_array_index (findings, i);

      if (g_str_equal (known[INSPECT_PATH], finding[INSPECT_PATH]) &&
          g_str_equal (known[INSPECT_TEXT], finding[INSPECT_TEXT]))
        {
          g_strfreev (finding);
          return;
        }
    }
  g_ptr_array_add (findings, finding);
}

void
inspect_take_findings (GPtrArray *findings, GPtrArray *more)
{
  while (more->len > 0)
    add_finding (findings, g_ptr_array_steal_index (more, 0));
  g_ptr_array_unref (more);
}

/* Parses the records. Returns the last step that the child process reported. */
static char *
parse_records (GString *records, GPtrArray *findings)
{
  g_auto (GStrv) lines = g_strsplit (records->str, "\n", -1);
  char *step = g_strdup ("roast starts");

  for (char **line = lines; *line != NULL; line++)
    {
      char **fields = g_strsplit (*line, "\t", -1);

      for (char **field = fields; *field != NULL; field++)
        {
          char *plain = g_strcompress (*field);

          g_free (*field);
          *field = plain;
        }
      if (**line == PROBLEM && g_strv_length (fields) == INSPECT_N_FIELDS)
        {
          add_finding (findings, fields);
          continue;
        }
      if (**line == STEP && g_strv_length (fields) == 2)
        {
          g_free (step);
          step = g_strdup (fields[1]);
        }
      g_strfreev (fields);
    }
  return step;
}

/* Reads the output of a child process to its end. Returns FALSE if the end did not come within @seconds. */
static gboolean
read_output (int fd, GString *output, guint seconds)
{
  gint64 deadline = g_get_monotonic_time () + (gint64) seconds * G_USEC_PER_SEC;
  char buffer[4096];

  for (;;)
    {
      struct pollfd readable = { fd, POLLIN, 0 };
      gint64 left = (deadline - g_get_monotonic_time ()) / 1000;
      ssize_t n;

      if (left <= 0)
        return FALSE;
      if (poll (&readable, 1, (int) left) <= 0)
        continue;
      n = read (fd, buffer, sizeof buffer);
      if (n == 0 || (n < 0 && errno != EINTR))
        return TRUE;
      g_string_append_len (output, buffer, MAX (n, 0));
    }
}

gboolean
inspect_wait (pid_t pid, int fd, GString *output, guint seconds, int *status)
{
  gboolean in_time = read_output (fd, output, seconds);

  close (fd);
  if (!in_time)
    kill (pid, SIGKILL);
  while (waitpid (pid, status, 0) < 0 && errno == EINTR)
    continue;

  return in_time;
}

static void
add_end (GPtrArray *findings, const char *path, int status, gboolean in_time, const char *step)
{
  g_autofree char *text = NULL;

  if (!in_time)
    text = g_strdup_printf ("the plugin hangs while %s: roast-inspect stopped the plugin after %d s", step, TIMEOUT);
  else if (WIFSIGNALED (status))
    text = g_strdup_printf ("the plugin crashes while %s: signal %d (%s)", step, WTERMSIG (status),
                            strsignal (WTERMSIG (status)));
  else if (WEXITSTATUS (status) != 0)
    text = g_strdup_printf ("the plugin ends the process while %s: exit status %d", step, WEXITSTATUS (status));
  if (text != NULL)
    {
      const char *const finding[] = {
        "", path, "crash", text, "Correct the plugin: run valgrind roast-inspect --check to find the fault", NULL
      };

      g_ptr_array_add (findings, g_strdupv ((char **) finding));
    }
}

GPtrArray *
inspect_run_in_child (InspectChildFunc func, gpointer data, const char *path)
{
  GPtrArray *findings = NULL;
  g_autoptr (GString) records = NULL;
  g_autofree char *step = NULL;
  gboolean in_time;
  int fds[2], status = 0;
  pid_t pid;

  if (pipe2 (fds, O_CLOEXEC) < 0)
    g_error ("roast-inspect: cannot create a pipe: %s", g_strerror (errno));
  pid = fork ();
  if (pid < 0)
    g_error ("roast-inspect: cannot start a process: %s", g_strerror (errno));
  if (pid == 0)
    be_child (func, data, fds[1], path);
  close (fds[1]);
  /* Allocate these arrays only after the fork, because valgrind would otherwise report them as lost in the child
   * process. */
  findings = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  records = g_string_new (NULL);
  in_time = inspect_wait (pid, fds[0], records, TIMEOUT, &status);
  step = parse_records (records, findings);
  add_end (findings, path, status, in_time, step);
  return findings;
}

static void
print_findings (GPtrArray *findings)
{
  const char *before = "";

  for (guint i = 0; i < findings->len; i++)
    {
      char **finding = g_ptr_array_index (findings, i);
      const char *path = finding[INSPECT_PATH], *cure = finding[INSPECT_CURE], *text = finding[INSPECT_TEXT];

      /* Skip the path at the start of a plugin's error message, because the path is already printed as the heading. */
      if (g_str_has_prefix (text, path) && g_str_has_prefix (text + strlen (path), ": "))
        text += strlen (path) + 2;
      if (!g_str_equal (before, path))
        inspect_print ("%s\n", path);
      inspect_print ("  %s%s%s\n", text, *cure != '\0' ? ". " : "", cure);
      before = path;
    }
}

static void
json_finding (JsonBuilder *builder, gpointer data)
{
  static const char *const keys[] = {
    [INSPECT_PATH] = "path", [INSPECT_CODE] = "code", [INSPECT_TEXT] = "message", [INSPECT_CURE] = "cure"
  };
  char **finding = data;

  json_builder_begin_object (builder);
  for (guint field = INSPECT_PATH; field < INSPECT_N_FIELDS; field++)
    inspect_json_string (builder, keys[field], *finding[field] != '\0' ? finding[field] : NULL);
  json_builder_end_object (builder);
}

int
inspect_end_findings (GPtrArray *findings, gboolean json, const char *none)
{
  if (json)
    inspect_print_json_list (findings, json_finding);
  else if (findings->len == 0)
    inspect_print ("%s\n", none);
  else
    print_findings (findings);

  return findings->len == 0 ? INSPECT_FINE : INSPECT_BROKEN;
}
