/* SPDX-License-Identifier: BSD-3-Clause */

/* Shows the run again and again, on a screen that reacts to keys, or as lines. */

#include <glib-unix.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "top.h"

#define KEYS_HEIGHT 1 /* number of lines for the line of keys */
#define MOST_KEYS 64  /* maximum number of bytes that are read from the keyboard at a time, and in the filter */
#define QUIET (5 * G_USEC_PER_SEC) /* µs; if no new data arrive for this time, the first line says so */
#define MOST_ROWS 1000             /* maximum number of table rows in which the filter searches */

enum
{
  KEY_ERASE = '\b',
  KEY_SUSPEND = 0x1a, /* Ctrl-Z */
  KEY_ESCAPE = '\033',
  KEY_DELETE = 0x7f,
  /* These keys send a sequence ESC [ … or ESC O …, which ends with this character. */
  KEY_UP = 'A',
  KEY_DOWN = 'B',
  KEY_RIGHT = 'C',
  KEY_LEFT = 'D',
  KEY_END = 'F',
  KEY_HOME = 'H',
  PAGE_UP = 'u', /* ESC [ 5 ~ */
  PAGE_DOWN = 'd',
};

#define STEP 0.01 /* step of a replay that an arrow key makes, as a share of the run */
#define LONG_STEP 0.1
#define LEAST_STEP 0.1 /* minimum step of a replay that an arrow key makes, s */
#define FASTEST 64     /* maximum speed of a replay, in seconds of the run per second */

typedef struct
{
  TopOptions *options;
  const char *path;
  RoastRegistry *registry;
  TopScreen screen;
  TopMinute *minute;
  TopLook *look;                 /* last look at the run that succeeded, or NULL */
  gint64 reached;                /* monotonic time since which the data reach as far as they do, µs */
  gint64 quiet;                  /* time from then to the last look, µs */
  char *problem;                 /* error message of the last look if it failed, or NULL */
  double at;                     /* time that a replay shows, s after the start of the run; NaN: the end */
  double rate;                   /* speed of a replay, in seconds of the run per second */
  gboolean is_playing, is_moved; /* is_moved: @at has changed since the last look */
  gint64 played;                 /* monotonic time until which the replay has been played, µs */
  TopEarlier *earlier;           /* earlier run of the same command, or NULL */
  gboolean has_looked_up;        /* an earlier run has been searched for */
  int scroll;
  int cursor;          /* number of the selected line of the view; 0: none */
  int direction;       /* -1 if the user moved up, else 1 */
  char *selected;      /* text of the selected line, or NULL */
  char *opened;        /* line that the user has opened, or NULL */
  int from, from_line; /* view in which it was opened, and number of the line there */
  GString *filter;     /* text that shown lines must contain */
  gboolean is_typing;  /* the user is typing the text of the filter */
  gboolean is_screen, color;
  guint timer;
  GMainLoop *loop;
  int status;
} Top;

static gboolean
has_ended (const Top *self)
{
  return self->look != NULL && self->look->state != ROAST_RUN_FILE_STATE_GROWING;
}

/* ---- screen contents ---- */

/* Removes the lines that do not contain the text; case does not matter. Keeps the lines at the top of a view that do
 * not scroll. */
static void
filter_lines (char **lines, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *wanted = g_utf8_casefold (valid, -1);
  guint n = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *line = g_utf8_casefold (lines[i], -1);

      if (i < TOP_N_FIXED || strstr (line, wanted) != NULL)
        lines[n++] = lines[i];
      else
        g_free (lines[i]);
    }
  lines[n] = NULL;
}

/* Returns the note that follows the state of the run. It says that no data arrive, that a replay is playing or paused,
 * or which key starts a replay. */
static char *
make_note (const Top *self)
{
  if (!self->look->is_past && has_ended (self))
    return g_strdup (self->is_screen ? " (left arrow steps back)" : "");
  if (!self->look->is_past)
    return self->quiet < QUIET
               ? g_strdup ("")
               : g_strdup_printf (" (no new data for %" G_GINT64_FORMAT " s)", self->quiet / G_USEC_PER_SEC);
  if (!self->is_playing)
    return g_strdup (", paused (space plays)");

  return self->rate == 1 ? g_strdup (", playing") : g_strdup_printf (", playing × %g", self->rate);
}

