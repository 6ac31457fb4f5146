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

/* Number of plugin calls that are active in this thread, and the value of this number when plugin code forked this
 * process. */
static __thread guint depth;
static __thread guint forked_in;

/**
 * roast_plugin_watch_calls: (skip)
 * @text: (nullable): memory shared with another process, filled with zeros; %NULL to stop
 * @size: the size of @text in bytes; 96 is enough
 *
 * Keeps a record of plugin calls in @text. While the calling thread runs code of a plugin, @text is "PLUGIN SLOT". If
 * this process dies or hangs, a parent process can read @text and name the plugin. Between two calls, @text is "-"
 * followed by the text of the last call. See also roast_plugin_trace_call().
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
 * Searches the stack of the calling thread for plugin code, and writes "@PLUGIN" into the text of
 * roast_plugin_watch_calls(). Does nothing if the watched thread is in a virtual method, because the text already names
 * the plugin. The stack also shows plugin code outside virtual methods, such as timers. Call this function in the
 * handler of a fatal signal and at exit(). It is as async-signal-safe as backtrace().
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

/* Leave a plugin call. If plugin code forked, and the child process returns from that code, perhaps by an exception,
 * end the child, because it would continue as a second session and write the same reports. */
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
  /* Mark the text as inactive while it is being written. */
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
    local = g_error_new (domain, bad_implementation,
                         "%s() of %s failed without setting an error (a bug in the implementation)", slot,
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
