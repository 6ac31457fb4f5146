/* SPDX-License-Identifier: BSD-3-Clause */

/* Plays a transactions log again and prints what that took, as JSON: bench-log FILE. Once the lines are only read and
 * split into words in bare C, which is the limit of any reader; then they become rows. */

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "vine-log.h"
#include "vine-replay.h"

static double
get_cpu (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);

  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static double
get_peak (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);

  return (double) usage.ru_maxrss * 1024;
}

typedef struct
{
  const char *start;
  size_t length;
} Word;

#define MAX_WORDS 64

/* The words of a line, at blanks and commas: a reader of values needs those. */
static unsigned
split (const char *at, const char *end, Word *words)
{
  unsigned n = 0;

  while (at < end && n < MAX_WORDS)
    {
      const char *from = at;

      while (at < end && *at != ' ' && *at != ',')
        at++;
      if (at > from)
        words[n++] = (Word) { from, (size_t) (at - from) };
      at++;
    }

  return n;
}

/* All lines of a file, read in blocks. Returns the number of words, so that no compiler leaves them out. */
static guint64
read_and_split (const char *path)
{
  static char buffer[1 << 18];
  Word words[MAX_WORDS];
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  size_t held = 0;
  guint64 n_words = 0;
  ssize_t n;

  while ((n = read (fd, buffer + held, sizeof buffer - held)) > 0)
    {
      const char *from = buffer;
      const char *end = buffer + held + n;
      const char *to;

      while ((to = memchr (from, '\n', (size_t) (end - from))) != NULL)
        {
          n_words += split (from, to, words);
          n_words += words[0].length == 0;
          from = to + 1;
        }
      held = (size_t) (end - from);
      memmove (buffer, from, held);
    }
  close (fd);

  return n_words;
}

static void
play (const char *line, gsize length, gpointer user_data)
{
  vine_replay_take_line (user_data, line, length);
}

static VineLog *
open_or_die (const char *path)
{
  g_autoptr (GError) error = NULL;
  VineLog *log = vine_log_open (path, &error);

  if (log == NULL)
    g_error ("%s", error->message);

  return log;
}

int
main (int argc, char **argv)
{
  VineTaskLimit limit = { G_MAXUINT64, 0 };
  const VineReplayOptions options = { G_USEC_PER_SEC, &limit, TRUE, NULL };
  g_autoptr (VineLog) second = open_or_die (argv[1]);
  g_autoptr (RoastRecording) recording =
      roast_recording_new (roast_registry_get_schema (roast_registry_get_default ()));
  VineReplay *replay = vine_replay_new (recording, "taskvine-1", &options);
  VineCounts counts;
  guint64 words;
  double before = get_cpu ();
  double found, read, memory;

  words = read_and_split (argv[1]);
  found = get_cpu () - before;
  memory = get_peak ();
  before = get_cpu ();
  vine_log_read (second, G_MAXSIZE, play, replay);
  vine_replay_finish (replay, NULL, -1);
  counts = replay->counts;
  read = get_cpu () - before;
  memory = get_peak () - memory;
  printf ("{\"lines\": %" G_GUINT64_FORMAT ", \"attempts\": %" G_GUINT64_FORMAT ", \"unusable\": %" G_GUINT64_FORMAT
          ", \"words\": %" G_GUINT64_FORMAT
          ", \"split_seconds\": %.3f, \"seconds\": %.3f, \"lines_per_second\": %.0f, \"bytes_per_attempt\": %.0f, "
          "\"submitted\": %" G_GUINT64_FORMAT ", \"dispatched\": %" G_GUINT64_FORMAT ", \"lost\": %" G_GUINT64_FORMAT
          ", \"joined\": %" G_GUINT64_FORMAT ", \"execute\": %.6f}\n",
          counts.lines, counts.tasks.attempts, counts.unusable, words, found, read,
          (double) counts.lines / MAX (read, 1e-9), memory / (double) MAX (counts.tasks.attempts, 1),
          counts.tasks.submitted, counts.tasks.dispatched, counts.tasks.lost, counts.workers.joined,
          counts.tasks.execute);
  vine_replay_free (replay);

  return 0;
}
