/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "dask-transport.h"

/* Functions of the plugin that dask-http.c calls. The module receives them as pointers, because the loader hides the
 * symbols of the plugin from it. */
typedef struct
{
  DaskTransport *(*new) (const DaskTransportKind *kind, gpointer link, const DaskOutput *output,
                         RoastWireReader *reader);
  DaskScheduler *(*get_scheduler) (DaskTransport *self);
  gboolean (*is_open) (DaskTransport *self);
  void (*take_line) (DaskTransport *self, char *line, gsize length);
  void (*end) (DaskTransport *self, GError *error);
  gboolean (*is_over) (DaskScheduler *scheduler);
  void (*set_clock) (DaskScheduler *scheduler, double offset, double uncertainty);
} DaskTransportFunctions;

#define DASK_HTTP_SYMBOL "roast_dask_http"

/* Symbol that the module exports. */
typedef struct
{
  const char *version;
  DaskTransport *(*new_for_url) (const DaskTransportFunctions *functions, const char *url, const char *token,
                                 const char *ca_file, const DaskOutput *output, GError **error);
} DaskHttp;
