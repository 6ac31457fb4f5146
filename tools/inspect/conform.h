/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "inspect.h"

G_BEGIN_DECLS

#define DEADLINE (10 * G_USEC_PER_SEC) /* in which a slot must answer */

/* Conformance: what a plugin does when it is used, beside what it says it does. Each check runs in a child process of
 * its own, and reports what it finds with the cure. */

typedef struct
{
  RoastPlugin *plugin;
  const char *name;      /* of what it provides */
  const char *directory; /* empty, and removed when the check is over */
} ConformCase;

/* InspectChildFunc, with a ConformCase. */
void conform_backend (gpointer data);
void conform_aggregator (gpointer data);
void conform_exporter (gpointer data);

/* conform-run.c: a program that runs for a moment under a session. */
typedef struct
{
  RoastSession *session;
  GError *error; /* why it could not be started, or did not end well */
} ConformRun;

typedef void (*ConformWhileRunning) (ConformRun *run, gpointer data);

/* What others provide is there as well, with the schema of the plugin. */
RoastRegistry *conform_registry_new (RoastPlugin *plugin);
/* With @backend, which may be NULL. @while_running is called when the program runs. */
ConformRun *conform_run (RoastRegistry *registry, const char *name, RoastMetricsBackend *backend,
                         ConformWhileRunning while_running, gpointer data);
void conform_run_free (ConformRun *run);
/* For a callback of an asynchronous function: waits for what it got. */
void conform_on_result (GObject *object, GAsyncResult *result, gpointer data);
GAsyncResult *conform_wait (GAsyncResult **result);
/* What the process has now: open files, threads. */
guint conform_count_files (void);
guint conform_count_threads (void);
/* Lets what is pending happen. */
void conform_iterate (guint milliseconds);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ConformRun, conform_run_free)

G_END_DECLS
