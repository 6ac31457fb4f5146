/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The page of memory that the keeper shares with the session. */

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "keeper-file.h"
#include "keeper.h"

#define KEEPER_MAX_COMMAND 4096
#define KEEPER_MAX_KEPT 8
#define KEEPER_STOPS 128

typedef struct
{
  pid_t keeper;
  volatile sig_atomic_t finished; /* the session has finished its work */
  volatile sig_atomic_t known;    /* @status is valid, even if the session could not finish its work */
  volatile int status;
  char call[KEEPER_CALL_SIZE]; /* plugin and slot whose code is running, see roast_plugin_watch_calls() */
  volatile double deadline, patience;
  volatile sig_atomic_t attached; /* the session attached to a process that it did not start */
  KeeperFile file;
  _Atomic int stopped; /* last stop of the program: KEEPER_STOPS × number of the stop + signal; 0: not stopped */
  volatile sig_atomic_t stopping;  /* the keeper has stopped, or is about to stop, because the program stopped */
  volatile sig_atomic_t continues; /* number of SIGCONT signals that were sent to the whole group of the session */
  volatile sig_atomic_t launches;  /* the session will start a program, but has not started it yet */
  int kept[KEEPER_MAX_KEPT];       /* descriptors that the report command needs */
  int n_kept;
  volatile sig_atomic_t releases; /* the keeper must close the program's descriptors, except those in @kept */
  volatile sig_atomic_t has_command;
  char command[KEEPER_MAX_COMMAND]; /* command that makes the report: arguments that end with NUL, then an empty one */
} KeeperPage;

/* Describes the plugin and the slot whose code is running. If no code of a plugin is running, describes the slot that
 * ran last. If @is_killed says that another process killed the session, does not describe that slot, because it is not
 * the cause. */
void keeper_page_describe_call (KeeperPage *self, bool is_killed, char *text, size_t size);
/* Returns whether a slot of a plugin is running. If so, writes the names of the slot and of the plugin to @text. */
bool keeper_page_get_slot (KeeperPage *self, char *text, size_t size);
/* Runs the command that makes the report. Adds arguments to it: they exclude the plugin whose code is running, give
 * @why as a remark, and pass the wait status of the program. @program_status: NULL if unknown */
void keeper_page_run_command (KeeperPage *self, const char *why, const int *program_status);
