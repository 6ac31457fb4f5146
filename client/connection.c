/* SPDX-License-Identifier: BSD-3-Clause */

#include "connection.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define PROTOCOL 2
#define MAX_WAITING (1 << 20) /* maximum number of bytes that wait to be sent; lines that do not fit are dropped */
#define LAST_FLUSH 1000       /* maximum time to wait at exit (), in ms */

typedef enum
{
  NOT_TRIED, /* not connected yet; also the state after a fork, because each process has its own connection */
  BUSY,      /* the queue for connections of the run's socket is full; try again later */
  CONNECTED,
  GONE, /* nobody listens on the socket, or the connection was lost; send nothing more */
} State;

/* The last declaration of a table on this connection. */
typedef struct Declared
{
  struct Declared *next;
  char *table;
  char *declaration;
} Declared;

static struct
{
  pthread_mutex_t mutex;
  State state;
  int fd;
  Text waiting;     /* complete lines that wait to be sent */
  size_t sent;      /* number of bytes at the start of the member waiting that were already sent */
  uint64_t dropped; /* number of dropped lines */
  Declared *declared;
} connection = { .mutex = PTHREAD_MUTEX_INITIALIZER, .fd = -1 };

static atomic_bool given_up; /* whether the state is GONE, for threads that read this without the lock */

static void
set_state (State state)
{
  connection.state = state;
  atomic_store (&given_up, state == GONE);
}

static void
forget_declarations (void)
{
  while (connection.declared != NULL)
    {
      Declared *next = connection.declared->next;

      free (connection.declared->table);
      free (connection.declared->declaration);
      free (connection.declared);
      connection.declared = next;
    }
}

static void
disconnect (State state)
{
  if (connection.fd >= 0)
    close (connection.fd);
  connection.fd = -1;
  connection.sent = 0;
  text_clear (&connection.waiting);
  forget_declarations ();
  set_state (state);
}

/*
 * ---- forks ----
 *
 * A thread that forks holds the lock, so that the lock and the data that it protects have a known state in the child.
 * The fork handlers are installed when the library is loaded, because a fork in another thread could miss handlers that
 * are installed later. This code uses only the C library, whose locks work in the child of a fork. The locks of other
 * libraries could be in an inconsistent state in the child. */

void
connection_lock (void)
{
  pthread_mutex_lock (&connection.mutex);
}

void
connection_unlock (void)
{
  pthread_mutex_unlock (&connection.mutex);
}

static void
after_fork_in_child (void)
{
  connection.dropped = 0;
  disconnect (NOT_TRIED);
  connection_unlock ();
}

static void
flush_at_exit (void)
{
  connection_flush (LAST_FLUSH);
}

static void __attribute__ ((constructor))
set_up (void)
{
  pthread_atfork (connection_lock, connection_unlock, after_fork_in_child);
  atexit (flush_at_exit);
}

/* ---- lines that wait to be sent ---- */

static bool
has_room (size_t length)
{
  return connection.waiting.length - connection.sent + length < MAX_WAITING;
}

/* Add the lines to the lines that wait to be sent. Return false without adding any line if there is no room for all
 * lines. */
static bool
keep_lines (const Text *const *lines, unsigned n)
{
  size_t before = connection.waiting.length;

  for (unsigned i = 0; i < n; i++)
    {
      text_append (&connection.waiting, lines[i]->data, lines[i]->length);
      text_append (&connection.waiting, "\n", 1);
    }
  if (!connection.waiting.failed)
    return true;
  connection.waiting.length = before;
  connection.waiting.failed = false;

  return false;
}

static bool
keep_line (const Text *line)
{
  return !line->failed && keep_lines (&line, 1);
}

static void
greet (void)
{
  const char *token = getenv ("ROAST_TOKEN");
  Text hello = { 0 };

  text_append_plain (&hello, "{\"roast\":");
  text_append_int64 (&hello, PROTOCOL);
  text_append_plain (&hello, ",\"token\":");
  text_append_string (&hello, token != NULL ? token : "");
  text_append_plain (&hello, ",\"program\":");
  text_append_string (&hello, program_invocation_short_name);
  text_append_plain (&hello, "}");
  if (!keep_line (&hello))
    disconnect (GONE);
  text_free (&hello);
}

/* Connect without waiting. connect () on a Unix socket either succeeds at once, or fails because the queue for
 * connections is full. */
static void
connect_if_needed (void)
{
  const char *path = getenv ("ROAST_SOCKET");
  struct sockaddr_un address = { .sun_family = AF_UNIX };

  if (connection.state == CONNECTED || connection.state == GONE)
    return;
  if (path == NULL || strlen (path) >= sizeof address.sun_path)
    {
      disconnect (GONE);
      return;
    }
  memcpy (address.sun_path, path, strlen (path) + 1);
  if (connection.fd < 0)
    connection.fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (connection.state == NOT_TRIED)
    greet ();
  if (connection.fd >= 0 && connect (connection.fd, (struct sockaddr *) &address, sizeof address) == 0)
    set_state (CONNECTED);
  else if (connection.fd >= 0 && (errno == EAGAIN || errno == EINTR))
    set_state (BUSY);
  else
    disconnect (GONE);
}