static char **
draw_filtered (Top *self)
{
  gboolean is_filtered = self->filter->len > 0;
  g_autofree char *note = NULL;
  char **lines;

  if (self->look == NULL)
    return g_new0 (char *, 1);
  note = make_note (self);
  self->look->opened = self->opened;
  lines =
      top_view_draw (self->look, self->minute, note, self->options->view, self->screen.width,
                     is_filtered ? MOST_ROWS : 2 * self->screen.height + MAX (self->scroll, self->cursor), self->color);
  if (is_filtered)
    filter_lines (lines, self->filter->str);

  return lines;
}

/* Keeps the selected line within the view and on the screen. Skips empty lines. */
static void
place_cursor (Top *self, char **lines, int n, int room)
{
  g_clear_pointer (&self->selected, g_free);
  if (self->cursor == 0 || n <= TOP_N_FIXED)
    return;
  self->cursor = CLAMP (self->cursor, TOP_N_FIXED, n - 1);
  while (*lines[self->cursor] == '\0' && self->cursor + self->direction >= TOP_N_FIXED &&
         self->cursor + self->direction < n)
    self->cursor += self->direction;
  self->scroll = CLAMP (self->scroll, self->cursor - room + 1, self->cursor - TOP_N_FIXED);
  self->selected = top_view_strip (lines[self->cursor]);
}

static void
show (Top *self)
{
  const char *filter = self->is_typing || self->filter->len > 0 ? self->filter->str : NULL;
  g_auto (GStrv) lines = draw_filtered (self);
  g_autoptr (GPtrArray) shown = g_ptr_array_new_with_free_func (g_free);
  int n = (int) g_strv_length (lines), room = self->screen.height - KEYS_HEIGHT - (self->problem != NULL);

  place_cursor (self, lines, n, room);
  self->scroll = CLAMP (self->scroll, 0, MAX (n - room, 0));
  for (int i = 0; i < n && (int) shown->len < room; i++)
    if (i < TOP_N_FIXED || i >= TOP_N_FIXED + self->scroll)
      g_ptr_array_add (shown, self->selected != NULL && i == self->cursor
                                  ? top_view_select (lines[i], self->screen.width)
                                  : g_strdup (lines[i]));
  while ((int) shown->len < room)
    g_ptr_array_add (shown, g_strdup (""));
  if (self->problem != NULL)
    g_ptr_array_add (shown, g_strdup (self->problem));
  g_ptr_array_add (shown, top_view_make_keys (self->options->view, filter, self->screen.width));
  g_ptr_array_add (shown, NULL);
  top_screen_show (&self->screen, (char **) shown->pdata);
}

static void
print_line (const Top *self)
{
  g_autofree char *state = top_describe_state (self->look);
  g_autofree char *note = make_note (self);
  g_autofree char *progress = top_describe_progress (self->look);

  g_print ("%s%s%s%s\n", state, note, *progress != '\0' ? " · " : "", progress);
}

/* ---- looks ---- */

/* Returns whether to exit: the event that the option --exit-when names has happened, or it cannot happen any more. */
static gboolean
is_enough (Top *self)
{
  const TopLook *look = self->look;
  gboolean has_happened = FALSE;

  if (look == NULL || look->is_past)
    return FALSE;
  switch (self->options->until)
    {
    case TOP_UNTIL_DONE:
      has_happened = look->state == ROAST_RUN_FILE_STATE_CLOSED;
      break;
    case TOP_UNTIL_FAILED:
      has_happened = top_look_get (look, "tasks_failed_total") > 0;
      break;
    case TOP_UNTIL_IDLE:
      has_happened = top_is_idle (look);
      break;
    case TOP_UNTIL_QUIT:
    default:
      return !self->is_screen && has_ended (self);
    }
  self->status = has_happened ? EXIT_SUCCESS : EXIT_FAILURE;

  return has_happened || has_ended (self);
}

