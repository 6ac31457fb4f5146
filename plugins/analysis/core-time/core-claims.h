/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "core-time.h"

G_BEGIN_DECLS

/* What an event changes beside a claim: at a worker, or of the whole source. */
typedef enum
{
  CHANGE_CLAIM, /* and the claims after it */
  CHANGE_CAPACITY = CLAIM_N,
  CHANGE_HOLD,      /* cores that ready libraries hold */
  CHANGE_CALLS,     /* of these, cores that calls use */
  CHANGE_FETCHING,  /* slots that could run attempts that were sent to the worker, and still get their inputs */
  CHANGE_BLIND,     /* the worker's last data are lost */
  CHANGE_CANCELLED, /* slots for attempts at the worker that were cancelled, and may have run there */
  CHANGE_OPEN,      /* slots that attempts without a row may hold, which were under way at the end */
  CHANGE_BLOCKED,   /* attempts that wait for others */
  CHANGE_READY,     /* attempts that wait for a worker: where is how many cores they need, 0 if that is unknown */
  CHANGE_N,
} Change;

/* Larger needs count as this one. */
#define CLAIMS_MAX_NEED 256

G_END_DECLS
