/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-run-socket-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "roast-run-protocol-private.h"
#include "roast/roast-error.h"

#define MAX_CLIENTS 256
#define READ_SIZE 65536
#define READS_PER_DISPATCH 4
#define MAX_REASONS 8 /* events about lines that could not be read */

struct _RoastRunSocket
{
  GObject parent_instance;

  RoastRecording *recording;
  GMainContext *context;
  char *run_id;
  char *token;
  char *directory;
  char *path;
  char *source; /* NULL until somebody says something */
  int fd;
  GSource *watch;
  GPtrArray *clients;
  guint64 refused_clients;
  guint64 bad_lines;
  guint reasons;
};

typedef struct
{
  RoastRunSocket *socket; /* not owned: it owns us */
  RoastRunPeer *peer;
  int fd;
  GSource *watch;
  GString *line;     /* what came of one that has not ended */
  gboolean too_long; /* skipped up to its end */
} Client;

G_DEFINE_FINAL_TYPE (RoastRunSocket, roast_run_socket, G_TYPE_OBJECT)

static void
client_free (Client *client)
{
  if (client->watch != NULL)
    {
      g_source_destroy (client->watch);
      g_source_unref (client->watch);
    }
  close (client->fd);
  g_clear_pointer (&client->peer, roast_run_peer_free);
  g_string_free (client->line, TRUE);
  g_free (client);
}

static void
roast_run_socket_finalize (GObject *object)
{
  RoastRunSocket *self = ROAST_RUN_SOCKET (object);

  roast_run_socket_close (self);
  g_ptr_array_unref (self->clients);
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
  G_OBJECT_CLASS (klass)->finalize = roast_run_socket_finalize;
}

static void
roast_run_socket_init (RoastRunSocket *self)
{
  self->fd = -1;
  self->clients = g_ptr_array_new_with_free_func ((GDestroyNotify) client_free);
}

/* ---- clients ---- */

static void
complain (RoastRunSocket *self, Client *client, const char *reason)
{
  g_autofree char *message = NULL;

  self->bad_lines++;
  if (self->reasons++ >= MAX_REASONS)
    return;
  message = g_strdup_printf ("a line on the run's socket was not understood and does not count: %s", reason);
  roast_recording_add_event (self->recording, self->source, ROAST_SEVERITY_WARNING, "protocol", message);
}

/* FALSE if the client has to go: it does not know the token. */
static gboolean
read_line (Client *client, const char *line, gsize length)
{
  g_autoptr (GError) error = NULL;

  if (length > 0 && line[length - 1] == '\r')
    length--;
  if (length == 0)
    return TRUE;
  if (!roast_run_peer_read_line (client->peer, line, length, &error))
    complain (client->socket, client, error->message);

  return roast_run_peer_is_greeted (client->peer);
}

static gboolean
take_bytes (Client *client, const char *data, gsize length)
{
  while (length > 0)
    {
      const char *newline = memchr (data, '\n', length);
      gsize piece = newline != NULL ? (gsize) (newline - data) : length;

      if (!client->too_long && client->line->len + piece > ROAST_RUN_PROTOCOL_MAX_LINE)
        {
          client->too_long = TRUE;
          complain (client->socket, client, "it is longer than 64 KiB");
        }
      if (!client->too_long)
        g_string_append_len (client->line, data, (gssize) piece);
      if (newline == NULL)
        return TRUE;
      if (!client->too_long && !read_line (client, client->line->str, client->line->len))
        return FALSE;
      client->too_long = FALSE;
      g_string_truncate (client->line, 0);
      data += piece + 1;
      length -= piece + 1;
    }

  return TRUE;
}

/* FALSE if there will be no more of it. */
static gboolean
read_client (Client *client, guint max_reads)
{
  char buffer[READ_SIZE];

  for (guint i = 0; i < max_reads; i++)
    {
      gssize n = recv (client->fd, buffer, sizeof buffer, MSG_DONTWAIT);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        return TRUE;
      if (n <= 0)
        {
          /* A last line may lack its end. */
          if (n == 0 && client->line->len > 0 && !client->too_long)
            read_line (client, client->line->str, client->line->len);
          return FALSE;
        }
      if (!take_bytes (client, buffer, (gsize) n))
        return FALSE;
    }

  return TRUE;
}

static gboolean
on_client (int fd, GIOCondition condition, gpointer user_data)
{
  Client *client = user_data;

  if (read_client (client, READS_PER_DISPATCH))
    return G_SOURCE_CONTINUE;
  g_ptr_array_remove_fast (client->socket->clients, client);

  return G_SOURCE_REMOVE;
}

static const char *
get_source (RoastRunSocket *self)
{
  if (self->source == NULL)
    self->source = roast_recording_add_source (self->recording, "program", self->path, NULL,
                                               "what the program says of itself on the run's socket");

  return self->source;
}

