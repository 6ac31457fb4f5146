/* SPDX-License-Identifier: BSD-3-Clause */

#include "keeper.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "keeper-keep.h"
#include "keeper-page.h"
#include "process-state.h"

#define OWN_FAILURE 125

static KeeperPage without_keeper; /* page that is used if there is no keeper; no other process reads it */
static KeeperPage *page = &without_keeper;
static int status_fd = -1; /* socket that the supervisor inherits; -1 if there is none */
static ProcessState state;

/* If the descriptor has the number of a standard stream, moves it to a number above these. This happens if a standard
 * stream was closed. */
static int
move_up (int fd)
{
  int higher;

  if (fd < 0 || fd > STDERR_FILENO)
    return fd;
  higher = fcntl (fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  close (fd);

  return higher;
}

/* Opens the socket between the keeper and the supervisor. The supervisor reads from it the process state that the
 * program must inherit, and writes to it the status of the program. */
static bool
open_status (int fds[2])
{
  if (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds) < 0)
    return false;
  for (int i = 0; i < 2; i++)
    fds[i] = move_up (fds[i]);
  process_state_save (&state);
  state.directory = move_up (state.directory);

  return write (fds[0], &state, sizeof state) == sizeof state;
}

void
keeper_start (void)
{
  struct sigaction by_default = { .sa_handler = SIG_DFL }, chld_before;
  sigset_t signals, before;
  pid_t session;
  int fds[2];

  if (!open_status (fds))
    return;
  page = mmap (NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED)
    {
      page = &without_keeper;
      close (fds[0]);
      close (fds[1]);
      return;
    }
  page->keeper = getpid ();

  /* Block all signals, because the keeper waits for them and forwards them. A fault in the keeper's own code still ends
   * the keeper. */
  sigfillset (&signals);
  sigaction (SIGCHLD, &by_default, &chld_before);
  sigprocmask (SIG_BLOCK, &signals, &before);

  /* Adopt orphans. The supervisor becomes one if the session dies, and the program if both the session and the
   * supervisor die. */
  prctl (PR_SET_CHILD_SUBREAPER, 1);
  session = fork ();
  if (session > 0)
    {
      close (fds[1]);
      keeper_keep (page, session, fds[0], &signals);
    }
  close (fds[0]);
  status_fd = fds[1];
  sigaction (SIGCHLD, &chld_before, NULL);
  sigprocmask (SIG_SETMASK, &before, NULL);
  if (session < 0)
    {
      prctl (PR_SET_CHILD_SUBREAPER, 0);
      page = &without_keeper;
    }
}

/* ---- in the session ---- */

bool
keeper_is_there (void)
{
  return page != &without_keeper && getppid () == page->keeper;
}

bool
keeper_passes (pid_t sender)
{
  return !keeper_is_there () || sender == page->keeper;
}

int
keeper_open_status (void)
{
  if (page == &without_keeper || fcntl (status_fd, F_SETFD, 0) < 0)
    return -1;
  fcntl (state.directory, F_SETFD, 0);

  return status_fd;
}

char *
keeper_get_call (void)
{
  return page != &without_keeper ? page->call : NULL;
}

void
keeper_set_deadline (double seconds, double patience, bool launches)
{
  page->deadline = seconds;
  page->patience = patience;
  page->launches = launches;
}

void
keeper_note_start (void)
{
  page->launches = false;
}

bool
keeper_set_report_command (const char *const *command)
{
  size_t used = 0;

  page->has_command = 0;
  for (; *command != NULL; command++)
    {
      size_t n = strlen (*command) + 1;

      if (n == 1 || used + n + 1 > sizeof page->command)
        return false;
      memcpy (page->command + used, *command, n);
      used += n;
    }
  page->command[used] = '\0';
  page->has_command = used > 0;

  return true;
}

void
keeper_release_descriptors (const int *kept, size_t n)
{
  if (!keeper_is_there () || n > KEEPER_MAX_KEPT)
    return;
  memcpy (page->kept, kept, n * sizeof *kept);
  page->n_kept = (int) n;
  page->releases = true;
  kill (page->keeper, SIGCHLD);
}

void
keeper_return_to_directory (void)
{
  if (page != &without_keeper && fchdir (state.directory) < 0)
    {
      /* If this fails, stay in the current directory. */
    }
}

void
keeper_set_attached (void)
{
  page->attached = 1;
}

void
keeper_set_file (const char *path, const char *note, bool is_scratch)
{
  keeper_file_set (&page->file, path, note, is_scratch);
}

void
keeper_note_stop (int signum)
{
  static int n_stops;

  if (!keeper_is_there ())
    return;
  page->stopped = ++n_stops * KEEPER_STOPS + signum;
  kill (page->keeper, SIGCHLD);
}

bool
keeper_note_continue (void)
{
  if (!keeper_is_there ())
    return false;
  page->stopped = 0;

  return keeper_continue_again ();
}

bool
keeper_continue_again (void)
{
  /* Do nothing if the program was stopped again, or if the keeper is not about to stop. */
  if (page->stopped != 0 || !page->stopping)
    return false;
  kill (page->keeper, SIGCONT);

  return true;
}

void
keeper_count_continue (pid_t sender)
{
  if (sender != page->keeper)
    page->continues++;
}

bool
keeper_finish (int wait_status, bool known)
{
  page->status = wait_status;
  page->known = known;
  page->finished = 1;
  keeper_note_continue ();

  return keeper_is_there ();
}

void
keeper_leave (int wait_status, bool known)
{
  page->status = wait_status;
  page->known = known;
  _exit (OWN_FAILURE);
}

bool
keeper_has_finished (void)
{
  return page->finished;
}
