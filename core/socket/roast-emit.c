/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast/roast-emit.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/roast-json-line-private.h"

#define MAX_BUFFER (1 << 20) /* bytes that may wait; what does not fit is dropped rather than waited for */
#define FLUSH_TIMEOUT 1000   /* ms */

typedef enum
{
  NOT_TRIED, /* also after a fork: a process has a connection of its own */
  BUSY,      /* too many connect at the same time: tried again */
  CONNECTED,
  GONE, /* nobody listens, or not any more: this process says nothing again */
} State;

/* The connection of this process to the run's socket. What is said is whole lines: sent, waiting or dropped. */
static struct
{
  GMutex mutex;
  State state;
  int fd;
  GString *waiting;
  gsize sent;      /* of waiting */
  guint64 dropped; /* messages */
} emitter = { .fd = -1 };

static int given_up; /* atomic: a copy of state == GONE, for who does not take the lock */

static void
set_state (State state)
{
  emitter.state = state;
  g_atomic_int_set (&given_up, state == GONE);
}

static void
disconnect (State state)
{
  if (emitter.fd >= 0)
    close (emitter.fd);
  emitter.fd = -1;
  emitter.sent = 0;
  if (emitter.waiting != NULL)
    g_string_truncate (emitter.waiting, 0);
  set_state (state);
}

/*
 * ---- forks ----
 *
 * Whoever forks holds the lock, so that the child has it in a known state. Two things would break that, each in a
 * moment that is very short and was hit: a handler that is installed by another thread while this one forks, and GLib's
 * allocator in use by another thread for a line (its locks are nobody's in the child). So the handlers are there from
 * the start, and a line is made under the lock.
 */

static void
before_fork (void)
{
  g_mutex_lock (&emitter.mutex);
}

static void
after_fork_in_parent (void)
{
  g_mutex_unlock (&emitter.mutex);
}

static void
after_fork_in_child (void)
{
  emitter.dropped = 0;
  disconnect (NOT_TRIED);
  g_mutex_unlock (&emitter.mutex);
}

static void __attribute__ ((constructor))
set_up (void)
{
  pthread_atfork (before_fork, after_fork_in_parent, after_fork_in_child);
  atexit (roast_emit_flush);
}

/* ---- the connection; the lock is held ---- */

static void
queue_line (const char *line)
{
  g_string_append (emitter.waiting, line);
  g_string_append_c (emitter.waiting, '\n');
}

static void
say_hello (void)
{
  const char *token = g_getenv ("ROAST_TOKEN");
  const char *program = g_get_prgname ();
  RoastJsonLine *hello = roast_json_line_new ();
  g_autofree char *line = NULL;

  roast_json_line_add_int (hello, "roast", 2);
  roast_json_line_add_text (hello, "token", token != NULL && g_utf8_validate (token, -1, NULL) ? token : "");
  roast_json_line_add_text (hello, "program", program != NULL ? program : program_invocation_short_name);
  line = roast_json_line_end (hello);
  queue_line (line);
}

/* Never waits. Unix sockets connect at once, or say that the queue of those who want to is full. */
static void
connect_if_needed (void)
{
  const char *path = g_getenv ("ROAST_SOCKET");
  struct sockaddr_un address = { .sun_family = AF_UNIX };

  if (emitter.state == CONNECTED || emitter.state == GONE)
    return;
  if (emitter.waiting == NULL)
    emitter.waiting = g_string_new (NULL);
  if (path == NULL || strlen (path) >= sizeof address.sun_path)
    {
      disconnect (GONE);
      return;
    }
  g_strlcpy (address.sun_path, path, sizeof address.sun_path);
  if (emitter.fd < 0)
    emitter.fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (emitter.state == NOT_TRIED)
    say_hello ();
  if (emitter.fd >= 0 && connect (emitter.fd, (struct sockaddr *) &address, sizeof address) == 0)
    set_state (CONNECTED);
  else if (emitter.fd >= 0 && (errno == EAGAIN || errno == EINTR))
    set_state (BUSY);
  else
    disconnect (GONE);
}

