/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "run-options.h"

G_BEGIN_DECLS

/* The file in which roast-run keeps the run. */
typedef struct _RunFile RunFile;

/* Creates the file. That there can be none is an error only if the options ask for one. Before the session starts. */
gboolean run_file_begin (const RunOptions *options, RoastSession *session, RunFile **file, GError **error);
/* Lets the keeper make the reports of the options by roast-report if this process dies. Before the session starts. */
void run_file_set_report (RunFile *self, const RunOptions *options);
/* Says in the file what is measured. Once the session has started. */
void run_file_describe (RunFile *self);
/* Where it is now, or NULL if there is none: a file for a network file system is elsewhere until it is closed. */
const char *run_file_get_place (RunFile *self);
/* Closes the file, once the session has finished. @wait_status is that of the program; -1 without a program. */
void run_file_end (RunFile *self, int wait_status);
/* Whether all of the run is in it, and it is there to stay. */
gboolean run_file_is_whole (const RunFile *self);
/* Whether it is complete and plain. Otherwise its database must be closed: a reader has kept it in WAL mode. */
gboolean run_file_is_plain (RunFile *self);
/* Says on standard error where the run is, after the report; or removes it if it is not to be kept. */
void run_file_announce (RunFile *self);
/* Removes the file of a run that did not start. Accepts NULL. */
void run_file_discard (RunFile *self);
void run_file_free (RunFile *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunFile, run_file_free)

G_END_DECLS
