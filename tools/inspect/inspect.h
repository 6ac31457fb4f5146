/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <json-glib/json-glib.h>
#include <roast/roast.h>

G_BEGIN_DECLS

#define INSPECT_ROLES 3

/* Exit statuses. */
enum
{
  INSPECT_FINE = 0,
  INSPECT_BROKEN = 1,
  INSPECT_USAGE = 2,
};

/* Commands. Each prints its result and returns the exit status. */
int inspect_list (RoastRegistry *registry, gboolean json);
int inspect_show (RoastRegistry *registry, const char *name, gboolean json);
int inspect_names (RoastRegistry *registry, const char *kind);
int inspect_metrics (RoastRegistry *registry, const char *name, gboolean json);
int inspect_markdown (RoastRegistry *registry);
int inspect_charts (RoastRegistry *registry, const char *name, gboolean json);
int inspect_charts_markdown (RoastRegistry *registry);
int inspect_tables (RoastRegistry *registry, const char *name, gboolean json);
int inspect_broken (RoastRegistry *registry, gboolean json);
/* Tests what this machine can measure. */
int inspect_doctor (RoastRegistry *registry, gboolean json);
int inspect_check (RoastRegistry *registry, const char *path, gboolean json);
int inspect_load (RoastRegistry *registry, const char *plugin, gboolean json);

/* text.c: printing. */
typedef GPtrArray InspectTable;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (InspectTable, g_ptr_array_unref)

InspectTable *inspect_table_new (void);
/* Adds a row. The list of its cells ends with NULL. */
void inspect_table_add (InspectTable *table, const char *cell, ...) G_GNUC_NULL_TERMINATED;
/* Adds a label and its value, unless the value is NULL or empty. */
void inspect_table_add_field (InspectTable *table, const char *label, const char *value);
void inspect_table_print (InspectTable *table, const char *indent);
void inspect_print (const char *format, ...) G_GNUC_PRINTF (1, 2);
void inspect_complain (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* Prints an error that @name is not in @names. Appends NULL to @names. Returns the exit status. */
int inspect_not_found (const char *kind, GPtrArray *names, const char *name, const char *option);
/* Escapes text for a cell of a Markdown table. */
char *inspect_escape_cell (const char *text);
void inspect_print_json (JsonBuilder *builder);
void inspect_json_string (JsonBuilder *builder, const char *key, const char *value);
void inspect_json_strv (JsonBuilder *builder, const char *key, const char *const *values);
const char *inspect_enum_nick (GType type, int value);
const char *inspect_role_name (RoastRole role);
const char *inspect_error_code (const GError *error);

/* child.c: runs the code of plugins in child processes, which report findings to the parent. */
/* A finding is a GStrv with these fields. A missing field is "". */
enum
{
  INSPECT_PATH = 1, /* field 0 is the kind of the record that the child wrote */
  INSPECT_CODE,
  INSPECT_TEXT,
  INSPECT_CURE,
  INSPECT_N_FIELDS,
};

typedef void (*InspectChildFunc) (gpointer data);

/* Runs @func in a child process. Returns the child's findings. If the child crashed, hung or failed, adds a finding
 * about that. @path is the key file of the plugin. */
GPtrArray *inspect_run_in_child (InspectChildFunc func, gpointer data, const char *path);
/* Reads the output of a child process from @fd, closes @fd, and waits for the child to end. If that takes longer than
 * @seconds, kills the child and returns FALSE. */
gboolean inspect_wait (pid_t pid, int fd, GString *output, guint seconds, int *status);
/* Moves findings from @more to @findings, except findings that @findings contains already. Frees @more. */
void inspect_take_findings (GPtrArray *findings, GPtrArray *more);
/* Called in the child: reports the step that begins. If the child crashes, the parent names this step. */
void inspect_child_step (const char *step);
void inspect_child_report (const char *path, const char *code, const char *text, const char *cure);
void inspect_child_finding (RoastPlugin *plugin, const char *cure, const char *format, ...) G_GNUC_PRINTF (3, 4);
void inspect_child_error (RoastPlugin *plugin, const GError *error);
/* Opens the plugin and registers all its types. Reports errors. */
gboolean inspect_child_load (RoastPlugin *plugin);

/* Prints the findings, or @none if there are none. Returns the exit status. */
int inspect_end_findings (GPtrArray *findings, gboolean json, const char *none);

G_END_DECLS
