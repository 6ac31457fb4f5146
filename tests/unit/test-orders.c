/* SPDX-License-Identifier: BSD-3-Clause */

/* Input of the supervisor: orders from the library, signals, and the command line. */

#include <glib.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake-processes.h"
#include "options.h"
#include "orders.h"
#include "process/roast-supervisor-wire.h"
#include "signals.h"

typedef struct
{
  Orders orders;
  int in, library;
  GString *heard;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  int fds[2];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), ==, 0);
  self->in = fds[0];
  self->library = fds[1];
  self->heard = g_string_new (NULL);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  close (self->in);
  if (self->library >= 0)
    close (self->library);
  g_string_free (self->heard, TRUE);
}

static void
hear_signal (void *data, int signum)
{
  g_string_append_printf (((Fixture *) data)->heard, "%d;", signum);
}

static void
hear_detach (void *data)
{
  g_string_append (((Fixture *) data)->heard, "detach;");
}

static gboolean
read_orders (Fixture *self)
{
  static const OrderHandler handler = { hear_signal, hear_detach };

  return orders_read (&self->orders, self->in, &handler, self);
}

static void
put (Fixture *self, gconstpointer bytes, gsize length)
{
  g_assert_cmpint (write (self->library, bytes, length), ==, (gssize) length);
}

static void
order (Fixture *self, guint32 type, gconstpointer payload, guint32 length)
{
  RoastWireHeader header = { type, length };

  put (self, &header, sizeof header);
  if (length > 0)
    put (self, payload, length);
}

static void
test_orders (Fixture *self, gconstpointer data)
{
  RoastWireSignal two = { SIGINT }, fifteen = { SIGTERM };
  char other[100] = { 0 };

  g_assert_true (read_orders (self));
  order (self, ROAST_WIRE_SIGNAL, &two, sizeof two);
  order (self, 999, other, sizeof other); /* unknown ones are skipped */
  order (self, ROAST_WIRE_SIGNAL, other, 3);
  order (self, ROAST_WIRE_SIGNAL, &fifteen, sizeof fifteen);
  g_assert_true (read_orders (self));
  g_assert_cmpstr (self->heard->str, ==, "2;15;");
  order (self, ROAST_WIRE_DETACH, NULL, 0);
  order (self, ROAST_WIRE_SIGNAL, &two, sizeof two);
  g_assert_false (read_orders (self));
  g_assert_cmpstr (self->heard->str, ==, "2;15;detach;");
}

/* Orders come in any pieces. */
static void
test_pieces (Fixture *self, gconstpointer data)
{
  struct
  {
    RoastWireHeader header;
    RoastWireSignal order;
  } message = { { ROAST_WIRE_SIGNAL, sizeof (RoastWireSignal) }, { SIGHUP } };

  for (guint round = 0; round < 3; round++)
    for (gsize i = 0; i < sizeof message; i++)
      {
        g_assert_cmpuint (self->heard->len, ==, 2 * round);
        put (self, (const char *) &message + i, 1);
        g_assert_true (read_orders (self));
      }
  g_assert_cmpstr (self->heard->str, ==, "1;1;1;");
}

/* More than fits at once, of the largest orders there may be. */
static void
test_many (Fixture *self, gconstpointer data)
{
  char other[4096 - sizeof (RoastWireHeader)] = { 0 };
  RoastWireSignal signal = { SIGUSR1 };

  for (guint i = 0; i < 5; i++)
    {
      order (self, 999, other, sizeof other);
      order (self, ROAST_WIRE_SIGNAL, &signal, sizeof signal);
    }
  g_assert_true (read_orders (self));
  g_assert_cmpstr (self->heard->str, ==, "10;10;10;10;10;");
}

/* What is left of older orders in the buffer is not read again. */
static void
test_stale (Fixture *self, gconstpointer data)
{
  RoastWireSignal signal = { SIGUSR1 };
  char other[100];

  memset (other, 0xff, sizeof other);
  order (self, 999, other, sizeof other);
  g_assert_true (read_orders (self));
  order (self, ROAST_WIRE_SIGNAL, &signal, sizeof signal);
  g_assert_true (read_orders (self));
  g_assert_cmpstr (self->heard->str, ==, "10;");
}

static void
test_too_long (Fixture *self, gconstpointer data)
{
  order (self, ROAST_WIRE_SIGNAL, NULL, 0);
  put (self, &(RoastWireHeader) { 999, 4096 - sizeof (RoastWireHeader) + 1 }, sizeof (RoastWireHeader));
  g_assert_false (read_orders (self));
  g_assert_cmpstr (self->heard->str, ==, "");
}