/* Sends what can be sent without waiting. */
static void
push (void)
{
  while (emitter.state == CONNECTED && emitter.sent < emitter.waiting->len)
    {
      gssize n = send (emitter.fd, emitter.waiting->str + emitter.sent, emitter.waiting->len - emitter.sent,
                       MSG_NOSIGNAL | MSG_DONTWAIT);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        break;
      if (n <= 0)
        {
          disconnect (GONE);
          return;
        }
      emitter.sent += (gsize) n;
    }

  /* What is sent is cut off when it is the greater part, so that the rest is not moved again and again. */
  if (emitter.waiting != NULL && emitter.sent > 0 && emitter.sent >= emitter.waiting->len / 2)
    {
      g_string_erase (emitter.waiting, 0, (gssize) emitter.sent);
      emitter.sent = 0;
    }
}

static gboolean
has_room (gsize length)
{
  return emitter.waiting->len - emitter.sent + length < MAX_BUFFER;
}

/* As soon as there is room again. */
static void
tell_of_dropped (void)
{
  g_autofree char *line = NULL;

  if (emitter.dropped == 0 || emitter.state == GONE || !has_room (256))
    return;
  line = g_strdup_printf ("{\"type\":\"message\",\"severity\":\"warning\",\"message\":\"%" G_GUINT64_FORMAT
                          " messages of this process were dropped: more was said than roast could read meanwhile\"}",
                          emitter.dropped);
  emitter.dropped = 0;
  queue_line (line);
}

/* A line; takes the lock, which emit() gives back. */
static RoastJsonLine *
begin (const char *type)
{
  RoastJsonLine *object = NULL;

  g_mutex_lock (&emitter.mutex);
  object = roast_json_line_new ();
  roast_json_line_add_text (object, "type", type);

  return object;
}

static void
emit (RoastJsonLine *object)
{
  g_autofree char *line = roast_json_line_end (object);

  connect_if_needed ();
  push ();
  if (emitter.state != GONE && has_room (strlen (line) + 1))
    {
      tell_of_dropped ();
      queue_line (line);
      push ();
    }
  else if (emitter.state != GONE)
    {
      emitter.dropped++;
    }
  g_mutex_unlock (&emitter.mutex);
}

static void
add_text (RoastJsonLine *object, const char *name, const char *value)
{
  if (value != NULL)
    roast_json_line_add_text (object, name, value);
}

static void
add_count (RoastJsonLine *object, const char *name, gint64 value)
{
  if (value >= 0)
    roast_json_line_add_int (object, name, value);
}

/**
 * roast_emit_enabled:
 *
 * Tells whether this program runs under roast, so that what is said is heard. Cheap: to be asked before what is said is
 * computed.
 *
 * All `roast_emit` functions may be called from any thread and after a fork, and do nothing otherwise. They never wait
 * (but for [func@Roast.emit_flush]), print or fail: what cannot be sent at once is kept, up to 1 MiB. What is beyond is
 * dropped, and counted: the report tells how many messages.
 *
 * Returns: whether it does
 *
 * Since: 0.9
 */
gboolean
roast_emit_enabled (void)
{
  return !g_atomic_int_get (&given_up) && g_getenv ("ROAST_SOCKET") != NULL;
}

/**
 * roast_emit_events:
 * @dataset: (nullable): what they are of
 * @events: how many
 *
 * Says that events were processed, since the last time it was said.
 *
 * Since: 0.9
 */
void
roast_emit_events (const char *dataset, gint64 events)
{
  RoastJsonLine *object = NULL;

  g_return_if_fail (events >= 0);

  if (!roast_emit_enabled ())
    return;
  object = begin ("events");
  add_text (object, "dataset", dataset);
  add_count (object, "events", events);
  emit (object);
}

/**
 * roast_emit_bytes_read:
 * @dataset: (nullable): what they are of
 * @bytes: how many
 *
 * Says that bytes were read, since the last time it was said.
 *
 * Since: 0.9
 */
