/* SPDX-License-Identifier: BSD-3-Clause */

/* Work in processes of its own, whose time and memory are measured; and run files. */

#include "bench.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PEAK "VmHWM:"

static double
get_clock (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);

  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

double
bench_get_cpu (void)
{
  return get_clock (CLOCK_PROCESS_CPUTIME_ID);
}

double
bench_get_thread_cpu (void)
{
  return get_clock (CLOCK_THREAD_CPUTIME_ID);
}

double
bench_get_peak (void)
{
  g_autofree char *status = NULL;
  const char *line = g_file_get_contents ("/proc/self/status", &status, NULL, NULL) ? strstr (status, PEAK) : NULL;

  if (line == NULL)
    g_error ("/proc/self/status has no %s", PEAK);

  return (double) g_ascii_strtoull (line + strlen (PEAK), NULL, 10) * 1024;
}

double
bench_forget_peak (void)
{
  FILE *file = NULL;

  malloc_trim (0);
  file = fopen ("/proc/self/clear_refs", "we");
  if (file == NULL || fputs ("5", file) < 0 || fclose (file) != 0)
    g_error ("the peak of memory cannot be reset");

  return bench_get_peak ();
}

double
bench_get_size (const char *path)
{
  GStatBuf status;

  if (g_stat (path, &status) != 0)
    g_error ("%s is not there", path);

  return (double) status.st_size;
}

void
bench_remove (const BenchOptions *options, const char *path)
{
  if (!options->keep)
    g_unlink (path);
}

static double
get_seconds (struct timeval time)
{
  return (double) time.tv_sec + (double) time.tv_usec / 1e6;
}

static void
wait_for (pid_t pid, const char *what, BenchChild *child)
{
  struct rusage usage;
  double begin = get_clock (CLOCK_MONOTONIC);
  int status;

  if (wait4 (pid, &status, 0, &usage) != pid || !WIFEXITED (status) || WEXITSTATUS (status) != 0)
    g_error ("%s failed", what);
  child->elapsed = get_clock (CLOCK_MONOTONIC) - begin;
  child->cpu = get_seconds (usage.ru_utime) + get_seconds (usage.ru_stime);
  child->memory = (double) usage.ru_maxrss * 1024;
}

BenchChild
bench_call (BenchFunc func, gpointer data)
{
  double *results =
      mmap (NULL, BENCH_MAX_RESULTS * sizeof *results, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  BenchChild child = { 0 };
  pid_t pid;

  fflush (stdout);
  pid = fork ();
  if (pid == 0)
    {
      func (data, results);
      fflush (stdout);
      _exit (0);
    }
  wait_for (pid, "a part of the benchmark", &child);
  for (guint i = 0; i < BENCH_MAX_RESULTS; i++)
    child.results[i] = results[i];
  munmap (results, BENCH_MAX_RESULTS * sizeof *results);

  return child;
}

BenchChild
bench_run (char **argv, const char *output)
{
  BenchChild child = { 0 };
  pid_t pid;

  fflush (stdout);
  pid = fork ();
  if (pid == 0)
    {
      int fd = open (output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

      if (fd < 0 || dup2 (fd, STDOUT_FILENO) < 0)
        _exit (126);
      execvp (argv[0], argv);
      _exit (127);
    }
  wait_for (pid, argv[0], &child);

  return child;
}

RoastRunFile *
bench_create (const char *path, RoastRecording **recording)
{
  g_autoptr (GError) error = NULL;
  RoastRunFile *file = roast_run_file_create (path, &error);

  if (file == NULL)
    g_error ("%s", error->message);
  *recording = roast_recording_new (NULL);
  roast_run_file_attach (file, *recording);

  return file;
}

void
bench_close (RoastRunFile *file, RoastRecording *recording, gint64 started, gint64 ended)
{
  g_autoptr (GError) error = NULL;

  roast_recording_set_times (recording, started, ended);
  roast_recording_finish (recording);
  if (!roast_run_file_close (file, &error))
    g_error ("%s", error->message);
}
