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
  volatile sig_atomic_t known;    /* status is valid, even if the session could not finish */
  volatile int status;
  char call[KEEPER_CALL_SIZE]; /* active plugin and slot, see roast_plugin_watch_calls() */
  volatile double deadline, patience;
  volatile sig_atomic_t attached; /* the session attached to a process that it did not start */
  KeeperFile file;
  _Atomic int stopped; /* 0: the program runs; otherwise KEEPER_STOPS × the number of the stop + its signal */
  volatile sig_atomic_t stopping;  /* the keeper has stopped because the program did, or is about to */
  volatile sig_atomic_t continues; /* number of SIGCONT signals sent to the session and so to the whole group */
  volatile sig_atomic_t launches;  /* a program is still to be started */
  int kept[KEEPER_MAX_KEPT];       /* descriptors that the report command needs */
  int n_kept;
  volatile sig_atomic_t releases; /* the keeper is to close all other descriptors of the program */
  volatile sig_atomic_t has_command;
  char command[KEEPER_MAX_COMMAND]; /* NUL-terminated arguments, then an empty one */
} KeeperPage;

/* Describes the plugin and the slot whose code is active. If none is active, describes the last one, unless the session
 * was killed from outside. */
void keeper_page_describe_call (KeeperPage *self, bool is_killed, char *text, size_t size);
/* Returns whether a slot of a plugin is active, and writes its name. */
bool keeper_page_get_slot (KeeperPage *self, char *text, size_t size);
/* Runs the command that makes the report. Leaves out the plugin whose code is active, adds a remark with the reason,
 * and passes the program's wait status (NULL if it is unknown). */
void keeper_page_run_command (KeeperPage *self, const char *why, const int *program_status);
