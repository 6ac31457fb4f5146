/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The real supervisor as a child of the test, which is the library to it: it sends orders and reads frames. What runs
 * ends when the test does, since its standard input ends then. */

#include <glib.h>
#include <sys/types.h>

#include "process/roast-supervisor-wire.h"

typedef struct
{
  /* Before the start; 0: as usual */
  int descriptors;      /* limit of open files */
  int buffer;           /* size of the socket's buffer */
  int control_fd;       /* the supervisor's number of its end of the socket */
  gboolean on_terminal; /* it leads a session with a terminal of its own */
  uid_t uid;

  pid_t pid;
  int control;  /* the library's end of the socket */
  int in, out;  /* the other ends of its standard input and output */
  int terminal; /* what is written there is typed; -1 without */
  GByteArray *received;
} SupervisorRun;

#define SUPERVISOR_RUN_INIT { .control_fd = 3, .control = -1, .in = -1, .out = -1, .terminal = -1 }

/* Starts it with these words behind --control-fd. */
void supervisor_run_start (SupervisorRun *self, const char *const *words);
/* A process of the test with such an input and output, which is not of the supervisor's tree. */
pid_t supervisor_run_start_target (SupervisorRun *self, const char *const *argv);
void supervisor_run_order (SupervisorRun *self, guint32 type, gconstpointer payload, guint32 length);
void supervisor_run_send_signal (SupervisorRun *self, int signum);
/* Ends the standard input. */
void supervisor_run_end_input (SupervisorRun *self);
/* The library's death. The supervisor has noticed it on return. */
void supervisor_run_leave (SupervisorRun *self);
/* Reads one byte of the standard output; -1 at its end. */
int supervisor_run_read_byte (SupervisorRun *self);

/* The nth frame of a type, from 0: waits for it. */
gconstpointer supervisor_run_frame (SupervisorRun *self, guint32 type, guint n);
/* Frames of a type that came so far. */
guint supervisor_run_count (SupervisorRun *self, guint32 type);
/* The type of the nth of all frames that came so far, and of the last; 0 if there are fewer. */
guint32 supervisor_run_type (SupervisorRun *self, guint n);
guint32 supervisor_run_last_type (SupervisorRun *self);
/* Waits for the end of the stream and of the supervisor: its wait status. */
int supervisor_run_wait (SupervisorRun *self);
void supervisor_run_clear (SupervisorRun *self);

/* The kernel's letter of a process; 0 if it is gone. */
char supervisor_run_state (pid_t pid);
void supervisor_run_wait_for_state (pid_t pid, char state);
/* Stops a process, or lets it go on, and waits until that has happened. */
void supervisor_run_stop (pid_t pid);
void supervisor_run_continue (pid_t pid);
