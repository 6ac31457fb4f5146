/* SPDX-License-Identifier: BSD-3-Clause */
#include <gio/gio.h>
#include <string.h>

#include "core/process/roast-supervisor-stream-private.h"
#include "frames.h"
#include "roast/roast-error.h"

typedef struct
{
  GString *types; /* "1 4 6": the types that came, in order */
  GByteArray *last;
} Heard;

static void
on_frame (guint32 type, gconstpointer payload, gsize length, gpointer user_data)
{
  Heard *heard = user_data;

  g_assert_cmpuint (GPOINTER_TO_SIZE (payload) % 8, ==, 0);
  g_string_append_printf (heard->types, "%s%u", heard->types->len > 0 ? " " : "", type);
  g_byte_array_set_size (heard->last, 0);
  if (length > 0)
    g_byte_array_append (heard->last, payload, length);
}

static void
heard_init (Heard *heard)
{
  heard->types = g_string_new (NULL);
  heard->last = g_byte_array_new ();
}

static void
heard_clear (Heard *heard)
{
  g_string_free (heard->types, TRUE);
  g_byte_array_unref (heard->last);
}

static void
add_hello (GByteArray *bytes)
{
  RoastWireHello hello = { ROAST_WIRE_VERSION, sizeof (RoastWireTreeEnd) };

  frames_add (bytes, ROAST_WIRE_HELLO, &hello, sizeof hello);
}

static void
add_tick (GByteArray *bytes, guint n_samples)
{
  g_autofree RoastWireSample *samples = g_new0 (RoastWireSample, n_samples);
  RoastWireTick tick = { .samples = n_samples };

  frames_add_with (bytes, ROAST_WIRE_TICK, &tick, sizeof tick, samples, n_samples * sizeof *samples);
}

static GByteArray *
new_whole_stream (void)
{
  GByteArray *bytes = frames_new (NULL);
  RoastWireNote note = { .kind = "accounting" };
  RoastWireProcessEnd end = { .id = 1 };
  RoastWireTreeEnd tree = { .elapsed = 5 };

  frames_add (bytes, ROAST_WIRE_NOTE, &note, sizeof note);
  frames_add_process (bytes, 1, 1000, "sh", "sh -c");
  add_tick (bytes, 3);
  frames_add (bytes, 77, "what is this", 12);
  frames_add (bytes, 78, NULL, 0);
  frames_add (bytes, ROAST_WIRE_ENDED, &end, sizeof end);
  frames_add (bytes, ROAST_WIRE_FINISHED, &tree, sizeof tree);

  return bytes;
}

static void
test_any_pieces (void)
{
  g_autoptr (GByteArray) bytes = new_whole_stream ();
  static const gsize sizes[] = { 1, 2, 3, 7, 8, 9, 64, 100, 100000 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (RoastSupervisorStream) stream = NULL;
      Heard heard;

      heard_init (&heard);
      stream = roast_supervisor_stream_new (on_frame, &heard);
      for (gsize at = 0; at < bytes->len; at += sizes[i])
        {
          g_autoptr (GError) error = NULL;
          gsize n = MIN (sizes[i], bytes->len - at);

          /* A copy of its own size, so that a reader of more is seen by tools. */
          g_autofree guint8 *piece = g_memdup2 (bytes->data + at, n);

          roast_supervisor_stream_feed (stream, piece, n, &error);
          g_assert_no_error (error);
        }
      g_assert_cmpstr (heard.types->str, ==, "1 2 10 4 6 7 11");
      g_assert_true (roast_supervisor_stream_is_finished (stream));
      g_assert_cmpuint (heard.last->len, ==, sizeof (RoastWireTreeEnd));
      g_assert_cmpint (((const RoastWireTreeEnd *) (gconstpointer) heard.last->data)->elapsed, ==, 5);
      heard_clear (&heard);
    }
}

/* The bytes must fail in the same way each time, after the frames in expected. */
static void
assert_refused (GByteArray *bytes, const char *expected, const char *message)
{
  g_autoptr (RoastSupervisorStream) stream = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) again = NULL;
  g_autoptr (GByteArray) good = new_whole_stream ();
  Heard heard;

  heard_init (&heard);
  stream = roast_supervisor_stream_new (on_frame, &heard);
  g_assert_false (roast_supervisor_stream_feed (stream, bytes->data, bytes->len, &error));
  g_assert_error (error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_SUPERVISOR);
  g_assert_nonnull (strstr (error->message, message));
  g_assert_false (roast_supervisor_stream_feed (stream, good->data, good->len, &again));
  g_assert_cmpstr (again->message, ==, error->message);
  g_assert_false (roast_supervisor_stream_feed (stream, good->data, good->len, NULL));
  g_assert_cmpstr (heard.types->str, ==, expected);
  heard_clear (&heard);
}

