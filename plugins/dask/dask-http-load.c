/* SPDX-License-Identifier: BSD-3-Clause */

/* Loads the module that speaks HTTP when it is needed: libsoup brings a dozen libraries, and most runs need none of
 * them. It is missing where roast was built without libsoup. */

#include <gmodule.h>

#include "dask-environment.h"
#include "dask-http-module.h"

static DaskHttpNew
load (GError **error)
{
  g_autofree char *path = dask_environment_dup_file ("libroast-dask-http." G_MODULE_SUFFIX, NULL);
  GModule *module = NULL;
  gpointer function = NULL;

  if (path == NULL)
    {
      g_set_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_CONNECT,
                   "this roast was built without libsoup 3, which it needs for http:// addresses. Give the scheduler's "
                   "tcp:// address, or run roast-attach with it");
      return NULL;
    }
  module = g_module_open (path, G_MODULE_BIND_LOCAL);
  if (module == NULL || !g_module_symbol (module, DASK_HTTP_NEW, &function))
    {
      g_set_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_CONNECT,
                   "cannot load what reads http:// addresses: %s", g_module_error ());
      return NULL;
    }

  return (DaskHttpNew) function;
}

DaskTransport *
dask_transport_new_for_url (const char *url, const char *token, const char *ca_file, const DaskOutput *output,
                            GError **error)
{
  const DaskTransportFunctions functions = {
    dask_transport_new, dask_transport_get_scheduler, dask_transport_is_open,   dask_transport_take_line,
    dask_transport_end, dask_scheduler_is_over,       dask_scheduler_set_clock,
  };
  DaskHttpNew new_for_url = load (error);

  if (new_for_url != NULL)
    return new_for_url (&functions, url, token, ca_file, output, error);
  g_prefix_error (error, "%s: ", url);

  return NULL;
}
