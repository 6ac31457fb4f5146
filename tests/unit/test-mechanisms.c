/* SPDX-License-Identifier: BSD-3-Clause */

/* What the supervisor reports about how exact its numbers are. */

#include "mechanisms.h"

#include <glib.h>

#include "roast/roast-accounting.h"

#define ALWAYS                                                                                                         \
  (ROAST_ACCOUNTING_RECONCILE | ROAST_ACCOUNTING_IO | ROAST_ACCOUNTING_RUN_QUEUE | ROAST_ACCOUNTING_CHILDREN)

static void
test_mask (void)
{
  Options options = { .pss = PSS_OFF };
  Mechanisms none = { .missing = "of a reason" }, perf = { .perf = true }, cgroup = { .cgroup = true };

  g_assert_cmphex (mechanisms_mask (&none, &options), ==, ALWAYS | ROAST_ACCOUNTING_WAIT);
  g_assert_cmphex (mechanisms_mask (&perf, &options), ==, ALWAYS | ROAST_ACCOUNTING_WAIT | ROAST_ACCOUNTING_PERF);
  g_assert_cmphex (mechanisms_mask (&cgroup, &options), ==, ALWAYS | ROAST_ACCOUNTING_WAIT | ROAST_ACCOUNTING_CGROUP);
  options.pss = PSS_AUTO;
  g_assert_cmphex (mechanisms_mask (&none, &options), ==, ALWAYS | ROAST_ACCOUNTING_WAIT | ROAST_ACCOUNTING_PSS);
  options.pss = PSS_EXACT;
  options.attach_pid = 1;
  g_assert_cmphex (mechanisms_mask (&none, &options), ==, ALWAYS | ROAST_ACCOUNTING_PSS);
}

static void
assert_described (const Mechanisms *mechanisms, const Options *options, const char *expected)
{
  char text[1024];

  mechanisms_describe (mechanisms, options, text, sizeof text);
  g_assert_cmpstr (text, ==, expected);
}

#define OTHERS "; processes that other machines or service managers start for the program are not counted"

static void
test_describe (void)
{
  Options options = { .interval = 250000, .pss = PSS_AUTO };

  assert_described (&(Mechanisms) { .perf = true }, &options,
                    "exact: the kernel's final numbers of every process for which a parent waited, and perf events for "
                    "the other processes; processes too short for a sample share their exact sum in proportion to "
                    "perf's clocks, so the figure for each command is approximate" OTHERS);
  options.pss = PSS_OFF;
  assert_described (&(Mechanisms) { .cgroup = true }, &options,
                    "exact: the kernel's final numbers of every process for which a parent waited, and a control group "
                    "for the other processes; processes too short for a sample count with their parent; no "
                    "proportional "
                    "memory" OTHERS);
  assert_described (&(Mechanisms) { .missing = "the cat slept" }, &options,
                    "exact for every process for which a parent waited: the kernel gave its final numbers. A process "
                    "whose "
                    "parent ignores SIGCHLD is counted only up to its last sample, because the cat slept; no "
                    "proportional memory" OTHERS);
  options.attach_pid = 5;
  assert_described (&(Mechanisms) { .perf = false }, &options,
                    "attached: processes are sampled every 0.25 s; not counted are processes that ended before the "
                    "attach, and what a process used after its last sample if no parent waited for the process; "
                    "processes that lived only "
                    "between two samples count with their parent; no proportional memory" OTHERS);
  options.pss = PSS_EXACT;
  options.interval = 1000000;
  assert_described (&(Mechanisms) { .perf = false }, &options,
                    "attached: processes are sampled every 1 s; not counted are processes that ended before the "
                    "attach, and what a process used after its last sample if no parent waited for the process; "
                    "processes that lived only between two "
                    "samples count with their parent" OTHERS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mechanisms/mask", test_mask);
  g_test_add_func ("/mechanisms/describe", test_describe);

  return g_test_run ();
}
