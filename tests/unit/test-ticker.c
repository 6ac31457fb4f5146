/* SPDX-License-Identifier: BSD-3-Clause */

/* When samples are due, which were missed, and what the clocks say about a suspended machine and a wall clock that was
 * set. */

#include <poll.h>
#include <unistd.h>

#include "clock.h"
#include "closeness.h"
#include "fake-processes.h"
#include "ticker.h"

#define SECOND G_GINT64_CONSTANT (1000000)
#define START (1000 * SECOND)

static void
set_up (Ticker *self, gconstpointer data)
{
  *self = (Ticker) { 0 };
  g_assert_true (ticker_init (self, SECOND));
}

static void
tear_down (Ticker *self, gconstpointer data)
{
  close (self->fd);
}

/* The time of the next sample, to the µs. */
static void
assert_due (const Ticker *self, gint64 at)
{
  g_assert_false (ticker_is_due (self, at - 1));
  g_assert_true (ticker_is_due (self, at));
}

/* Short programs have samples too: the first steps grow up to the interval. */
static void
test_first_steps (Ticker *self, gconstpointer data)
{
  static const gint64 steps[] = { 10000, 20000, 40000, 80000, 160000, 320000, 640000, SECOND, SECOND, SECOND };
  gint64 at = START;

  ticker_start (self, START);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      at += steps[i];
      assert_due (self, at);
      g_assert_cmpuint (ticker_advance (self, at), ==, 0);
    }
}

static void
test_short_interval (Ticker *self, gconstpointer data)
{
  self->interval = 4000;
  ticker_start (self, START);
  assert_due (self, START + 4000);
  ticker_advance (self, START + 4000);
  assert_due (self, START + 8000);
}

/* While the steps grow, one that comes late is followed by a whole step and none is missed. */
static void
test_late_first_step (Ticker *self, gconstpointer data)
{
  ticker_start (self, START);
  g_assert_cmpuint (ticker_advance (self, START + 5 * SECOND), ==, 0);
  assert_due (self, START + 5 * SECOND + 20000);
}

/* What was due meanwhile is counted; the next one is due when it would be without the delay. */
static void
test_missed (Ticker *self, gconstpointer data)
{
  static const struct
  {
    gint64 delay;
    guint64 missed;
  } cases[] = { { 0, 0 },
                { 1, 0 },
                { SECOND - 1, 0 },
                { SECOND, 1 },
                { SECOND + 1, 1 },
                { 2 * SECOND - 1, 1 },
                { 7 * SECOND + 500000, 7 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gint64 due = START;

      self->step = self->interval;
      self->next = due;
      g_assert_cmpuint (ticker_advance (self, due + cases[i].delay), ==, cases[i].missed);
      assert_due (self, due + (gint64) (cases[i].missed + 1) * SECOND);
    }
}

static void
test_deadline (Ticker *self, gconstpointer data)
{
  g_assert_false (ticker_is_over (self, START));
  ticker_set_deadline (self, START);
  g_assert_false (ticker_is_over (self, START - 1));
  g_assert_true (ticker_is_over (self, START));
}

static gboolean
expires_within (const Ticker *self, int ms)
{
  struct pollfd p = { self->fd, POLLIN, 0 };

  return poll (&p, 1, ms) == 1;
}

/* The real timer: armed for what comes first, silent after it was taken, never disarmed by a time of 0. */
static void
test_timer (Ticker *self, gconstpointer data)
{
  gint64 now = g_get_monotonic_time ();
  gint64 hour = 3600 * SECOND;

  self->next = now + hour;
  ticker_arm (self);
  g_assert_false (expires_within (self, 0));
  g_assert_false (ticker_expire (self));
  ticker_set_deadline (self, now);
  g_assert_true (expires_within (self, HANG / 1000));
  g_assert_true (ticker_expire (self));
  g_assert_false (expires_within (self, 0));

  self->deadline = now + 2 * hour;
  ticker_arm (self);
  g_assert_false (expires_within (self, 0));
  self->next = now;
  ticker_arm (self);
  g_assert_true (expires_within (self, HANG / 1000));
  g_assert_true (ticker_expire (self));

  self->deadline = 0;
  self->next = 0;
  ticker_arm (self);
  g_assert_true (expires_within (self, HANG / 1000));
  /* Not before its time: seconds and the rest of a second both count. */
  now = g_get_monotonic_time ();
  self->next = now + 50000;
  ticker_arm (self);
  g_assert_true (expires_within (self, HANG / 1000));
  g_assert_cmpint (g_get_monotonic_time (), >=, now + 50000);
}

static void
test_clocks (void)
{
  Clocks clocks;
  gint64 suspended, jump;
  static const struct
  {
    gint64 boot, real; /* how far each is ahead of the monotonic clock */
    gint64 suspended, jump;
  } cases[] = {
    { 0, 0, 0, 0 },
    { 999, 999, 0, 0 },
    { 1000, 1000, 1000, 0 },
    { 3600 * SECOND, 3600 * SECOND, 3600 * SECOND, 0 },
    { 0, 99999, 0, 0 },
    { 0, 100000, 0, 100000 },
    { 0, -99999, 0, 0 },
    { 0, -100000, 0, -100000 },
    { 5 * SECOND, 7 * SECOND, 5 * SECOND, 2 * SECOND },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      fake_clocks_reset ();
      clocks_init (&clocks);
      fake_clocks_advance (SECOND);
      fake_clocks.boot += cases[i].boot;
      fake_clocks.real += cases[i].real;
      clocks_compare (&clocks, &suspended, &jump);
      g_assert_cmpint (suspended, ==, cases[i].suspended);
      g_assert_cmpint (jump, ==, cases[i].jump);
    }
}

static void
test_clocks_epoch (void)
{
  Clocks clocks;

  fake_clocks_reset ();
  clocks_init (&clocks);
  g_assert_cmpint (monotonic_us (), ==, fake_clocks.monotonic);
  g_assert_cmpint (clocks_epoch (&clocks, fake_clocks.monotonic + 7), ==, fake_clocks.real + 7);
  g_assert_cmpint (clocks.boot, ==, fake_clocks.real - fake_clocks.boot);
  g_assert_cmpint (timeval_us ((struct timeval) { 3, 21 }), ==, 3000021);
}

#define ADD(name, function) g_test_add ("/ticker/" name, Ticker, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("first-steps", test_first_steps);
  ADD ("short-interval", test_short_interval);
  ADD ("late-first-step", test_late_first_step);
  ADD ("missed", test_missed);
  ADD ("deadline", test_deadline);
  ADD ("timer", test_timer);
  g_test_add_func ("/ticker/clocks", test_clocks);
  g_test_add_func ("/ticker/clocks-epoch", test_clocks_epoch);

  return g_test_run ();
}
