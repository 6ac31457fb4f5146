/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-thread-private.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

typedef struct
{
  RoastStoreFunc func;
  gpointer data;
  GMutex mutex;
  GCond cond;
  gboolean done;
} Call;

typedef struct
{
  RoastStoreFunc func;
  gpointer data;
} Post;

static GMutex mutex; /* of all below */
static guint n_holds;
static GThread *thread;
static GMainContext *context;
static GMainLoop *loop;
static GArray *fds; /* int */
static pid_t pid;

/* Signals are for the threads of the program. A file that may not grow (RLIMIT_FSIZE) is an error here, not the end. */
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
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);

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

static void
close_fds (void)
{
  for (guint i = 0; fds != NULL && i < fds->len; i++)
    close (g_array_index (fds, int, i));
  g_clear_pointer (&fds, g_array_unref);
}

void
roast_store_thread_release (void)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);

  if (--n_holds > 0 || pid != getpid ())
    return;
  close_fds ();
  /* It cannot wait for itself: then it stays for the next file. */
  if (thread == g_thread_self ())
    return;
  g_main_loop_quit (loop);
  g_thread_join (g_steal_pointer (&thread));
  g_clear_pointer (&loop, g_main_loop_unref);
  g_clear_pointer (&context, g_main_context_unref);
}

static gboolean
call (gpointer data)
{
  Call *self = data;

  self->func (self->data);
  g_mutex_lock (&self->mutex);
  self->done = TRUE;
  g_cond_signal (&self->cond);
  g_mutex_unlock (&self->mutex);

  return G_SOURCE_REMOVE;
}

static void
attach_source (GSource *source, GSourceFunc func, gpointer data, GDestroyNotify destroy)
{
  g_source_set_callback (source, func, data, destroy);
  g_source_attach (source, context);
}

static void
attach_idle (GSourceFunc func, gpointer data, GDestroyNotify destroy)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  attach_source (source, func, data, destroy);
}

void
roast_store_thread_call (RoastStoreFunc func, gpointer data)
{
  Call self = { .func = func, .data = data };

  if (g_thread_self () == thread)
    {
      func (data);
      return;
    }
  g_mutex_init (&self.mutex);
  g_cond_init (&self.cond);
  attach_idle (call, &self, NULL);
  g_mutex_lock (&self.mutex);
  while (!self.done)
    g_cond_wait (&self.cond, &self.mutex);
  g_mutex_unlock (&self.mutex);
  g_mutex_clear (&self.mutex);
  g_cond_clear (&self.cond);
}

static gboolean
run_post (gpointer data)
{
  Post *self = data;

  self->func (self->data);

  return G_SOURCE_REMOVE;
}

void
roast_store_thread_post (RoastStoreFunc func, gpointer data)
{
  Post *self = g_new (Post, 1);

  *self = (Post) { func, data };
  attach_idle (run_post, self, g_free);
}

GSource *
roast_store_thread_add_timer (guint interval, GSourceFunc func, gpointer data)
{
  GSource *source = g_timeout_source_new (interval);

  attach_source (source, func, data, NULL);

  return source;
}

void
roast_store_thread_close_later (int fd)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);

  if (fd < 0)
    return;
  if (fds == NULL)
    fds = g_array_new (FALSE, FALSE, sizeof (int));
  g_array_append_val (fds, fd);
}
