/* SPDX-License-Identifier: BSD-3-Clause */

#include "commands.h"

#include <stdlib.h>
#include <string.h>

#define MOST_NAMES 512

static Command *
commands_lookup (Commands *self, const char *name)
{
  for (size_t i = 0; i < self->n; i++)
    if (strncmp (self->all[i].name, name, PERF_NAME_LENGTH) == 0)
      return &self->all[i];
  if (self->n == MOST_NAMES)
    return NULL;
  if (self->n == self->capacity)
    {
      size_t capacity = self->capacity != 0 ? self->capacity * 2 : 16;
      Command *all = realloc (self->all, capacity * sizeof *all);

      if (all == NULL)
        return NULL;
      self->all = all;
      self->capacity = capacity;
    }
  self->all[self->n] = (Command) { .name = "" };
  memcpy (self->all[self->n].name, name, strnlen (name, PERF_NAME_LENGTH - 1));

  return &self->all[self->n++];
}

void
commands_add (Commands *self, const char *name, uint32_t processes, int64_t ns)
{
  Command *command = *name != '\0' ? commands_lookup (self, name) : NULL;

  self->ns += ns;
  if (command == NULL)
    return;
  command->processes += processes;
  command->ns += ns;
}
