/* SPDX-License-Identifier: BSD-3-Clause */

/* The supervisor where there are neither perf events nor control groups. */

#include "unreaped.h"

void
unreaped_wrote_row (Unreaped *self, int32_t pid, const char *command, int64_t cpu)
{
}

const char *
unreaped_last_name (Unreaped *self, Tree *tree, int32_t pid)
{
  return NULL;
}

const Commands *
unreaped_commands (Unreaped *self, bool waited, bool *complete)
{
  return NULL;
}
