/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Ends roast-run the way the program ended. Plain C, also for processes without the library. */

/* Converts an exit status to the wait status of a process that exited with it. */
#define RUN_END_EXITED(status) (((status) & 0xff) << 8)
/* The wait status of roast-run if roast-run itself fails. */
#define RUN_END_OWN_FAILURE RUN_END_EXITED (125)

/* Makes writes to a pipe without a reader, or beyond the file size limit, fail with an error instead of ending this
 * process. Programs that this process starts do not inherit the change. Returns whether SIGPIPE was ignored before. */
int run_end_survive_writes (void);

/* Ends this process so that its parent gets the given wait status: exits with the exit status, or dies by the signal. A
 * shell that started roast-run then sees the same status as without roast-run. Writes no core file, because the program
 * has already written its own. Async-signal-safe. */
_Noreturn void run_end_like (int wait_status);
