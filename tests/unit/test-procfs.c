/* SPDX-License-Identifier: BSD-3-Clause */

/* Parsers of /proc: texts of real kernels, and hostile ones, because a process chooses its own name. */

#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "procfs.h"

#define STAT_TAIL                                                                                                      \
  " S 1203 1204 1190 34816 1210 4194304 103 207 3 5 410 27 91 13 20 0 3 0 586885 3133440 413 18446744073709551615 1 "  \
  "2 3 0 0 0"                                                                                                          \
  " 0 0 0 0 0 0 17 0 0 0 0 0 0 4 5 6 7 8 9 10 0\n"

/* A copy that ends where memory that cannot be read begins, so that a read beyond it ends the test. */
typedef struct
{
  char *block;
  gsize pages, page;
  const char *text;
  gsize length;
} Text;

static Text
text_new (const char *text)
{
  Text self = { .page = (gsize) sysconf (_SC_PAGESIZE), .length = strlen (text) + 1 };
  char *end;

  self.pages = self.length / self.page + 2;
  self.block = mmap (NULL, self.pages * self.page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  g_assert_true (self.block != MAP_FAILED);
  end = self.block + (self.pages - 1) * self.page;
  memcpy (end - self.length, text, self.length);
  g_assert_cmpint (mprotect (end, self.page, PROT_NONE), ==, 0);
  self.text = end - self.length;

  return self;
}

static void
text_free (Text *self)
{
  munmap (self->block, self->pages * self->page);
}

static bool
stat_of (const char *text, ProcStat *out)
{
  Text copy = text_new (text);
  bool ok = proc_parse_stat (copy.text, out);

  text_free (&copy);

  return ok;
}

static bool
io_of (const char *text, ProcIo *out)
{
  Text copy = text_new (text);
  bool ok = proc_parse_io (copy.text, out);

  text_free (&copy);

  return ok;
}

static bool
status_of (const char *text, ProcStatus *out)
{
  Text copy = text_new (text);
  bool ok = proc_parse_status (copy.text, out);

  text_free (&copy);

  return ok;
}

static bool
pss_of (const char *text, int64_t *out)
{
  Text copy = text_new (text);
  bool ok = proc_parse_pss (copy.text, out);

  text_free (&copy);

  return ok;
}

static bool
schedstat_of (const char *text, ProcQueue *out)
{
  Text copy = text_new (text);
  bool ok = proc_parse_schedstat (copy.text, out);

  text_free (&copy);

  return ok;
}

static bool
loadavg_of (const char *text, int32_t *out)
{
  Text copy = text_new (text);
  bool ok = proc_parse_loadavg_pid (copy.text, out);

  text_free (&copy);

  return ok;
}

static bool
taken_of (const char *text, int64_t *ticks, int64_t *busy)
{
  Text copy = text_new (text);
  bool ok = proc_parse_taken (copy.text, ticks, busy);

  text_free (&copy);

  return ok;
}

static void
test_stat (void)
{
  static const char command[sizeof (((ProcStat *) NULL)->command)] = "python3";
  ProcStat stat;

  /* Names are compared as a whole. */
  memset (&stat, 'x', sizeof stat);
  g_assert_true (stat_of ("1204 (python3)" STAT_TAIL, &stat));
  g_assert_cmpmem (stat.command, sizeof stat.command, command, sizeof command);
  g_assert_cmpint (stat.state, ==, 'S');
  g_assert_cmpint (stat.ppid, ==, 1203);
  g_assert_cmpint (stat.minor_faults, ==, 103);
  g_assert_cmpint (stat.children_minor_faults, ==, 207);
  g_assert_cmpint (stat.major_faults, ==, 3);
  g_assert_cmpint (stat.children_major_faults, ==, 5);
  g_assert_cmpint (stat.user_ticks, ==, 410);
  g_assert_cmpint (stat.system_ticks, ==, 27);
  g_assert_cmpint (stat.children_user_ticks, ==, 91);
  g_assert_cmpint (stat.children_system_ticks, ==, 13);
  g_assert_cmpint (stat.threads, ==, 3);
  g_assert_cmpuint (stat.start_ticks, ==, 586885);
  g_assert_cmpint (stat.rss_pages, ==, 413);
}

static void
test_stat_names (void)
{
  static const struct
  {
    const char *text;
    const char *command;
  } cases[] = {
    { "7 (a b (c) d)" STAT_TAIL, "a b (c) d" },
    { "7 (tmux: server)" STAT_TAIL, "tmux: server" },
    { "7 (())" STAT_TAIL, "()" },
    { "7 ())" STAT_TAIL, ")" },
    { "7 (()" STAT_TAIL, "(" },
    { "7 ()" STAT_TAIL, "" },
    { "7 (a) R 1 2 3 4)" STAT_TAIL, "a) R 1 2 3 4" },
    { "7 (x\n) Z 0 0\n)" STAT_TAIL, "x\n) Z 0 0\n" },
    { "7 (\xff\xfe\x01)" STAT_TAIL, "\xff\xfe\x01" },
    { "7 (abcdefghijklmno)" STAT_TAIL, "abcdefghijklmno" },
    { "7 (abcdefghijklmnop)" STAT_TAIL, "abcdefghijklmno" },
    { "7 (kworker/u4:2-events_unbound)" STAT_TAIL, "kworker/u4:2-ev" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      ProcStat stat;

      g_assert_true (stat_of (cases[i].text, &stat));
      g_assert_cmpstr (stat.command, ==, cases[i].command);
      g_assert_cmpint (stat.state, ==, 'S');
      g_assert_cmpint (stat.ppid, ==, 1203);
      g_assert_cmpint (stat.rss_pages, ==, 413);
    }
}

/* A text that is cut off is parsed only if all fields are there. */
static void
test_stat_truncated (void)
{
  const char *whole = "1204 (a b) c)" STAT_TAIL;
  const char *needed = strstr (whole, " 413 ") + strlen (" 413");

  for (size_t length = 0; length <= strlen (whole); length++)
    {
      g_autofree char *piece = g_strndup (whole, length);
      ProcStat stat;
      bool ok = stat_of (piece, &stat);

      if (whole + length >= needed)
        g_assert_cmpint (stat.rss_pages, ==, 413);
      if (whole + length >= needed)
        g_assert_true (ok);
      else if (whole + length < strstr (whole, " 413 ") + 2)
        g_assert_false (ok);
    }
}

static void
test_stat_hostile (void)
{
  static const char *const bad[] = {
    "",
    ")",
    "(",
    ")(",
    "1 (a)",
    "1 (a) ",
    "1 (a) S",
    "1 (a) S ",
    "1 (a) S x",
    "1 (a) S 1 2 3 4 5 6 7 8 9 10 11 12 13 - 15 16 17 18 19 20 21 22 23 24",
    "1 (a)S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24",
    "1 (a) S -1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24",
    "1 a) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24",
    ") S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 (",
    "1 (a S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24",
    "1 (a) S1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25",
    "1 (a) S 2147483648 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24",
    "1 (a) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 -19 20 21 22 23 24",
    "1 (a) S 4294967296 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24",
  };
  ProcStat stat;

  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (stat_of (bad[i], &stat));

  /* The limits: the first process has no parent, and started with the machine. */
  g_assert_true (stat_of ("1 (a) S 0 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 0 20 21", &stat));
  g_assert_cmpint (stat.ppid, ==, 0);
  g_assert_cmpuint (stat.start_ticks, ==, 0);
  g_assert_true (stat_of ("1 (a) S 2147483647 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21", &stat));
  g_assert_cmpint (stat.ppid, ==, INT32_MAX);

  /* Larger numbers saturate. */
  g_assert_true (stat_of ("1 (a) S 1 2 3 4 5 6 7 8 9 10 99999999999999999999999 -99999999999999999999999 13 14 15 16 "
                          "17 18 19 "
                          "20 21 22 23 24",
                          &stat));
  g_assert_cmpint (stat.user_ticks, ==, INT64_MAX);
  g_assert_cmpint (stat.system_ticks, ==, INT64_MIN);
}

static void
test_io (void)
{
  static const char text[] = "rchar: 7278\nwchar: 302\nsyscr: 12\nsyscw: 1\nread_bytes: 8192\nwrite_bytes: 4096\n"
                             "cancelled_write_bytes: 77\n";
  ProcIo io;

  g_assert_true (io_of (text, &io));
  g_assert_cmpint (io.read_chars, ==, 7278);
  g_assert_cmpint (io.write_chars, ==, 302);
  g_assert_cmpint (io.read_bytes, ==, 8192);
  g_assert_cmpint (io.write_bytes, ==, 4096);
  g_assert_cmpint (io.write_cancelled, ==, 77);
  /* A line that is missing is not 0. */
  g_assert_false (io_of ("", &io));
  g_assert_false (io_of ("rchar: \nwchar: x\n", &io));
  /* Cut off in each place: what is read is in the text. */
  for (gsize length = 0; length < strlen (text); length++)
    {
      g_autofree char *piece = g_strndup (text, length);

      g_assert_true (io_of (piece, &io) == (length > (gsize) (strstr (text, "cancelled_write_bytes:") - text) + 23));
    }
}

static const char status_text[] =
    "Name:\tevil\\nUid:\\t5\\t5\nUmask:\t0022\nState:\tS (sleeping)\nTgid:\t12\nPid:\t12\nPPid:\t1\n"
    "Uid:\t1000\t1001\t1001\t1001\nGid:\t5\t5\t5\t5\nVmPeak:\t    3060 kB\nVmHWM:\t    1764 kB\n"
    "VmRSS:\t    1700 kB\nThreads:\t1\nSigIgn:\t0000000001011006\nSigCgt:\t0000000000000000\n"
    "voluntary_ctxt_switches:\t42\nnonvoluntary_ctxt_switches:\t7\n";

static void
test_status (void)
{
  static const char zombie[] =
      "Name:\tz\nState:\tZ (zombie)\nUid:\t4294967295\t4294967295\t0\t0\nSigIgn:\t0000000000001000\n";
  static const char few[] = "Uid:\t1\t1\t1\t1\nSigIgn:\t0000\n";
  ProcStatus status;

  g_assert_true (status_of (status_text, &status));
  g_assert_cmpuint (status.uid, ==, 1001);
  g_assert_cmpint (status.peak_rss, ==, 1764 * 1024);
  g_assert_true (status.ignores_sigchld);

  /* The pid in each namespace, of which the last counts. */
  g_assert_cmpint (status.namespace_pid, ==, -1);
  g_assert_true (status_of ("Uid:\t5\t5\nNSpid:\t1\n", &status));
  g_assert_cmpint (status.namespace_pid, ==, -1);
  g_assert_true (status_of ("Uid:\t5\t5\nNSpid:\t4711\t1\n", &status));
  g_assert_cmpint (status.namespace_pid, ==, 1);
  g_assert_true (status_of ("Uid:\t5\t5\nNSpid:\t4711\t1\t17\n", &status));
  g_assert_cmpint (status.namespace_pid, ==, 17);

  /* However many digits a kernel has for its signals. */
  g_assert_true (status_of (few, &status));
  g_assert_false (status.ignores_sigchld);

  /* A zombie has no memory; signal 17 is bit 16, not 12 or 17. */
  g_assert_true (status_of (zombie, &status));
  g_assert_cmpuint (status.uid, ==, UINT32_MAX);
  g_assert_cmpint (status.peak_rss, ==, -1);
  g_assert_false (status.ignores_sigchld);

  g_assert_false (status_of ("", &status));
  g_assert_false (status_of ("Uid:\t5\n", &status));
  g_assert_false (status_of ("Uid:\t5\t99999999999\n", &status));
  g_assert_false (status_of ("Uid:\t5\t4294967296\n", &status));
  g_assert_false (status_of ("Uid:\t5\t-1\n", &status));
  g_assert_true (status_of ("Uid:\t5\t4294967295\nSigIgn:\t10000", &status));
  g_assert_cmpuint (status.uid, ==, UINT32_MAX);
  g_assert_true (status.ignores_sigchld);
  /* Digits up to the first that is none, in any case of a letter that the kernel writes. */
  g_assert_true (status_of ("Uid:\t0\t0\nSigIgn: \t fe0000g10000\n", &status));
  g_assert_cmpuint (status.uid, ==, 0);
  g_assert_false (status.ignores_sigchld);
  g_assert_true (status_of ("Uid:\t0\t0\nSigIgn:\t00a10000\n", &status));
  g_assert_true (status.ignores_sigchld);
  g_assert_true (status_of ("Uid:\t0\t0\nSigIgn:\t00090000\n", &status));
  g_assert_true (status.ignores_sigchld);
  g_assert_true (status_of ("Uid:\t0\t0\nSigIgn:\t000a0000\n", &status));
  g_assert_false (status.ignores_sigchld);
  g_assert_true (status_of ("Uid:\t0\t0\nSigIgn:\t000f0000\n", &status));
  g_assert_true (status.ignores_sigchld);
  g_assert_true (status_of ("Uid:\t0\t0\nSigIgn:\t00020000\nSigCgt:\t00010000\n", &status));
  g_assert_false (status.ignores_sigchld);
  g_assert_false (status.catches_sigcont);
  g_assert_true (status_of ("Uid:\t0\t0\nSigIgn:\t00000000\nSigCgt:\tfff20000\n", &status));
  g_assert_true (status.catches_sigcont);
  g_assert_true (status_of ("Uid:\t0\t0\nSigIgn:\t", &status));
  g_assert_false (status.ignores_sigchld);
}

static void
test_pss (void)
{
  static const char text[] = "564ee5be7000-7fff174d9000 ---p 00000000 00:00 0                          [rollup]\n"
                             "Rss:                1764 kB\nPss:                 363 kB\nPss_Dirty:           112 kB\n";
  static const char huge[] = "Pss: 9223372036854775807 kB\n";
  static const char negative[] = "Pss: -1 kB\n";
  int64_t bytes;

  g_assert_true (pss_of (text, &bytes));
  g_assert_cmpint (bytes, ==, 363 * 1024);
  g_assert_false (pss_of ("Pss_Dirty: 5 kB\n", &bytes));
  g_assert_false (pss_of (huge, &bytes));
  g_assert_true (pss_of ("Pss: 0 kB\n", &bytes));
  g_assert_cmpint (bytes, ==, 0);
  g_assert_true (pss_of ("Pss: 9007199254740991 kB\n", &bytes));
  g_assert_cmpint (bytes, ==, 9223372036854774784);
  g_assert_false (pss_of ("Pss: 9007199254740992 kB\n", &bytes));
  /* The number is cut off, or all of it. */
  g_assert_true (pss_of ("Rss: 1 kB\nPss: 3", &bytes));
  g_assert_cmpint (bytes, ==, 3072);
  g_assert_false (pss_of ("Pss: ", &bytes));
  g_assert_false (pss_of ("Pss: -", &bytes));
  g_assert_false (pss_of (negative, &bytes));
  g_assert_false (pss_of ("Pss:", &bytes));
}

static void
test_schedstat (void)
{
  ProcQueue queue;

  g_assert_true (schedstat_of ("674710 15", &queue));
  g_assert_cmpint (queue.cpu, ==, 674710);
  g_assert_cmpint (queue.wait, ==, 15);
  g_assert_false (schedstat_of ("674710", &queue));
  g_assert_false (schedstat_of ("", &queue));
  g_assert_false (schedstat_of ("-1 2 3\n", &queue));
}

/* The pids do not depend on the pieces. */
static void
test_children_pieces (void)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (int pid = 1; pid <= 2000; pid++)
    g_string_append_printf (text, "%d ", pid * 2000 + 7);

  for (size_t piece = 1; piece <= 4096; piece = piece * 3 + 1)
    {
      int32_t carry = 0, expected = 2007;

      for (size_t at = 0; at < text->len; at += piece)
        {
          int32_t pids[2500];
          size_t length = MIN (piece, text->len - at);
          size_t n = proc_parse_children (text->str + at, length, &carry, pids, G_N_ELEMENTS (pids));

          for (size_t i = 0; i < n; i++, expected += 2000)
            g_assert_cmpint (pids[i], ==, expected);
        }
      g_assert_cmpint (expected, ==, 2000 * 2001 + 7);
      g_assert_cmpint (carry, ==, 0);
    }
}

static void
test_children_hostile (void)
{
  static const char text[] = "0 99999999999999999999 12 x 13\n14 2147483648 ";
  int32_t pids[4], carry = 0;

  g_assert_cmpuint (proc_parse_children (text, strlen (text), &carry, pids, 4), ==, 3);
  g_assert_cmpint (pids[0], ==, 12);
  g_assert_cmpint (pids[1], ==, 13);
  g_assert_cmpint (pids[2], ==, 14);
  g_assert_cmpuint (proc_parse_children ("1 2 3 4 5 ", 10, &carry, pids, 2), ==, 2);
  g_assert_cmpuint (proc_parse_children ("", 0, &carry, pids, 4), ==, 0);
}

static void
test_taken (void)
{
  int64_t ticks = -1;
  int64_t busy = -1;

  g_assert_true (taken_of ("cpu  587341 5245 810049 2486608 10154 0 5347 1410 0 0\ncpu0 1 2\n", &ticks, &busy));
  g_assert_cmpint (ticks, ==, 5347 + 1410);
  g_assert_cmpint (busy, ==, 587341 + 5245 + 810049 + 5347 + 1410);
  /* Numbers beyond what the kernel counts do not wrap around. */
  g_assert_true (taken_of ("cpu  1 2 3 4 5 9223372036854775807 9223372036854775807 1 0 0\n", &ticks, &busy));
  g_assert_cmpint (ticks, ==, G_MAXINT64);
  g_assert_false (taken_of ("cpu0 1 2 3 4 5 6 7 8 9 10\n", &ticks, &busy));
  g_assert_false (taken_of ("cpu  1 2 3 4 5 6 7\n", &ticks, &busy));
  g_assert_false (taken_of ("cpu", &ticks, &busy));
  g_assert_false (taken_of ("", &ticks, &busy));
  g_assert_false (taken_of ("cpu ", &ticks, &busy));
  g_assert_true (taken_of ("cpu 1 2 3 4 5 6 7 8", &ticks, &busy));
  g_assert_cmpint (ticks, ==, 6 + 7 + 8);
  g_assert_cmpint (busy, ==, 1 + 2 + 3 + 6 + 7 + 8);
}

static void
test_loadavg (void)
{
  int32_t pid = 0;

  g_assert_true (loadavg_of ("0.12 0.05 0.01 1/92 22404\n", &pid));
  g_assert_cmpint (pid, ==, 22404);
  g_assert_false (loadavg_of ("", &pid));
  g_assert_false (loadavg_of ("\n", &pid));
  g_assert_false (loadavg_of ("22404", &pid));
  g_assert_false (loadavg_of ("1/92 99999999999\n", &pid));
  g_assert_false (loadavg_of ("1/92 2147483648\n", &pid));
  g_assert_true (loadavg_of ("1/92 2147483647 \n", &pid));
  g_assert_cmpint (pid, ==, 2147483647);
  g_assert_false (loadavg_of ("1/92 0\n", &pid));
  g_assert_true (loadavg_of ("1/92 1", &pid));
  g_assert_cmpint (pid, ==, 1);
  g_assert_false (loadavg_of (" ", &pid));
}

static const char *
read_own (const char *name, char *text, size_t size)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/%s", name);
  g_autofree char *content = NULL;
  size_t length;

  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  g_assert_cmpuint (length, <, size);
  memcpy (text, content, length + 1);

  return text;
}

