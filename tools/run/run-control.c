/* SPDX-License-Identifier: BSD-3-Clause */

#include "run-control.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "control-line.h"
#include "control-output.h"
#include "core/base/roast-fail-private.h"

#define PIECE 4096
#define NOT_READ "the answers to --control were not read: roast-run accepts no more orders"

struct _RunControl
{
  RoastSession *session;
  GString *line;     /* part of the next order that was received so far */
  GHashTable *spans; /* maps the number that the caller gave to an open span to its RoastSpan */
  guint watch;
  gboolean given_up; /* no more orders are accepted, and further input is discarded */
  gboolean stopped;  /* an order stopped the session */
  gboolean ended;    /* the controlling program has closed the input */
};

static int input = -1;
static gboolean discards = FALSE;
static ControlOutput *output = NULL; /* queue of answers and messages */

/* An order that backends are still processing. */
typedef struct
{
  RunControl *control;
  char *number;
} Order;

static Order *
order_new (RunControl *control, const char *number)
{
  Order *self = g_new (Order, 1);

  self->control = control;
  self->number = g_strdup (number);

  return self;
}

static void
order_free (Order *self)
{
  g_free (self->number);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Order, order_free)

static char *
dup_line (const char *word, const char *number, const char *text)
{
  g_autofree char *escaped = text != NULL ? g_uri_escape_string (text, " ", TRUE) : NULL;

  return g_strdup_printf ("%s %s%s%s\n", word, number, escaped != NULL ? " " : "", escaped != NULL ? escaped : "");
}

/* Handles the end of the input. Stops the session if it has attached to a process, because no order can stop it any
 * more. If the session launched a program, lets the program continue. */
static void
end_orders (RunControl *self)
{
  if (roast_session_get_launcher (self->session) == NULL)
    roast_session_stop (self->session);
}

/* Sends an answer. If the controlling program does not read its answers, accepts no more orders, because this process
 * would have to wait, or to queue more and more lines. */
static void
answer (RunControl *self, const char *word, const char *number, const char *text)
{
  g_autofree char *line = dup_line (word, number, text);
  g_autofree char *last = NULL;

  if (control_output_send (output, line) || self->given_up)
    return;
  self->given_up = TRUE;
  last = dup_line ("error", "-", NOT_READ);
  control_output_send_last (output, last);
  roast_recording_add_event (roast_session_get_recording (self->session), NULL, -1, ROAST_SEVERITY_WARNING, "control",
                             NOT_READ);
  end_orders (self);
}

static void
on_opened (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Order) order = user_data;
  g_autoptr (GError) error = NULL;
  RoastSpan *span = roast_session_open_span_finish (ROAST_SESSION (object), result, &error);

  if (span == NULL)
    {
      answer (order->control, "error", order->number, error->message);
      return;
    }
  g_hash_table_insert (order->control->spans, g_strdup (order->number), span);
  answer (order->control, "opened", order->number, NULL);
}

static void
on_closed (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Order) order = user_data;
  g_autoptr (GError) error = NULL;

  if (roast_session_close_span_finish (ROAST_SESSION (object), result, &error))
    answer (order->control, "closed", order->number, NULL);
  else
    answer (order->control, "error", order->number, error->message);
}

static void
open_span (RunControl *self, const ControlLine *line)
{
  RoastSpan *parent = line->parent != NULL ? g_hash_table_lookup (self->spans, line->parent) : NULL;

  if (g_hash_table_contains (self->spans, line->number))
    answer (self, "error", line->number, "a span with this number is already open");
  else
    roast_session_open_span_async (self->session, line->name, parent, NULL, on_opened, order_new (self, line->number));
}

static void
close_span (RunControl *self, const ControlLine *line)
{
  g_autoptr (RoastSpan) span = NULL;
  g_autofree char *key = NULL;

  if (!g_hash_table_steal_extended (self->spans, line->number, (gpointer *) &key, (gpointer *) &span))
    answer (self, "error", line->number, "no span with this number is open");
  else
    roast_session_close_span_async (self->session, span, NULL, on_closed, order_new (self, line->number));
}

