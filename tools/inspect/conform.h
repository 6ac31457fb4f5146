/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "inspect.h"

#define DEADLINE (10 * G_USEC_PER_SEC) /* µs; time within which an asynchronous function of a backend must complete */

/* Conformance checks. Each check uses a plugin in a separate child process, and compares what the plugin does with its
 * declarations and with the rules for plugins. Each finding says how to correct the problem. */

#define CONFORM_CORRECT_VALUES "Correct the values, or leave out cells whose values are unknown"
#define CONFORM_CORRECT_ROW "Correct the row, or the table in NAME.roast-schema"

typedef struct
{
  RoastPlugin *plugin;
  const char *name;      /* name of the backend, aggregator or exporter that is checked */
  const char *directory; /* directory for output files; empty at the start, removed after the check */
  const char *address;   /* address of something that the backend can read; NULL if the user gave none */
} ConformCase;

/* These functions have the type InspectChildFunc. @data is a ConformCase. */
void conform_backend (gpointer data);
void conform_aggregator (gpointer data);
void conform_exporter (gpointer data);

/* Reports rows with impossible values. */
void conform_values (ConformCase *checked, RoastRecording *recording);

/* Result of running a program for a short time in a session, see conform-run.c. */
typedef struct
{
  RoastSession *session;
  GError *error; /* NULL if the program started and ended without errors */
} ConformRun;

typedef void (*ConformWhileRunning) (ConformRun *run, gpointer data);

/* Creates a registry with the directory of the plugin, followed by the directories of all other plugins. */
RoastRegistry *conform_registry_new (RoastPlugin *plugin);
/* Runs a program together with @backend, which may be NULL. Calls @while_running as soon as the program runs. */
ConformRun *conform_run (RoastRegistry *registry, const char *name, RoastMetricsBackend *backend,
                         ConformWhileRunning while_running, gpointer data);
/* Attaches @backend to @address, and waits until it has finished, or for a few seconds. */
ConformRun *conform_attach (RoastRegistry *registry, const char *name, RoastMetricsBackend *backend,
                            const char *address);
void conform_run_free (ConformRun *run);
/* conform_on_result() is the callback for asynchronous functions. conform_wait() waits until it was called, and returns
 * the result. */
void conform_on_result (GObject *object, GAsyncResult *result, gpointer data);
GAsyncResult *conform_wait (GAsyncResult **result);
/* These functions return the number of open files, or of threads, of this process. */
guint conform_count_files (void);
guint conform_count_threads (void);
/* Runs the main context for @milliseconds. */
void conform_iterate (guint milliseconds);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ConformRun, conform_run_free)
