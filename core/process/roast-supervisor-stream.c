/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-supervisor-stream-private.h"

#include <string.h>

#include "base/roast-fail-private.h"
#include "base/roast-redact-private.h"

struct _RoastSupervisorStream
{
  RoastSupervisorFrameFunc func;
  gpointer user_data;

  RoastWireHeader header;
  gsize header_length; /* number of bytes of the header that have been received */
  GByteArray *payload; /* received part of the payload; not allocated in advance, because the length in the header may
                          be wrong */

  gboolean hello;
  gboolean finished;
  GError *error;
};

RoastSupervisorStream *
roast_supervisor_stream_new (RoastSupervisorFrameFunc func, gpointer user_data)
{
  RoastSupervisorStream *self = g_new0 (RoastSupervisorStream, 1);

  self->func = func;
  self->user_data = user_data;
  self->payload = g_byte_array_new ();

  return self;
}

void
roast_supervisor_stream_free (RoastSupervisorStream *self)
{
  g_byte_array_unref (self->payload);
  g_clear_error (&self->error);
  g_free (self);
}

gboolean
roast_supervisor_stream_is_finished (RoastSupervisorStream *self)
{
  return self->finished;
}

static gboolean
is_terminated (const char *text, gsize size)
{
  return memchr (text, '\0', size) != NULL;
}

static gboolean
check_hello (gconstpointer payload, gsize length, GError **error)
{
  const RoastWireHello *hello = payload;

  if (length == sizeof (RoastWireHello) && hello->version == ROAST_WIRE_VERSION &&
      hello->record_size == sizeof (RoastWireTreeEnd))
    return TRUE;

  return roast_fail (error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_SUPERVISOR,
                     "the supervisor and the library are from different builds. Does ROAST_SUPERVISOR name an old "
                     "supervisor? Install the supervisor and the library of one build");
}

static gboolean
check_process (gconstpointer payload, gsize length)
{
  const RoastWireProcess *process = payload;

  return length >= sizeof (RoastWireProcess) && length <= sizeof (RoastWireProcess) + ROAST_WIRE_MAX_COMMAND_LINE &&
         is_terminated (process->command, sizeof process->command);
}

static gboolean
check_tick (gconstpointer payload, gsize length)
{
  const RoastWireTick *tree = payload;

  return length >= sizeof (RoastWireTick) &&
         length == sizeof (RoastWireTick) + (gsize) tree->samples * sizeof (RoastWireSample);
}

static gboolean
check_ended (gconstpointer payload, gsize length)
{
  const RoastWireProcessEnd *end = payload;

  return length == sizeof (RoastWireProcessEnd) && is_terminated (end->command, sizeof end->command);
}

static gboolean
check_note (gconstpointer payload, gsize length)
{
  const RoastWireNote *note = payload;

  return length >= sizeof (RoastWireNote) && is_terminated (note->kind, sizeof note->kind);
}

/* Return whether the payload is valid for its frame type. For an unknown type, set *known to FALSE and accept any
 * payload. */
static gboolean
check_payload (guint32 type, gconstpointer payload, gsize length, gboolean *known)
{
  *known = TRUE;

  switch (type)
    {
    case ROAST_WIRE_LAUNCHED:
      return length == sizeof (RoastWireLaunched);
    case ROAST_WIRE_LAUNCH_FAILED:
      return length == sizeof (RoastWireFailure);
    case ROAST_WIRE_PROCESS:
    case ROAST_WIRE_EXEC:
      return check_process (payload, length);
    case ROAST_WIRE_TICK:
      return check_tick (payload, length);
    case ROAST_WIRE_ENDED:
      return check_ended (payload, length);
    case ROAST_WIRE_MAIN_ENDED:
      return length == sizeof (RoastWireMainEnded);
    case ROAST_WIRE_STOPPED:
      return length == sizeof (RoastWireStopped);
    case ROAST_WIRE_NOTE:
      return check_note (payload, length);
    case ROAST_WIRE_FINISHED:
      return length == sizeof (RoastWireTreeEnd);
    default:
      *known = FALSE;
      return TRUE;
    }
}

