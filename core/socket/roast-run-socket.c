/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-run-socket-private.h"

#include <errno.h>
#include <glib-unix.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/roast-fail-private.h"
#include "base/roast-task-private.h"
#include "base/roast-temporaries-private.h"
#include "roast-run-connection-private.h"
#include "roast-run-protocol-private.h"

#define MAX_CLIENTS 256
#define ACCEPTS_PER_DISPATCH 32
#define PAUSE 100 /* ms to wait before connections are accepted again if the process has run out of descriptors */
#define RUN_SOCKET_READ_SIZE 65536 /* maximum bytes to read from one client before other clients are served */
#define MAX_LAST_CONNECTIONS 8192  /* maximum number of connections that are accepted at the end */

struct _RoastRunSocket
{
  GObject parent_instance;

  RoastRecording *recording;
  GMainContext *context;
  char *run_id;
  char *token;
  char *directory;
  int lock; /* lock of the directory */
  char *path;
  char *source; /* name of the socket's source; NULL until a program has greeted */
  int fd;
  GSource *watch;
  GSource *tidying;
  GPtrArray *clients;
  char *buffer; /* start of a client's line and the bytes received after it; lines are parsed in place */

  RoastRunFaults *faults;
  RoastRunQuota *quota;
  guint64 refused; /* number of connections that were refused because there were too many */
  guint64 foreign; /* number of connections that were refused because they came from other users */
};

typedef struct
{
  RoastRunSocket *socket; /* owner of this client; not referenced */
  RoastRunPeer *peer;
  RoastRunConnection *connection; /* connection for a backend; NULL if the lines of the client are for the core */
  int fd;
  gint64 pid;
  GSource *watch;
  GString *start;    /* start of an incomplete line */
  gboolean too_long; /* the current line is too long: skip the rest of the line */
  gboolean is_read;  /* lines of the client are being processed */
  gboolean is_gone;  /* the client left while its lines were processed, and is freed afterwards */
} Client;

enum
{
  RUN_SOCKET_SIGNAL_CONNECTED,
  RUN_SOCKET_N_SIGNALS
};

static guint run_socket_signals[RUN_SOCKET_N_SIGNALS];

G_DEFINE_FINAL_TYPE (RoastRunSocket, roast_run_socket, G_TYPE_OBJECT)

static void
client_free (Client *client)
{
  g_clear_object (&client->connection);
  roast_run_peer_free (client->peer);
  g_string_free (client->start, TRUE);
  g_free (client);
}

/* Handle a client that leaves. A client may leave while one of its lines is being processed, because the backend that
 * gets the line may end the measurement, which closes this socket. In this case, free the client after the line has
 * been processed. */
static void
client_leave (Client *client)
{
  if (client->connection != NULL)
    roast_run_connection_close (client->connection);
  roast_source_clear (&client->watch);
  close (client->fd);
  client->is_gone = TRUE;
  if (!client->is_read)
    client_free (client);
}

/* Close the socket in dispose and not in finalize, because the last read takes a reference to this object. */
static void
roast_run_socket_dispose (GObject *object)
{
  roast_run_socket_close (ROAST_RUN_SOCKET (object));

  G_OBJECT_CLASS (roast_run_socket_parent_class)->dispose (object);
}

static void
roast_run_socket_finalize (GObject *object)
{
  RoastRunSocket *self = ROAST_RUN_SOCKET (object);

  g_ptr_array_unref (self->clients);
  roast_run_faults_free (self->faults);
  roast_run_quota_free (self->quota);
  g_free (self->buffer);
  g_clear_object (&self->recording);
  g_clear_pointer (&self->context, g_main_context_unref);
  g_free (self->run_id);
  g_free (self->token);
  g_free (self->directory);
  g_free (self->path);
  g_free (self->source);

  G_OBJECT_CLASS (roast_run_socket_parent_class)->finalize (object);
}

