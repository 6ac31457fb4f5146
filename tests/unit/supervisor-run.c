/* SPDX-License-Identifier: BSD-3-Clause */

#include "supervisor-run.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE 240 /* s: only a hang takes that long */
#define MOST_DESCRIPTORS 256

/* ---- start ---- */

static const char *
supervisor_path (void)
{
  const char *path = g_getenv ("ROAST_SUPERVISOR");

  return path != NULL && *path != '\0' ? path : ROAST_LIBEXEC_DIR "/roast-supervisor";
}

static void
open_pipes (int in[2], int out[2])
{
  g_assert_cmpint (pipe2 (in, O_CLOEXEC), ==, 0);
  g_assert_cmpint (pipe2 (out, O_CLOEXEC), ==, 0);
}

static void
become_leader (const SupervisorRun *self)
{
  int fd;

  setsid ();
  fd = open (ptsname (self->terminal), O_RDWR);
  ioctl (fd, TIOCSCTTY, 0);
}

/* In the child. Numbers up to that of the socket are in use, and no other. */
static void
become_supervisor (const SupervisorRun *self, int control, int in, int out, char **argv)
{
  struct rlimit limit = { (rlim_t) self->descriptors, (rlim_t) self->descriptors };

  if (self->on_terminal)
    become_leader (self);
  control = fcntl (control, F_DUPFD, MOST_DESCRIPTORS);
  dup2 (in, STDIN_FILENO);
  dup2 (out, STDOUT_FILENO);
  dup2 (control, self->control_fd);
  for (int fd = 3; fd <= MOST_DESCRIPTORS + 16; fd++)
    if (fd != self->control_fd)
      close (fd);
  if (self->uid != 0 && (setresuid (self->uid, self->uid, self->uid) < 0 || access (argv[0], X_OK) < 0))
    _exit (77);
  if (self->descriptors > 0)
    setrlimit (RLIMIT_NOFILE, &limit);
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  execv (argv[0], argv);
  _exit (76);
}

void
supervisor_run_start (SupervisorRun *self, const char *const *words)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);
  int control[2], in[2], out[2];

  g_ptr_array_add (argv, g_strdup (supervisor_path ()));
  g_ptr_array_add (argv, g_strdup_printf ("--control-fd=%d", self->control_fd));
  for (guint i = 0; words[i] != NULL; i++)
    g_ptr_array_add (argv, g_strdup (words[i]));
  g_ptr_array_add (argv, NULL);

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, control), ==, 0);
  if (self->buffer > 0)
    g_assert_cmpint (setsockopt (control[1], SOL_SOCKET, SO_SNDBUF, &self->buffer, sizeof self->buffer), ==, 0);
  open_pipes (in, out);
  if (self->on_terminal)
    {
      self->terminal = posix_openpt (O_RDWR | O_NOCTTY | O_CLOEXEC);
      g_assert_cmpint (self->terminal, >=, 0);
      g_assert_cmpint (grantpt (self->terminal), ==, 0);
      g_assert_cmpint (unlockpt (self->terminal), ==, 0);
    }
  self->pid = fork ();
  g_assert_cmpint (self->pid, >=, 0);
  if (self->pid == 0)
    become_supervisor (self, control[1], in[0], out[1], (char **) argv->pdata);
  close (control[1]);
  close (in[0]);
  close (out[1]);
  self->control = control[0];
  /* That of a target stays. */
  if (self->in < 0)
    {
      self->in = in[1];
      self->out = out[0];
    }
  else
    {
      close (in[1]);
      close (out[0]);
    }
  self->received = g_byte_array_new ();
}

pid_t
supervisor_run_start_target (SupervisorRun *self, const char *const *argv)
{
  int in[2], out[2];
  pid_t pid;

  open_pipes (in, out);
  pid = fork ();
  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      dup2 (in[0], STDIN_FILENO);
      dup2 (out[1], STDOUT_FILENO);
      execv (argv[0], (char **) argv);
      _exit (76);
    }
  close (in[0]);
  close (out[1]);
  self->in = in[1];
  self->out = out[0];

  return pid;
}

/* ---- orders and frames ---- */

void
supervisor_run_order (SupervisorRun *self, guint32 type, gconstpointer payload, guint32 length)
{
  RoastWireHeader header = { type, length };

  g_assert_cmpint (write (self->control, &header, sizeof header), ==, sizeof header);
  if (length > 0)
    g_assert_cmpint (write (self->control, payload, length), ==, length);
}

