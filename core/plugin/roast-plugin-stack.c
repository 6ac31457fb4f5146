/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-plugin-stack-private.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <string.h>

#define MAX_PLUGINS 128
#define MAX_FRAMES 256

typedef struct
{
  const char *plugin;
  gconstpointer base; /* base address of the module; NULL if a loader reads the plugin */
  const char *loader;
} Opened;

/* The opened plugins. Entries are never removed, so that a signal handler can read them at any time. */
static Opened opened[MAX_PLUGINS];
static int n_opened;
static GMutex plugin_stack_lock;

static gboolean
plugin_stack_is_known (const char *plugin)
{
  for (int i = 0; i < n_opened; i++)
    if (g_str_equal (opened[i].plugin, plugin))
      return TRUE;

  return FALSE;
}

void
roast_plugin_stack_add (const char *plugin, gconstpointer symbol, const char *loader)
{
  Dl_info info = { 0 };

  if (symbol != NULL && dladdr (symbol, &info) == 0)
    return;
  g_mutex_lock (&plugin_stack_lock);
  if (n_opened < MAX_PLUGINS && !plugin_stack_is_known (plugin))
    {
      /* The pointers in the entry stay valid, because plugins stay open until the process ends. */
      opened[n_opened] = (Opened) { g_intern_string (plugin), info.dli_fbase, g_intern_string (loader) };
      g_atomic_int_inc (&n_opened);
    }
  g_mutex_unlock (&plugin_stack_lock);
}

static const char *
find_module (gconstpointer base)
{
  for (int i = 0; i < g_atomic_int_get (&n_opened); i++)
    if (opened[i].base == base)
      return opened[i].plugin;

  return NULL;
}

/* Find the plugin that uses a library of a loader's language, such as libpython3.11.so. Return NULL if several plugins
 * use the loader, because it is unknown which of these plugins called the library. */
static const char *
find_only_plugin (const char *library)
{
  const char *slash = strrchr (library, '/');
  const char *name = slash != NULL ? slash + 1 : library;
  const char *found = NULL;

  for (int i = 0; i < g_atomic_int_get (&n_opened); i++)
    {
      if (opened[i].loader == NULL || strstr (name, opened[i].loader) == NULL)
        continue;
      if (found != NULL)
        return NULL;
      found = opened[i].plugin;
    }

  return found;
}

const char *
roast_plugin_stack_find (void)
{
  void *frames[MAX_FRAMES];
  int n = backtrace (frames, MAX_FRAMES);

  for (int i = 0; i < n; i++)
    {
      const char *plugin = NULL;
      Dl_info info;

      if (dladdr (frames[i], &info) == 0)
        continue;
      plugin = find_module (info.dli_fbase);
      if (plugin == NULL && info.dli_fname != NULL)
        plugin = find_only_plugin (info.dli_fname);
      if (plugin != NULL)
        return plugin;
    }

  return NULL;
}
