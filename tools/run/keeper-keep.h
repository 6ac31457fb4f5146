/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* What the keeper does until roast-run ends. */

#include "keeper-page.h"

/* In the keeper: waits for the session, the supervisor and the program, forwards signals, and ends as the program
 * ended. The signals are blocked; the supervisor writes into @fd. */
_Noreturn void keeper_keep (KeeperPage *page, pid_t session, int fd, const sigset_t *signals);