/* The texts of this kernel about the test itself. */
static void
test_own (void)
{
  char text[16384];
  char before[16];
  ProcStat stat;
  ProcStatus status;
  ProcIo io;
  int64_t pss;

  g_assert_cmpint (prctl (PR_GET_NAME, before), ==, 0);
  g_assert_cmpint (prctl (PR_SET_NAME, "a b) (c\n1 2 3 4"), ==, 0);
  g_assert_true (proc_parse_stat (read_own ("stat", text, sizeof text), &stat));
  g_assert_true (proc_parse_status (read_own ("status", text, sizeof text), &status));
  g_assert_cmpint (prctl (PR_SET_NAME, before), ==, 0);
  g_assert_cmpstr (stat.command, ==, "a b) (c\n1 2 3 4");
  g_assert_cmpint (stat.ppid, ==, getppid ());
  g_assert_cmpint (stat.state, ==, 'R');
  g_assert_cmpint (stat.rss_pages, >, 0);
  g_assert_cmpuint (status.uid, ==, geteuid ());
  g_assert_cmpint (status.peak_rss, >, 0);
  g_assert_true (proc_parse_io (read_own ("io", text, sizeof text), &io));
  g_assert_cmpint (io.read_chars, >, 0);
  g_assert_true (proc_parse_pss (read_own ("smaps_rollup", text, sizeof text), &pss));
  g_assert_cmpint (pss, >, 0);
}

