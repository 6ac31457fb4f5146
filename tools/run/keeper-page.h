/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The page of memory that the keeper and the session share. */

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
  volatile sig_atomic_t known;    /* the value of status is valid, even if the session could not finish its work */
  volatile int status;
  char call[KEEPER_CALL_SIZE]; /* active plugin and slot, see roast_plugin_watch_calls() */
  volatile double deadline, patience;
  volatile sig_atomic_t attached; /* the session attached to a process that it did not start */
  KeeperFile file;
  _Atomic int stopped; /* stop of the program, as KEEPER_STOPS × number of the stop + signal; 0: the program runs */
  volatile sig_atomic_t stopping;  /* the keeper has stopped, or is about to stop, because the program stopped */
  volatile sig_atomic_t continues; /* number of SIGCONT signals sent to the session with its whole group */
  volatile sig_atomic_t launches;  /* the session has a program to start, and has not started it yet */
  int kept[KEEPER_MAX_KEPT];       /* descriptors that the report command needs */
  int n_kept;
  volatile sig_atomic_t releases; /* the keeper must close the program's descriptors, except those in kept */
  volatile sig_atomic_t has_command;
  char command[KEEPER_MAX_COMMAND]; /* report command: arguments that end with NUL, then an empty one */
} KeeperPage;

/* Describes the plugin and the slot whose code is active. If none is active, describes the last active slot, unless
 * @is_killed says that another process killed the session. */
void keeper_page_describe_call (KeeperPage *self, bool is_killed, char *text, size_t size);
/* Returns whether a slot of a plugin is active. If so, writes the names of the slot and the plugin to @text. */
bool keeper_page_get_slot (KeeperPage *self, char *text, size_t size);
/* Runs the command that makes the report. The arguments that it adds exclude the plugin whose code is active, give @why
 * as a remark, and pass the program's wait status (NULL: unknown). */
void keeper_page_run_command (KeeperPage *self, const char *why, const int *program_status);
