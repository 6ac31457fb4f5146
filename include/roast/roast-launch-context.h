/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib-object.h>

#include <roast/roast-process-observer.h>

G_BEGIN_DECLS

/**
 * RoastPssMode:
 * @ROAST_PSS_MODE_AUTO: read the PSS when it may have changed, within a budget of CPU time
 * @ROAST_PSS_MODE_EXACT: read the PSS at every sample, regardless of the cost
 * @ROAST_PSS_MODE_OFF: never read the PSS
 *
 * How often the proportional set size (PSS) of a process is read. Reading the PSS costs a few µs per MB of the process.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_PSS_MODE_AUTO,
  ROAST_PSS_MODE_EXACT,
  ROAST_PSS_MODE_OFF,
} RoastPssMode;

/**
 * RoastWaitMode:
 * @ROAST_WAIT_MODE_MAIN: until the main process ends, plus a grace period for processes that outlive the main process
 * @ROAST_WAIT_MODE_TREE: until the last process of the tree ends, including daemons
 *
 * How long a process tree is followed.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_WAIT_MODE_MAIN,
  ROAST_WAIT_MODE_TREE,
} RoastWaitMode;

#define ROAST_TYPE_LAUNCH_CONTEXT (roast_launch_context_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastLaunchContext, roast_launch_context, ROAST, LAUNCH_CONTEXT, GObject)

ROAST_AVAILABLE_IN_0_9
RoastLaunchContext *roast_launch_context_new (const char *const *argv);
ROAST_AVAILABLE_IN_0_9
const char *const *roast_launch_context_get_argv (RoastLaunchContext *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_launch_context_getenv (RoastLaunchContext *self, const char *name);
ROAST_AVAILABLE_IN_0_9
void roast_launch_context_setenv (RoastLaunchContext *self, const char *name, const char *value);
ROAST_AVAILABLE_IN_0_9
void roast_launch_context_unsetenv (RoastLaunchContext *self, const char *name);
ROAST_AVAILABLE_IN_0_9
const char *roast_launch_context_get_directory (RoastLaunchContext *self);
ROAST_AVAILABLE_IN_0_9
void roast_launch_context_set_directory (RoastLaunchContext *self, const char *directory);
ROAST_AVAILABLE_IN_0_9
gint64 roast_launch_context_get_interval (RoastLaunchContext *self);
ROAST_AVAILABLE_IN_0_9
void roast_launch_context_set_interval (RoastLaunchContext *self, gint64 interval);
ROAST_AVAILABLE_IN_0_9
void roast_launch_context_set_pss_mode (RoastLaunchContext *self, RoastPssMode mode);
ROAST_AVAILABLE_IN_0_9
void roast_launch_context_set_wait_mode (RoastLaunchContext *self, RoastWaitMode mode);
ROAST_AVAILABLE_IN_0_9
void roast_launch_context_set_grace (RoastLaunchContext *self, gint64 grace);
ROAST_AVAILABLE_IN_0_9
RoastAccounting roast_launch_context_get_accounting (RoastLaunchContext *self);
ROAST_AVAILABLE_IN_0_9
void roast_launch_context_set_accounting (RoastLaunchContext *self, RoastAccounting allowed);
ROAST_AVAILABLE_IN_0_9
void roast_launch_context_set_ignore_sigpipe (RoastLaunchContext *self, gboolean ignore);
ROAST_AVAILABLE_IN_0_9
void roast_launch_context_add_observer (RoastLaunchContext *self, RoastProcessObserver *observer);

G_END_DECLS
