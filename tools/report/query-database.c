/* SPDX-License-Identifier: BSD-3-Clause */
#include "query-database.h"

#include "core/base/roast-fail-private.h"
#include "query-metrics.h"
#include "query-table.h"

void
query_database_free (QueryDatabase *self)
{
  sqlite3_close (self->database);
  g_clear_pointer (&self->used, g_hash_table_unref);
  g_clear_object (&self->session);
  g_clear_object (&self->registry);
  g_clear_pointer (&self->run, report_run_free);
  g_free (self);
}

RoastReport *
query_database_get_report (QueryDatabase *self, GError **error)
{
  if (self->session == NULL)
    {
      g_autoptr (RoastSession) session = roast_session_new (self->registry);

      if (!roast_session_read (session, self->run->recording, error))
        return NULL;
      self->session = g_steal_pointer (&session);
    }

  return roast_session_get_report (self->session);
}

static RoastTableReader *
open_measured (const char *table, const char *const *columns, gpointer data, GError **error)
{
  QueryDatabase *self = data;

  g_hash_table_add (self->used, g_strdup (table));

  return roast_recording_read_table (self->run->recording, table, columns, error);
}

static RoastTableReader *
open_derived (const char *table, const char *const *columns, gpointer data, GError **error)
{
  QueryDatabase *self = data;
  RoastReport *report = query_database_get_report (self, error);

  g_hash_table_add (self->used, g_strdup (table));

  if (report == NULL)
    return NULL;

  return roast_report_read_table (report, table, columns, error);
}

static void
add_infos (GPtrArray *tables, RoastSchema *schema, RoastTableOrigin origin)
{
  g_autoptr (GPtrArray) infos = roast_schema_list_tables (schema);

  for (guint i = 0; i < infos->len; i++)
    if (roast_table_info_get_origin (g_ptr_array_index (infos, i)) == origin)
      g_ptr_array_add (tables, g_object_ref (g_ptr_array_index (infos, i)));
}

GPtrArray *
query_database_list_tables (QueryDatabase *self)
{
  GPtrArray *tables = g_ptr_array_new_with_free_func (g_object_unref);

  add_infos (tables, roast_recording_get_schema (self->run->recording), ROAST_TABLE_ORIGIN_MEASURED);
  add_infos (tables, roast_registry_get_schema (self->registry), ROAST_TABLE_ORIGIN_DERIVED);

  return tables;
}

static gboolean
query_database_add_tables (QueryDatabase *self, GError **error)
{
  g_autoptr (GPtrArray) infos = query_database_list_tables (self);

  for (guint i = 0; i < infos->len; i++)
    {
      RoastTableInfo *info = g_ptr_array_index (infos, i);
      gboolean is_measured = roast_table_info_get_origin (info) == ROAST_TABLE_ORIGIN_MEASURED;

      if (!query_table_add (self->database, info, is_measured ? open_measured : open_derived, self, error))
        return FALSE;
    }

  return TRUE;
}

/* Returns whether the pragma only describes tables or functions, and does not change anything. */
static gboolean
is_harmless (const char *pragma)
{
  static const char *const harmless[] = { "collation_list", "compile_options", "function_list", "module_list",
                                          "table_info",     "table_list",      "table_xinfo",   NULL };

  return pragma != NULL && g_strv_contains (harmless, pragma);
}

/* Authorizer for SQLite. It allows a statement to read the tables of the run, and refuses everything else. */
static int
authorize (void *data, int action, const char *first, const char *second, const char *database, const char *trigger)
{
  QueryDatabase *self = data;

  switch (action)
    {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_FUNCTION:
      if (g_ascii_strcasecmp (second, "load_extension") != 0)
        return SQLITE_OK;
      self->refused = "load an extension";
      break;
    case SQLITE_PRAGMA:
      if (is_harmless (first))
        return SQLITE_OK;
      self->refused = "change or ask for settings of SQLite";
      break;
    case SQLITE_ATTACH:
      self->refused = "ATTACH another file";
      break;
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE:
      /* Allow changes of tables whose names begin with sqlite_, because SQLite writes to them when a statement first
       * names a virtual table. */
      if (action != SQLITE_DELETE && g_str_has_prefix (first, "sqlite_"))
        return SQLITE_OK;
      self->refused = g_str_has_prefix (first, "sqlite_") ? "drop tables" : "change rows";
      break;
    case SQLITE_CREATE_TABLE:
      if (g_str_equal (first, QUERY_TABLE_DECLARED))
        return SQLITE_OK;
      self->refused = "create tables";
      break;
    default:
      self->refused = "create, change or drop something";
    }

  return SQLITE_DENY;
}

QueryDatabase *
query_database_open (const char *run, GError **error)
{
  g_autoptr (QueryDatabase) self = g_new0 (QueryDatabase, 1);

  self->used = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->run = report_run_open (run, error);
  if (self->run == NULL)
    return NULL;
  self->registry = roast_registry_new ();
  if (sqlite3_open (":memory:", &self->database) != SQLITE_OK)
    return roast_fail_null (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN, "cannot use SQLite: %s",
                            sqlite3_errmsg (self->database));
  if (!query_database_add_tables (self, error))
    return NULL;

  return g_steal_pointer (&self);
}

gboolean
query_database_prepare (QueryDatabase *self, const char *statement, GError **error)
{
  if (!query_metrics_add (self, statement, error))
    return FALSE;
  sqlite3_limit (self->database, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_set_authorizer (self->database, authorize, self);

  return TRUE;
}
