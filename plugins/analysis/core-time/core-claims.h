/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "core-time.h"

G_BEGIN_DECLS

/* Change that an event makes to a worker or to the whole source. */
typedef enum
{
  CHANGE_CLAIM, /* first claim; the other claims follow up to CLAIM_N */
  CHANGE_CAPACITY = CLAIM_N,
  CHANGE_HOLD,      /* cores that ready libraries hold */
  CHANGE_CALLS,     /* held cores that calls use */
  CHANGE_FETCHING,  /* slots that could run attempts which were sent to the worker but are still fetching inputs */
  CHANGE_BLIND,     /* the worker's latest data are lost */
  CHANGE_CANCELLED, /* slots for cancelled attempts that may have run at the worker */
  CHANGE_OPEN,      /* slots that attempts without a row, under way at the end, may hold */
  CHANGE_BLOCKED,   /* attempts that wait for results of other tasks */
  CHANGE_READY,     /* attempts that wait for a worker; “where” is the number of cores needed, 0 if unknown */
  CHANGE_N,
} Change;

/* Largest distinct need in cores; larger needs count as this one. */
#define CLAIMS_MAX_NEED 256

G_END_DECLS