static void
obey (RunControl *self, const char *text, gsize length)
{
  g_autofree char *number = NULL;
  const char *why = NULL;
  g_autoptr (ControlLine) line = control_line_parse (text, length, &number, &why);

  if (line == NULL)
    answer (self, "error", number, why);
  else if (line->order == CONTROL_OPEN)
    open_span (self, line);
  else if (line->order == CONTROL_CLOSE)
    close_span (self, line);
  else
    {
      self->stopped = TRUE;
      roast_session_stop (self->session);
    }
}

static void
take (RunControl *self, const char *piece, gsize n)
{
  char *end = NULL;

  g_string_append_len (self->line, piece, (gssize) n);
  while (!self->given_up && (end = memchr (self->line->str, '\n', self->line->len)) != NULL)
    {
      obey (self, self->line->str, (gsize) (end - self->line->str));
      g_string_erase (self->line, 0, end - self->line->str + 1);
    }
}

/* Sends a message as an answer. Without this, the message would go to standard error, which the program uses. */
static void
on_message (const char *text)
{
  g_autofree char *words = g_strchomp (g_strdup (text));
  g_autofree char *line = dup_line ("message", "-", words);

  control_output_send (output, line);
}

/* Reads orders. The input ends when the controlling program closes it or ends. */
static gboolean
on_input (int fd, GIOCondition condition, gpointer user_data)
{
  RunControl *self = user_data;
  char piece[PIECE];
  gssize n = read (fd, piece, sizeof piece);

  if (n < 0 && (errno == EINTR || errno == EAGAIN))
    return G_SOURCE_CONTINUE;
  /* If no more orders are accepted, discard the input, so that a controlling program that only writes never blocks. */
  if (n > 0 && self->given_up)
    return G_SOURCE_CONTINUE;
  if (n > 0 && self->line->len <= CONTROL_MAX_LINE)
    {
      take (self, piece, (gsize) n);
      return G_SOURCE_CONTINUE;
    }
  if (n > 0)
    answer (self, "error", "-", "the line of an order is too long: roast-run accepts no more orders");
  self->watch = 0;
  self->ended = n <= 0;
  end_orders (self);

  return G_SOURCE_REMOVE;
}

gboolean
run_control_take (const char *descriptors, GError **error)
{
  char *end = NULL;
  gint64 in = g_ascii_strtoll (descriptors, &end, 10);
  gint64 out = *end == ',' ? g_ascii_strtoll (end + 1, &end, 10) : -1;

  discards = g_str_equal (end, ",discard");
  if (discards)
    end += strlen (end);
  if (*end != '\0' || in < 0 || in > G_MAXINT || out < 0 || out > G_MAXINT || fcntl ((int) in, F_GETFD) < 0 ||
      fcntl ((int) out, F_GETFD) < 0)
    return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                       "“--control=%s” is invalid: write IN,OUT, two open descriptors for orders and answers",
                       descriptors);
  /* The program must not inherit the descriptors. */
  fcntl ((int) in, F_SETFD, FD_CLOEXEC);
  fcntl ((int) out, F_SETFD, FD_CLOEXEC);
  input = (int) in;
  output = control_output_new ((int) out);
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
  answer (self, "started", "-", NULL);
}

/* If the input is closed and has no unread data, the controlling program is gone. Unread data may contain its last
 * order. */
gboolean
run_control_is_abandoned (const RunControl *self)
{
  struct pollfd poll_input = { .fd = input, .events = POLLIN };

  if (!discards || self->stopped)
    return FALSE;

  return self->ended || (poll (&poll_input, 1, 0) == 1 && (poll_input.revents & (POLLIN | POLLHUP)) == POLLHUP);
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

void
run_control_flush (void)
{
  if (output == NULL)
    return;
  control_output_flush (output);
  g_set_printerr_handler (NULL);
  g_clear_pointer (&output, control_output_free);
}