static gboolean
take_frame (RoastSupervisorStream *self, GError **error)
{
  guint32 type = self->header.type;
  gconstpointer payload = self->payload->data;
  gsize length = self->payload->len;
  gboolean known;

  if (!self->hello)
    {
      if (type != ROAST_WIRE_HELLO)
        return roast_fail (error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_SUPERVISOR,
                           "the stream of the supervisor begins with a frame of type %u instead of a hello", type);
      if (!check_hello (payload, length, error))
        return FALSE;
      self->hello = TRUE;
    }
  else if (type == ROAST_WIRE_HELLO || self->finished || !check_payload (type, payload, length, &known))
    return roast_fail (error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_SUPERVISOR,
                       "the supervisor sent an invalid frame (type %u, %" G_GSIZE_FORMAT " bytes)", type, length);
  else if (!known)
    return TRUE;

  self->finished = type == ROAST_WIRE_FINISHED || type == ROAST_WIRE_LAUNCH_FAILED;
  self->func (type, payload, length, self->user_data);

  return TRUE;
}

/* Take bytes for the header of the next frame. Return TRUE once the header is complete. */
static gboolean
fill_header (RoastSupervisorStream *self, const guint8 **data, gsize *length)
{
  gsize n = MIN (sizeof self->header - self->header_length, *length);

  memcpy ((guint8 *) &self->header + self->header_length, *data, n);
  self->header_length += n;
  *data += n;
  *length -= n;

  return self->header_length == sizeof self->header;
}

static gboolean
fill_payload (RoastSupervisorStream *self, const guint8 **data, gsize *length)
{
  gsize n = MIN (self->header.length - self->payload->len, *length);

  if (n > 0)
    g_byte_array_append (self->payload, *data, n);
  *data += n;
  *length -= n;

  return self->payload->len == self->header.length;
}

static gboolean
feed (RoastSupervisorStream *self, const guint8 *data, gsize length, GError **error)
{
  while (length > 0)
    {
      if (!fill_header (self, &data, &length))
        return TRUE;

      if (self->header.length > ROAST_WIRE_MAX_FRAME)
        return roast_fail (error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_SUPERVISOR,
                           "the supervisor announced a frame of %u bytes, more than the limit of %u",
                           self->header.length, ROAST_WIRE_MAX_FRAME);

      if (!fill_payload (self, &data, &length))
        return TRUE;
      if (!take_frame (self, error))
        return FALSE;

      self->header_length = 0;
      g_byte_array_set_size (self->payload, 0);
    }

  return TRUE;
}

gboolean
roast_supervisor_stream_feed (RoastSupervisorStream *self, const guint8 *data, gsize length, GError **error)
{
  if (self->error == NULL && feed (self, data, length, &self->error))
    return TRUE;

  if (error != NULL)
    *error = g_error_copy (self->error);

  return FALSE;
}

static gboolean
needs_quotes (const char *argument)
{
  static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";

  return *argument == '\0' || argument[strspn (argument, harmless)] != '\0';
}

char *
roast_supervisor_stream_quote (const char *arguments, gsize length)
{
  g_autoptr (GPtrArray) words = NULL;
  g_auto (GStrv) redacted = NULL;
  g_autoptr (GString) text = NULL;
  const char *end = arguments + length;

  if (length == 0)
    return NULL;

  words = g_ptr_array_new_with_free_func (g_free);
  for (const char *p = arguments; p < end;)
    {
      gsize n = strnlen (p, end - p);

      g_ptr_array_add (words, g_utf8_make_valid (p, n));
      p += n + 1;
    }
  g_ptr_array_add (words, NULL);
  redacted = roast_redact_argv ((const char *const *) words->pdata);

  text = g_string_sized_new (length + 16);
  for (guint i = 0; redacted[i] != NULL; i++)
    {
      if (i > 0)
        g_string_append_c (text, ' ');
      if (needs_quotes (redacted[i]))
        {
          g_autofree char *quoted = g_shell_quote (redacted[i]);

          g_string_append (text, quoted);
        }
      else
        {
          g_string_append (text, redacted[i]);
        }
    }

  if (length >= ROAST_WIRE_MAX_COMMAND_LINE)
    g_string_append (text, " …");

  return g_string_free (g_steal_pointer (&text), FALSE);
}
