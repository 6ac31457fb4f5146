/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "core-time.h"

/* Kind of a CoreEvent: the value of a worker, or of the whole source, that the event changes. */
typedef enum
{
  CHANGE_CLAIM, /* first claim; each value below CLAIM_N is a Claim */
  CHANGE_CAPACITY = CLAIM_N,
  CHANGE_HOLD,      /* cores that ready libraries hold */
  CHANGE_CALLS,     /* cores of libraries on which calls run */
  CHANGE_FETCHING,  /* slots for attempts that were sent to the worker and still fetch their inputs */
  CHANGE_BLIND,     /* 1 while no data arrive from the worker, until the worker leaves */
  CHANGE_CANCELLED, /* slots for cancelled attempts that may have run at the worker */
  CHANGE_OPEN,      /* slots that may be held by attempts which are under way at the end of the run and have no row */
  CHANGE_BLOCKED,   /* attempts that wait for results of other tasks */
  CHANGE_READY,     /* attempts that wait for a worker; @where is the number of cores that they need, 0 if unknown */
  CHANGE_N,
} Change;

/* Largest number of cores that an attempt may need. An attempt that needs more counts as if it needed this many. */
#define CLAIMS_MAX_NEED 256
