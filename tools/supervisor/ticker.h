/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* A timer that expires at the next sample and at the end of the supervisor's measurement. Times are monotonic, µs. */

#include <stdbool.h>
#include <stdint.h>

typedef struct
{
  int fd; /* descriptor of the timer, readable when it has expired */
  int64_t interval;
  int64_t next;
  int64_t step;     /* time from the previous sample to the next sample */
  int64_t deadline; /* end of the measurement; 0 if the measurement has no set end */
} Ticker;

bool ticker_init (Ticker *self, int64_t interval);
void ticker_start (Ticker *self, int64_t now);
void ticker_set_deadline (Ticker *self, int64_t deadline);
bool ticker_is_over (const Ticker *self, int64_t now);
/* Consumes an expiration of the timer. Returns false if the timer has not expired. Afterwards the timer does not expire
 * until ticker_arm() is called. */
bool ticker_expire (Ticker *self);
void ticker_arm (Ticker *self);
bool ticker_is_due (const Ticker *self, int64_t now);
/* Sets the time of the next sample. Returns the number of samples that were due before @now and were missed. */
uint64_t ticker_advance (Ticker *self, int64_t now);
