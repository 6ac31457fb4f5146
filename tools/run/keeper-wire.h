/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* What the keeper of roast-run and the supervisor send each other, past the library. */

#include <stdint.h>

/* The value with which the keeper queues a signal that is to be handed on to the program. */
#define KEEPER_ORDER 0x726f6173

/* The number of a socket in which the supervisor finds ProcessState, and to which it writes KeeperStatus. The program
 * does not get this variable. */
#define KEEPER_STATUS_VARIABLE "ROAST_STATUS_FD"

typedef struct
{
  int32_t supervisor;
  int32_t program;
  int32_t ended; /* 0: it runs; 1: it has ended, and the supervisor has not yet waited for it */
  int32_t wait_status;
} KeeperStatus;
