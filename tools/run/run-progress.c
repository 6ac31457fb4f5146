/* SPDX-License-Identifier: BSD-3-Clause */

#include "run-progress.h"

#include <stdio.h>
#include <unistd.h>

#define RUN_PROGRESS_PATIENCE G_USEC_PER_SEC /* µs before the first line is shown */
#define INTERVAL (G_USEC_PER_SEC / 5)        /* µs between two lines */
#define CLEAR "\r\033[K"

typedef struct
{
  gint64 next; /* time of the next line, monotonic, µs */
  gboolean shown;
} Progress;

static void
show (Progress *progress, double fraction)
{
  g_autofree char *line = g_strdup_printf (CLEAR "roast-run: reading: %d %%", (int) (100 * fraction));

  fputs (line, stderr);
  fflush (stderr);
  progress->shown = TRUE;
}

static void
clear (Progress *progress)
{
  if (!progress->shown)
    return;
  fputs (CLEAR, stderr);
  fflush (stderr);
  progress->shown = FALSE;
}

static void
on_progress (RoastSession *session, double fraction, Progress *progress)
{
  gint64 now = g_get_monotonic_time ();

  if (progress->next == 0)
    progress->next = now + RUN_PROGRESS_PATIENCE;
  if (fraction >= 1)
    {
      clear (progress);
      return;
    }
  if (now < progress->next)
    return;
  show (progress, fraction);
  progress->next = now + INTERVAL;
}

/* Clears the progress line if the reading of logs was stopped or failed, so that later output begins on an empty
 * line. */
static void
on_state (RoastSession *session, GParamSpec *property, Progress *progress)
{
  if (roast_session_get_state (session) > ROAST_SESSION_STATE_RUNNING)
    clear (progress);
}

static void
progress_free (gpointer progress, GClosure *closure)
{
  g_free (progress);
}

void
run_progress_show (RoastSession *session)
{
  Progress *progress = NULL;

  if (!isatty (STDERR_FILENO))
    return;
  progress = g_new0 (Progress, 1);
  g_signal_connect (session, "notify::state", G_CALLBACK (on_state), progress);
  g_signal_connect_data (session, "progress", G_CALLBACK (on_progress), progress, progress_free, 0);
}
