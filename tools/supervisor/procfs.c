/* SPDX-License-Identifier: BSD-3-Clause */

#include "procfs.h"

#include <string.h>

#define SIGCHLD_BIT (1ull << 16) /* bit of signal 17; bit 0 is signal 1 */
#define SIGCONT_BIT (1ull << 17)

/* A cursor over text that is not necessarily NUL-terminated. */
typedef struct
{
  const char *at;
  const char *end;
} Cursor;

static void
skip_blanks (Cursor *c)
{
  while (c->at < c->end && (*c->at == ' ' || *c->at == '\t'))
    c->at++;
}

/* Reads an unsigned decimal number. It saturates, because a hostile text may have larger numbers than the kernel
 * writes. */
static bool
read_digits (Cursor *c, uint64_t *value)
{
  const char *start = c->at;
  uint64_t v = 0;

  while (c->at < c->end && *c->at >= '0' && *c->at <= '9')
    {
      unsigned digit = (unsigned) (*c->at++ - '0');

      v = v > (UINT64_MAX - digit) / 10 ? UINT64_MAX : v * 10 + digit;
    }
  *value = v;

  return c->at > start;
}

static bool
read_unsigned (Cursor *c, uint64_t *value)
{
  skip_blanks (c);

  return read_digits (c, value);
}

static bool
read_signed (Cursor *c, int64_t *value)
{
  bool negative;
  uint64_t v;

  skip_blanks (c);
  negative = c->at < c->end && *c->at == '-';
  if (negative)
    c->at++;
  if (!read_digits (c, &v))
    return false;
  if (v > INT64_MAX)
    v = INT64_MAX;
  *value = negative ? -(int64_t) v : (int64_t) v;

  return true;
}