static void
test_gone (Fixture *self, gconstpointer data)
{
  close (self->library);
  self->library = -1;
  g_assert_false (read_orders (self));
}

/* ---- signals ---- */

/* From another process: what this one sends itself comes from its own writes. The end of that process sends none. */
static int
send_signal (int signum)
{
  pid_t parent = getpid (), child = fork ();

  if (child == 0)
    _exit (kill (parent, signum) == 0 ? 0 : 1);
  /* Returns when it has ended, without a status. */
  g_assert_cmpint (waitpid (child, NULL, 0), ==, -1);

  return child > 0 ? 0 : -1;
}

static void
test_signals (void)
{
  const int handled[] = { SIGCHLD, SIGTERM, SIGINT,  SIGQUIT, SIGHUP,  SIGUSR1,  SIGUSR2, SIGALRM, SIGXCPU,
                          SIGPIPE, SIGXFSZ, SIGPROF, SIGPWR,  SIGSEGV, SIGWINCH, SIGURG,  SIGRTMAX };
  Signals signals = { 0 };
  bool from_terminal = true;
  sigset_t before;

  fake_clocks_reset ();
  sigprocmask (SIG_SETMASK, NULL, &before);
  g_assert_true (signals_init (&signals, false));
  g_assert_cmpint (signals_take (&signals, &from_terminal), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (handled); i++)
    {
      /* valgrind ends the program by the first of these, and keeps the other for itself */
      if (g_getenv ("ROAST_UNDER_VALGRIND") != NULL && (handled[i] == SIGSEGV || handled[i] == SIGRTMAX))
        continue;
      g_assert_false (signals_is_duplicate (&signals, handled[i]));
      from_terminal = true;
      g_assert_cmpint (send_signal (handled[i]), ==, 0);
      g_assert_cmpint (signals_take (&signals, &from_terminal), ==, handled[i]);
      g_assert_false (from_terminal);
      g_assert_cmpint (signals_take (&signals, &from_terminal), ==, 0);
      /* The one that the library sends on is the same; another one after that is not. */
      g_assert_true (signals_is_duplicate (&signals, handled[i]));
      g_assert_false (signals_is_duplicate (&signals, handled[i]));
    }

  send_signal (SIGTERM);
  signals_take (&signals, &from_terminal);
  fake_clocks_advance (499999);
  g_assert_true (signals_is_duplicate (&signals, SIGTERM));
  send_signal (SIGTERM);
  signals_take (&signals, &from_terminal);
  fake_clocks_advance (500000);
  g_assert_false (signals_is_duplicate (&signals, SIGTERM));
  /* What does not come here first has no duplicate, and what is not a signal neither. To continue twice does no harm,
   * not to continue does. */
  for (gsize i = 0; i < G_N_ELEMENTS (signals.received); i++)
    {
      signals.received[i] = fake_clocks.monotonic;
      signals.copies[i] = i == SIGTERM;
    }
  g_assert_false (signals_is_duplicate (&signals, SIGCONT));
  g_assert_false (signals_is_duplicate (&signals, -1));
  g_assert_false (signals_is_duplicate (&signals, 0));
  g_assert_false (signals_is_duplicate (&signals, NSIG));
  g_assert_false (signals_is_duplicate (&signals, G_MAXINT));
  g_assert_true (signals_is_duplicate (&signals, SIGTERM));
  close (signals.fd);
  sigprocmask (SIG_SETMASK, &before, NULL);
}

/* Real-time signals do not merge, nor do their duplicates. */
static void
test_queued_signals (void)
{
  Signals signals = { 0 };
  bool from_terminal;
  sigset_t before;

  fake_clocks_reset ();
  sigprocmask (SIG_SETMASK, NULL, &before);
  g_assert_true (signals_init (&signals, true));
  for (int i = 0; i < 3; i++)
    send_signal (SIGRTMIN + 3);
  for (int i = 0; i < 3; i++)
    g_assert_cmpint (signals_take (&signals, &from_terminal), ==, SIGRTMIN + 3);
  for (int i = 0; i < 3; i++)
    g_assert_true (signals_is_duplicate (&signals, SIGRTMIN + 3));
  g_assert_false (signals_is_duplicate (&signals, SIGRTMIN + 3));
  close (signals.fd);
  sigprocmask (SIG_SETMASK, &before, NULL);
}