static void
roast_run_socket_class_init (RoastRunSocketClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = roast_run_socket_dispose;
  G_OBJECT_CLASS (klass)->finalize = roast_run_socket_finalize;
  run_socket_signals[RUN_SOCKET_SIGNAL_CONNECTED] =
      g_signal_new ("connected", ROAST_TYPE_RUN_SOCKET, G_SIGNAL_RUN_LAST, 0, g_signal_accumulator_true_handled, NULL,
                    NULL, G_TYPE_BOOLEAN, 2, G_TYPE_STRING, ROAST_TYPE_RUN_CONNECTION);
}

static void
roast_run_socket_init (RoastRunSocket *self)
{
  self->fd = -1;
  self->faults = roast_run_faults_new ();
  self->quota = roast_run_quota_new ();
  self->clients = g_ptr_array_new_with_free_func ((GDestroyNotify) client_leave);
  self->buffer = g_malloc (ROAST_RUN_PROTOCOL_MAX_LINE + RUN_SOCKET_READ_SIZE);
}

/* ---- lines ---- */

static const char *
run_socket_get_source (RoastRunSocket *self)
{
  if (self->source == NULL)
    self->source = roast_recording_add_source (self->recording, "program", self->path, NULL,
                                               "reports of the program on the run's socket");

  return self->source;
}

/* Offer a connection to the backend that the greeting names. Return FALSE if that backend does not measure this run. */
static gboolean
connect_to_backend (Client *client)
{
  const char *name = roast_run_peer_get_backend (client->peer);
  g_autofree char *reason = NULL;
  gboolean taken = FALSE;

  client->connection = roast_run_connection_new (client->fd, client->pid, roast_run_peer_get_reader (client->peer));
  g_signal_emit (client->socket, run_socket_signals[RUN_SOCKET_SIGNAL_CONNECTED], 0, name, client->connection, &taken);
  if (taken)
    return TRUE;
  reason = g_strdup_printf ("the backend “%s” does not measure this run", name);
  roast_run_peer_refuse (client->peer, reason);

  return FALSE;
}

static gboolean
welcome (Client *client)
{
  if (roast_run_peer_get_backend (client->peer) != NULL)
    return connect_to_backend (client);
  roast_run_peer_set_source (client->peer, run_socket_get_source (client->socket));

  return TRUE;
}

/* Process a line. Return FALSE to drop the client, if its greeting is wrong or no backend accepts its connection. */
static gboolean
run_socket_read_line (Client *client, char *line, gsize length)
{
  gboolean greeted = roast_run_peer_is_greeted (client->peer);
  gboolean good;

  if (length > 0 && line[length - 1] == '\r')
    length--;
  if (length == 0)
    return TRUE;
  good = roast_run_peer_read_line (client->peer, line, length);
  if (!roast_run_peer_is_greeted (client->peer))
    return FALSE;
  if (!greeted)
    return welcome (client);
  if (good && client->connection != NULL)
    roast_run_connection_receive (client->connection);

  return TRUE;
}

/* Process a line that is complete, unless the line is too long and skipped. Return FALSE to drop the client. */
static gboolean
end_line (Client *client, char *line, gsize length)
{
  if (!client->too_long)
    return run_socket_read_line (client, line, length);
  client->too_long = FALSE;

  return TRUE;
}

/* Keep the start of an incomplete line. Return FALSE to drop the client if its first line is too long, because such a
 * client does not know the protocol. */
static gboolean
keep_start (Client *client, const char *start, gsize length)
{
  if (client->too_long)
    return TRUE;
  if (length <= ROAST_RUN_PROTOCOL_MAX_LINE)
    {
      g_string_append_len (client->start, start, (gssize) length);
      return TRUE;
    }
  client->too_long = TRUE;
  roast_run_peer_skip_line (client->peer);

  return roast_run_peer_is_greeted (client->peer);
}

/* Process the lines in the buffer. The first @old of the bytes are the start of a line from earlier reads. Return FALSE
 * to drop the client. */
static gboolean
take_bytes (Client *client, char *line, gsize old, gsize length)
{
  char *end = line + length;
  char *newline = memchr (line + old, '\n', length - old);

  g_string_truncate (client->start, 0);
  for (; newline != NULL; newline = memchr (line, '\n', (gsize) (end - line)))
    {
      if (!end_line (client, line, (gsize) (newline - line)))
        return FALSE;
      if (client->is_gone)
        return TRUE;
      line = newline + 1;
    }

  return keep_start (client, line, (gsize) (end - line));
}

