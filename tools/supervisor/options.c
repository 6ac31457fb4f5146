/* SPDX-License-Identifier: BSD-3-Clause */

#include "options.h"

#include <stdlib.h>
#include <string.h>

static const char *
value_of (const char *argument, const char *name)
{
  size_t n = strlen (name);

  return strncmp (argument, name, n) == 0 && argument[n] == '=' ? argument + n + 1 : NULL;
}

static bool
parse_one (const char *argument, Options *out)
{
  const char *value;

  if ((value = value_of (argument, "--control-fd")) != NULL)
    out->control_fd = atoi (value);
  else if ((value = value_of (argument, "--interval")) != NULL)
    out->interval = atoll (value);
  else if ((value = value_of (argument, "--pss")) != NULL)
    out->pss = strcmp (value, "off") == 0 ? PSS_OFF : strcmp (value, "exact") == 0 ? PSS_EXACT : PSS_AUTO;
  else if ((value = value_of (argument, "--wait")) != NULL)
    out->wait_tree = strcmp (value, "tree") == 0;
  else if ((value = value_of (argument, "--grace")) != NULL)
    out->grace = atoll (value);
  else if ((value = value_of (argument, "--accounting")) != NULL)
    out->accounting = (uint32_t) strtoul (value, NULL, 0);
  else if ((value = value_of (argument, "--attach")) != NULL)
    out->attach_pid = atoi (value);
  else if (strcmp (argument, "--ignore-sigpipe") == 0)
    out->ignore_sigpipe = true;
  else if (strcmp (argument, "--in-directory") == 0)
    out->in_directory = true;
  else
    return false;

  return true;
}

bool
options_parse (int argc, char **argv, Options *out)
{
  *out = (Options) { .control_fd = -1, .interval = 1000000, .grace = 200000, .accounting = UINT32_MAX };

  for (int i = 1; i < argc; i++)
    {
      if (strcmp (argv[i], "--") == 0)
        {
          out->program = argv + i + 1;
          break;
        }
      if (!parse_one (argv[i], out))
        return false;
    }

  return out->control_fd >= 0 && out->interval >= 1000 &&
         (out->attach_pid > 0) != (out->program != NULL && out->program[0] != NULL);
}
