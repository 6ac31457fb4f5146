/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "keeper-page.h"

/* Runs the keeper. It waits for the session, the supervisor and the program, forwards signals, and ends with the wait
 * status of the program. The caller must have blocked @signals. @fd: socket to which the supervisor writes */
_Noreturn void keeper_keep (KeeperPage *page, pid_t session, int fd, const sigset_t *signals);