static void
test_speed (void)
{
  static const char text[] = "1204 (a b (c) d)" STAT_TAIL;
  ProcStat stat;
  struct timespec begin, end;
  double ns;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &begin);
  for (int i = 0; i < 100000; i++)
    g_assert_true (proc_parse_stat (text, &stat));
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &end);
  ns = ((double) (end.tv_sec - begin.tv_sec) * 1e9 + (double) (end.tv_nsec - begin.tv_nsec)) / 100000;
  g_test_minimized_result (ns, "%.0f ns for a stat line", ns);
  if (g_getenv ("ROAST_UNDER_VALGRIND") == NULL)
    g_assert_cmpfloat (ns, <, 5000); /* it is about 100: this fails for a wrong algorithm, not for a busy machine */
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/procfs/stat", test_stat);
  g_test_add_func ("/procfs/stat/names", test_stat_names);
  g_test_add_func ("/procfs/stat/truncated", test_stat_truncated);
  g_test_add_func ("/procfs/stat/hostile", test_stat_hostile);
  g_test_add_func ("/procfs/io", test_io);
  g_test_add_func ("/procfs/status", test_status);
  g_test_add_func ("/procfs/pss", test_pss);
  g_test_add_func ("/procfs/schedstat", test_schedstat);
  g_test_add_func ("/procfs/children/pieces", test_children_pieces);
  g_test_add_func ("/procfs/children/hostile", test_children_hostile);
  g_test_add_func ("/procfs/loadavg", test_loadavg);
  g_test_add_func ("/procfs/taken", test_taken);
  g_test_add_func ("/procfs/own", test_own);
  g_test_add_func ("/procfs/speed", test_speed);

  return g_test_run ();
}
