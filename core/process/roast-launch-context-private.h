/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-launch-context.h"

struct _RoastLaunchContext
{
  GObject parent_instance;

  char **argv;
  char **environment;
  char *directory;
  gint64 interval;
  gint64 grace;
  RoastPssMode pss_mode;
  RoastWaitMode wait_mode;
  RoastAccounting accounting;
  gboolean ignore_sigpipe;
  GPtrArray *observers;
};
