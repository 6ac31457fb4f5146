/* SPDX-License-Identifier: BSD-3-Clause */

/* In place of dask-http.c where libsoup is missing. */

#include "dask-transport.h"

DaskTransport *
dask_transport_new_for_url (const char *url, const char *token, const char *ca_file, const DaskOutput *output,
                            GError **error)
{
  g_set_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_CONNECT,
               "%s: this roast was built without libsoup 3, which it needs for http:// addresses. Give the scheduler's "
               "tcp:// address, or run roast-attach with it",
               url);

  return NULL;
}