/* Looks at the run again. If the file cannot be read, keeps the previous look. */
static gboolean
look_again (Top *self, GError **error)
{
  TopLook *look = top_look (self->path, self->registry, self->at, error);

  if (look == NULL)
    return FALSE;
  if (self->look == NULL || self->look->reach != look->reach)
    self->reached = g_get_monotonic_time ();
  self->quiet = g_get_monotonic_time () - self->reached;
  g_clear_pointer (&self->look, top_look_free);
  if (!self->has_looked_up && top_look_goes_on (look))
    {
      self->earlier = top_earlier_find (look);
      self->has_looked_up = TRUE;
    }
  look->earlier = self->earlier;
  self->look = look;
  self->is_moved = FALSE;
  if (!look->is_past)
    {
      self->at = NAN;
      self->is_playing = FALSE;
    }
  top_minute_add (self->minute, look);

  return TRUE;
}

static gboolean on_time (gpointer data);

/* Returns whether the screen may change without a key. It cannot change if a replay is paused, or if the run has
 * ended. */
static gboolean
is_moving (const Top *self)
{
  return isnan (self->at) ? !has_ended (self) : self->is_playing;
}

static void
look_and_show (Top *self)
{
  g_autoptr (GError) error = NULL;
  double wait = self->options->interval;

  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_pointer (&self->problem, g_free);
  if ((self->is_moved || is_moving (self)) && !look_again (self, &error))
    self->problem = g_strdup (error->message);
  if (self->is_screen)
    show (self);
  else if (self->look != NULL)
    print_line (self);
  if (self->look != NULL)
    wait = MAX (wait, (isnan (self->at) ? REPORT_RUN_SHARE : 1) * self->look->cpu);
  if (is_enough (self))
    g_main_loop_quit (self->loop);
  else if (self->problem != NULL && !self->is_screen)
    {
      g_printerr ("roast-top: %s\n", self->problem);
      self->status = EXIT_FAILURE;
      g_main_loop_quit (self->loop);
    }
  else if (is_moving (self))
    self->timer = g_timeout_add ((guint) (1000 * wait), on_time, self);
}

/* ---- replay ---- */

/* Moves the replay forward by @seconds, or backward if @seconds is negative. */
static void
step (Top *self, double seconds)
{
  double length = self->look != NULL ? self->look->length : 0;
  double from = isnan (self->at) ? length : self->at;

  /* Do nothing if the length of the run is unknown, or if a step forward is requested at its end. */
  if (!(length > 0) || (isnan (self->at) && seconds >= 0))
    return;
  self->at = MAX (from + seconds, 0);
  if (self->at >= length)
    self->at = NAN;
  self->is_moved = TRUE;
}

static void
step_share (Top *self, double share)
{
  double length = self->look != NULL ? self->look->length : 0;

  step (self, copysign (MAX (fabs (share) * length, LEAST_STEP), share));
}

static void
play (Top *self)
{
  gint64 now = g_get_monotonic_time ();

  step (self, self->rate * (double) (now - self->played) / G_USEC_PER_SEC);
  self->played = now;
}

/* Starts or pauses the replay. It starts at the time that is shown, or at the start of the run if the whole run is
 * shown. If the run still goes on, pauses at the present. */
static void
toggle_playing (Top *self)
{
  if (self->look == NULL || !(self->look->length > 0))
    return;
  self->is_playing = !isnan (self->at) ? !self->is_playing : has_ended (self);
  if (isnan (self->at))
    self->at = self->is_playing ? 0 : self->look->length - 0.001;
  self->played = g_get_monotonic_time ();
  self->is_moved = TRUE;
}

/* Handles a key that controls a replay. Returns FALSE if it is another key. */
static gboolean
take_replay_key (Top *self, char key, char arrow, gboolean is_shifted)
{
  double share = is_shifted ? LONG_STEP : STEP;

  if (arrow == KEY_LEFT || arrow == KEY_RIGHT)
    step_share (self, arrow == KEY_LEFT ? -share : share);
  else if (arrow == KEY_HOME || arrow == KEY_END)
    step (self, arrow == KEY_HOME ? -G_MAXDOUBLE : G_MAXDOUBLE);
  else if (arrow != '\0')
    return FALSE;
  else if (key == '<' || key == '>')
    step_share (self, key == '<' ? -LONG_STEP : LONG_STEP);
  else if (key == '+' || key == '-')
    self->rate = CLAMP (self->rate * (key == '+' ? 2 : 0.5), 1.0 / FASTEST, FASTEST);
  else if (key == ' ')
    toggle_playing (self);
  else
    return FALSE;

  return TRUE;
}

