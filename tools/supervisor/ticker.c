/* SPDX-License-Identifier: BSD-3-Clause */

#include "ticker.h"

#include <errno.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define FIRST_STEP 10000 /* µs from the start to the first sample, so that short programs also have samples */

bool
ticker_init (Ticker *self, int64_t interval)
{
  self->interval = interval;
  self->fd = timerfd_create (CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

  return self->fd >= 0;
}

void
ticker_arm (Ticker *self)
{
  int64_t at = self->deadline != 0 && self->deadline < self->next ? self->deadline : self->next;
  struct itimerspec spec = { 0 };

  /* Do not set the time 0, which would disarm the timer. */
  if (at <= 0)
    at = 1;
  spec.it_value.tv_sec = at / 1000000;
  spec.it_value.tv_nsec = at % 1000000 * 1000;
  timerfd_settime (self->fd, TFD_TIMER_ABSTIME, &spec, NULL);
}

void
ticker_start (Ticker *self, int64_t now)
{
  self->step = FIRST_STEP < self->interval ? FIRST_STEP : self->interval;
  self->next = now + self->step;
  ticker_arm (self);
}

void
ticker_set_deadline (Ticker *self, int64_t deadline)
{
  self->deadline = deadline;
  ticker_arm (self);
}

bool
ticker_is_over (const Ticker *self, int64_t now)
{
  return self->deadline != 0 && now >= self->deadline;
}

bool
ticker_expire (Ticker *self)
{
  uint64_t expirations;

  return read (self->fd, &expirations, sizeof expirations) >= 0 || errno != EAGAIN;
}

bool
ticker_is_due (const Ticker *self, int64_t now)
{
  return now >= self->next;
}

uint64_t
ticker_advance (Ticker *self, int64_t now)
{
  uint64_t missed = 0;

  if (self->step < self->interval)
    {
      /* The first steps double until they reach the interval. */
      self->step = self->step * 2 < self->interval ? self->step * 2 : self->interval;
      self->next = now + self->step;
    }
  else
    {
      /* Count the missed samples instead of taking them late. */
      missed = (uint64_t) ((now - self->next) / self->step);
      self->next += ((int64_t) missed + 1) * self->step;
    }

  return missed;
}