static void
add_client (RoastRunSocket *self, int fd)
{
  struct ucred credentials = { 0 };
  socklen_t size = sizeof credentials;
  Client *client = NULL;

  if (self->clients->len >= MAX_CLIENTS)
    {
      self->refused_clients++;
      close (fd);
      return;
    }
  client = g_new0 (Client, 1);
  client->socket = self;
  client->fd = fd;
  client->line = g_string_new (NULL);
  client->peer = roast_run_peer_new (self->recording, get_source (self), self->token);
  if (getsockopt (fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0)
    roast_run_peer_set_pid (client->peer, credentials.pid);
  client->watch = g_unix_fd_source_new (fd, G_IO_IN | G_IO_HUP | G_IO_ERR);
  g_source_set_callback (client->watch, G_SOURCE_FUNC (on_client), client, NULL);
  g_source_attach (client->watch, self->context);
  g_ptr_array_add (self->clients, client);
}

static gboolean
on_connection (int fd, GIOCondition condition, gpointer user_data)
{
  RoastRunSocket *self = user_data;

  for (guint i = 0; i < MAX_CLIENTS; i++)
    {
      int client = accept4 (fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

      if (client < 0)
        break;
      add_client (self, client);
    }

  return G_SOURCE_CONTINUE;
}

/* ---- life ---- */

static char *
make_token (void)
{
  guint8 bytes[16];
  GString *hex = g_string_new (NULL);

  if (getrandom (bytes, sizeof bytes, 0) != sizeof bytes)
    for (guint i = 0; i < sizeof bytes; i++)
      bytes[i] = (guint8) g_random_int_range (0, 256);
  for (guint i = 0; i < sizeof bytes; i++)
    g_string_append_printf (hex, "%02x", bytes[i]);

  return g_string_free (hex, FALSE);
}

/* A socket's path has 108 bytes and no more: the first place where it fits, and where a directory can be made. */
static gboolean
make_directory (RoastRunSocket *self, GError **error)
{
  const char *places[] = { g_getenv ("XDG_RUNTIME_DIR"), g_get_tmp_dir (), "/tmp" };
  int code = ENAMETOOLONG;

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *template = NULL;

      if (places[i] == NULL || !g_path_is_absolute (places[i]))
        continue;
      template = g_build_filename (places[i], "roast-XXXXXX", NULL);
      if (strlen (template) + strlen ("/socket") >= sizeof ((struct sockaddr_un *) NULL)->sun_path)
        continue;
      if (g_mkdtemp_full (template, 0700) != NULL)
        {
          self->path = g_build_filename (template, "socket", NULL);
          self->directory = g_steal_pointer (&template);
          return TRUE;
        }
      code = errno;
    }
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code),
               "no directory for the run's socket can be made in XDG_RUNTIME_DIR, TMPDIR or /tmp: %s. What the program says of "
               "itself will be missing",
               g_strerror (code));

  return FALSE;
}

static gboolean
listen_on_path (RoastRunSocket *self, GError **error)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int code;

  g_strlcpy (address.sun_path, self->path, sizeof address.sun_path);
  self->fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (self->fd >= 0 && bind (self->fd, (struct sockaddr *) &address, sizeof address) == 0 && listen (self->fd, 128) == 0)
    {
      self->watch = g_unix_fd_source_new (self->fd, G_IO_IN);
      g_source_set_callback (self->watch, G_SOURCE_FUNC (on_connection), self, NULL);
      g_source_attach (self->watch, self->context);
      return TRUE;
    }
  code = errno;
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "the run's socket %s cannot be opened: %s", self->path,
               g_strerror (code));

  return FALSE;
}

RoastRunSocket *
roast_run_socket_new (RoastRecording *recording, const char *run_id, GError **error)
{
  g_autoptr (RoastRunSocket) self = g_object_new (ROAST_TYPE_RUN_SOCKET, NULL);

  self->recording = g_object_ref (recording);
  self->context = g_main_context_ref_thread_default ();
  self->run_id = g_strdup (run_id);
  self->token = make_token ();
  if (!make_directory (self, error) || !listen_on_path (self, error))
    return NULL;

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
tell_what_was_lost (RoastRunSocket *self)
{
  g_autofree char *message = NULL;

  if (self->refused_clients > 0)
    message = g_strdup_printf ("%" G_GUINT64_FORMAT " connection(s) to the run's socket were refused: no more than %d at a time",
                               self->refused_clients, MAX_CLIENTS);
  else if (self->bad_lines > MAX_REASONS)
    message = g_strdup_printf ("%" G_GUINT64_FORMAT " lines on the run's socket were not understood and do not count",
                               self->bad_lines);
  if (message != NULL)
    roast_recording_add_event (self->recording, self->source, ROAST_SEVERITY_WARNING, "protocol", message);
}

void
roast_run_socket_close (RoastRunSocket *self)
{
  if (self->fd >= 0)
    {
      on_connection (self->fd, G_IO_IN, self);
      for (guint i = 0; i < self->clients->len; i++)
        read_client (g_ptr_array_index (self->clients, i), G_MAXUINT);
      tell_what_was_lost (self);
      g_ptr_array_set_size (self->clients, 0);
      close (self->fd);
      self->fd = -1;
    }
  if (self->watch != NULL)
    {
      g_source_destroy (self->watch);
      g_clear_pointer (&self->watch, g_source_unref);
    }
  if (self->directory != NULL)
    {
      g_unlink (self->path);
      g_rmdir (self->directory);
      g_clear_pointer (&self->directory, g_free);
    }
}