static void
test_hello (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  RoastWireHello hello = { ROAST_WIRE_VERSION + 1, sizeof (RoastWireTreeEnd) };

  frames_add (bytes, ROAST_WIRE_HELLO, &hello, sizeof hello);
  assert_refused (bytes, "", "different builds");

  hello = (RoastWireHello) { ROAST_WIRE_VERSION, sizeof (RoastWireTreeEnd) + 8 };
  g_byte_array_set_size (bytes, 0);
  frames_add (bytes, ROAST_WIRE_HELLO, &hello, sizeof hello);
  assert_refused (bytes, "", "different builds");

  g_byte_array_set_size (bytes, 0);
  frames_add (bytes, ROAST_WIRE_HELLO, &hello, 4);
  assert_refused (bytes, "", "different builds");

  g_byte_array_set_size (bytes, 0);
  add_tick (bytes, 0);
  assert_refused (bytes, "", "instead of a hello");

  g_byte_array_set_size (bytes, 0);
  add_hello (bytes);
  add_hello (bytes);
  assert_refused (bytes, "1", "invalid frame");
}

static void
test_bad_frames (void)
{
  static const struct
  {
    guint32 type;
    guint32 length;
  } bad[] = {
    { ROAST_WIRE_LAUNCHED, 0 },
    { ROAST_WIRE_LAUNCH_FAILED, sizeof (RoastWireFailure) + 1 },
    { ROAST_WIRE_PROCESS, sizeof (RoastWireProcess) - 1 },
    { ROAST_WIRE_EXEC, sizeof (RoastWireProcess) + ROAST_WIRE_MAX_COMMAND_LINE + 1 },
    { ROAST_WIRE_TICK, sizeof (RoastWireTick) - 1 },
    { ROAST_WIRE_TICK, sizeof (RoastWireTick) + sizeof (RoastWireSample) },
    { ROAST_WIRE_ENDED, sizeof (RoastWireProcessEnd) - 1 },
    { ROAST_WIRE_MAIN_ENDED, sizeof (RoastWireMainEnded) + 8 },
    { ROAST_WIRE_STOPPED, 1 },
    { ROAST_WIRE_NOTE, sizeof (RoastWireNote) - 1 },
    { ROAST_WIRE_FINISHED, sizeof (RoastWireTreeEnd) - 8 },
  };
  g_autofree guint8 *zeros = g_malloc0 (65536);

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GByteArray) bytes = g_byte_array_new ();

      add_hello (bytes);
      frames_add (bytes, bad[i].type, zeros, bad[i].length);
      assert_refused (bytes, "1", "invalid frame");
    }
}

/* Wrong counts, strings without an end, and frames after the last one. */
static void
test_lies (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  RoastWireTick tree = { .samples = G_MAXUINT32 };
  RoastWireProcess process = { .id = 1 };
  RoastWireTreeEnd end = { .elapsed = 1 };
  RoastWireFailure failure = { ROAST_WIRE_STAGE_EXEC, 2 };

  add_hello (bytes);
  frames_add (bytes, ROAST_WIRE_TICK, &tree, sizeof tree);
  assert_refused (bytes, "1", "invalid frame");

  memset (process.command, 'x', sizeof process.command);
  g_byte_array_set_size (bytes, 0);
  add_hello (bytes);
  frames_add (bytes, ROAST_WIRE_PROCESS, &process, sizeof process);
  assert_refused (bytes, "1", "invalid frame");

  g_byte_array_set_size (bytes, 0);
  add_hello (bytes);
  frames_add (bytes, ROAST_WIRE_FINISHED, &end, sizeof end);
  add_tick (bytes, 0);
  assert_refused (bytes, "1 11", "invalid frame");

  g_byte_array_set_size (bytes, 0);
  add_hello (bytes);
  frames_add (bytes, ROAST_WIRE_LAUNCH_FAILED, &failure, sizeof failure);
  add_tick (bytes, 0);
  assert_refused (bytes, "1 3", "invalid frame");
}

static void
test_too_large (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  RoastWireHeader header = { ROAST_WIRE_TICK, ROAST_WIRE_MAX_FRAME + 1 };

  add_hello (bytes);
  g_byte_array_append (bytes, (const guint8 *) &header, sizeof header);
  assert_refused (bytes, "1", "more than the limit");
}

static void
assert_quoted (const char *arguments, gsize length, const char *expected)
{
  g_autofree char *text = roast_supervisor_stream_quote (arguments, length);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_quote (void)
{
  g_autofree char *long_argument = g_strnfill (ROAST_WIRE_MAX_COMMAND_LINE, 'a');
  g_autofree char *expected = g_strconcat (long_argument, " …", NULL);

  assert_quoted ("", 0, NULL);
  assert_quoted ("make\0-j2\0CC=gcc\0", 16, "make -j2 CC=gcc");
  assert_quoted ("sh\0-c\0exit 3\0", 13, "sh -c 'exit 3'");
  assert_quoted ("a\0\0b\0", 5, "a '' b");
  assert_quoted ("it's\0", 5, "'it'\\''s'");
  /* Cut off; then not UTF-8. */
  assert_quoted ("sh\0-c", 5, "sh -c");
  assert_quoted ("\xff\xfe\0", 3, "'\357\277\275\357\277\275'");
  assert_quoted (long_argument, ROAST_WIRE_MAX_COMMAND_LINE, expected);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/supervisor-stream/any-pieces", test_any_pieces);
  g_test_add_func ("/supervisor-stream/hello", test_hello);
  g_test_add_func ("/supervisor-stream/bad-frames", test_bad_frames);
  g_test_add_func ("/supervisor-stream/lies", test_lies);
  g_test_add_func ("/supervisor-stream/too-large", test_too_large);
  g_test_add_func ("/supervisor-stream/quote", test_quote);

  return g_test_run ();
}
