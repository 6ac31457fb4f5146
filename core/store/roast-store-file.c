/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-file-private.h"

#include "base/roast-fail-private.h"
#include "roast-store-descriptors-private.h"
#include "roast-store-thread-private.h"
#include "roast/roast-error.h"

static gboolean
disconnect (gpointer data, GError **error)
{
  RoastStoreFile *self = data;

  g_clear_pointer (&self->database, roast_database_close);

  return TRUE;
}

static void
finalize (gpointer data)
{
  RoastStoreFile *self = data;

  roast_store_thread_call (disconnect, self, NULL);
  if (self->fd >= 0)
    roast_store_descriptors_close (self->fd);
  roast_store_thread_release ();
  roast_decoder_free (self->decoder);
  g_free (self->path);
  g_free (self->problem);
  g_mutex_clear (&self->mutex);
}

void
roast_store_file_unref (RoastStoreFile *self)
{
  g_atomic_rc_box_release_full (self, finalize);
}

RoastStoreFile *
roast_store_file_new (const char *path, GError **error)
{
  RoastStoreFile *self = NULL;

  if (!roast_store_thread_hold ())
    return roast_fail_null (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN,
                            "%s: cannot use run files in a forked process whose parent had run files open", path);
  self = g_atomic_rc_box_new0 (RoastStoreFile);
  g_mutex_init (&self->mutex);
  self->decoder = roast_decoder_new ();
  self->fd = -1;
  self->path = g_strdup (path);

  return self;
}

void
roast_store_file_take_database (RoastStoreFile *self, RoastDatabase *database)
{
  g_clear_pointer (&self->database, roast_database_close);
  self->database = database;
}

void
roast_store_file_set_problem (RoastStoreFile *self, const char *problem)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  if (problem == NULL)
    g_clear_pointer (&self->problem, g_free);
  else if (self->problem == NULL)
    self->problem = g_strdup (problem);
}

char *
roast_store_file_dup_problem (RoastStoreFile *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return g_strdup (self->problem);
}

gboolean
roast_store_file_fail (RoastStoreFile *self, GError **error, const char *what)
{
  if (error != NULL && *error == NULL)
    g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_DAMAGED, "%s is damaged: %s", self->path, what);

  return FALSE;
}
