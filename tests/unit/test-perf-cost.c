/* SPDX-License-Identifier: BSD-3-Clause */

/* The cost of perf's events for a clone: by a real helper, with CPU times and events that the test makes. */

#include <errno.h>
#include <glib.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perf.h"

/* Shared with the helper. */
typedef struct
{
  gint64 with[8], without[8]; /* what each round costs, µs */
  guint rounds_with, rounds_without;
  gboolean open;
  guint calls; /* of getrusage() */
  guint dies;  /* in this round, from 1 */
  gint64 cost; /* of this round */
} Site;

static Site *site;
static guint opened, closed;
static gboolean no_perf;

Perf *
perf_open (pid_t child, const char **why)
{
  *why = "forbidden";
  if (no_perf)
    return NULL;
  g_assert_false (site->open);
  g_assert_cmpint (kill (child, 0), ==, 0);
  site->open = TRUE;
  opened++;

  return (Perf *) site;
}

void
perf_close (Perf *perf)
{
  g_assert_true (site->open);
  site->open = FALSE;
  closed++;
}

static gint64
round_cost (void)
{
  if (site->open)
    return site->with[site->rounds_with++ % 8];

  return site->without[site->rounds_without++ % 8];
}

/* A round asks four times: for the helper and its children, before and after. A third is the children's. */
int
fake_getrusage (__rusage_who_t who, struct rusage *usage)
{
  guint call = site->calls++ % 4;
  gint64 us = who == RUSAGE_SELF ? 2900000 : 1700000;

  if (call == 0 && site->dies > 0 && --site->dies == 0)
    _exit (1);
  if (call == 2)
    site->cost = round_cost ();
  if (call >= 2)
    us += who == RUSAGE_SELF ? site->cost - site->cost / 3 : site->cost / 3;
  *usage = (struct rusage) { 0 };
  if (who == RUSAGE_SELF)
    usage->ru_utime = (struct timeval) { us / 1000000, us % 1000000 };
  else
    usage->ru_stime = (struct timeval) { us / 1000000, us % 1000000 };

  return 0;
}

static guint
count_descriptors (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;

  return n;
}

/* Measures with these costs: nothing is left behind. */
static gint64
measure (const gint64 *with, const gint64 *without, gint64 *spent)
{
  guint descriptors = count_descriptors ();
  gint64 cost;

  memcpy (site->with, with, sizeof site->with);
  memcpy (site->without, without, sizeof site->without);
  site->rounds_with = site->rounds_without = site->calls = 0;
  opened = closed = 0;
  *spent = -7;
  cost = perf_clone_cost (spent);
  g_assert_cmpuint (opened, ==, closed);
  g_assert_false (site->open);
  g_assert_cmpuint (count_descriptors (), ==, descriptors);
  g_assert_cmpint (waitpid (-1, NULL, WNOHANG), ==, -1);
  g_assert_cmpint (errno, ==, ECHILD);

  return cost;
}

static const gint64 without[] = { 900, 800, 850, 1000, 870, 820, 990, 700 };

/* The least of each kind is compared; a round has 16 children. */
static void
test_least (void)
{
  static const gint64 with[] = { 1500, 1400, 1100, 1300, 1900, 1200, 2000, 1250 };
  gint64 spent;

  g_assert_cmpint (measure (with, without, &spent), ==, (1100 - 700) * 1000 / 16);
  g_assert_cmpuint (opened, ==, 8);
  g_assert_cmpint (spent, ==,
                   900 + 800 + 850 + 1000 + 870 + 820 + 990 + 700 + 1500 + 1400 + 1100 + 1300 + 1900 + 1200 + 2000 +
                       1250);
}

/* Costs that cannot be: noise. */
static void
test_noise (void)
{
  static const gint64 less[] = { 1500, 699, 1100, 1300, 1900, 1200, 2000, 1250 };
  static const gint64 same[] = { 1500, 700, 1100, 1300, 1900, 1200, 2000, 1250 };
  static const gint64 more[] = { 1500, 701, 1100, 1300, 1900, 1200, 2000, 1250 };
  gint64 spent;

  g_assert_cmpint (measure (less, without, &spent), ==, -1);
  g_assert_cmpint (measure (same, without, &spent), ==, -1);
  g_assert_cmpint (measure (more, without, &spent), ==, 1000 / 16);
}

/* Without events there is nothing to compare, but a round was spent. */
static void
test_no_perf (void)
{
  gint64 spent;

  no_perf = TRUE;
  g_assert_cmpint (measure (without, without, &spent), ==, -1);
  g_assert_cmpint (spent, ==, 900);
  no_perf = FALSE;
}

/* The helper ends in any round. */
static void
test_helper_dies (void)
{
  void (*before) (int) = signal (SIGPIPE, SIG_IGN);
  gint64 spent;

  for (guint round = 1; round <= 16; round++)
    {
      site->dies = round;
      g_assert_cmpint (measure (without, without, &spent), ==, -1);
      g_assert_cmpuint (opened, ==, round / 2);
    }
  signal (SIGPIPE, before);
}

/* In a process of its own: so many descriptors are free, and no process may be started. */
static void
assert_fails (rlim_t descriptors, gboolean no_process)
{
  pid_t child = fork ();
  int status;

  if (child == 0)
    {
      struct rlimit none = { 0, 0 }, few;
      int lowest = dup (STDERR_FILENO);
      guint before = count_descriptors ();
      gint64 spent = 5;

      close (lowest);
      getrlimit (RLIMIT_NOFILE, &few);
      few.rlim_cur = (rlim_t) lowest + descriptors;
      if (!no_process && setrlimit (RLIMIT_NOFILE, &few) < 0)
        _exit (2);
      if (no_process && setrlimit (RLIMIT_NPROC, &none) < 0)
        _exit (3);
      /* The limit does not hold for root. */
      if (no_process && geteuid () == 0 && setresuid (65534, 65534, 65534) < 0)
        _exit (4);
      if (perf_clone_cost (&spent) != -1 || spent != 0)
        _exit (5);
      few.rlim_cur = few.rlim_max;
      setrlimit (RLIMIT_NOFILE, &few);
      _exit (count_descriptors () == before - 1 ? 0 : 6);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
}

static void
test_limits (void)
{
  if (g_getenv ("ROAST_UNDER_VALGRIND") != NULL)
    {
      g_test_skip ("valgrind sets no limits");
      return;
    }
  assert_fails (1, FALSE);
  assert_fails (3, FALSE);
  assert_fails (0, TRUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  site = mmap (NULL, sizeof *site, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  g_assert_true (site != MAP_FAILED);
  g_test_add_func ("/perf-cost/least", test_least);
  g_test_add_func ("/perf-cost/noise", test_noise);
  g_test_add_func ("/perf-cost/no-perf", test_no_perf);
  g_test_add_func ("/perf-cost/helper-dies", test_helper_dies);
  g_test_add_func ("/perf-cost/limits", test_limits);

  return g_test_run ();
}
