/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* The option --export=NAME[:TARGET][,OPTION=VALUE...] of all tools that write reports. */
typedef struct
{
  char *name;
  char *target;            /* file or directory; "-" for standard output; NULL for the default of the tool */
  char *options;           /* options of the exporter, which the registry parses; or NULL */
  RoastExporter *exporter; /* the exporter; NULL before export_option_add() */
} ExportOption;

ExportOption *export_option_parse (const char *text, GError **error);
/* Parses the value of an option and appends the result to @exports. */
gboolean export_option_append (GPtrArray *exports, const char *text, GError **error);
void export_option_free (ExportOption *self);
/* Returns a text that parses to the same option. Uses @target if the option has no target. */
char *export_option_dup_text (const ExportOption *self, const char *target);

/* Adds the exporter to a session. A later call for another session adds the same exporter object to that session. An
 * exporter without a target writes to the descriptor @fallback. @color is auto, always, never or NULL, and is passed to
 * table exporters. */
gboolean export_option_add (ExportOption *self, RoastSession *session, RoastRegistry *registry, int fallback,
                            const char *color, GError **error);
/* Returns whether the exporter may write during the run: whether it has the flag for this, and options that may request
 * this. */
gboolean export_option_may_be_live (const ExportOption *self);
/* Opens /dev/null for each standard stream that is closed, so that no other file gets the descriptor of a standard
 * stream. Call this function before any file is opened. */
void export_option_hold_streams (void);
gboolean export_option_check_color (const char *color, GError **error);

/* Returns the descriptor of this process to which the target refers (“-”, /dev/fd/3), or -1 if it does not refer to a
 * descriptor. If another process writes the report instead of this process, it needs this descriptor. */
int export_option_get_descriptor (const ExportOption *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ExportOption, export_option_free)
