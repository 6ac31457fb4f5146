/* SPDX-License-Identifier: BSD-3-Clause */

#include "run-control.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <string.h>
#include <unistd.h>

#define MAX_LINE 65536 /* B */
#define PIECE 4096

struct _RunControl
{
  RoastSession *session;
  GString *line;     /* what arrived of the next order */
  GHashTable *spans; /* those that are open: the caller's number, RoastSpan */
  guint watch;
};

static int input = -1;
static int output = -1; /* for messages, too */

/* An order that backends still work on. */
typedef struct
{
  RunControl *control;
  char *id;
} Order;

static Order *
order_new (RunControl *control, const char *id)
{
  Order *self = g_new (Order, 1);

  self->control = control;
  self->id = g_strdup (id);

  return self;
}

static void
order_free (Order *self)
{
  g_free (self->id);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Order, order_free)

/* Who gave the order waits for the line. If nobody does any more, the end of standard input says so. */
static void
answer (const char *word, const char *id, const char *text)
{
  g_autofree char *escaped = text != NULL ? g_uri_escape_string (text, " ", TRUE) : NULL;
  g_autofree char *line =
      g_strdup_printf ("%s %s%s%s\n", word, id, escaped != NULL ? " " : "", escaped != NULL ? escaped : "");
  gsize length = strlen (line);

  for (gsize done = 0; done < length;)
    {
      gssize n = write (output, line + done, length - done);

      if (n < 0 && errno != EINTR)
        return;
      done += n > 0 ? (gsize) n : 0;
    }
}

static void
on_opened (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Order) order = user_data;
  g_autoptr (GError) error = NULL;
  RoastSpan *span = roast_session_open_child_span_finish (ROAST_SESSION (object), result, &error);

  if (span == NULL)
    {
      answer ("error", order->id, error->message);
      return;
    }
  g_hash_table_insert (order->control->spans, g_strdup (order->id), span);
  answer ("opened", order->id, NULL);
}

static void
on_closed (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Order) order = user_data;
  g_autoptr (GError) error = NULL;

  if (roast_session_close_span_finish (ROAST_SESSION (object), result, &error))
    answer ("closed", order->id, NULL);
  else
    answer ("error", order->id, error->message);
}

/* open ID PARENT NAME: - is no parent. */
static void
open_span (RunControl *self, char **words)
{
  RoastSpan *parent = g_hash_table_lookup (self->spans, words[2]);
  g_autofree char *name = g_uri_unescape_string (words[3], NULL);

  if (name == NULL || !g_utf8_validate (name, -1, NULL))
    answer ("error", words[1], "the name of a span must be UTF-8, with % and two digits for special characters");
  else if (g_hash_table_contains (self->spans, words[1]))
    answer ("error", words[1], "a span with this number is open already");
  else
    roast_session_open_child_span_async (self->session, name, parent, NULL, on_opened, order_new (self, words[1]));
}

static void
close_span (RunControl *self, char **words)
{
  g_autoptr (RoastSpan) span = NULL;
  g_autofree char *key = NULL;

  if (!g_hash_table_steal_extended (self->spans, words[1], (gpointer *) &key, (gpointer *) &span))
    answer ("error", words[1], "no span with this number is open");
  else
    roast_session_close_span_async (self->session, span, NULL, on_closed, order_new (self, words[1]));
}

static void
obey (RunControl *self, const char *line)
{
  g_auto (GStrv) words = g_strsplit (line, " ", 4);
  guint n = g_strv_length (words);

  if (n == 4 && g_str_equal (words[0], "open"))
    open_span (self, words);
  else if (n == 2 && g_str_equal (words[0], "close"))
    close_span (self, words);
  else if (n == 1 && g_str_equal (words[0], "stop"))
    roast_session_stop (self->session);
  else
    answer ("error", "-", "this is not an order: open ID PARENT NAME, close ID, stop");
}

static void
take (RunControl *self, const char *piece, gsize n)
{
  char *end = NULL;

  g_string_append_len (self->line, piece, (gssize) n);
  while ((end = memchr (self->line->str, '\n', self->line->len)) != NULL)
    {
      *end = '\0';
      obey (self, self->line->str);
      g_string_erase (self->line, 0, end - self->line->str + 1);
    }
}

/* What would be on standard error, which the program uses. */
static void
on_message (const char *text)
{
  g_autofree char *line = g_strchomp (g_strdup (text));

  answer ("message", "-", line);
}

/* The end of the input is the end of the program that gives the orders, or it closed it. Nobody would ever stop a
 * session that is attached; a program that was launched goes on to its end. */
static gboolean
on_input (int fd, GIOCondition condition, gpointer user_data)
{
  RunControl *self = user_data;
  char piece[PIECE];
  gssize n = read (fd, piece, sizeof piece);

  if (n < 0 && (errno == EINTR || errno == EAGAIN))
    return G_SOURCE_CONTINUE;
  if (n > 0 && self->line->len <= MAX_LINE)
    {
      take (self, piece, (gsize) n);
      return G_SOURCE_CONTINUE;
    }
  self->watch = 0;
  if (roast_session_get_launcher (self->session) == NULL)
    roast_session_stop (self->session);

  return G_SOURCE_REMOVE;
}

gboolean
run_control_take (const char *descriptors, GError **error)
{
  char *end = NULL;
  gint64 in = g_ascii_strtoll (descriptors, &end, 10);
  gint64 out = *end == ',' ? g_ascii_strtoll (end + 1, &end, 10) : -1;

  if (*end != '\0' || in < 0 || in > G_MAXINT || out < 0 || out > G_MAXINT || fcntl ((int) in, F_GETFD) < 0 ||
      fcntl ((int) out, F_GETFD) < 0)
    {
      g_set_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                   "“--control=%s”: must be two open descriptors, IN,OUT, for orders and answers", descriptors);
      return FALSE;
    }
  /* They are not for the program. */
  fcntl ((int) in, F_SETFD, FD_CLOEXEC);
  fcntl ((int) out, F_SETFD, FD_CLOEXEC);
  input = (int) in;
  output = (int) out;
  g_set_printerr_handler (on_message);

  return TRUE;
}

RunControl *
run_control_new (RoastSession *session)
{
  RunControl *self = g_new0 (RunControl, 1);

  self->session = g_object_ref (session);
  self->line = g_string_new (NULL);
  self->spans = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);

  return self;
}

void
run_control_start (RunControl *self)
{
  self->watch = g_unix_fd_add (input, G_IO_IN | G_IO_HUP | G_IO_ERR, on_input, self);
  answer ("started", "-", NULL);
}

void
run_control_free (RunControl *self)
{
  g_clear_handle_id (&self->watch, g_source_remove);
  g_hash_table_unref (self->spans);
  g_string_free (self->line, TRUE);
  g_object_unref (self->session);
  g_free (self);
}
