/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The scenario "plain" of churn.py in C: manager [PORT]
 *
 * gcc -O2 -Wall manager.c -o manager -ltaskvine -ldttools -l:libssl.so.3 -l:libcrypto.so.3 -l:libz.so.1 -lm
 * (libssl.so.3 and the others by their run-time names: libssl-dev and zlib1g-dev are then not needed)
 */

#include <cctools/taskvine.h>

#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORKERS 2
#define TASKS 40

static int
free_port (void)
{
  struct sockaddr_in address = { .sin_family = AF_INET };
  socklen_t length = sizeof (address);
  int port = 0;
  int s = socket (AF_INET, SOCK_STREAM, 0);
  if (s >= 0 && !bind (s, (struct sockaddr *) &address, length) &&
      !getsockname (s, (struct sockaddr *) &address, &length))
    port = ntohs (address.sin_port);
  if (s >= 0)
    close (s);
  return port;
}

static pid_t
start_worker (int port)
{
  char text[16];
  snprintf (text, sizeof (text), "%d", port);
  pid_t pid = fork ();
  if (pid)
    return pid;
  prctl (PR_SET_PDEATHSIG, SIGTERM);
  if (!freopen ("/dev/null", "w", stdout) || !freopen ("/dev/null", "w", stderr))
    _exit (126);
  execlp ("vine_worker", "vine_worker", "--single-shot", "-t", "20", "--cores", "2", "--memory", "500", "--disk",
          "1000", "127.0.0.1", text, (char *) NULL);
  _exit (127);
}

static void
submit (struct vine_manager *m, const char *category, const char *command)
{
  struct vine_task *t = vine_task_create (command);
  vine_task_set_category (t, category);
  vine_task_set_cores (t, 1);
  vine_submit (m, t);
}

int
main (int argc, char *argv[])
{
  char command[64];
  int done = 0;

  /* Else the manager and its workers look for the public catalog server. */
  setenv ("CATALOG_HOST", "127.0.0.1", 0);
  struct vine_manager *m = vine_create (argc > 1 ? atoi (argv[1]) : free_port ());
  if (!m)
    {
      fprintf (stderr, "no manager could be created\n");
      return 1;
    }
  pid_t workers[WORKERS];
  for (int i = 0; i < WORKERS; i++)
    workers[i] = start_worker (vine_port (m));

  for (int i = 0; i < TASKS; i++)
    {
      if (i % 4 == 0)
        {
          snprintf (command, sizeof (command), "sleep 0.%02d", 5 + i % 5);
          submit (m, "preprocessing", command);
        }
      else if (i % 10 == 7)
        {
          submit (m, "processing", "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done");
        }
      else
        {
          snprintf (command, sizeof (command), "sleep 0.%d", 10 + i % 11);
          submit (m, "processing", command);
        }
    }
  while (!vine_empty (m))
    {
      struct vine_task *t = vine_wait (m, 5);
      if (t)
        {
          done += vine_task_get_result (t) == VINE_RESULT_SUCCESS && vine_task_get_exit_code (t) == 0;
          vine_task_delete (t);
        }
    }
  vine_delete (m);
  for (int i = 0; i < WORKERS; i++)
    {
      kill (workers[i], SIGTERM);
      waitpid (workers[i], NULL, 0);
    }
  printf ("done %d\n", done);
  return done == TASKS ? 0 : 1;
}
