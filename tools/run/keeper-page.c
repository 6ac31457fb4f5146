/* SPDX-License-Identifier: BSD-3-Clause */

#include "keeper-page.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "keeper-proc.h"

typedef struct
{
  char plugin[KEEPER_CALL_SIZE]; /* whose code is active, or was last; empty: none */
  char *slot;                    /* NULL: its code is active outside of its slots */
  bool active;
} Call;

static void
read_call (KeeperPage *self, Call *call)
{
  bool marked = self->call[0] == '-' || self->call[0] == '@';

  self->call[sizeof self->call - 1] = '\0';
  call->active = self->call[0] != '-' && self->call[0] != '\0';
  snprintf (call->plugin, sizeof call->plugin, "%s", self->call + marked);
  call->slot = strchr (call->plugin, ' ');
  if (call->slot != NULL)
    *call->slot++ = '\0';
}

void
keeper_page_describe_call (KeeperPage *self, char *text, size_t size)
{
  Call call;

  read_call (self, &call);
  text[0] = '\0';
  if (call.active && call.slot != NULL)
    snprintf (text, size, " in %s() of plugin %s", call.slot, call.plugin);
  else if (call.active)
    snprintf (text, size, " in code of plugin %s, outside of its slots", call.plugin);
  else if (call.slot != NULL)
    snprintf (text, size, " outside of the slots of plugins (the last one was %s() of plugin %s)", call.slot,
              call.plugin);
}

/* What the file cannot have, because the session wrote it. */
static void
describe_end (const int *program_status, char *text, size_t size)
{
  text[0] = '\0';
  if (program_status == NULL)
    return;
  if (WIFSIGNALED (*program_status))
    snprintf (text, size, " The program was ended by signal %d (%s).", WTERMSIG (*program_status),
              strsignal (WTERMSIG (*program_status)));
  else
    snprintf (text, size, " The program ended with exit status %d.", WEXITSTATUS (*program_status));
}

void
keeper_page_run_command (KeeperPage *self, const char *why, const int *program_status)
{
  char without[KEEPER_CALL_SIZE + 16], remark[700], end[100];
  char *more[] = { remark, NULL, NULL };
  Call call;

  read_call (self, &call);
  snprintf (without, sizeof without, "--without=%s", call.plugin);
  if (call.active)
    more[1] = without;
  describe_end (program_status, end, sizeof end);
  snprintf (remark, sizeof remark, "--remark=The process that measured %s. This report was made from the run file%s.%s",
            why, call.active ? ", without that plugin" : "", end);
  keeper_proc_run (self->command, more, self->deadline);
}
