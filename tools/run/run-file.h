/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "run-options.h"

G_BEGIN_DECLS

/* The file in which roast-run keeps the run. */
typedef struct _RunFile RunFile;

/* Creates the run file, unless nothing would read it. A failure is an error only if the options ask for a file. Call it
 * before the session starts. */
gboolean run_file_begin (const RunOptions *options, RoastSession *session, RunFile **file, GError **error);
/* If run_file_begin() created no file and the rows take much memory, creates the file, so that rows can leave memory.
 * Returns whether to call this function again later. */
gboolean run_file_free_memory (RunFile *self, const RunOptions *options);

/* Makes the keeper run roast-report for the requested reports if this process dies. Call it before the session
 * starts. */
void run_file_set_report (RunFile *self, const RunOptions *options);
/* Writes to the file which command is measured, where and how. Call it once the session has started. */
void run_file_describe (RunFile *self);
/* Returns the current path of the file, or NULL if there is none. A file for a network file system has another path
 * until it is closed. */
const char *run_file_get_place (RunFile *self);
/* Closes the file once the session has finished. @wait_status is that of the program; -1: no program. */
void run_file_end (RunFile *self, int wait_status);
/* Returns whether the file contains the complete run and is kept. */
gboolean run_file_is_whole (const RunFile *self);
/* Returns whether the file is complete and not in WAL mode. If a reader has kept the file in WAL mode, its database
 * must still be closed. */
gboolean run_file_is_plain (RunFile *self);
/* Prints on standard error where the run is kept. Call it after the report. Removes the file instead if the options say
 * not to keep it. */
void run_file_announce (RunFile *self);
/* Removes the file of a run that did not start. Accepts NULL. */
void run_file_discard (RunFile *self);
void run_file_free (RunFile *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunFile, run_file_free)

G_END_DECLS
