/* SPDX-License-Identifier: BSD-3-Clause */

/* Controls a terminal by ECMA-48 control sequences, which all current terminals support. The sequences switch to the
 * alternate screen, move the cursor, and erase text. Only lines that have changed are written. */

#include "top.h"

#include "plain-text.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define OTHER_SCREEN "\033[?1049h\033[?25l" /* switches to the alternate screen and hides the cursor */
#define OWN_SCREEN "\033[?25h\033[?1049l"
#define CLEAR "\033[H\033[2J"
#define CLEAR_REST_OF_LINE "\033[K"

static struct termios before; /* terminal settings before the start, which are restored at the end */
static gboolean is_changed;

gboolean
top_screen_is_capable (void)
{
  return g_strcmp0 (g_getenv ("TERM"), "dumb") != 0;
}

void
top_screen_measure (TopScreen *self)
{
  struct winsize size = { 0 };
  const char *columns = g_getenv ("COLUMNS");
  guint64 width = 80;

  if (ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
    {
      if (columns != NULL)
        g_ascii_string_to_unsigned (columns, 10, 20, 1000, &width, NULL);
      size = (struct winsize) { .ws_col = (gushort) width, .ws_row = 24 };
    }
  self->width = MAX (size.ws_col, 20);
  self->height = MAX (size.ws_row, 5);
  g_clear_pointer (&self->lines, g_strfreev);
}

gboolean
top_screen_begin (TopScreen *self)
{
  struct termios raw;

  *self = (TopScreen) { 0 };
  top_screen_measure (self);
  if (tcgetattr (STDIN_FILENO, &before) != 0)
    return FALSE;
  raw = before;
  raw.c_lflag &= (tcflag_t) ~(ICANON | ECHO);
  /* Read Ctrl-Z as a key, because the terminal must be restored before this process stops. */
  raw.c_cc[VSUSP] = _POSIX_VDISABLE;
  is_changed = tcsetattr (STDIN_FILENO, TCSANOW, &raw) == 0;
  fputs (OTHER_SCREEN CLEAR, stdout);
  fflush (stdout);

  return is_changed;
}

void
top_screen_end (TopScreen *self)
{
  g_clear_pointer (&self->lines, g_strfreev);
  if (!is_changed)
    return;
  is_changed = FALSE;
  fputs (OWN_SCREEN, stdout);
  fflush (stdout);
  tcsetattr (STDIN_FILENO, TCSANOW, &before);
}

void
top_screen_show (TopScreen *self, char **lines)
{
  guint n = g_strv_length (lines);
  const char *charset;
  gboolean is_utf8 = g_get_charset (&charset);
  guint n_before = self->lines != NULL ? g_strv_length (self->lines) : 0;

  if (self->lines == NULL)
    fputs (CLEAR, stdout);
  for (guint i = 0; i < (guint) self->height; i++)
    {
      const char *line = i < n ? lines[i] : "";
      const char *shown = i < n_before ? self->lines[i] : "";

      if (!g_str_equal (line, shown))
        {
          g_autofree char *plain = is_utf8 ? NULL : plain_text_convert (line, charset);

          printf ("\033[%u;1H%s" CLEAR_REST_OF_LINE, i + 1, plain != NULL ? plain : line);
        }
    }
  fflush (stdout);
  g_strfreev (self->lines);
  self->lines = g_strdupv (lines);
}
