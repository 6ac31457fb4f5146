/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Ends roast-run in the same way as the program ended. Plain C, so that processes without the library can use it. */

/* Converts an exit status to the wait status of a process that ended with this exit status. */
#define RUN_END_EXITED(status) (((status) & 0xff) << 8)
/* The wait status of roast-run after a failure of roast-run itself. */
#define RUN_END_OWN_FAILURE RUN_END_EXITED (125)

/* Makes a write fail with an error, instead of ending this process, if a pipe has no reader or if the file would exceed
 * the size limit. Programs that this process starts do not inherit this change. Returns whether SIGPIPE was ignored
 * before. */
int run_end_survive_writes (void);

/* Ends this process so that its parent gets the given wait status: exits with the same exit status, or dies by the same
 * signal. So a shell gets the same status as without roast-run. Writes no core file, because the program has already
 * written one. Async-signal-safe. */
_Noreturn void run_end_like (int wait_status);
