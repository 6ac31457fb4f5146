/* SPDX-License-Identifier: BSD-3-Clause */

/* Loads the HTTP module only if it is needed, because libsoup needs a dozen other libraries and most runs do not need
 * libsoup. If roast was built without libsoup, the module does not exist. */

#include <gmodule.h>

#include "dask-http-module.h"
#include "side-module.h"

DaskTransport *
dask_transport_new_for_url (const char *url, const char *token, const char *ca_file, const DaskOutput *output,
                            GError **error)
{
  const DaskTransportFunctions functions = {
    dask_transport_new, dask_transport_get_scheduler, dask_transport_is_open,   dask_transport_take_line,
    dask_transport_end, dask_scheduler_is_over,       dask_scheduler_set_clock,
  };
  const SideModule module = { url, "libroast-dask-http." G_MODULE_SUFFIX, DASK_HTTP_SYMBOL, "roast-plugin-dask",
                              "on other systems, build roast with libsoup 3, or give roast-run or roast-attach the "
                              "tcp:// address of the scheduler" };
  const DaskHttp *http = side_module_open (&module, error);

  return http != NULL ? http->new_for_url (&functions, url, token, ca_file, output, error) : NULL;
}
