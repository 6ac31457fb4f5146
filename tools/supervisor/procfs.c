/* SPDX-License-Identifier: BSD-3-Clause */

#include "procfs.h"

#include <stdlib.h>
#include <string.h>

#define SIGCHLD_BIT (1ull << 16) /* bit of SIGCHLD, signal 17, in a mask whose bit 0 is signal 1 */
#define SIGCONT_BIT (1ull << 17)

/* Reads a number and advances *at to the text after the number. Limits the number to the range of int64_t, because a
 * hostile text may contain larger numbers than the kernel writes. */
static bool
read_number (const char **at, int64_t *value)
{
  char *end;

  *value = strtoll (*at, &end, 10);
  if (end == *at)
    return false;
  *at = end;

  return true;
}

bool
proc_parse_stat (const char *text, ProcStat *out)
{
  const char *open = strchr (text, '(');
  const char *close = open != NULL ? strrchr (open, ')') : NULL;
  int64_t field[25]; /* values of the fields, indexed by their numbers in proc(5) */
  size_t n;

  if (close == NULL || close[1] != ' ' || close[2] == '\0' || close[3] != ' ')
    return false;

  n = (size_t) (close - open - 1);
  if (n > sizeof out->command - 1)
    n = sizeof out->command - 1;
  /* Pad the name with zeros, so that memcmp() can compare two names. */
  memset (out->command, 0, sizeof out->command);
  memcpy (out->command, open + 1, n);
  out->state = close[2];

  close += 3;
  for (int i = 4; i <= 24; i++)
    if (!read_number (&close, &field[i]))
      return false;
  if (field[4] < 0 || field[4] > INT32_MAX || field[22] < 0)
    return false;

  out->ppid = (int32_t) field[4];
  out->minor_faults = field[10];
  out->children_minor_faults = field[11];
  out->major_faults = field[12];
  out->children_major_faults = field[13];
  out->user_ticks = field[14];
  out->system_ticks = field[15];
  out->children_user_ticks = field[16];
  out->children_system_ticks = field[17];
  out->threads = field[20];
  out->start_ticks = (uint64_t) field[22];
  out->rss_pages = field[24];

  return true;
}

const char *
proc_find_line (const char *text, const char *key)
{
  size_t n = strlen (key);

  while (text != NULL && strncmp (text, key, n) != 0)
    {
      text = strchr (text, '\n');
      text = text != NULL ? text + 1 : NULL;
    }

  return text != NULL ? text + n : NULL;
}

static bool
read_line_number (const char *text, const char *key, int64_t *value)
{
  const char *at = proc_find_line (text, key);

  return at != NULL && read_number (&at, value);
}

bool
proc_parse_io (const char *text, ProcIo *out)
{
  return read_line_number (text, "rchar:", &out->read_chars) && read_line_number (text, "wchar:", &out->write_chars) &&
         read_line_number (text, "read_bytes:", &out->read_bytes) &&
         read_line_number (text, "write_bytes:", &out->write_bytes) &&
         read_line_number (text, "cancelled_write_bytes:", &out->write_cancelled);
}

static bool
read_line_kilobytes (const char *text, const char *key, int64_t *bytes)
{
  int64_t kilobytes;

  if (!read_line_number (text, key, &kilobytes) || kilobytes < 0 || kilobytes > INT64_MAX / 1024)
    return false;
  *bytes = kilobytes * 1024;

  return true;
}

static bool
has_signal (const char *text, const char *key, uint64_t bit)
{
  const char *at = proc_find_line (text, key);

  return at != NULL && (strtoull (at, NULL, 16) & bit) != 0;
}

/* Returns the pid in the innermost namespace; -1 if the line has only one pid. The line lists the pid in each
 * namespace, beginning with the outermost. */
static int64_t
read_namespace_pid (const char *text)
{
  const char *at = proc_find_line (text, "NSpid:");
  int64_t pid, last = 0;
  int n = 0;

  /* The loop ends at the end of the line, because the next line begins with a key and not with a number. */
  for (; at != NULL && read_number (&at, &pid); n++)
    last = pid;

  return n > 1 ? last : -1;
}

bool
proc_parse_status (const char *text, ProcStatus *out)
{
  const char *at = proc_find_line (text, "Uid:");
  int64_t real, effective;

  if (at == NULL || !read_number (&at, &real) || !read_number (&at, &effective) || effective < 0 ||
      effective > UINT32_MAX)
    return false;
  out->uid = (uint32_t) effective;
  if (!read_line_kilobytes (text, "VmHWM:", &out->peak_rss))
    out->peak_rss = -1;
  out->ignores_sigchld = has_signal (text, "SigIgn:", SIGCHLD_BIT);
  out->namespace_pid = read_namespace_pid (text);
  out->catches_sigcont = has_signal (text, "SigCgt:", SIGCONT_BIT);

  return true;
}

bool
proc_parse_pss (const char *text, int64_t *bytes)
{
  return read_line_kilobytes (text, "Pss:", bytes);
}

bool
proc_parse_schedstat (const char *text, ProcQueue *out)
{
  return read_number (&text, &out->cpu) && read_number (&text, &out->wait) && out->cpu >= 0 && out->wait >= 0;
}

size_t
proc_parse_children (const char *text, size_t length, int32_t *carry, int32_t *out, size_t max)
{
  size_t n = 0;
  int32_t pid = *carry;

  for (size_t i = 0; i < length; i++)
    {
      if (text[i] >= '0' && text[i] <= '9')
        {
          pid = pid > (INT32_MAX - 9) / 10 ? INT32_MAX : pid * 10 + (text[i] - '0');
        }
      else
        {
          if (pid > 0 && pid < INT32_MAX && n < max)
            out[n++] = pid;
          pid = 0;
        }
    }
  *carry = pid;

  return n;
}

bool
proc_parse_loadavg_pid (const char *text, int32_t *pid)
{
  const char *at = strrchr (text, '/');
  int64_t threads, last;

  if (at == NULL)
    return false;
  at++;
  if (!read_number (&at, &threads) || !read_number (&at, &last) || last <= 0 || last > INT32_MAX)
    return false;
  *pid = (int32_t) last;

  return true;
}

static void
add_ticks (int64_t *sum, int64_t ticks)
{
  *sum = ticks > INT64_MAX - *sum ? INT64_MAX : *sum + ticks;
}

bool
proc_parse_taken (const char *text, int64_t *ticks, int64_t *busy)
{
  const char *at = text + 4;

  *ticks = *busy = 0;
  if (strncmp (text, "cpu ", 4) != 0)
    return false;
  /* The numbers are: user nice system idle iowait irq softirq steal. */
  for (int i = 0; i < 8; i++)
    {
      int64_t value;

      if (!read_number (&at, &value) || value < 0)
        return false;
      if (i != 3 && i != 4)
        add_ticks (busy, value);
      if (i >= 5)
        add_ticks (ticks, value);
    }

  return true;
}