static void
test_job_control (void)
{
  Signals signals = { 0 };
  bool from_terminal;
  sigset_t before;

  fake_clocks_reset ();
  sigprocmask (SIG_SETMASK, NULL, &before);
  g_assert_true (signals_init (&signals, true));
  send_signal (SIGTSTP);
  g_assert_cmpint (signals_take (&signals, &from_terminal), ==, SIGTSTP);
  g_assert_true (signals_is_duplicate (&signals, SIGTSTP));
  /* The program was stopped meanwhile: it must go on. */
  send_signal (SIGCONT);
  g_assert_cmpint (signals_take (&signals, &from_terminal), ==, SIGCONT);
  signals_forget (&signals, SIGCONT);
  g_assert_false (signals_is_duplicate (&signals, SIGCONT));
  /* As a write to a pipe without a reader sends it. */
  kill (getpid (), SIGPIPE);
  g_assert_cmpint (signals_take (&signals, &from_terminal), ==, 0);
  close (signals.fd);
  sigprocmask (SIG_SETMASK, &before, NULL);
}

/* ---- command line ---- */

static gboolean
parse (Options *options, const char *line)
{
  g_autofree char *text = g_strconcat ("roast-supervisor ", line, NULL);
  /* The program stays in the arguments. */
  static char **argv;

  g_strfreev (argv);
  argv = g_strsplit (text, " ", -1);

  return options_parse ((int) g_strv_length (argv), argv, options);
}

static void
test_options (void)
{
  Options options;

  g_assert_true (parse (&options, "--control-fd=3 -- sleep 10"));
  g_assert_cmpint (options.control_fd, ==, 3);
  g_assert_cmpint (options.interval, ==, 1000000);
  g_assert_cmpint (options.grace, ==, 200000);
  g_assert_cmpint (options.pss, ==, PSS_AUTO);
  g_assert_cmpuint (options.accounting, ==, G_MAXUINT32);
  g_assert_false (options.wait_tree);
  g_assert_false (options.ignore_sigpipe);
  g_assert_false (options.in_directory);
  g_assert_cmpint (options.attach_pid, ==, 0);
  g_assert_cmpstr (options.program[0], ==, "sleep");
  g_assert_cmpstr (options.program[1], ==, "10");
  g_assert_null (options.program[2]);

  g_assert_true (parse (&options, "--control-fd=0 --interval=1000 --pss=exact --wait=tree --grace=5 --accounting=0x12 "
                                  "--ignore-sigpipe --in-directory -- a --pss=off"));
  g_assert_true (options.in_directory);
  g_assert_cmpint (options.control_fd, ==, 0);
  g_assert_cmpint (options.interval, ==, 1000);
  g_assert_cmpint (options.pss, ==, PSS_EXACT);
  g_assert_true (options.wait_tree);
  g_assert_cmpint (options.grace, ==, 5);
  g_assert_cmpuint (options.accounting, ==, 0x12);
  g_assert_true (options.ignore_sigpipe);

  g_assert_true (parse (&options, "--control-fd=4 --attach=1234 --pss=off --wait=main"));
  g_assert_cmpint (options.attach_pid, ==, 1234);
  g_assert_cmpint (options.pss, ==, PSS_OFF);
  g_assert_false (options.wait_tree);
}

static void
test_bad_options (void)
{
  static const char *const lines[] = {
    "",
    "-- sleep",
    "--control-fd=3",
    "--control-fd=3 --",
    "--control-fd=3 sleep",
    "--control-fd=3 --interval=999 -- a",
    "--control-fd=3 --attach=5 -- a",
    "--control-fd=3 --attach=0",
    "--control-fd=3 --attach=-1",
    "--control-fd=-1 -- a",
    "--control-fdx=3 -- a",
    "--control-fd=3 --unknown -- a",
    "--control-fd=3 --pss -- a",
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      Options options;

      g_test_message ("%s", lines[i]);
      g_assert_false (parse (&options, lines[i]));
    }
}

#define ADD(name, function) g_test_add ("/orders/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("orders", test_orders);
  ADD ("pieces", test_pieces);
  ADD ("many", test_many);
  ADD ("stale", test_stale);
  ADD ("too-long", test_too_long);
  ADD ("gone", test_gone);
  signal (SIGCHLD, SIG_IGN);
  g_test_add_func ("/orders/signals", test_signals);
  g_test_add_func ("/orders/signals/queued", test_queued_signals);
  g_test_add_func ("/orders/signals/job-control", test_job_control);
  g_test_add_func ("/orders/options", test_options);
  g_test_add_func ("/orders/bad-options", test_bad_options);

  return g_test_run ();
}
