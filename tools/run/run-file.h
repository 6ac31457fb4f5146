/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "run-options.h"

/* The file in which roast-run keeps the run. */
typedef struct _RunFile RunFile;

/* Creates the run file, unless nothing would read it. If this fails, it is an error only if the options ask for a file.
 * Call this function before the session starts. */
gboolean run_file_begin (const RunOptions *options, RoastSession *session, RunFile **file, GError **error);
/* If run_file_begin() created no file, and the rows now take much memory, creates the file, so that rows can be moved
 * from memory to it. Returns whether this function must be called again later. */
gboolean run_file_free_memory (RunFile *self, const RunOptions *options);

/* Makes the keeper run roast-report if this process dies, so that the requested reports are written. Call this function
 * before the session starts. */
void run_file_set_report (RunFile *self, const RunOptions *options);
/* Writes to the file which command is measured, and where and how. Call this function after the session has started. */
void run_file_describe (RunFile *self);
/* Returns the current path of the file; NULL if there is no file. A file that belongs on a network file system has a
 * different path until it is closed. */
const char *run_file_get_place (RunFile *self);
/* Closes the file. Call this function after the session has finished. @wait_status: wait status of the program; -1 if
 * no program was started */
void run_file_end (RunFile *self, int wait_status);
/* Returns whether the file contains the complete run and will be kept. */
gboolean run_file_is_whole (const RunFile *self);
/* Returns whether the file is complete and not in WAL mode. If a reader has kept the file in WAL mode, its database
 * must still be closed. */
gboolean run_file_is_plain (RunFile *self);
/* Prints on standard error where the run is kept. If the options say that the run must not be kept, removes the file
 * instead. Call this function after the report was written. */
void run_file_announce (RunFile *self);
/* Removes the file of a run that did not start. @self may be NULL. */
void run_file_discard (RunFile *self);
void run_file_free (RunFile *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunFile, run_file_free)
