/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "inspect.h"

G_BEGIN_DECLS

#define DEADLINE (10 * G_USEC_PER_SEC) /* µs within which an asynchronous function of a backend must complete */

/* Conformance checks. Each uses a plugin in a child process of its own, and compares its behavior with its declarations
 * and with the rules for plugins. A check reports each finding with a cure. */

#define CONFORM_CORRECT_VALUES "Correct the values, or leave out cells whose values are unknown"
#define CONFORM_CORRECT_ROW "Correct the row, or the table in NAME.roast-schema"

typedef struct
{
  RoastPlugin *plugin;
  const char *name;      /* name of the backend, aggregator or exporter to check */
  const char *directory; /* directory for output files; empty at the start, removed after the check */
} ConformCase;

/* Functions of type InspectChildFunc; data is a ConformCase. */
void conform_backend (gpointer data);
void conform_aggregator (gpointer data);
void conform_exporter (gpointer data);

/* Reports rows with impossible values. */
void conform_values (ConformCase *checked, RoastRecording *recording);

/* conform-run.c: runs a program for a short time in a session. */
typedef struct
{
  RoastSession *session;
  GError *error; /* NULL if the program started and ended without an error */
} ConformRun;

typedef void (*ConformWhileRunning) (ConformRun *run, gpointer data);

/* Creates a registry of the plugin's directory, followed by the directories of the other plugins. */
RoastRegistry *conform_registry_new (RoastPlugin *plugin);
/* Runs a program with @backend, which may be NULL. Calls @while_running while the program runs. */
ConformRun *conform_run (RoastRegistry *registry, const char *name, RoastMetricsBackend *backend,
                         ConformWhileRunning while_running, gpointer data);
void conform_run_free (ConformRun *run);
/* conform_on_result() is a callback for asynchronous functions; conform_wait() waits for its result. */
void conform_on_result (GObject *object, GAsyncResult *result, gpointer data);
GAsyncResult *conform_wait (GAsyncResult **result);
/* Return the number of open files or threads of this process. */
guint conform_count_files (void);
guint conform_count_threads (void);
/* Runs the main context for @milliseconds. */
void conform_iterate (guint milliseconds);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ConformRun, conform_run_free)

G_END_DECLS
