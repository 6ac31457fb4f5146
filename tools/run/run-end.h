/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* How roast-run ends: as the program ended. Plain C: also for a process that uses no library. */

/* The wait status of a process that exited with a status. */
#define RUN_END_EXITED(status) (((status) & 0xff) << 8)
/* That of roast-run where it fails itself. */
#define RUN_END_OWN_FAILURE RUN_END_EXITED (125)

/* From now on a write to a pipe without a reader, or beyond the limit of a file's size, fails with an error instead of
 * ending this process. What is executed by us does not inherit that. Returns whether SIGPIPE was ignored before. */
int run_end_survive_writes (void);

/* Ends this process as one ended that had this wait status: with its exit status, or by its signal, so that the caller,
 * such as a shell in a loop, sees what it would see without us. It leaves no core file: that of the program has been
 * written. Async-signal-safe. */
_Noreturn void run_end_like (int wait_status);
