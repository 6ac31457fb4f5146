/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-thread-private.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

typedef struct
{
  RoastStoreCallFunc func;
  gpointer data;
  GError **error;
  gboolean result;
  GMutex mutex;
  GCond cond;
  gboolean done;
} Call;

static GMutex store_thread_mutex; /* guards the variables below */
static guint n_holds;
static GThread *thread;
static GMainContext *context;
static GMainLoop *loop;
static pid_t pid;

/* Block signals, so that only the threads of the program handle them. With SIGXFSZ blocked, a write beyond RLIMIT_FSIZE
 * fails with an error instead of killing the process. */
static void
block_signals (void)
{
  sigset_t all;

  sigfillset (&all);
  pthread_sigmask (SIG_BLOCK, &all, NULL);
}

static gpointer
run (gpointer data)
{
  block_signals ();
  g_main_context_push_thread_default (context);
  g_main_loop_run (loop);
  g_main_context_pop_thread_default (context);

  return NULL;
}

gboolean
roast_store_thread_hold (void)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&store_thread_mutex);

  if (thread != NULL && pid != getpid ())
    return FALSE;
  n_holds++;
  if (thread != NULL)
    return TRUE;
  pid = getpid ();
  context = g_main_context_new ();
  loop = g_main_loop_new (context, FALSE);
  thread = g_thread_new ("roast-store", run, NULL);

  return TRUE;
}

void
roast_store_thread_release (void)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&store_thread_mutex);

  if (--n_holds > 0 || pid != getpid ())
    return;
  /* The last file was closed in the store's thread, which cannot join itself. Keep the thread for the next file. */
  if (thread == g_thread_self ())
    return;
  g_main_loop_quit (loop);
  g_thread_join (g_steal_pointer (&thread));
  g_clear_pointer (&loop, g_main_loop_unref);
  g_clear_pointer (&context, g_main_context_unref);
}

static gboolean
store_thread_call (gpointer data)
{
  Call *self = data;

  self->result = self->func (self->data, self->error);
  g_mutex_lock (&self->mutex);
  self->done = TRUE;
  g_cond_signal (&self->cond);
  g_mutex_unlock (&self->mutex);

  return G_SOURCE_REMOVE;
}

void
roast_store_thread_post (GSourceFunc func, gpointer data)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, func, data, NULL);
  g_source_attach (source, context);
}

gboolean
roast_store_thread_call (RoastStoreCallFunc func, gpointer data, GError **error)
{
  Call self = { .func = func, .data = data, .error = error };

  if (g_thread_self () == thread)
    return func (data, error);
  g_mutex_init (&self.mutex);
  g_cond_init (&self.cond);
  roast_store_thread_post (store_thread_call, &self);
  g_mutex_lock (&self.mutex);
  while (!self.done)
    g_cond_wait (&self.cond, &self.mutex);
  g_mutex_unlock (&self.mutex);
  g_mutex_clear (&self.mutex);
  g_cond_clear (&self.cond);

  return self.result;
}
