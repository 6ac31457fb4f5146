/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

#include <roast/roast-version-macros.h>

G_BEGIN_DECLS

#define ROAST_TYPE_OUTPUT (roast_output_get_type ())

/**
 * RoastOutputKind:
 * @ROAST_OUTPUT_STREAM: a stream that is already open: standard output, standard error, a socket
 * @ROAST_OUTPUT_FILE: one file
 * @ROAST_OUTPUT_DIRECTORY: a directory of files
 * @ROAST_OUTPUT_MEMORY: named pieces of memory
 *
 * The destination of an output.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_OUTPUT_STREAM,
  ROAST_OUTPUT_FILE,
  ROAST_OUTPUT_DIRECTORY,
  ROAST_OUTPUT_MEMORY,
} RoastOutputKind;

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastOutput, roast_output, ROAST, OUTPUT, GObject)

ROAST_AVAILABLE_IN_0_9
RoastOutput *roast_output_new_for_fd (int fd, const char *name);
ROAST_AVAILABLE_IN_0_9
RoastOutput *roast_output_new_for_file (const char *path);
ROAST_AVAILABLE_IN_0_9
RoastOutput *roast_output_new_for_directory (const char *path);
ROAST_AVAILABLE_IN_0_9
RoastOutput *roast_output_new_for_memory (void);
ROAST_AVAILABLE_IN_0_9
RoastOutputKind roast_output_get_kind (RoastOutput *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_output_get_name (RoastOutput *self);
ROAST_AVAILABLE_IN_0_9
gboolean roast_output_prepare (RoastOutput *self, GError **error);
ROAST_AVAILABLE_IN_0_9
GOutputStream *roast_output_open (RoastOutput *self, const char *name, GError **error);
ROAST_AVAILABLE_IN_0_9
gboolean roast_output_commit (RoastOutput *self, GError **error);
ROAST_AVAILABLE_IN_0_9
void roast_output_discard (RoastOutput *self);
ROAST_AVAILABLE_IN_0_9
gboolean roast_output_is_terminal (RoastOutput *self, guint *columns);
ROAST_AVAILABLE_IN_0_9
GBytes *roast_output_dup_bytes (RoastOutput *self, const char *name);
ROAST_AVAILABLE_IN_0_9
char **roast_output_dup_names (RoastOutput *self);

G_END_DECLS
