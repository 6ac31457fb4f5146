/* SPDX-License-Identifier: BSD-3-Clause */

/* Module that contains dask-http.c. It passes calls from dask-http.c on to functions of the plugin. */

#include "dask-http-module.h"

#include <gmodule.h>

static DaskTransportFunctions called;

DaskTransport *
dask_transport_new (const DaskTransportKind *kind, gpointer link, const DaskOutput *output, RoastWireReader *reader)
{
  return called.new (kind, link, output, reader);
}

DaskScheduler *
dask_transport_get_scheduler (DaskTransport *self)
{
  return called.get_scheduler (self);
}

gboolean
dask_transport_is_open (DaskTransport *self)
{
  return called.is_open (self);
}

void
dask_transport_take_line (DaskTransport *self, char *line, gsize length)
{
  called.take_line (self, line, length);
}

void
dask_transport_end (DaskTransport *self, GError *error)
{
  called.end (self, error);
}

gboolean
dask_scheduler_is_over (DaskScheduler *self)
{
  return called.is_over (self);
}

void
dask_scheduler_set_clock (DaskScheduler *self, double offset, double uncertainty)
{
  called.set_clock (self, offset, uncertainty);
}

static DaskTransport *
new_for_url (const DaskTransportFunctions *functions, const char *url, const char *token, const char *ca_file,
             const DaskOutput *output, GError **error)
{
  called = *functions;

  return dask_transport_new_for_url (url, token, ca_file, output, error);
}

extern const DaskHttp roast_dask_http;
G_MODULE_EXPORT const DaskHttp roast_dask_http = { PLUGIN_VERSION, new_for_url };
