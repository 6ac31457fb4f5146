/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

#include <roast/roast-launch-context.h>
#include <roast/roast-recording.h>

G_BEGIN_DECLS

#define ROAST_TYPE_LAUNCHER (roast_launcher_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastLauncher, roast_launcher, ROAST, LAUNCHER, GObject)

ROAST_AVAILABLE_IN_0_9
RoastLauncher *roast_launcher_new (RoastRecording *recording);
ROAST_AVAILABLE_IN_0_9
void roast_launcher_launch_async (RoastLauncher *self, RoastLaunchContext *context, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data);
ROAST_AVAILABLE_IN_0_9
gboolean roast_launcher_launch_finish (RoastLauncher *self, GAsyncResult *result, GError **error);
ROAST_AVAILABLE_IN_0_9
void roast_launcher_attach_async (RoastLauncher *self, int pid, RoastLaunchContext *context, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data);
ROAST_AVAILABLE_IN_0_9
gboolean roast_launcher_attach_finish (RoastLauncher *self, GAsyncResult *result, GError **error);
ROAST_AVAILABLE_IN_0_9
void roast_launcher_wait_async (RoastLauncher *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                gpointer user_data);
ROAST_AVAILABLE_IN_0_9
gboolean roast_launcher_wait_finish (RoastLauncher *self, GAsyncResult *result, GError **error);
ROAST_AVAILABLE_IN_0_9
gboolean roast_launcher_send_signal (RoastLauncher *self, int signum);
ROAST_AVAILABLE_IN_0_9
void roast_launcher_detach (RoastLauncher *self);
ROAST_AVAILABLE_IN_0_9
int roast_launcher_get_pid (RoastLauncher *self);
ROAST_AVAILABLE_IN_0_9
gboolean roast_launcher_get_wait_status (RoastLauncher *self, int *wait_status);

G_END_DECLS
