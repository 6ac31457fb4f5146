/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "core-time.h"

G_BEGIN_DECLS

/* Kind of an event: which value of a worker, or of the whole source, the event changes. */
typedef enum
{
  CHANGE_CLAIM, /* Values below CLAIM_N are claims; this is the first. */
  CHANGE_CAPACITY = CLAIM_N,
  CHANGE_HOLD,      /* cores that ready libraries hold */
  CHANGE_CALLS,     /* cores held by libraries that calls use */
  CHANGE_FETCHING,  /* slots for attempts at the worker whose inputs are still being fetched */
  CHANGE_BLIND,     /* The data of the worker from here to its end are lost. */
  CHANGE_CANCELLED, /* slots for cancelled attempts that may have run at the worker */
  CHANGE_OPEN,      /* slots that may be held by attempts under way at the end, which have no row */
  CHANGE_BLOCKED,   /* attempts that wait for results of other tasks */
  CHANGE_READY,     /* attempts that wait for a worker; “where” is the number of cores that they need, 0 if unknown */
  CHANGE_N,
} Change;

/* Largest number of cores that an attempt may need; attempts that need more count as if they needed this many. */
#define CLAIMS_MAX_NEED 256

G_END_DECLS
