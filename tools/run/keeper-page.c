/* SPDX-License-Identifier: BSD-3-Clause */

#include "keeper-page.h"

#include <stdio.h>
#include <string.h>

#include "keeper-proc.h"

typedef struct
{
  char plugin[KEEPER_CALL_SIZE]; /* name of the plugin whose code is running or ran last; empty if there is none */
  char *slot;                    /* name of the slot that is running; NULL if the code runs outside of slots */
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
keeper_page_describe_call (KeeperPage *self, bool is_killed, char *text, size_t size)
{
  Call call;

  read_call (self, &call);
  text[0] = '\0';
  if (call.active && call.slot != NULL)
    snprintf (text, size, " in %s() of plugin %s", call.slot, call.plugin);
  else if (call.active)
    snprintf (text, size, " in code of plugin %s, outside of the functions that roast calls", call.plugin);
  else if (call.slot != NULL && !is_killed)
    snprintf (text, size, " outside of the code of plugins (the last plugin function was %s() of plugin %s)", call.slot,
              call.plugin);
}

bool
keeper_page_get_slot (KeeperPage *self, char *text, size_t size)
{
  Call call;

  read_call (self, &call);
  if (!call.active || call.slot == NULL)
    return false;
  snprintf (text, size, "%s() of plugin %s", call.slot, call.plugin);

  return true;
}

void
keeper_page_run_command (KeeperPage *self, const char *why, const int *program_status)
{
  char without[KEEPER_CALL_SIZE + 16], remark[700], status[32];
  char *more[] = { remark, NULL, NULL, NULL };
  int n = 1;
  Call call;

  read_call (self, &call);
  snprintf (without, sizeof without, "--without=%s", call.plugin);
  if (call.active)
    more[n++] = without;
  /* Pass the program's status, because the session died before it could write the status into the run file. */
  if (program_status != NULL)
    {
      snprintf (status, sizeof status, "--wait-status=%d", *program_status);
      more[n++] = status;
    }
  snprintf (remark, sizeof remark, "--remark=This report was made from the run file, because %s%s.", why,
            call.active ? ", and lacks the results of this plugin" : "");
  keeper_proc_run (self->command, more, self->deadline);
}
