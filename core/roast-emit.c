/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast/roast-emit.h"

#include <errno.h>
#include <fcntl.h>
#include <json-glib/json-glib.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define MAX_BUFFER (1 << 20) /* bytes that may wait; what does not fit is dropped rather than waited for */
#define FLUSH_TIMEOUT 1000   /* ms */

/* The connection of this process to the run's socket. */
static struct
{
  GMutex mutex;
  pid_t pid; /* whose connection it is: a fork makes its own */
  int fd;
  GString *waiting;
} emitter = { .fd = -1 };

static void
flush_at_exit (void)
{
  if (emitter.pid == getpid ())
    roast_emit_flush ();
}

static void
disconnect (void)
{
  if (emitter.fd >= 0)
    close (emitter.fd);
  emitter.fd = -1;
}

static void
say_hello (void)
{
  const char *token = g_getenv ("ROAST_TOKEN");
  const char *program = g_get_prgname ();
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "roast");
  json_builder_add_int_value (builder, 1);
  json_builder_set_member_name (builder, "token");
  json_builder_add_string_value (builder, token != NULL ? token : "");
  json_builder_set_member_name (builder, "program");
  json_builder_add_string_value (builder, program != NULL ? program : "");
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  text = json_to_string (root, FALSE);
  g_string_append (emitter.waiting, text);
  g_string_append_c (emitter.waiting, '\n');
}

/* Once per process; FALSE if there is no run, or it does not listen. */
static gboolean
ensure_connection (void)
{
  const char *path = g_getenv ("ROAST_SOCKET");
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  gboolean first = emitter.pid == 0;

  if (emitter.pid == getpid ())
    return emitter.fd >= 0;
  disconnect ();
  emitter.pid = getpid ();
  if (emitter.waiting == NULL)
    emitter.waiting = g_string_new (NULL);
  g_string_truncate (emitter.waiting, 0);
  if (path == NULL || strlen (path) >= sizeof address.sun_path)
    return FALSE;

  g_strlcpy (address.sun_path, path, sizeof address.sun_path);
  emitter.fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (emitter.fd < 0 || connect (emitter.fd, (struct sockaddr *) &address, sizeof address) < 0)
    {
      disconnect ();
      return FALSE;
    }
  if (first)
    atexit (flush_at_exit);
  say_hello ();

  return TRUE;
}

/* Sends what can be sent without waiting. */
static void
push (void)
{
  while (emitter.fd >= 0 && emitter.waiting->len > 0)
    {
      gssize n = send (emitter.fd, emitter.waiting->str, emitter.waiting->len, MSG_NOSIGNAL | MSG_DONTWAIT);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        return;
      if (n <= 0)
        {
          disconnect ();
          return;
        }
      g_string_erase (emitter.waiting, 0, n);
    }
}

static void
emit (JsonBuilder *builder)
{
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL;

  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  text = json_to_string (root, FALSE);

  g_mutex_lock (&emitter.mutex);
  if (ensure_connection () && emitter.waiting->len + strlen (text) < MAX_BUFFER)
    {
      g_string_append (emitter.waiting, text);
      g_string_append_c (emitter.waiting, '\n');
      push ();
    }
  g_mutex_unlock (&emitter.mutex);
}

static JsonBuilder *
begin (const char *type)
{
  JsonBuilder *builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "type");
  json_builder_add_string_value (builder, type);

  return builder;
}

static void
add_text (JsonBuilder *builder, const char *name, const char *value)
{
  g_autofree char *valid = NULL;

  if (value == NULL)
    return;
  valid = g_utf8_make_valid (value, -1);
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, valid);
}

