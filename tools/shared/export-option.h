/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* The option --export=NAME[:TARGET][,OPTION=VALUE...] of all tools that write reports. */
typedef struct
{
  char *name;
  char *target;            /* "-" for standard output, NULL for the tool's default */
  char *options;           /* unparsed options for the registry; or NULL */
  RoastExporter *exporter; /* the exporter, once the option is in a session; or NULL */
} ExportOption;

ExportOption *export_option_parse (const char *text, GError **error);
/* Parses an option and appends it to exports. */
gboolean export_option_append (GPtrArray *exports, const char *text, GError **error);
void export_option_free (ExportOption *self);
/* Returns text that parses to the same option. Uses @target if the option has none. */
char *export_option_dup_text (const ExportOption *self, const char *target);

/* Adds the exporter to a session. Reuses the same exporter for later sessions. Without a target, it writes to the
 * descriptor @fallback. @color is auto, always, never or NULL, and is passed to table exporters. */
gboolean export_option_add (ExportOption *self, RoastSession *session, RoastRegistry *registry, int fallback,
                            const char *color, GError **error);
/* Returns whether the exporter's options may request live output. */
gboolean export_option_may_be_live (const ExportOption *self);
/* Reserves the numbers of closed standard streams, so that no other file gets them. Call it before opening files. */
void export_option_hold_streams (void);
gboolean export_option_check_color (const char *color, GError **error);

/* Returns the descriptor of this process to which the target refers, and which another process needs to write the
 * report instead; -1: none. */
int export_option_get_descriptor (const ExportOption *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ExportOption, export_option_free)

G_END_DECLS