/* Send as many waiting bytes as possible without blocking. */
static void
push (void)
{
  while (connection.state == CONNECTED && connection.sent < connection.waiting.length)
    {
      ssize_t n = send (connection.fd, connection.waiting.data + connection.sent,
                        connection.waiting.length - connection.sent, MSG_NOSIGNAL | MSG_DONTWAIT);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        break;
      if (n <= 0)
        {
          disconnect (GONE);
          return;
        }
      connection.sent += (size_t) n;
    }

  /* Remove the sent bytes only when they are at least half of the buffer, so that the remaining bytes are not moved too
   * often. */
  if (connection.sent > 0 && connection.sent >= connection.waiting.length / 2)
    {
      text_cut (&connection.waiting, connection.sent);
      connection.sent = 0;
    }
}

/* Report the number of dropped lines as soon as there is room for the report. */
static void
report_dropped (void)
{
  char message[256];
  Text line = { message, 0, sizeof message, false };

  if (connection.dropped == 0 || !has_room (sizeof message) ||
      (connection.state != CONNECTED && connection.state != BUSY))
    return;
  line.length =
      (size_t) snprintf (message, sizeof message,
                         "{\"type\":\"message\",\"severity\":\"warning\",\"message\":\"%" PRIu64
                         " messages and rows of this process were dropped: invalid, longer than 64 KiB, or more "
                         "than roast could read in time\"}",
                         connection.dropped);
  if (keep_line (&line))
    connection.dropped = 0;
}

/* ---- tables ---- */

static Declared *
find_declared (const char *table)
{
  Declared *declared = connection.declared;

  while (declared != NULL && strcmp (declared->table, table) != 0)
    declared = declared->next;

  return declared;
}

static bool
is_declared (const char *table, const Text *declaration)
{
  const Declared *declared = find_declared (table);

  return declared != NULL && strlen (declared->declaration) == declaration->length &&
         memcmp (declared->declaration, declaration->data, declaration->length) == 0;
}

/* Remember the declaration that was sent for a table. If there is no memory for this, the table is declared again with
 * its next row. */
static void
remember_declared (const char *table, const Text *declaration)
{
  Declared *declared = find_declared (table);

  if (declared == NULL)
    {
      declared = calloc (1, sizeof *declared);
      if (declared == NULL)
        return;
      declared->next = connection.declared;
      declared->table = strdup (table);
      if (declared->table == NULL)
        {
          free (declared);
          return;
        }
      connection.declared = declared;
    }
  free (declared->declaration);
  declared->declaration = strndup (declaration->data, declaration->length);
  if (declared->declaration == NULL)
    declared->declaration = strdup ("");
}

/* ---- for the other files ---- */

bool
connection_is_wanted (void)
{
  return !atomic_load (&given_up) && getenv ("ROAST_SOCKET") != NULL;
}

static RoastClientResult
keep (const char *table, const Text *declaration, const Text *line)
{
  bool declare = table != NULL && !is_declared (table, declaration);
  const Text *lines[] = { declare ? declaration : line, line };
  size_t length = line->length + 1 + (declare ? declaration->length + 1 : 0);

  if (line->failed || (declare && declaration->failed))
    return ROAST_CLIENT_NO_MEMORY;
  if (line->length > MAX_LINE || (declare && declaration->length > MAX_LINE))
    return ROAST_CLIENT_TOO_LONG;
  if (!has_room (length))
    return ROAST_CLIENT_FULL;
  report_dropped ();
  if (!keep_lines (lines, declare ? 2 : 1))
    return ROAST_CLIENT_NO_MEMORY;
  if (declare)
    remember_declared (table, declaration);

  return ROAST_CLIENT_OK;
}

RoastClientResult
connection_send (const char *table, const Text *declaration, const Text *line)
{
  RoastClientResult result;

  connect_if_needed ();
  push ();
  if (connection.state == GONE)
    return ROAST_CLIENT_NO_RUN;
  result = keep (table, declaration, line);
  if (result == ROAST_CLIENT_OK)
    push ();
  else
    connection.dropped++;

  return connection.state == GONE ? ROAST_CLIENT_NO_RUN : result;
}

void
connection_count_dropped (void)
{
  connection.dropped++;
}

/* Do one step of a flush. Return the descriptor to wait for, or -1 if nothing remains to be sent. */
static int
flush_step (RoastClientResult *result)
{
  int fd = -1;

  connection_lock ();
  if (connection.state == BUSY || connection.dropped > 0)
    connect_if_needed ();
  push ();
  report_dropped ();
  push ();
  if ((connection.state == CONNECTED && connection.sent < connection.waiting.length) || connection.state == BUSY)
    fd = connection.fd;
  *result = connection.state == GONE ? ROAST_CLIENT_NO_RUN : ROAST_CLIENT_OK;
  connection_unlock ();

  return fd;
}

static int64_t
get_milliseconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);

  return (int64_t) now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

RoastClientResult
connection_flush (int timeout)
{
  int64_t end = get_milliseconds () + timeout;

  for (;;)
    {
      RoastClientResult result;
      struct pollfd p = { flush_step (&result), POLLOUT, 0 };
      int64_t left = end - get_milliseconds ();

      if (p.fd < 0)
        return result;
      if (left <= 0)
        return ROAST_CLIENT_TIMED_OUT;
      /* Wait without the lock, so that other threads can continue. A socket that is not connected yet reports POLLHUP:
       * in this case, sleep and try again. */
      if (poll (&p, 1, (int) left) > 0 && (p.revents & POLLHUP) != 0)
        usleep (1000);
    }
}