static void
add_count (JsonBuilder *builder, const char *name, gint64 value)
{
  if (value < 0)
    return;
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

static void
add_real (JsonBuilder *builder, const char *name, double value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_double_value (builder, value);
}

/**
 * roast_emit_enabled:
 *
 * Tells whether this program runs under roast, so that what follows is heard. All `roast_emit` functions do nothing
 * otherwise, and never wait, print or fail: what cannot be sent at once is kept up to 1 MiB, and dropped beyond.
 *
 * Returns: whether it does
 *
 * Since: 1.0
 */
gboolean
roast_emit_enabled (void)
{
  return g_getenv ("ROAST_SOCKET") != NULL;
}

/**
 * roast_emit_events:
 * @dataset: (nullable): what they are of
 * @events: how many
 *
 * Says that events were processed, since the last time it was said.
 *
 * Since: 1.0
 */
void
roast_emit_events (const char *dataset, gint64 events)
{
  g_autoptr (JsonBuilder) builder = NULL;

  if (!roast_emit_enabled ())
    return;
  builder = begin ("events");
  add_text (builder, "dataset", dataset);
  add_count (builder, "events", events);
  emit (builder);
}

/**
 * roast_emit_bytes_read:
 * @dataset: (nullable): what they are of
 * @bytes: how many
 *
 * Says that bytes were read, since the last time it was said.
 *
 * Since: 1.0
 */
void
roast_emit_bytes_read (const char *dataset, gint64 bytes)
{
  g_autoptr (JsonBuilder) builder = NULL;

  if (!roast_emit_enabled ())
    return;
  builder = begin ("bytes_read");
  add_text (builder, "dataset", dataset);
  add_count (builder, "bytes", bytes);
  emit (builder);
}

/**
 * roast_emit_chunk:
 * @dataset: (nullable): dataset
 * @file: (nullable): file
 * @entry_start: first entry; -1 if not known
 * @entry_stop: entry after the last; -1 if not known
 * @events: events processed; -1 if not known
 * @bytes_read: bytes read for it; -1 if not known
 * @started: when it started, µs since the epoch; -1 if not known
 * @ended: when it ended, µs since the epoch; -1 if not known
 * @error: (nullable): why it failed; %NULL if it did not
 *
 * Says that a chunk is done. What a chunk says is not to be said again as events or bytes.
 *
 * Since: 1.0
 */
void
roast_emit_chunk (const char *dataset,
                  const char *file,
                  gint64      entry_start,
                  gint64      entry_stop,
                  gint64      events,
                  gint64      bytes_read,
                  gint64      started,
                  gint64      ended,
                  const char *error)
{
  g_autoptr (JsonBuilder) builder = NULL;

  if (!roast_emit_enabled ())
    return;
  builder = begin ("chunk");
  add_text (builder, "dataset", dataset);
  add_text (builder, "file", file);
  add_count (builder, "entry_start", entry_start);
  add_count (builder, "entry_stop", entry_stop);
  add_count (builder, "events", events);
  add_count (builder, "bytes_read", bytes_read);
  if (started >= 0)
    add_real (builder, "started", (double) started / G_USEC_PER_SEC);
  if (ended >= 0)
    add_real (builder, "ended", (double) ended / G_USEC_PER_SEC);
  add_text (builder, "error", error);
  emit (builder);
}

/**
 * roast_emit_section:
 * @name: name of the section
 * @kind: `time`, `memory`, `bytes` or `custom`
 * @value: s for a time, bytes for memory and bytes
 *
 * Says what a named section of the program took.
 *
 * Since: 1.0
 */
void
roast_emit_section (const char *name, const char *kind, double value)
{
  g_autoptr (JsonBuilder) builder = NULL;

  g_return_if_fail (name != NULL && kind != NULL);

  if (!roast_emit_enabled ())
    return;
  builder = begin ("section");
  add_text (builder, "name", name);
  add_text (builder, "kind", kind);
  add_real (builder, "value", value);
  emit (builder);
}

/**
 * roast_emit_message:
 * @severity: how much it matters
 * @message: what a reader of the numbers must know
 *
 * Adds a remark to the report.
 *
 * Since: 1.0
 */
void
roast_emit_message (RoastSeverity severity, const char *message)
{
  static const char *const severities[] = { "info", "warning", "error" };
  g_autoptr (JsonBuilder) builder = NULL;

  g_return_if_fail (severity <= ROAST_SEVERITY_ERROR && message != NULL);

  if (!roast_emit_enabled ())
    return;
  builder = begin ("message");
  add_text (builder, "severity", severities[severity]);
  add_text (builder, "message", message);
  emit (builder);
}

/**
 * roast_emit_flush:
 *
 * Waits, a second at most, until what was said is sent. Done by itself when the program ends through exit().
 *
 * Since: 1.0
 */
void
roast_emit_flush (void)
{
  gint64 end = g_get_monotonic_time () + FLUSH_TIMEOUT * 1000;

  g_mutex_lock (&emitter.mutex);
  while (emitter.pid == getpid () && emitter.fd >= 0 && emitter.waiting->len > 0)
    {
      struct pollfd p = { emitter.fd, POLLOUT, 0 };
      gint64 left = (end - g_get_monotonic_time ()) / 1000;

      if (left <= 0)
        break;
      poll (&p, 1, (int) left);
      push ();
    }
  g_mutex_unlock (&emitter.mutex);
}