void
roast_emit_bytes_read (const char *dataset, gint64 bytes)
{
  RoastJsonLine *object = NULL;

  g_return_if_fail (bytes >= 0);

  if (!roast_emit_enabled ())
    return;
  object = begin ("bytes_read");
  add_text (object, "dataset", dataset);
  add_count (object, "bytes", bytes);
  emit (object);
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
 * Says that a chunk is done. What a chunk says is not to be said again as events or bytes, and the events of one that
 * failed do not count.
 *
 * Since: 0.9
 */
void
roast_emit_chunk (const char *dataset, const char *file, gint64 entry_start, gint64 entry_stop, gint64 events,
                  gint64 bytes_read, gint64 started, gint64 ended, const char *error)
{
  RoastJsonLine *object = NULL;

  if (!roast_emit_enabled ())
    return;
  object = begin ("chunk");
  add_text (object, "dataset", dataset);
  add_text (object, "file", file);
  add_count (object, "entry_start", entry_start);
  add_count (object, "entry_stop", entry_stop);
  add_count (object, "events", events);
  add_count (object, "bytes_read", bytes_read);
  if (started >= 0)
    roast_json_line_add_real (object, "started", (double) started / G_USEC_PER_SEC);
  if (ended >= 0)
    roast_json_line_add_real (object, "ended", (double) ended / G_USEC_PER_SEC);
  add_text (object, "error", error);
  emit (object);
}

/**
 * roast_emit_section:
 * @name: name of the section
 * @kind: `time`, `memory`, `bytes` or `custom`
 * @value: s for a time, bytes for memory and bytes; only memory (a change) and custom values may be negative
 *
 * Says what a named section of the program took.
 *
 * Since: 0.9
 */
void
roast_emit_section (const char *name, const char *kind, double value)
{
  RoastJsonLine *object = NULL;

  g_return_if_fail (name != NULL);
  g_return_if_fail (kind != NULL);
  g_return_if_fail (isfinite (value));

  if (!roast_emit_enabled ())
    return;
  object = begin ("section");
  add_text (object, "name", name);
  add_text (object, "kind", kind);
  roast_json_line_add_real (object, "value", value);
  emit (object);
}

/**
 * roast_emit_message:
 * @severity: how much it matters
 * @message: what a reader of the numbers must know
 *
 * Adds a remark to the report.
 *
 * Since: 0.9
 */
void
roast_emit_message (RoastSeverity severity, const char *message)
{
  static const char *const severities[] = { "info", "warning", "error" };
  RoastJsonLine *object = NULL;

  g_return_if_fail (severity <= ROAST_SEVERITY_ERROR);
  g_return_if_fail (message != NULL);

  if (!roast_emit_enabled ())
    return;
  object = begin ("message");
  add_text (object, "severity", severities[severity]);
  add_text (object, "message", message);
  emit (object);
}

/* One step of a flush: what to wait for, or -1 if there is nothing. */
static int
flush_step (void)
{
  int fd = -1;

  g_mutex_lock (&emitter.mutex);
  if (emitter.state == BUSY)
    connect_if_needed ();
  if (emitter.state == CONNECTED)
    {
      push ();
      tell_of_dropped ();
      push ();
    }
  if ((emitter.state == CONNECTED && emitter.sent < emitter.waiting->len) || emitter.state == BUSY)
    fd = emitter.fd;
  g_mutex_unlock (&emitter.mutex);

  return fd;
}

/**
 * roast_emit_flush:
 *
 * Waits, a second at most, until what was said is sent. Done by itself when the program ends through exit().
 *
 * Since: 0.9
 */
void
roast_emit_flush (void)
{
  gint64 end = g_get_monotonic_time () + FLUSH_TIMEOUT * 1000;

  for (;;)
    {
      struct pollfd p = { flush_step (), POLLOUT, 0 };
      gint64 left = (end - g_get_monotonic_time ()) / 1000;

      if (p.fd < 0 || left <= 0)
        return;
      /* Without the lock: others may go on. One that is not connected yet tells nothing: it is asked again soon. */
      if (poll (&p, 1, (int) left) > 0 && (p.revents & POLLHUP) != 0)
        g_usleep (1000);
    }
}
