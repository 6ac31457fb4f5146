/* SPDX-License-Identifier: BSD-3-Clause */

/* Measures the CPU time that the events cost the program. A helper process starts and reaps children, in rounds with
 * such events and in rounds without events. */

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "perf.h"

#define ROUNDS 8
#define CHILDREN 16 /* children per round; all rounds together take about 15 ms */

static int64_t
used (int who)
{
  struct rusage usage;

  getrusage (who, &usage);

  return timeval_us (usage.ru_utime) + timeval_us (usage.ru_stime);
}

static int64_t
start_children (void)
{
  int64_t before = used (RUSAGE_SELF) + used (RUSAGE_CHILDREN);

  /* The loop counter is volatile, because vfork() returns twice. */
  for (volatile int i = 0; i < CHILDREN; i++)
    {
      pid_t pid = vfork ();

      if (pid == 0)
        _exit (EXIT_SUCCESS);
      if (pid < 0 || waitpid (pid, NULL, 0) != pid)
        _exit (EXIT_FAILURE);
    }

  return used (RUSAGE_SELF) + used (RUSAGE_CHILDREN) - before;
}

/* Runs in the helper. Starts one round of children for each byte that it reads, and answers with the CPU time, µs. */
static void
help (int in, int out)
{
  char byte;

  while (read (in, &byte, 1) == 1)
    {
      int64_t cpu = start_children ();

      if (write (out, &cpu, sizeof cpu) != sizeof cpu)
        break;
    }
  _exit (EXIT_SUCCESS);
}

static bool
ask (int out, int in, int64_t *least, int64_t *spent)
{
  int64_t cpu;

  if (write (out, "", 1) != 1 || read (in, &cpu, sizeof cpu) != sizeof cpu)
    return false;
  *spent += cpu;
  if (cpu < *least)
    *least = cpu;

  return true;
}

/* Returns the cost per child in ns, or -1. Compares the cheapest round with events to the cheapest round without
 * events, because disturbances only make a round more expensive. */
static int64_t
perf_cost_compare (pid_t helper, int out, int in, int64_t *spent)
{
  int64_t with = INT64_MAX, without = INT64_MAX;

  for (int i = 0; i < ROUNDS; i++)
    {
      const char *why;
      Perf *perf;
      bool answered;

      if (!ask (out, in, &without, spent))
        return -1;
      perf = perf_open (helper, &why);
      if (perf == NULL)
        return -1;
      answered = ask (out, in, &with, spent);
      perf_close (perf);
      if (!answered)
        return -1;
    }

  return with > without ? (with - without) * 1000 / CHILDREN : -1;
}

int64_t
perf_clone_cost (int64_t *spent)
{
  int to[2], from[2];
  int64_t cost = -1;
  pid_t helper;

  *spent = 0;
  if (pipe (to) < 0)
    return -1;
  if (pipe (from) < 0)
    {
      close (to[0]);
      close (to[1]);
      return -1;
    }
  helper = fork ();
  if (helper == 0)
    {
      /* Close the helper's copy of the write end, so that the helper sees the end of its input. */
      close (to[1]);
      help (to[0], from[1]);
    }
  close (to[0]);
  close (from[1]);
  if (helper != -1)
    cost = perf_cost_compare (helper, to[1], from[0], spent);
  close (to[1]);
  close (from[0]);
  if (helper != -1)
    waitpid (helper, NULL, 0);

  return cost;
}
