/* SPDX-License-Identifier: BSD-3-Clause */
#include <gio/gio.h>
#include <string.h>

#include "core/process/roast-supervisor-stream-private.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* Reads all of what the stream says is there, so that a lie is seen. */
static void
on_frame (guint32 type, gconstpointer payload, gsize length, gpointer user_data)
{
  const guint8 *bytes = payload;
  guint64 *sum = user_data;

  for (gsize i = 0; i < length; i++)
    *sum += bytes[i];

  if (type == ROAST_WIRE_TICK)
    {
      const RoastWireTick *tree = payload;
      const RoastWireSample *samples = (const RoastWireSample *) (tree + 1);

      for (guint i = 0; i < tree->samples; i++)
        *sum += samples[i].id;
    }
  else if (type == ROAST_WIRE_PROCESS || type == ROAST_WIRE_EXEC)
    {
      const RoastWireProcess *process = payload;
      g_autofree char *text = NULL;

      text = roast_supervisor_stream_quote ((const char *) (process + 1), length - sizeof *process);
      *sum += strlen (process->command);
      if (text != NULL && !g_utf8_validate (text, -1, NULL))
        abort ();
    }
}

/* The first byte says in what pieces the rest comes. */
int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (RoastSupervisorStream) stream = NULL;
  guint64 sum = 0;
  gsize step;

  if (size == 0)
    return 0;

  step = data[0] + 1;
  data++;
  size--;
  stream = roast_supervisor_stream_new (on_frame, &sum);
  while (size > 0)
    {
      gsize n = MIN (step, size);
      g_autofree guint8 *piece = g_memdup2 (data, n);
      g_autoptr (GError) error = NULL;

      if (roast_supervisor_stream_feed (stream, piece, n, &error) != (error == NULL))
        abort ();
      data += n;
      size -= n;
    }

  return 0;
}
