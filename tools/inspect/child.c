/* SPDX-License-Identifier: BSD-3-Clause */
#include "inspect.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A plugin that needs longer counts as hanging. A session waits less for a backend. */
#define TIMEOUT_MS 60000

#define STEP 'S'
#define PROBLEM 'P'

/* In the child: the descriptor for its reports, and the path of the plugin. */
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
      /* Escape tabs and newlines, which separate fields and records. g_strcompress() undoes this in the parent. */
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
      g_autofree char *step = g_strdup_printf ("registering the type of %s:%s", inspect_role_name (role), *name);

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

  inspect_child_step ("opening the module");
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
      inspect_child_report (report_path, NULL, "it completes a task twice", "Complete each task once");
      return;
    }
  text = g_strdup_printf ("it makes %s log an error: %s", domain != NULL ? domain : "itself", message);
  inspect_child_report (report_path, NULL, text, "Correct the plugin");
}

static void G_GNUC_NORETURN
be_child (InspectChildFunc func, gpointer data, int fd, const char *path)
{
  report_fd = fd;
  report_path = path;
  /* Standard output belongs to the parent. */
  dup2 (STDERR_FILENO, STDOUT_FILENO);
  g_log_set_default_handler (on_log, NULL);
  func (data);
  _exit (0);
}

static void
finding_free (gpointer data)
{
  InspectFinding *self = data;

  g_free (self->path);
  g_free (self->code);
  g_free (self->text);
  g_free (self->cure);
  g_free (self);
}

static InspectFinding *
finding_new (const char *path, const char *code, const char *text, const char *cure)
{
  InspectFinding *self = g_new0 (InspectFinding, 1);

  self->path = g_strdup (path);
  self->code = code != NULL && *code != '\0' ? g_strdup (code) : NULL;
  self->text = g_strdup (text);
  self->cure = cure != NULL && *cure != '\0' ? g_strdup (cure) : NULL;
  return self;
}

/* Adds a finding, and takes ownership. Drops duplicates, such as a finding that repeats in each cycle. */
static void
add_finding (GPtrArray *findings, InspectFinding *finding)
{
  for (guint i = 0; i < findings->len; i++)
    {
      InspectFinding *known = g_ptr_array_index (findings, i);

      if (g_str_equal (known->path, finding->path) && g_str_equal (known->text, finding->text))
        {
          finding_free (finding);
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

/* Parses the records. Returns the last step that the child reported. */
static char *
parse_records (GString *records, GPtrArray *findings)
{
  g_auto (GStrv) lines = g_strsplit (records->str, "\n", -1);
  char *step = g_strdup ("starting");

  for (char **line = lines; *line != NULL; line++)
    {
      g_auto (GStrv) fields = g_strsplit (*line, "\t", -1);

      for (char **field = fields; *field != NULL; field++)
        {
          char *plain = g_strcompress (*field);

          g_free (*field);
          *field = plain;
        }
      if (**line == STEP && g_strv_length (fields) == 2)
        {
          g_free (step);
          step = g_strdup (fields[1]);
        }
      else if (**line == PROBLEM && g_strv_length (fields) == 5)
        add_finding (findings, finding_new (fields[1], fields[2], fields[3], fields[4]));
    }
  return step;
}

/* Reads the child's records. Returns FALSE if the child did not end in time. */
static gboolean
read_records (int fd, GString *records)
{
  gint64 deadline = g_get_monotonic_time () + (gint64) TIMEOUT_MS * 1000;
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
      g_string_append_len (records, buffer, MAX (n, 0));
    }
}

static void
add_end (GPtrArray *findings, const char *path, int status, gboolean in_time, const char *step)
{
  g_autofree char *text = NULL;

  if (!in_time)
    text = g_strdup_printf ("it hangs while %s: stopped after %d s", step, TIMEOUT_MS / 1000);
  else if (WIFSIGNALED (status))
    text =
        g_strdup_printf ("it crashes while %s: signal %d (%s)", step, WTERMSIG (status), strsignal (WTERMSIG (status)));
  else if (WEXITSTATUS (status) != 0)
    text = g_strdup_printf ("it ends the process while %s: exit status %d", step, WEXITSTATUS (status));
  if (text != NULL)
    g_ptr_array_add (findings, finding_new (path, "crash", text,
                                            "Correct the plugin: run valgrind "
                                            "roast-inspect --check to find the place"));
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
  /* Allocate after the fork, because valgrind would report these as lost in the child. */
  findings = g_ptr_array_new_with_free_func (finding_free);
  records = g_string_new (NULL);
  in_time = read_records (fds[0], records);
  close (fds[0]);
  if (!in_time)
    kill (pid, SIGKILL);
  while (waitpid (pid, &status, 0) < 0 && errno == EINTR)
    continue;
  step = parse_records (records, findings);
  add_end (findings, path, status, in_time, step);
  return findings;
}

static void
print_findings (GPtrArray *findings)
{
  for (guint i = 0; i < findings->len; i++)
    {
      InspectFinding *finding = g_ptr_array_index (findings, i);
      InspectFinding *before = i > 0 ? g_ptr_array_index (findings, i - 1) : NULL;
      const char *text = finding->text;
      gsize length = strlen (finding->path);

      /* Errors of plugins begin with the path, which is already the heading here. */
      if (strncmp (text, finding->path, length) == 0 && strncmp (text + length, ": ", 2) == 0)
        text += length + 2;
      if (before == NULL || !g_str_equal (before->path, finding->path))
        inspect_print ("%s\n", finding->path);
      inspect_print ("  %s%s%s\n", text, finding->cure != NULL ? ". " : "", finding->cure != NULL ? finding->cure : "");
    }
}

static void
child_print_json (GPtrArray *findings)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_array (builder);
  for (guint i = 0; i < findings->len; i++)
    {
      InspectFinding *finding = g_ptr_array_index (findings, i);

      json_builder_begin_object (builder);
      inspect_json_string (builder, "path", finding->path);
      inspect_json_string (builder, "code", finding->code);
      inspect_json_string (builder, "message", finding->text);
      inspect_json_string (builder, "cure", finding->cure);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  inspect_print_json (builder);
}

int
inspect_end_findings (GPtrArray *findings, gboolean json, const char *none)
{
  if (json)
    child_print_json (findings);
  else if (findings->len == 0)
    inspect_print ("%s\n", none);
  else
    print_findings (findings);

  return findings->len == 0 ? INSPECT_FINE : INSPECT_BROKEN;
}