/* ---- clients ---- */

/* Read and process lines. Return FALSE if the client has closed its end or must be dropped. */
static gboolean
run_socket_read_lines (Client *client, char *buffer, guint max_reads)
{
  for (guint i = 0; i < max_reads && !client->is_gone; i++)
    {
      gsize old = client->start->len;
      gssize n = recv (client->fd, buffer + old, RUN_SOCKET_READ_SIZE, MSG_DONTWAIT);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        return TRUE;
      memcpy (buffer, client->start->str, old);
      if (n <= 0)
        {
          /* Process the last line, which may lack a line feed. */
          if (old > 0)
            run_socket_read_line (client, buffer, old);
          return FALSE;
        }
      if (!take_bytes (client, buffer, old, old + (gsize) n))
        return FALSE;
    }

  return TRUE;
}

/* Read lines from a client, unless one of its lines is already being processed. Return FALSE if the client must be
 * removed. */
static gboolean
read_client (Client *client, guint max_reads)
{
  g_autoptr (RoastRunSocket) socket = g_object_ref (client->socket);
  g_autofree char *buffer = g_steal_pointer (&socket->buffer);
  gboolean more;

  /* Do not read from this client while one of its lines is being processed, which happens if the line makes the socket
   * close. */
  if (client->is_read)
    {
      socket->buffer = g_steal_pointer (&buffer);
      return TRUE;
    }
  if (buffer == NULL)
    buffer = g_malloc (ROAST_RUN_PROTOCOL_MAX_LINE + RUN_SOCKET_READ_SIZE);
  client->is_read = TRUE;
  more = run_socket_read_lines (client, buffer, max_reads);
  client->is_read = FALSE;
  if (socket->buffer == NULL)
    socket->buffer = g_steal_pointer (&buffer);
  if (!client->is_gone)
    return more;
  client_free (client);

  return TRUE;
}

static gboolean
on_client (int fd, GIOCondition condition, gpointer user_data)
{
  Client *client = user_data;

  if (read_client (client, 1))
    return G_SOURCE_CONTINUE;
  g_ptr_array_remove_fast (client->socket->clients, client);

  return G_SOURCE_REMOVE;
}

/* Return how many reads take all that a client has sent so far. Do not read until nothing is left, because a client may
 * never stop sending. */
static guint
count_reads (Client *client)
{
  int n = 0;

  ioctl (client->fd, FIONREAD, &n);

  return (guint) n / RUN_SOCKET_READ_SIZE + 2;
}

static void
read_all_clients (RoastRunSocket *self, gboolean completely)
{
  for (guint i = self->clients->len; i > 0; i--)
    {
      Client *client = i <= self->clients->len ? g_ptr_array_index (self->clients, i - 1) : NULL;

      if (client != NULL && !read_client (client, completely ? count_reads (client) : 1))
        g_ptr_array_remove_index (self->clients, i - 1);
    }
}

static gboolean
drop_ungreeted (RoastRunSocket *self)
{
  for (guint i = 0; i < self->clients->len; i++)
    {
      Client *client = g_ptr_array_index (self->clients, i);

      if (roast_run_peer_is_greeted (client->peer))
        continue;
      g_ptr_array_remove_index (self->clients, i);
      return TRUE;
    }

  return FALSE;
}

/* If the maximum number of clients is reached, remove clients that have closed their end. If no client has closed its
 * end, remove the first client that has not sent a greeting. Return whether there is room for another client. */
static gboolean
make_place (RoastRunSocket *self)
{
  if (self->clients->len < MAX_CLIENTS)
    return TRUE;
  read_all_clients (self, FALSE);
  if (self->clients->len < MAX_CLIENTS)
    return TRUE;
  self->refused++;

  return drop_ungreeted (self);
}

