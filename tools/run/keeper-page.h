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
  volatile sig_atomic_t finished; /* the session has done its work */
  volatile sig_atomic_t known;    /* this is the status, also if it could not finish: */
  volatile int status;
  char call[KEEPER_CALL_SIZE]; /* see roast_plugin_watch_calls () */
  volatile double deadline, patience;
  volatile sig_atomic_t attached; /* what is measured was not started by the session */
  KeeperFile file;
  _Atomic int stopped;             /* 0: the program runs; else KEEPER_STOPS × the number of the stop + its signal */
  volatile sig_atomic_t stopping;  /* the keeper has stopped for that, or is about to */
  volatile sig_atomic_t continues; /* SIGCONT that came to the session, and so to the whole group */
  volatile sig_atomic_t launches;  /* a program is to be started, and has not been */
  int kept[KEEPER_MAX_KEPT];       /* descriptors that the command needs */
  int n_kept;
  volatile sig_atomic_t releases; /* from now on the keeper holds no other descriptors of the program */
  volatile sig_atomic_t has_command;
  char command[KEEPER_MAX_COMMAND]; /* arguments, each with its NUL, then an empty one */
} KeeperPage;

/* Text about the plugin and the slot whose code is active; or was last, unless the session was killed from outside. */
void keeper_page_describe_call (KeeperPage *self, bool is_killed, char *text, size_t size);
/* Whether a slot of a plugin is active, and which. */
bool keeper_page_get_slot (KeeperPage *self, char *text, size_t size);
/* Runs the command that makes the report, without the plugin whose code is active, with a remark that says why, and
 * with the status of the program; NULL if that is unknown. */
void keeper_page_run_command (KeeperPage *self, const char *why, const int *program_status);
