/* SPDX-License-Identifier: BSD-3-Clause */
#include "frames.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define FRAMES "ROAST_TEST_FRAMES"

void
frames_add_with (GByteArray *frames, guint32 type, gconstpointer first, gsize first_length, gconstpointer second,
                 gsize second_length)
{
  RoastWireHeader header = { type, first_length + second_length };

  g_byte_array_append (frames, (const guint8 *) &header, sizeof header);
  if (first_length > 0)
    g_byte_array_append (frames, first, first_length);
  if (second_length > 0)
    g_byte_array_append (frames, second, second_length);
}

void
frames_add (GByteArray *frames, guint32 type, gconstpointer payload, guint32 length)
{
  frames_add_with (frames, type, payload, length, NULL, 0);
}

GByteArray *
frames_new (const RoastWireInfo *info)
{
  GByteArray *frames = g_byte_array_new ();
  RoastWireLaunched launched = { 1001 };
  RoastWireHello hello = {
    .version = ROAST_WIRE_VERSION,
    .record_size = sizeof (RoastWireTreeEnd),
    .info = { .cores = 4, .cgroup_cores = 1.5, .cgroup_memory_limit = -1 },
  };

  if (info != NULL)
    hello.info = *info;
  frames_add (frames, ROAST_WIRE_HELLO, &hello, sizeof hello);
  frames_add (frames, ROAST_WIRE_LAUNCHED, &launched, sizeof launched);

  return frames;
}

void
frames_add_process (GByteArray *frames, guint64 id, gint64 started, const char *command, const char *arguments)
{
  /* The second one is the first of another pid namespace. */
  RoastWireProcess process = { .id = id,
                               .parent_id = id - 1,
                               .started = started,
                               .pid_namespace = id == 2 ? 52 : 51,
                               .namespace_pid = id == 2 ? 1 : -1,
                               .pid = 1000 + (int) id };
  g_autofree char *words = g_strdup (arguments);

  g_strlcpy (process.command, command, sizeof process.command);
  if (words != NULL)
    g_strdelimit (words, " ", '\0');
  frames_add_with (frames, ROAST_WIRE_PROCESS, &process, sizeof process, words,
                   arguments != NULL ? strlen (arguments) + 1 : 0);
}

void
frames_add_sample (GByteArray *frames, gint64 time, const RoastWireSample *sample)
{
  RoastWireTick tick = { .time = time, .processes = 1, .samples = 1, .rss = 4096, .pss = -1, .pss_known = -1 };

  frames_add_with (frames, ROAST_WIRE_TICK, &tick, sizeof tick, sample, sizeof *sample);
}

gboolean
frames_are_played (int argc, char **argv)
{
  g_autofree char *frames = NULL;
  gsize length;
  int fd;

  if (argc < 2 || !g_str_has_prefix (argv[1], "--control-fd="))
    return FALSE;

  fd = atoi (strchr (argv[1], '=') + 1);
  g_assert_true (g_file_get_contents (g_getenv (FRAMES), &frames, &length, NULL));
  for (gsize at = 0; at < length;)
    {
      gssize n = write (fd, frames + at, length - at);

      g_assert_cmpint (n, >, 0);
      at += n;
    }

  return TRUE;
}

static void
on_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **at = user_data;

  *at = g_object_ref (result);
}

void
frames_play (GByteArray *frames, RoastRecording *recording, RoastProcessObserver *observer)
{
  const char *argv[] = { "program", NULL };
  g_autoptr (RoastLaunchContext) context = roast_launch_context_new (argv);
  g_autoptr (RoastLauncher) launcher = roast_launcher_new (recording);
  g_autofree char *supervisor = g_strdup (g_getenv ("ROAST_SUPERVISOR"));
  g_autofree char *myself = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *path = NULL;
  g_autoptr (GAsyncResult) launched = NULL;
  g_autoptr (GAsyncResult) ended = NULL;
  g_autoptr (GError) error = NULL;
  int fd = g_file_open_tmp ("frames-XXXXXX", &path, &error);

  g_assert_no_error (error);
  close (fd);
  g_assert_true (g_file_set_contents (path, (const char *) frames->data, frames->len, NULL));
  roast_launch_context_setenv (context, FRAMES, path);
  if (observer != NULL)
    roast_launch_context_add_observer (context, observer);

  g_setenv ("ROAST_SUPERVISOR", myself, TRUE);
  roast_launcher_launch_async (launcher, context, NULL, on_done, &launched);
  if (supervisor != NULL)
    g_setenv ("ROAST_SUPERVISOR", supervisor, TRUE);
  else
    g_unsetenv ("ROAST_SUPERVISOR");
  while (launched == NULL)
    g_main_context_iteration (NULL, TRUE);
  roast_launcher_launch_finish (launcher, launched, &error);
  g_assert_no_error (error);
  roast_launcher_wait_async (launcher, NULL, on_done, &ended);
  while (ended == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_unlink (path);
}