static void
add_client (RoastRunSocket *self, int fd)
{
  struct ucred credentials = { .pid = 0, .uid = (uid_t) -1 };
  socklen_t size = sizeof credentials;
  Client *client = NULL;

  if (getsockopt (fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) < 0 ||
      (credentials.uid != geteuid () && credentials.uid != 0))
    {
      self->foreign++;
      close (fd);
      return;
    }
  if (!make_place (self))
    {
      close (fd);
      return;
    }
  client = g_new0 (Client, 1);
  client->socket = self;
  client->fd = fd;
  client->start = g_string_new (NULL);
  client->peer = roast_run_peer_new (self->recording, self->token, credentials.pid, self->faults, self->quota);
  client->pid = credentials.pid;
  client->watch = roast_source_attach (g_unix_fd_source_new (fd, G_IO_IN | G_IO_HUP | G_IO_ERR), self->context,
                                       G_SOURCE_FUNC (on_client), client, NULL);
  g_ptr_array_add (self->clients, client);
}

/* Accept up to @max clients. If the process runs out of descriptors, stop early and set *exhausted. */
static guint
accept_clients (RoastRunSocket *self, guint max, gboolean *exhausted)
{
  guint n = 0;

  *exhausted = FALSE;
  while (n < max)
    {
      int fd = accept4 (self->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

      if (fd < 0 && (errno == EINTR || errno == ECONNABORTED))
        continue;
      if (fd < 0)
        {
          *exhausted = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
          break;
        }
      add_client (self, fd);
      n++;
    }

  return n;
}

static void watch (RoastRunSocket *self);

static gboolean
on_pause_over (gpointer user_data)
{
  watch (user_data);

  return G_SOURCE_REMOVE;
}

static gboolean
on_connection (int fd, GIOCondition condition, gpointer user_data)
{
  RoastRunSocket *self = user_data;
  gboolean exhausted;

  accept_clients (self, ACCEPTS_PER_DISPATCH, &exhausted);
  if (!exhausted)
    return G_SOURCE_CONTINUE;

  /* Leave the other connections in the queue for a while, because retrying at once would only waste CPU time. */
  g_source_unref (self->watch);
  self->watch = roast_source_attach (g_timeout_source_new (PAUSE), self->context, on_pause_over, self, NULL);

  return G_SOURCE_REMOVE;
}

static void
watch (RoastRunSocket *self)
{
  g_clear_pointer (&self->watch, g_source_unref);
  self->watch = roast_source_attach (g_unix_fd_source_new (self->fd, G_IO_IN), self->context,
                                     G_SOURCE_FUNC (on_connection), self, NULL);
}

/* ---- life ---- */

static char *
make_token (GError **error)
{
  guint8 bytes[16];
  GString *hex = NULL;

  if (getrandom (bytes, sizeof bytes, 0) != sizeof bytes)
    return roast_fail_null (error, G_IO_ERROR, G_IO_ERROR_FAILED,
                            "cannot get random bytes from the kernel for the run's socket: %s. Reports of the program "
                            "will be "
                            "missing",
                            g_strerror (errno));
  hex = g_string_new (NULL);
  for (guint i = 0; i < sizeof bytes; i++)
    g_string_append_printf (hex, "%02x", bytes[i]);

  return g_string_free (hex, FALSE);
}

/* Create the directory in the first parent directory in which a directory can be created and the socket's path fits
 * into 108 bytes. */
static gboolean
make_directory (RoastRunSocket *self, GError **error)
{
  const char *places[] = { g_getenv ("XDG_RUNTIME_DIR"), g_get_tmp_dir (), "/tmp" };
  int code = ENAMETOOLONG;

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      if (places[i] == NULL || !g_path_is_absolute (places[i]))
        continue;
      if (strlen (places[i]) + strlen ("/roast-XXXXXX/socket") >= sizeof ((struct sockaddr_un *) NULL)->sun_path)
        continue;
      self->directory = roast_temporaries_make_directory (places[i], &self->lock);
      if (self->directory != NULL)
        {
          self->path = g_build_filename (self->directory, "socket", NULL);
          roast_temporaries_add (self->path);
          return TRUE;
        }
      code = errno;
    }
  return roast_fail (error, G_IO_ERROR, g_io_error_from_errno (code),
                     "cannot create a directory for the run's socket in XDG_RUNTIME_DIR, TMPDIR or /tmp: %s. Reports "
                     "of the program will be missing",
                     g_strerror (code));
}

