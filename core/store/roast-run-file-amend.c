/* SPDX-License-Identifier: BSD-3-Clause */

/* Additions to a file whose writer was killed. */

#include "roast-run-file-private.h"
#include "roast-store-layout-private.h"
#include "roast-store-thread-private.h"
#include "roast/roast-error.h"

typedef struct
{
  RoastRunFile *file;
  const char *meta_key;
  const char *meta_value;
  const char *key;
  char *value; /* text of GVariant */
  GError *error;
} Request;

static gboolean
write_pair (RoastDatabase *database, const char *sql, const char *key, const char *value, GError **error)
{
  sqlite3_stmt *statement = roast_database_prepare (database, sql, error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_text (statement, 1, key, -1, SQLITE_TRANSIENT);
  sqlite3_bind_text (statement, 2, value, -1, SQLITE_TRANSIENT);

  return roast_database_run (database, statement, error);
}

static void
amend (gpointer data)
{
  Request *request = data;
  g_autoptr (RoastDatabase) database = roast_database_open_again (request->file->path, &request->error);

  if (database == NULL || !roast_database_exec (database, "BEGIN IMMEDIATE", &request->error))
    return;
  if (write_pair (database, ROAST_STORE_SET_META, request->meta_key, request->meta_value, &request->error) &&
      write_pair (database, ROAST_STORE_SET_METADATA, request->key, request->value, &request->error) &&
      roast_database_exec (database, "COMMIT", &request->error))
    return;
  roast_database_exec (database, "ROLLBACK", NULL);
}

/**
 * roast_run_file_amend:
 * @self: a file that was opened and whose writer was killed
 * @meta_key: a key of the metadata of the file, for lists of runs
 * @meta_value: its value
 * @key: a key of the metadata of the recording
 * @value: its value, consumed if floating
 * @error: return location for an error
 *
 * Writes what became known after the writer was killed, such as how the program ended. Recordings that have been read
 * from @self do not have it.
 *
 * Returns: whether the file has it; %FALSE with an error of the domain #RoastStoreError, which is
 * %ROAST_STORE_ERROR_WRITE if the writer closed the file or still writes it
 *
 * Since: 0.9
 */
gboolean
roast_run_file_amend (RoastRunFile *self, const char *meta_key, const char *meta_value, const char *key,
                      GVariant *value, GError **error)
{
  g_autoptr (GVariant) held = NULL;
  g_autofree char *text = NULL;
  Request request = { self, meta_key, meta_value, key, NULL, NULL };

  g_return_val_if_fail (ROAST_IS_RUN_FILE (self), FALSE);
  g_return_val_if_fail (meta_key != NULL && meta_value != NULL && key != NULL && value != NULL, FALSE);

  held = g_variant_ref_sink (value);
  if (self->writer != NULL || self->state != ROAST_RUN_FILE_STATE_INTERRUPTED)
    {
      g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_WRITE,
                   "%s: only a file whose writer was killed can be amended", self->path);
      return FALSE;
    }
  request.value = text = g_variant_print (held, TRUE);
  roast_store_thread_call (amend, &request);
  if (request.error == NULL)
    return TRUE;
  g_propagate_error (error, request.error);

  return FALSE;
}
