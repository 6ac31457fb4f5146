/* SPDX-License-Identifier: BSD-3-Clause */

/* For any /proc text in any pieces, every parser returns, and its results are in bounds. */

#include <glib.h>
#include <string.h>

#include "procfs.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
parse_stat (const char *text)
{
  ProcStat stat;

  if (!proc_parse_stat (text, &stat))
    return;
  g_assert_nonnull (memchr (stat.command, '\0', sizeof stat.command));
  g_assert_cmpint (stat.ppid, >=, 0);
}

static void
parse_status (const char *text)
{
  ProcStatus status;

  if (proc_parse_status (text, &status))
    g_assert_cmpint (status.peak_rss, >=, -1);
}

static void
parse_numbers (const char *text)
{
  int64_t pss, busy;
  ProcQueue queue;
  int32_t pid;
  ProcIo io;

  proc_parse_io (text, &io);
  proc_parse_schedstat (text, &queue);
  if (proc_parse_pss (text, &pss))
    g_assert_cmpint (pss, >=, 0);
  if (proc_parse_taken (text, &pss, &busy))
    {
      g_assert_cmpint (pss, >=, 0);
      g_assert_cmpint (busy, >=, pss);
    }
  if (proc_parse_loadavg_pid (text, &pid))
    g_assert_cmpint (pid, >, 0);
}

/* The pids do not depend on where the text was cut. */
static void
parse_children (const char *text, size_t size)
{
  gsize max = size / 2 + 1;
  g_autofree int32_t *whole = g_new (int32_t, max);
  g_autofree int32_t *pieces = g_new (int32_t, max);
  int32_t carry_whole = 0, carry = 0;
  size_t n_whole = proc_parse_children (text, size, &carry_whole, whole, max);
  size_t n = 0;

  for (size_t at = 0, piece = 1; at < size; at += piece, piece = piece % 7 + 1)
    n += proc_parse_children (text + at, MIN (piece, size - at), &carry, pieces + n, max - n);
  g_assert_cmpuint (n, <=, max);
  g_assert_cmpmem (whole, n_whole * sizeof *whole, pieces, n * sizeof *pieces);
  g_assert_cmpint (carry_whole, ==, carry);
  for (size_t i = 0; i < n; i++)
    g_assert_cmpint (pieces[i], >, 0);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  /* A copy of exactly this size: reading one byte further is seen. */
  g_autofree char *text = g_malloc (MAX (size, 1));
  g_autofree char *terminated = g_malloc0 (size + 1);

  if (size > 0)
    {
      memcpy (text, data, size);
      memcpy (terminated, data, size);
    }
  parse_stat (terminated);
  parse_status (terminated);
  parse_numbers (terminated);
  parse_children (text, size);

  return 0;
}
