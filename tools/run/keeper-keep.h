/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "keeper-page.h"

/* Runs the keeper: waits for the session, the supervisor and the program, forwards signals, and ends as the program
 * ended. The signals must be blocked. @fd is the socket to which the supervisor writes. */
_Noreturn void keeper_keep (KeeperPage *page, pid_t session, int fd, const sigset_t *signals);
