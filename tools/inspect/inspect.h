/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <json-glib/json-glib.h>
#include <roast/roast.h>

#define INSPECT_ROLES 3

/* Exit statuses. */
enum
{
  INSPECT_FINE = 0,
  INSPECT_BROKEN = 1,
  INSPECT_USAGE = 2,
};

/* Commands. Each command prints its result and returns the exit status. */
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
/* @address: address of something that backends of the plugin can read; may be NULL */
int inspect_check (RoastRegistry *registry, const char *path, const char *address, gboolean json);
int inspect_load (RoastRegistry *registry, const char *plugin, gboolean json);

/* text.c: printing. */
typedef GPtrArray InspectTable;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (InspectTable, g_ptr_array_unref)

InspectTable *inspect_table_new (void);
/* Adds a row. Its cells are the arguments up to NULL. */
void inspect_table_add (InspectTable *table, const char *cell, ...) G_GNUC_NULL_TERMINATED;
/* Adds a label and its value. Does nothing if the value is NULL or empty. */
void inspect_table_add_field (InspectTable *table, const char *label, const char *value);
void inspect_table_print (InspectTable *table, const char *indent);
void inspect_print (const char *format, ...) G_GNUC_PRINTF (1, 2);
void inspect_complain (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* Appends the names of @objects to @names. */
typedef const char *(*InspectGetName) (gpointer object);
void inspect_add_names (GPtrArray *names, GPtrArray *objects, InspectGetName get_name);
/* Prints an error which says that @names does not contain @name. Appends NULL to @names. Returns the exit status. */
int inspect_not_found (const char *kind, GPtrArray *names, const char *name, const char *option);
/* Escapes a text for use in a cell of a Markdown table. */
char *inspect_escape_cell (const char *text);
/* Adds a value that describes @object. */
typedef void (*InspectJsonFunc) (JsonBuilder *builder, gpointer object);
void inspect_print_json (JsonBuilder *builder);
/* Prints the JSON of one object, or an array of the JSON of several objects. */
void inspect_print_json_of (gpointer object, InspectJsonFunc add);
void inspect_print_json_list (GPtrArray *objects, InspectJsonFunc add);
void inspect_json_string (JsonBuilder *builder, const char *key, const char *value);
void inspect_json_boolean (JsonBuilder *builder, const char *key, gboolean value);
/* Adds an array, as a member if @key is not NULL. */
void inspect_json_list (JsonBuilder *builder, const char *key, GPtrArray *objects, InspectJsonFunc add);
void inspect_json_strv (JsonBuilder *builder, const char *key, const char *const *values);
const char *inspect_enum_nick (GType type, int value);
const char *inspect_role_name (RoastRole role);
GPtrArray *inspect_list_plugins (RoastRegistry *registry);
/* Calls @func for each backend, aggregator and exporter of the plugin. */
typedef void (*InspectProvidedFunc) (RoastPlugin *plugin, RoastRole role, const char *name, gpointer data);
void inspect_each_provided (RoastPlugin *plugin, InspectProvidedFunc func, gpointer data);
const char *inspect_error_code (const GError *error);

/* child.c: runs code of plugins in child processes, which report findings to the parent process. */
/* A finding is a GStrv with these fields. If a field is missing, it is "". */
enum
{
  INSPECT_PATH = 1, /* field 0 is the kind of the record, which the child process wrote */
  INSPECT_CODE,
  INSPECT_TEXT,
  INSPECT_CURE,
  INSPECT_N_FIELDS,
};

typedef void (*InspectChildFunc) (gpointer data);

/* Runs @func in a child process. Returns the findings of the child process. If the child process crashed, hung or
 * failed, adds a finding about that. @path: path of the plugin's key file */
GPtrArray *inspect_run_in_child (InspectChildFunc func, gpointer data, const char *path);
/* Reads the output of a child process from @fd, closes @fd, and waits until the child process has ended. If this takes
 * longer than @seconds, kills the child process and returns FALSE. */
gboolean inspect_wait (pid_t pid, int fd, GString *output, guint seconds, int *status);
/* Moves findings from @more to @findings. Drops findings that @findings already contains. Frees @more. */
void inspect_take_findings (GPtrArray *findings, GPtrArray *more);
/* Called in the child process: reports the step that begins now. If the child process crashes, the parent process names
 * this step. */
void inspect_child_step (const char *step);
void inspect_child_report (const char *path, const char *code, const char *text, const char *cure);
void inspect_child_finding (RoastPlugin *plugin, const char *cure, const char *format, ...) G_GNUC_PRINTF (3, 4);
void inspect_child_error (RoastPlugin *plugin, const GError *error);
/* Opens the plugin, and registers all of its types. Reports errors. */
gboolean inspect_child_load (RoastPlugin *plugin);

/* Prints the findings. If there are none, prints @none. Returns the exit status. */
int inspect_end_findings (GPtrArray *findings, gboolean json, const char *none);
