/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Messages between the keeper of roast-run and the supervisor. They exchange these messages directly, without the
 * library. */

#include <stdint.h>

/* The value that the keeper sends together with a signal (sigqueue). It makes the supervisor forward the signal to the
 * program. */
#define KEEPER_ORDER 0x726f6173

/* The environment variable that contains the number of a socket. The supervisor reads ProcessState from this socket,
 * and writes KeeperStatus to it. The program does not get this variable. */
#define KEEPER_STATUS_VARIABLE "ROAST_STATUS_FD"

typedef struct
{
  int32_t supervisor;
  int32_t program;
  int32_t ended; /* 0 while the program runs; 1 if the program has ended and the supervisor has not waited for it yet */
  int32_t wait_status;
} KeeperStatus;