static gboolean
listen_on_path (RoastRunSocket *self, GError **error)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int code;

  g_strlcpy (address.sun_path, self->path, sizeof address.sun_path);
  self->fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (self->fd >= 0 && bind (self->fd, (struct sockaddr *) &address, sizeof address) == 0 &&
      listen (self->fd, SOMAXCONN) == 0)
    {
      watch (self);
      return TRUE;
    }
  code = errno;
  return roast_fail (error, G_IO_ERROR, g_io_error_from_errno (code), "cannot open the run's socket %s: %s", self->path,
                     g_strerror (code));
}

static gboolean
on_tidy (gpointer user_data)
{
  RoastRunSocket *self = user_data;
  g_autofree char *parent = g_path_get_dirname (self->directory);

  roast_temporaries_remove_stale_directories (parent);

  return G_SOURCE_REMOVE;
}

/* Remove the leftovers of killed runs when the main context is idle, so that the start of the program is not
 * delayed. */
static void
tidy_later (RoastRunSocket *self)
{
  self->tidying = roast_source_attach (g_idle_source_new (), self->context, on_tidy, self, NULL);
  g_source_set_priority (self->tidying, G_PRIORITY_LOW);
}

RoastRunSocket *
roast_run_socket_new (RoastRecording *recording, const char *run_id, GError **error)
{
  g_autoptr (RoastRunSocket) self = g_object_new (ROAST_TYPE_RUN_SOCKET, NULL);

  self->recording = g_object_ref (recording);
  self->context = g_main_context_ref_thread_default ();
  self->run_id = g_strdup (run_id);
  self->token = make_token (error);
  if (self->token == NULL || !make_directory (self, error) || !listen_on_path (self, error))
    return NULL;

  tidy_later (self);

  return g_steal_pointer (&self);
}

const char *
roast_run_socket_get_path (RoastRunSocket *self)
{
  return self->path;
}

void
roast_run_socket_export (RoastRunSocket *self, RoastLaunchContext *context)
{
  roast_launch_context_setenv (context, "ROAST_SOCKET", self->path);
  roast_launch_context_setenv (context, "ROAST_RUN_ID", self->run_id);
  roast_launch_context_setenv (context, "ROAST_TOKEN", self->token);
}

static void
report_connections (RoastRunSocket *self, guint64 count, const char *reason)
{
  g_autofree char *message =
      g_strdup_printf ("roast refused %" G_GUINT64_FORMAT " connection%s to the run's socket: %s", count,
                       count == 1 ? "" : "s", reason);

  if (count > 0)
    roast_recording_add_event (self->recording, self->source, -1, ROAST_SEVERITY_WARNING, "protocol", message);
}

static void
report_losses (RoastRunSocket *self)
{
  roast_run_quota_report (self->quota, self->recording, self->source);
  roast_run_faults_report (self->faults, self->recording, self->source);
  report_connections (self, self->foreign, "other users made these connections");
  report_connections (self, self->refused, "256 connections were already open");
}

void
roast_run_socket_drain (RoastRunSocket *self)
{
  gboolean exhausted;

  if (self->fd < 0)
    return;
  accept_clients (self, MAX_LAST_CONNECTIONS, &exhausted);
  read_all_clients (self, TRUE);
}

void
roast_run_socket_close (RoastRunSocket *self)
{
  if (self->fd >= 0)
    {
      roast_run_socket_drain (self);
      g_ptr_array_set_size (self->clients, 0);
      report_losses (self);
      close (self->fd);
      self->fd = -1;
    }
  roast_source_clear (&self->tidying);
  roast_source_clear (&self->watch);
  if (self->directory != NULL)
    {
      roast_temporaries_remove_directory (self->directory, self->lock);
      roast_temporaries_forget (self->path);
      g_clear_pointer (&self->directory, g_free);
    }
}
