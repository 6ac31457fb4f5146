/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Messages that the keeper of roast-run and the supervisor exchange directly, without the library. */

#include <stdint.h>

/* The value that the keeper sends together with a signal (sigqueue). It tells the supervisor to forward the signal to
 * the program. */
#define KEEPER_ORDER 0x726f6173

/* The environment variable that holds the number of a socket. From this socket, the supervisor reads ProcessState; to
 * it, the supervisor writes KeeperStatus. The program does not get this variable. */
#define KEEPER_STATUS_VARIABLE "ROAST_STATUS_FD"

typedef struct
{
  int32_t supervisor;
  int32_t program;
  int32_t ended; /* 0: the program runs; 1: the program has ended, and the supervisor has not waited for it yet */
  int32_t wait_status;
} KeeperStatus;