static gboolean
on_time (gpointer data)
{
  Top *self = data;

  self->timer = 0;
  if (self->is_playing)
    play (self);
  look_and_show (self);

  return G_SOURCE_REMOVE;
}

/* ---- keys and signals ---- */

/* Edits the filter while the user is typing it. The Enter key ends typing. */
static void
type (Top *self, char key)
{
  gsize end = self->filter->len;

  self->scroll = self->cursor = 0;
  if (key == '\n' || key == '\r')
    self->is_typing = FALSE;
  else if ((key == KEY_ERASE || key == KEY_DELETE) && end > 0)
    g_string_truncate (self->filter, (gsize) (g_utf8_find_prev_char (self->filter->str, self->filter->str + end) -
                                              self->filter->str));
  else if (!g_ascii_iscntrl (key) && end < MOST_KEYS)
    g_string_append_c (self->filter, key);
}

/* Restores the terminal. Then stops this process, as Ctrl-Z does by default. */
static void
suspend (Top *self)
{
  top_screen_end (&self->screen);
  kill (0, SIGTSTP);
  top_screen_begin (&self->screen);
}

/* Returns the view that a key opens; 0 if this key opens no view. */
static int
find_view (const Top *self, char key)
{
  if (key >= '1' && key < '1' + TOP_N_VIEWS)
    return key - '0';
  if (key == '?')
    return self->options->view == TOP_VIEW_KEYS ? TOP_VIEW_NOW : TOP_VIEW_KEYS;

  return 0;
}

static void
open_view (Top *self, int view, int line)
{
  if (view != TOP_VIEW_DETAILS)
    g_clear_pointer (&self->opened, g_free);
  self->options->view = view;
  self->scroll = 0;
  self->cursor = line;
}

/* Leaves what the key Enter has opened. */
static void
leave_opened (Top *self)
{
  if (self->opened != NULL)
    open_view (self, self->from, self->from_line);
  else if (self->options->view == TOP_VIEW_WORKER_LIST)
    open_view (self, TOP_VIEW_WORKERS, 0);
}

/* Opens the list of workers, or the selected line. If no line is selected, goes back from the list of workers, or else
 * selects a line. */
static void
open_line (Top *self)
{
  int view = self->options->view;

  if (view == TOP_VIEW_WORKERS && self->look != NULL && top_look_goes_on (self->look))
    open_view (self, TOP_VIEW_WORKER_LIST, 0);
  else if (self->opened != NULL || (view == TOP_VIEW_WORKER_LIST && self->selected == NULL))
    leave_opened (self);
  else if (self->selected == NULL)
    self->cursor = TOP_N_FIXED;
  else if (view != TOP_VIEW_KEYS)
    {
      self->from = view;
      self->from_line = self->cursor;
      self->opened = g_steal_pointer (&self->selected);
      open_view (self, TOP_VIEW_DETAILS, 0);
    }
}

/* Selects another line. The first step selects the first line. */
static void
move (Top *self, int lines)
{
  self->direction = lines < 0 ? -1 : 1;
  self->cursor = self->cursor == 0 ? TOP_N_FIXED : MAX (self->cursor + lines, TOP_N_FIXED);
  if (lines < 0 && self->cursor == TOP_N_FIXED)
    self->direction = 1;
}

static void
take_key (Top *self, char key, char arrow, gboolean is_shifted)
{
  gboolean is_escape = key == KEY_ESCAPE && arrow == '\0';

  if (is_escape && !self->is_typing && self->filter->len == 0)
    leave_opened (self);
  /* Clear the filter, so that all lines are shown: Escape removes the filter, and “/” starts a new one. */
  else if (is_escape || (key == '/' && !self->is_typing))
    {
      self->is_typing = !is_escape;
      self->scroll = self->cursor = 0;
      g_string_truncate (self->filter, 0);
    }
  else if (self->is_typing && arrow == '\0')
    type (self, key);
  else if (key == 'q' || key == 'Q')
    g_main_loop_quit (self->loop);
  else if (key == KEY_SUSPEND)
    suspend (self);
  else if (take_replay_key (self, key, arrow, is_shifted))
    return;
  else if (find_view (self, key) > 0)
    open_view (self, find_view (self, key), 0);
  else if (key == '\n' || key == '\r')
    open_line (self);
  else if (arrow == KEY_DOWN || key == 'j')
    move (self, 1);
  else if (arrow == KEY_UP || key == 'k')
    move (self, -1);
  else if (arrow == PAGE_DOWN || arrow == PAGE_UP)
    move (self, (arrow == PAGE_DOWN ? 1 : -1) * self->screen.height / 2);
}

