/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* --export=NAME[:TARGET][,OPTION=VALUE...], for each tool that writes reports. */
typedef struct
{
  char *name;
  char *target;            /* "-" for standard output, NULL for the tool's default */
  char *options;           /* the rest, which the registry parses; or NULL */
  RoastExporter *exporter; /* once it is in a session; or NULL */
} ExportOption;

ExportOption *export_option_parse (const char *text, GError **error);
/* Parses one and adds it to an array of them. */
gboolean export_option_append (GPtrArray *exports, const char *text, GError **error);
void export_option_free (ExportOption *self);
/* The text that is parsed to the same, with @target in place of none. */
char *export_option_dup_text (const ExportOption *self, const char *target);

/* Adds an exporter to a session; to another one later, the same. Without a target it writes to @fallback, a descriptor.
 * @color is auto, always, never or NULL, and becomes an option of tables. */
gboolean export_option_add (ExportOption *self, RoastSession *session, RoastRegistry *registry, int fallback,
                            const char *color, GError **error);
/* Whether its options may ask it to write while the run goes on. */
gboolean export_option_may_be_live (const ExportOption *self);
/* Called before files are opened: a closed standard stream must not become the number of another file. */
void export_option_hold_streams (void);
gboolean export_option_check_color (const char *color, GError **error);

/* The descriptor of this process that the output is, and that a process which writes it instead needs; -1: none. */
int export_option_get_descriptor (const ExportOption *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ExportOption, export_option_free)

G_END_DECLS
