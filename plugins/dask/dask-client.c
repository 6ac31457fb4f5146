/* SPDX-License-Identifier: BSD-3-Clause */

/* Transport to the address of a scheduler (tcp://…). A Dask client in a separate process connects to it. */

#include "dask-environment.h"
#include "dask-lines.h"
#include "dask-transport.h"

typedef struct
{
  DaskTransport *transport; /* owns this structure */
  GSubprocess *process;
  char *address;
} Client;

static gboolean
client_send_flush (gpointer link, guint64 number, gboolean is_last)
{
  Client *self = link;
  g_autofree char *request = g_strdup_printf ("{\"do\":\"flush\",\"id\":%" G_GUINT64_FORMAT "}\n", number);

  /* Write synchronously. The request always fits in the pipe, because it is short and the client reads each request at
   * once. */
  return g_output_stream_write_all (g_subprocess_get_stdin_pipe (self->process), request, strlen (request), NULL, NULL,
                                    NULL);
}

/* Closing the standard input of the client's process makes the process end. */
static void
client_shut (gpointer link)
{
  Client *self = link;

  g_output_stream_close (g_subprocess_get_stdin_pipe (self->process), NULL, NULL);
}

static void
client_free (gpointer link)
{
  Client *self = link;

  g_object_unref (self->process);
  g_free (self->address);
  g_free (self);
}

static void
on_line (char *line, gsize length, gpointer user_data)
{
  dask_transport_take_line (user_data, line, length);
}

static void
on_read (GObject *object, GAsyncResult *result, gpointer user_data)
{
  Client *self = user_data;
  g_autoptr (DaskTransport) transport = self->transport;
  GError *error = NULL;

  dask_lines_read_finish (G_INPUT_STREAM (object), result, &error);
  if (error == NULL && !dask_scheduler_is_known (dask_transport_get_scheduler (transport)))
    error = g_error_new (ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_CONNECT,
                         "cannot join the scheduler %s: see the output of Python. Use a Python with the same version "
                         "of Dask as the scheduler: --backend=dask,python=/PATH/TO/python",
                         self->address);
  dask_transport_end (transport, error);
}

DaskTransport *
dask_transport_new_for_address (const char *address, const char *python, gint64 interval, const DaskOutput *output,
                                GError **error)
{
  static const DaskTransportKind kind = { client_send_flush, client_shut, client_free };
  g_autofree char *directory = dask_environment_dup_directory (error);
  g_autofree char *script = directory != NULL ? g_build_filename (directory, "dask-attach.py", NULL) : NULL;
  g_autofree char *seconds = g_strdup_printf ("%g", (double) interval / G_USEC_PER_SEC);
  g_autoptr (GSubprocess) process = NULL;
  Client *self = NULL;

  if (directory == NULL)
    return NULL;
  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, error, python, script,
                              "--lines", "--interval", seconds, output->max_tasks > 0 ? "--tasks" : "--no-tasks",
                              address, NULL);
  if (process == NULL)
    {
      g_prefix_error (error, "cannot run %s to join the scheduler (--backend=dask,python=…): ", python);
      return NULL;
    }
  self = g_new0 (Client, 1);
  self->transport = dask_transport_new (&kind, self, output, NULL);
  self->process = g_steal_pointer (&process);
  self->address = g_strdup (address);
  g_object_ref (self->transport);
  dask_lines_read_async (g_subprocess_get_stdout_pipe (self->process), DASK_MAX_LINE, G_MAXUINT64, on_line,
                         self->transport, NULL, on_read, self);

  return self->transport;
}