/* Parses the sequence that an arrow key or paging key sends: ESC [ A, ESC O A, ESC [ 1 ; 2 A (with Shift) or ESC [ 5 ~.
 * Returns the length of the sequence without ESC; 0 if @keys begins with no such sequence. */
static gssize
read_arrow (const char *keys, gssize n, char *arrow, gboolean *is_shifted)
{
  static const struct
  {
    char digit, key;
  } numbered[] = { { '1', KEY_HOME },  { '4', KEY_END },  { '5', PAGE_UP },
                   { '6', PAGE_DOWN }, { '7', KEY_HOME }, { '8', KEY_END } };
  gssize end = 2;

  if (keys[0] != KEY_ESCAPE || n < 3 || (keys[1] != '[' && keys[1] != 'O'))
    return 0;
  while (end < n - 1 && (g_ascii_isdigit (keys[end]) || keys[end] == ';'))
    end++;
  *is_shifted = end > 2 && keys[end] != '~';
  *arrow = keys[end];
  for (guint i = 0; keys[end] == '~' && i < G_N_ELEMENTS (numbered); i++)
    if (numbered[i].digit == keys[2])
      *arrow = numbered[i].key;

  return end;
}

static gboolean
on_key (int fd, GIOCondition condition, gpointer data)
{
  Top *self = data;
  char keys[MOST_KEYS];
  gssize n = read (fd, keys, sizeof keys);

  /* The terminal is gone, so quit. */
  if (n <= 0)
    {
      g_main_loop_quit (self->loop);
      return G_SOURCE_REMOVE;
    }
  for (gssize i = 0; i < n; i++)
    {
      gboolean is_shifted = FALSE;
      char arrow = '\0';
      gssize length = read_arrow (keys + i, n - i, &arrow, &is_shifted);

      take_key (self, keys[i], arrow, is_shifted);
      i += length;
    }
  if (self->is_moved)
    look_and_show (self);
  else
    show (self);

  return G_SOURCE_CONTINUE;
}

static gboolean
on_resize (gpointer data)
{
  Top *self = data;

  top_screen_measure (&self->screen);
  show (self);

  return G_SOURCE_CONTINUE;
}

static gboolean
on_quit (gpointer data)
{
  Top *self = data;

  g_main_loop_quit (self->loop);

  return G_SOURCE_CONTINUE;
}

/* ---- the loop ---- */

int
top_follow (TopOptions *options, const char *path, RoastRegistry *registry, gboolean color)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GString) filter = g_string_new (NULL);
  g_autoptr (GArray) minute = top_minute_new ();
  Top self = { .options = options,
               .path = path,
               .registry = registry,
               .filter = filter,
               .minute = minute,
               .color = color,
               .loop = loop,
               .at = options->at,
               .rate = 1,
               .status = options->until == TOP_UNTIL_QUIT ? EXIT_SUCCESS : EXIT_FAILURE,
               .is_moved = TRUE };

  self.is_screen =
      isatty (STDIN_FILENO) && isatty (STDOUT_FILENO) && top_screen_is_capable () && top_screen_begin (&self.screen);
  if (self.is_screen)
    g_unix_fd_add (STDIN_FILENO, G_IO_IN | G_IO_HUP, on_key, &self);
  if (self.is_screen)
    g_unix_signal_add (SIGWINCH, on_resize, &self);
  g_unix_signal_add (SIGINT, on_quit, &self);
  g_unix_signal_add (SIGTERM, on_quit, &self);
  g_unix_signal_add (SIGHUP, on_quit, &self);
  look_and_show (&self);
  if (!is_enough (&self) && (self.is_screen || self.problem == NULL))
    g_main_loop_run (loop);
  if (self.is_screen)
    top_screen_end (&self.screen);
  g_clear_pointer (&self.look, top_look_free);
  g_clear_pointer (&self.earlier, top_earlier_free);
  g_free (self.selected);
  g_free (self.opened);
  g_free (self.problem);

  return self.status;
}
