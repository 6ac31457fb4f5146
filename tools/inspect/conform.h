/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "inspect.h"

G_BEGIN_DECLS

#define DEADLINE (10 * G_USEC_PER_SEC) /* for the answer of a function */

/* Conformance: uses a plugin and compares that with its declarations and the rules. Each check runs in its own child
 * process, and reports findings with their cures. */

#define CONFORM_CORRECT_ROW "Correct the row, or the table in NAME.roast-schema"

typedef struct
{
  RoastPlugin *plugin;
  const char *name;      /* that it provides */
  const char *directory; /* empty, and removed after the check */
} ConformCase;

/* InspectChildFunc, with a ConformCase. */
void conform_backend (gpointer data);
void conform_aggregator (gpointer data);
void conform_exporter (gpointer data);

/* Looks for rows with values that cannot be. */
void conform_values (ConformCase *checked, RoastRecording *recording);

/* conform-run.c: a program that runs for a moment under a session. */
typedef struct
{
  RoastSession *session;
  GError *error; /* NULL if it started and ended well */
} ConformRun;

typedef void (*ConformWhileRunning) (ConformRun *run, gpointer data);

/* The plugin's directory, then the directories of the other plugins. */
RoastRegistry *conform_registry_new (RoastPlugin *plugin);
/* With @backend, which may be NULL. @while_running is called when the program runs. */
ConformRun *conform_run (RoastRegistry *registry, const char *name, RoastMetricsBackend *backend,
                         ConformWhileRunning while_running, gpointer data);
void conform_run_free (ConformRun *run);
/* A callback of an asynchronous function, and a function that waits for its result. */
void conform_on_result (GObject *object, GAsyncResult *result, gpointer data);
GAsyncResult *conform_wait (GAsyncResult **result);
/* Number of open files and of threads of the process. */
guint conform_count_files (void);
guint conform_count_threads (void);
/* Runs the main context for some time. */
void conform_iterate (guint milliseconds);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ConformRun, conform_run_free)

G_END_DECLS
