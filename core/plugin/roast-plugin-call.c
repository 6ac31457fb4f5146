/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-plugin-call-private.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/roast-fail-private.h"
#include "roast-plugin-private.h"
#include "roast-plugin-stack-private.h"

static char *watched;
static gsize watched_size;
static GThread *watching;

/* Calls that are active in this thread, and in how many of them its process was forked. */
static __thread guint depth;
static __thread guint forked_in;

/**
 * roast_plugin_watch_calls: (skip)
 * @text: (nullable): memory that another process shares, filled with zeros; %NULL: no longer
 * @size: its size in bytes; 96 is enough
 *
 * Keeps in @text which plugin's code the calling thread runs, as "PLUGIN SLOT", so that a parent process can name
 * it if this process dies or hangs. Between two calls of plugins the last one is there, after a "-": see also
 * roast_plugin_trace_call().
 *
 * Since: 0.9
 */
void
roast_plugin_watch_calls (char *text, gsize size)
{
  watched = text;
  watched_size = size;
  watching = g_thread_self ();
}

/**
 * roast_plugin_trace_call: (skip)
 *
 * Looks for code of a plugin on the stack of the calling thread, unless the watched thread is in a slot, and keeps the
 * plugin as "@PLUGIN" in the text of roast_plugin_watch_calls(): for the handler of a fatal signal, and for exit().
 * So it finds callbacks of plugins, such as timers. It is as async-signal-safe as backtrace().
 *
 * Since: 0.9
 */
void
roast_plugin_trace_call (void)
{
  const char *plugin = NULL;
  gboolean is_watched = watching == g_thread_self ();

  if (watched == NULL || (is_watched && watched[0] != '\0' && watched[0] != '-'))
    return;
  plugin = roast_plugin_stack_find ();
  if (plugin != NULL)
    {
      watched[0] = '\0';
      g_strlcpy (watched + 1, plugin, watched_size - 1);
      watched[0] = '@';
    }
  else if (!is_watched)
    watched[0] = '\0';
}

static void
on_forked (void)
{
  forked_in = depth;
}

static gpointer
watch_forks (gpointer nothing)
{
  pthread_atfork (NULL, NULL, on_forked);

  return NULL;
}

static void
enter (void)
{
  static GOnce once = G_ONCE_INIT;

  g_once (&once, watch_forks, NULL);
  depth++;
}

/* A child that code of a plugin forked has returned from that code, perhaps by an exception. It must not go on as a
 * second session, which would write the same reports. */
static void
leave (void)
{
  if (forked_in != 0 && depth <= forked_in)
    _exit (EXIT_SUCCESS);
  depth--;
}

RoastPluginCall
roast_plugin_call_begin_named (const char *plugin, const char *slot)
{
  RoastPluginCall self = { "" };

  enter ();

  if (watched == NULL || watching != g_thread_self ())
    return self;
  g_strlcpy (self.before, watched, sizeof self.before);
  /* Not active while it is written. */
  watched[0] = '\0';
  g_snprintf (watched, watched_size, "%s %s", plugin, slot);

  return self;
}

RoastPluginCall
roast_plugin_call_begin (GObject *object, const char *slot)
{
  const char *plugin = watched != NULL ? roast_plugin_name_maker (object) : NULL;

  return roast_plugin_call_begin_named (plugin != NULL ? plugin : G_OBJECT_TYPE_NAME (object), slot);
}

void
roast_plugin_call_end (RoastPluginCall *self)
{
  gsize length;

  leave ();
  if (watched == NULL || watching != g_thread_self ())
    return;
  if (self->before[0] != '\0' && self->before[0] != '-')
    {
      g_strlcpy (watched, self->before, watched_size);
      return;
    }
  length = MIN (strlen (watched), watched_size - 2);
  memmove (watched + 1, watched, length);
  watched[length + 1] = '\0';
  watched[0] = '-';
}

gboolean
roast_plugin_call_settle (GObject *object, gboolean ok, GError *local, const char *slot, GQuark domain,
                          int bad_implementation, GError **error)
{
  if (ok)
    {
      g_clear_error (&local);
      return TRUE;
    }
  if (local == NULL)
    local = g_error_new (domain, bad_implementation, "%s() of %s failed without saying why (a bug in it)", slot,
                         G_OBJECT_TYPE_NAME (object));
  g_propagate_error (error, local);

  return FALSE;
}

gboolean
roast_plugin_call_refuse_options (GObject *object, GVariant *options, GError **error)
{
  if (g_variant_n_children (options) == 0)
    return TRUE;
  return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_UNKNOWN, "%s takes no options",
                     G_OBJECT_TYPE_NAME (object));
}

GVariant *
roast_plugin_call_take_options (GVariant *options)
{
  return g_variant_ref_sink (options != NULL ? options : g_variant_new ("a{sv}", NULL));
}