bool
proc_parse_stat (const char *text, size_t length, ProcStat *out)
{
  const char *open = memchr (text, '(', length);
  const char *close = open != NULL ? memrchr (open, ')', (size_t) (text + length - open)) : NULL;
  int64_t field[25]; /* indexed by the field number in proc(5) */
  size_t n;
  Cursor c;

  if (close == NULL || text + length - close < 4 || close[1] != ' ' || close[3] != ' ')
    return false;

  n = (size_t) (close - open - 1);
  if (n > sizeof out->command - 1)
    n = sizeof out->command - 1;
  /* Pad with zeros, so that two names can be compared as whole arrays. */
  memset (out->command, 0, sizeof out->command);
  memcpy (out->command, open + 1, n);
  out->state = close[2];

  c.at = close + 3;
  c.end = text + length;
  for (int i = 4; i <= 24; i++)
    if (!read_signed (&c, &field[i]))
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

/* Finds the line that starts with key, and points the cursor at the text after it. */
static bool
find_line (const char *text, size_t length, const char *key, Cursor *c)
{
  size_t n = strlen (key);
  const char *end = text + length;

  while (text < end)
    {
      const char *line_end = memchr (text, '\n', (size_t) (end - text));

      if (line_end == NULL)
        line_end = end;
      if ((size_t) (line_end - text) > n && memcmp (text, key, n) == 0)
        {
          c->at = text + n;
          c->end = line_end;
          return true;
        }
      text = line_end + 1;
    }

  return false;
}

static bool
read_line_number (const char *text, size_t length, const char *key, int64_t *value)
{
  Cursor c;

  return find_line (text, length, key, &c) && read_signed (&c, value);
}

bool
proc_parse_io (const char *text, size_t length, ProcIo *out)
{
  return read_line_number (text, length, "rchar:", &out->read_chars) &&
         read_line_number (text, length, "wchar:", &out->write_chars) &&
         read_line_number (text, length, "read_bytes:", &out->read_bytes) &&
         read_line_number (text, length, "write_bytes:", &out->write_bytes) &&
         read_line_number (text, length, "cancelled_write_bytes:", &out->write_cancelled);
}

static bool
read_line_kilobytes (const char *text, size_t length, const char *key, int64_t *bytes)
{
  int64_t kilobytes;

  if (!read_line_number (text, length, key, &kilobytes) || kilobytes < 0 || kilobytes > INT64_MAX / 1024)
    return false;
  *bytes = kilobytes * 1024;

  return true;
}

static uint64_t
read_hexadecimal (const Cursor *c)
{
  uint64_t v = 0;
  const char *at = c->at;

  while (at < c->end && (*at == ' ' || *at == '\t'))
    at++;
  for (; at < c->end; at++)
    {
      if (*at >= '0' && *at <= '9')
        v = v << 4 | (uint64_t) (*at - '0');
      else if (*at >= 'a' && *at <= 'f')
        v = v << 4 | (uint64_t) (*at - 'a' + 10);
      else
        break;
    }

  return v;
}

/* Returns the last of the pids, which are those in each namespace, the outermost first; -1 if there is only one. */
static int64_t
read_namespace_pid (const char *text, size_t length)
{
  uint64_t pid;
  uint64_t last = 0;
  int n = 0;
  Cursor c;

  if (!find_line (text, length, "NSpid:", &c))
    return -1;
  for (; read_unsigned (&c, &pid); n++)
    last = pid;

  return n > 1 ? (int64_t) last : -1;
}

bool
proc_parse_status (const char *text, size_t length, ProcStatus *out)
{
  Cursor c;
  int64_t real, effective;

  if (!find_line (text, length, "Uid:", &c) || !read_signed (&c, &real) || !read_signed (&c, &effective))
    return false;
  if (effective < 0 || effective > UINT32_MAX)
    return false;
  out->uid = (uint32_t) effective;

  if (!read_line_kilobytes (text, length, "VmHWM:", &out->peak_rss))
    out->peak_rss = -1;
  out->ignores_sigchld = find_line (text, length, "SigIgn:", &c) && (read_hexadecimal (&c) & SIGCHLD_BIT) != 0;
  out->namespace_pid = read_namespace_pid (text, length);
  out->catches_sigcont = find_line (text, length, "SigCgt:", &c) && (read_hexadecimal (&c) & SIGCONT_BIT) != 0;

  return true;
}

bool
proc_parse_pss (const char *text, size_t length, int64_t *bytes)
{
  return read_line_kilobytes (text, length, "Pss:", bytes);
}

bool
proc_parse_schedstat (const char *text, size_t length, uint64_t *wait_ns)
{
  Cursor c = { text, text + length };
  uint64_t run_ns;

  return read_unsigned (&c, &run_ns) && read_unsigned (&c, wait_ns);
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
proc_parse_loadavg_pid (const char *text, size_t length, int32_t *pid)
{
  const char *space;
  Cursor c;
  uint64_t value;

  while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == ' '))
    length--;
  space = memrchr (text, ' ', length);
  if (space == NULL)
    return false;
  c.at = space;
  c.end = text + length;
  if (!read_unsigned (&c, &value) || value == 0 || value > INT32_MAX)
    return false;
  *pid = (int32_t) value;

  return true;
}

bool
proc_parse_taken (const char *text, size_t length, int64_t *ticks, int64_t *busy)
{
  Cursor c = { text, text + length };
  uint64_t sum = 0;
  uint64_t used = 0;

  if (length < 4 || memcmp (text, "cpu ", 4) != 0)
    return false;
  c.at += 4;
  /* user nice system idle iowait, then irq softirq steal */
  for (int i = 0; i < 8; i++)
    {
      uint64_t value;

      if (!read_unsigned (&c, &value))
        return false;
      if (i != 3 && i != 4)
        used = value > (uint64_t) INT64_MAX - used ? (uint64_t) INT64_MAX : used + value;
      if (i >= 5)
        sum = value > (uint64_t) INT64_MAX - sum ? (uint64_t) INT64_MAX : sum + value;
    }
  *ticks = (int64_t) sum;
  *busy = (int64_t) used;

  return true;
}