void
supervisor_run_send_signal (SupervisorRun *self, int signum)
{
  supervisor_run_order (self, ROAST_WIRE_SIGNAL, &(RoastWireSignal) { signum }, sizeof (RoastWireSignal));
}

static void
close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

void
supervisor_run_end_input (SupervisorRun *self)
{
  close_fd (&self->in);
}

static void
wait_until_readable (int fd)
{
  struct pollfd p = { fd, POLLIN, 0 };

  g_assert_cmpint (poll (&p, 1, PATIENCE * 1000), ==, 1);
}

int
supervisor_run_read_byte (SupervisorRun *self)
{
  guint8 byte;

  wait_until_readable (self->out);

  return read (self->out, &byte, 1) == 1 ? byte : -1;
}

/* Whether there was something. */
static gboolean
receive (SupervisorRun *self)
{
  guint8 bytes[65536];
  gssize n;

  wait_until_readable (self->control);
  n = read (self->control, bytes, sizeof bytes);
  if (n > 0)
    g_byte_array_append (self->received, bytes, (guint) n);

  return n > 0;
}

/* The payload of the next complete frame at a place, which it moves behind it. */
static gconstpointer
next (SupervisorRun *self, gsize *at, RoastWireHeader *header)
{
  gsize rest = self->received->len - *at;
  gconstpointer payload = self->received->data + *at + sizeof *header;

  if (rest < sizeof *header)
    return NULL;
  memcpy (header, self->received->data + *at, sizeof *header);
  if (rest < sizeof *header + header->length)
    return NULL;
  *at += sizeof *header + header->length;

  return payload;
}

gconstpointer
supervisor_run_frame (SupervisorRun *self, guint32 type, guint n)
{
  for (;;)
    {
      RoastWireHeader header;
      gconstpointer payload;
      guint found = 0;

      for (gsize at = 0; (payload = next (self, &at, &header)) != NULL;)
        if (header.type == type && found++ == n)
          return payload;
      if (!receive (self))
        g_error ("the stream ended without frame %u of type %u", n, type);
    }
}

guint
supervisor_run_count (SupervisorRun *self, guint32 type)
{
  RoastWireHeader header;
  guint found = 0;

  for (gsize at = 0; next (self, &at, &header) != NULL;)
    found += header.type == type;

  return found;
}

guint32
supervisor_run_type (SupervisorRun *self, guint n)
{
  RoastWireHeader header;

  for (gsize at = 0; next (self, &at, &header) != NULL; n--)
    if (n == 0)
      return header.type;

  return 0;
}

guint32
supervisor_run_last_type (SupervisorRun *self)
{
  RoastWireHeader header = { 0 };

  for (gsize at = 0; next (self, &at, &header) != NULL;)
    ;

  return header.type;
}

/* ---- end ---- */

int
supervisor_run_wait (SupervisorRun *self)
{
  int status;

  while (self->control >= 0 && receive (self))
    ;
  g_assert_cmpint (waitpid (self->pid, &status, 0), ==, self->pid);
  self->pid = 0;

  return status;
}

void
supervisor_run_leave (SupervisorRun *self)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/fd/%d", self->pid, self->control_fd);
  gint64 deadline = g_get_monotonic_time () + PATIENCE * G_USEC_PER_SEC;
  char target[64];

  close_fd (&self->control);
  while (readlink (path, target, sizeof target) >= 0)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_usleep (1000);
    }
}

void
supervisor_run_clear (SupervisorRun *self)
{
  if (self->pid > 0)
    g_error ("the test has not waited for the supervisor");
  close_fd (&self->control);
  close_fd (&self->in);
  close_fd (&self->out);
  close_fd (&self->terminal);
  g_clear_pointer (&self->received, g_byte_array_unref);
}

/* ---- states ---- */

char
supervisor_run_state (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *text = NULL;
  const char *end;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  end = strrchr (text, ')');

  return end != NULL ? end[2] : 0;
}

static void
wait_for (pid_t pid, char state, gboolean wanted)
{
  gint64 deadline = g_get_monotonic_time () + PATIENCE * G_USEC_PER_SEC;

  while ((supervisor_run_state (pid) == state) != wanted)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_usleep (500);
    }
}

void
supervisor_run_wait_for_state (pid_t pid, char state)
{
  wait_for (pid, state, TRUE);
}

void
supervisor_run_stop (pid_t pid)
{
  g_assert_cmpint (kill (pid, SIGSTOP), ==, 0);
  wait_for (pid, 'T', TRUE);
}

void
supervisor_run_continue (pid_t pid)
{
  g_assert_cmpint (kill (pid, SIGCONT), ==, 0);
  wait_for (pid, 'T', FALSE);
}
