/* SPDX-License-Identifier: BSD-3-Clause */

/* Runs a fuzz target without a fuzzer:
 *
 *   fuzz-NAME CORPUS_DIR [MUTATIONS]   each seed, then so many mutations of them in all, always the same ones; with
 *                                      ROAST_FUZZ_FACTOR=N in the environment N times as many
 *   fuzz-NAME FILE                     one input
 *   fuzz-NAME --show FILE MUTATION     writes that mutation of the seed to stdout: what crashed, to keep as a new seed
 */

#include <glib.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LARGEST_INPUT (1 << 20)

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* What runs now, for the signal handler. */
static char current[512];

static guint64
next_random (guint64 *state)
{
  guint64 z = (*state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15));

  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static gsize
random_below (guint64 *state, gsize bound)
{
  return bound == 0 ? 0 : (gsize) (next_random (state) % bound);
}

/* A short piece, mostly: whole-input moves find little. */
static gsize
random_length (guint64 *state, gsize bound)
{
  gsize n = 1 + random_below (state, random_below (state, 4) == 0 ? bound + 1 : 16);

  return MIN (n, bound);
}

static guint8
random_byte (guint64 *state)
{
  static const char telling[] = "\0\n\r\t =[]{}\"'\\/:;,.-+%#0123456789eE\xff\x80\xc3\x7f";

  if (random_below (state, 2) == 0)
    return (guint8) telling[random_below (state, sizeof telling - 1)];
  return (guint8) next_random (state);
}

static void
insert_piece (GByteArray *input, gsize position, const guint8 *piece, gsize length)
{
  g_autofree guint8 *copy = g_memdup2 (piece, length);
  gsize before = input->len;

  if (length == 0 || before + length > LARGEST_INPUT)
    return;
  g_byte_array_set_size (input, before + length);
  memmove (input->data + position + length, input->data + position, before - position);
  memcpy (input->data + position, copy, length);
}

static void
mutate_once (GByteArray *input, guint64 *state)
{
  gsize position = random_below (state, input->len);
  guint8 byte = random_byte (state);

  switch (input->len == 0 ? 0 : random_below (state, 7))
    {
    case 0:
      insert_piece (input, position, &byte, 1);
      break;
    case 1:
      input->data[position] = byte;
      break;
    case 2:
      input->data[position] ^= (guint8) (1u << random_below (state, 8));
      break;
    case 3:
      g_byte_array_remove_range (input, position, random_length (state, input->len - position));
      break;
    case 4:
      insert_piece (input, random_below (state, input->len), input->data + position,
                    random_length (state, input->len - position));
      break;
    case 5:
      if (random_below (state, 8) == 0)
        g_byte_array_set_size (input, position);
      break;
    default:
      for (gsize n = random_length (state, 64); n > 0; n--)
        insert_piece (input, position, &byte, 1);
      break;
    }
}

static GByteArray *
mutate (const char *seed, gsize length, guint64 number)
{
  GByteArray *input = g_byte_array_sized_new (length + 64);
  guint64 state = number * 0x2545f491 + length;

  g_byte_array_append (input, (const guint8 *) seed, length);
  for (gsize n = 1 + random_below (&state, 8); n > 0; n--)
    mutate_once (input, &state);
  return input;
}

static void
run (const guint8 *data, gsize length)
{
  /* Its own block of exactly that size, so that a sanitizer sees a read beyond the end. */
  g_autofree guint8 *copy = g_memdup2 (data, length);

  LLVMFuzzerTestOneInput (copy, length);
}

static void
on_crash (int number)
{
  ssize_t ignored = write (STDERR_FILENO, current, strlen (current));

  (void) ignored;
  signal (number, SIG_DFL);
  raise (number);
}

static char *
read_file (const char *path, gsize *length)
{
  g_autoptr (GError) error = NULL;
  char *contents = NULL;

  if (!g_file_get_contents (path, &contents, length, &error))
    g_error ("%s", error->message);
  return contents;
}

static void
run_seed (const char *path, guint64 mutations)
{
  gsize length = 0;
  g_autofree char *seed = read_file (path, &length);

  g_snprintf (current, sizeof current, "crashed on %s\n", path);
  run ((const guint8 *) seed, length);
  for (guint64 i = 0; i < mutations; i++)
    {
      g_autoptr (GByteArray) input = mutate (seed, length, i);

      g_snprintf (current, sizeof current, "crashed on mutation %" G_GUINT64_FORMAT " of %s: see it with --show\n", i,
                  path);
      run (input->data, input->len);
    }
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static GPtrArray *
list_seeds (const char *directory)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (directory, 0, &error);
  GPtrArray *seeds = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  if (dir == NULL)
    g_error ("%s", error->message);
  while ((name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (seeds, g_build_filename (directory, name, NULL));
  g_ptr_array_sort (seeds, compare_paths);
  return seeds;
}

static int
show (const char *path, guint64 number)
{
  gsize length = 0;
  g_autofree char *seed = read_file (path, &length);
  g_autoptr (GByteArray) input = mutate (seed, length, number);

  return fwrite (input->data, 1, input->len, stdout) == input->len ? EXIT_SUCCESS : EXIT_FAILURE;
}

int
main (int argc, char **argv)
{
  static const int crashes[] = { SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP };
  g_autoptr (GPtrArray) seeds = NULL;
  guint64 mutations;

  if (argc == 4 && g_str_equal (argv[1], "--show"))
    return show (argv[2], g_ascii_strtoull (argv[3], NULL, 10));
  if (argc < 2 || argc > 3)
    {
      fprintf (stderr, "usage: %s CORPUS_DIR [MUTATIONS] | FILE | --show FILE MUTATION\n", argv[0]);
      return 2;
    }
  mutations = argc > 2 ? g_ascii_strtoull (argv[2], NULL, 10) : 0;
  if (g_getenv ("ROAST_FUZZ_FACTOR") != NULL)
    mutations *= g_ascii_strtoull (g_getenv ("ROAST_FUZZ_FACTOR"), NULL, 10);
  for (gsize i = 0; i < G_N_ELEMENTS (crashes); i++)
    signal (crashes[i], on_crash);

  /* What a library complains about is a fault of ours. */
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING);

  if (!g_file_test (argv[1], G_FILE_TEST_IS_DIR))
    {
      run_seed (argv[1], mutations);
      return EXIT_SUCCESS;
    }
  seeds = list_seeds (argv[1]);
  if (seeds->len == 0)
    g_error ("no seeds in %s", argv[1]);
  for (guint i = 0; i < seeds->len; i++)
    run_seed (g_ptr_array_index (seeds, i), mutations / seeds->len);
  printf ("%u seeds, %" G_GUINT64_FORMAT " mutations\n", seeds->len, mutations);
  return EXIT_SUCCESS;
}
