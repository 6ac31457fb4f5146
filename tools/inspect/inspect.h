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

/* What each command does: prints, and returns the exit status. */
int inspect_list (RoastRegistry *registry, gboolean json);
int inspect_show (RoastRegistry *registry, const char *name, gboolean json);
int inspect_names (RoastRegistry *registry, const char *kind);
int inspect_metrics (RoastRegistry *registry, const char *name, gboolean json);
int inspect_markdown (RoastRegistry *registry);
int inspect_charts (RoastRegistry *registry, const char *name, gboolean json);
int inspect_charts_markdown (RoastRegistry *registry);
int inspect_tables (RoastRegistry *registry, const char *name, gboolean json);
int inspect_broken (RoastRegistry *registry, gboolean json);
/* Tries what this machine can measure. */
int inspect_doctor (RoastRegistry *registry, gboolean json);
int inspect_check (RoastRegistry *registry, const char *path, gboolean json);
int inspect_load (RoastRegistry *registry, const char *plugin, gboolean json);

/* text.c: what is printed. */
typedef GPtrArray InspectTable;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (InspectTable, g_ptr_array_unref)

InspectTable *inspect_table_new (void);
/* Cells, then NULL; a NULL cell ends the row. */
void inspect_table_add (InspectTable *table, const char *cell, ...) G_GNUC_NULL_TERMINATED;
/* Nothing if there is no value. */
void inspect_table_add_field (InspectTable *table, const char *label, const char *value);
void inspect_table_print (InspectTable *table, const char *indent);
void inspect_print (const char *format, ...) G_GNUC_PRINTF (1, 2);
void inspect_complain (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* @name is none of @names, which gets a NULL; returns the exit status. */
int inspect_not_found (const char *kind, GPtrArray *names, const char *name, const char *option);
/* A cell of a table in Markdown. */
char *inspect_escape_cell (const char *text);
void inspect_print_json (JsonBuilder *builder);
void inspect_json_string (JsonBuilder *builder, const char *key, const char *value);
void inspect_json_strv (JsonBuilder *builder, const char *key, const char *const *values);
const char *inspect_enum_nick (GType type, int value);
const char *inspect_role_name (RoastRole role);
const char *inspect_error_code (const GError *error);

/* child.c: code of plugins runs in a child process only, which reports its findings. */
typedef struct
{
  char *path;
  char *code;
  char *text;
  char *cure;
} InspectFinding;

typedef void (*InspectChildFunc) (gpointer data);

/* Runs @func in a child; gives what it reported, and how it ended if that was not well. @path is whose plugin it is
 * about. */
GPtrArray *inspect_run_in_child (InspectChildFunc func, gpointer data, const char *path);
/* Adds what is new, and frees the rest. */
void inspect_take_findings (GPtrArray *findings, GPtrArray *more);
/* Called in the child: what it does now, for the case that it crashes. */
void inspect_child_step (const char *step);
void inspect_child_report (const char *path, const char *code, const char *text, const char *cure);
void inspect_child_finding (RoastPlugin *plugin, const char *cure, const char *format, ...) G_GNUC_PRINTF (3, 4);
void inspect_child_error (RoastPlugin *plugin, const GError *error);
/* Opens the plugin and registers all its types; reports what goes wrong. */
gboolean inspect_child_load (RoastPlugin *plugin);

/* Prints them, or @none if there are none; returns the exit status. */
int inspect_end_findings (GPtrArray *findings, gboolean json, const char *none);

G_END_DECLS
