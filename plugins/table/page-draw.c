/* SPDX-License-Identifier: BSD-3-Clause */

/* Draws a section of the page as text. */

#include <math.h>

#include "each.h"
#include "page-draw.h"
#include "text-columns.h"

#define MAX_BAR 40
#define PAGE_DRAW_GAP 2

static const char *const blocks[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
static const char *const ascii_blocks[] = { " ", ".", ":", "-", "=", "+", "*", "#", "@" };
static const char *const eighths[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };

static const char *
style_of (const PageItem *item)
{
  static const char *const styles[] = {
    [PAGE_PLAIN] = "", [PAGE_GOOD] = GREEN, [PAGE_WARNING] = YELLOW, [PAGE_BAD] = RED
  };

  return styles[item->tone];
}

static void
end_line (TextRenderer *renderer, GString *line)
{
  text_renderer_line (renderer, "", g_strchomp (line->str));
}

/* Find the largest width of a label, and the largest width of a value, among the series that are shown. */
static void
measure_series (const PageSection *section, gsize *label, gsize *value)
{
  for (guint i = 0; i < section->shown; i++)
    {
      const PageItem *item = g_ptr_array_index (section->items, i);

      if (item->kind != PAGE_SERIES)
        continue;
      *label = MAX (*label, text_width (item->label));
      *value = MAX (*value, text_width (item->text));
    }
}

/* ---- numbers ---- */

#define MAX_ACROSS 3

/* A grid of numbers. It is filled column by column, and each column from top to bottom. */
typedef struct
{
  guint across, down;
  gsize labels[MAX_ACROSS], values[MAX_ACROSS];
} Grid;

static gsize
lay_out (const PageSection *section, guint across, Grid *grid)
{
  gsize width = 0;

  *grid = (Grid) { .across = across, .down = (section->shown + across - 1) / across };
  for (guint i = 0; i < section->shown; i++)
    {
      const PageItem *item = g_ptr_array_index (section->items, i);
      guint column = i / grid->down;

      grid->labels[column] = MAX (grid->labels[column], text_width (item->label));
      grid->values[column] = MAX (grid->values[column], text_width (item->text));
    }
  for (guint i = 0; i < across; i++)
    width += PAGE_DRAW_GAP + grid->labels[i] + PAGE_DRAW_GAP + grid->values[i] + (i > 0 ? PAGE_DRAW_GAP : 0);

  return width;
}

static void
draw_numbers (const PageSection *section, TextRenderer *renderer)
{
  guint across = MAX_ACROSS;
  Grid grid;

  while (lay_out (section, across, &grid) > renderer->width && across > 1)
    across--;
  for (guint i = 0; i < grid.down; i++)
    {
      g_autoptr (GString) line = g_string_new (NULL);
      gsize start = PAGE_DRAW_GAP;

      for (guint j = 0; j < across && i + j * grid.down < section->shown; j++)
        {
          const PageItem *item = g_ptr_array_index (section->items, i + j * grid.down);
          gsize end = start + grid.labels[j] + PAGE_DRAW_GAP + grid.values[j];

          text_pad (line, start);
          g_string_append (line, item->label);
          text_pad (line, end - text_width (item->text));
          g_string_append (line, item->text);
          start = end + 2 * PAGE_DRAW_GAP;
        }
      end_line (renderer, line);
    }
}

/* ---- bars ---- */

static void
append_bar (GString *line, const TextRenderer *renderer, double share, gsize room)
{
  guint n = (guint) lround (CLAMP (share, 0, 1) * (double) room * 8);

  if (renderer->ascii)
    {
      for (guint i = 0; i < (n + 4) / 8; i++)
        g_string_append_c (line, '#');
      return;
    }
  for (guint i = 0; i < n / 8; i++)
    g_string_append (line, blocks[8]);
  g_string_append (line, eighths[n % 8]);
}

typedef struct
{
  const char *label, *text;
  double share;
  gboolean is_exact;
} Bar;

/* Mark an incomplete share as an estimate rather than as a lower bound, because the total to which the share refers is
 * incomplete, too. */
static char *
format_share (const Bar *bar)
{
  return g_strdup_printf ("%s%.1f %%", bar->is_exact ? "" : "~ ", 100 * bar->share);
}

/* Add up the hidden bars in the bar @rest, so that all bars that are drawn add up to 100 %. */
static char *
add_up_hidden (const PageSection *section, Bar *rest)
{
  double seconds = 0;
  g_autofree char *duration = NULL;

  *rest = (Bar) { .label = PAGE_REST, .is_exact = TRUE };
  for (guint i = section->shown; i < section->items->len; i++)
    {
      const PageItem *item = g_ptr_array_index (section->items, i);

      rest->share += item->share;
      seconds += item->seconds;
      rest->is_exact = rest->is_exact && item->completeness == ROAST_COMPLETENESS_COMPLETE;
    }
  duration = roast_format_number (seconds, "duration");

  return g_strconcat (rest->is_exact ? "" : "~ ", duration, NULL);
}

/* Make one bar for each shown item, and one bar for all hidden items together. If only one item is hidden, draw its own
 * bar, which needs no more room. */
static GArray *
make_bars (const PageSection *section, char **hidden)
{
  GArray *bars = g_array_new (FALSE, FALSE, sizeof (Bar));
  guint n = section->items->len - section->shown > 1 ? section->shown : section->items->len;

  for (guint i = 0; i < n; i++)
    {
      const PageItem *item = g_ptr_array_index (section->items, i);
      Bar bar = { item->label, item->text, item->share, item->completeness == ROAST_COMPLETENESS_COMPLETE };

      g_array_append_val (bars, bar);
    }
  if (n < section->items->len)
    {
      Bar rest;

      *hidden = add_up_hidden (section, &rest);
      rest.text = *hidden;
      g_array_append_val (bars, rest);
    }

  return bars;
}

static void
draw_bars (const PageSection *section, TextRenderer *renderer)
{
  g_autofree char *hidden = NULL;
  g_autoptr (GArray) bars = make_bars (section, &hidden);
  gsize label = 0, number = 0, value = 0, used = 0, room = 0;

  FOR_EACH (const Bar, bar, bars)
    {
      g_autofree char *share = format_share (bar);

      label = MAX (label, text_width (bar->label));
      number = MAX (number, text_width (share));
      value = MAX (value, text_width (bar->text));
    }
  number = MAX (number, 7);
  used = 2 + label + PAGE_DRAW_GAP + number + PAGE_DRAW_GAP + value + PAGE_DRAW_GAP;
  room = renderer->width > used ? MIN (renderer->width - used, MAX_BAR) : 0;
  FOR_EACH (const Bar, bar, bars)
    {
      g_autoptr (GString) line = g_string_new ("  ");
      g_autofree char *share = format_share (bar);

      g_string_append (line, bar->label);
      text_pad (line, 2 + label + PAGE_DRAW_GAP + number - text_width (share));
      g_string_append (line, share);
      text_pad (line, 2 + label + PAGE_DRAW_GAP + number + PAGE_DRAW_GAP + value - text_width (bar->text));
      g_string_append (line, bar->text);
      text_pad (line, used);
      append_bar (line, renderer, bar->share, room);
      end_line (renderer, line);
    }
}

/* ---- series ---- */

/* Draw the values as block characters. If a block stands for several intervals, use the mean of their known values. */
static void
append_series (GString *line, const TextRenderer *renderer, const GArray *values, gsize room)
{
  const char *const *levels = renderer->ascii ? ascii_blocks : blocks;
  guint n = MIN (values->len, (guint) room);
  double max = page_find_largest (values);

  for (guint i = 0; i < n; i++)
    {
      double mean = page_find_mean (values, i, n);

      if (isnan (mean) || mean <= 0)
        g_string_append (line, isnan (mean) ? "?" : " ");
      else
        g_string_append (line, levels[CLAMP ((int) ceil (8 * mean / max), 1, 8)]);
    }
}

static void
draw_series (const PageSection *section, const PageItem *item, TextRenderer *renderer)
{
  gsize label = 0;
  gsize value = 0;
  gsize used = 0;
  gsize room = 0;
  g_autoptr (GString) line = g_string_new ("  ");

  measure_series (section, &label, &value);
  used = 2 + label + PAGE_DRAW_GAP + PAGE_DRAW_GAP + value;
  room = renderer->width > used ? renderer->width - used : 1;
  g_string_append (line, item->label);
  text_pad (line, 2 + label + PAGE_DRAW_GAP);
  append_series (line, renderer, item->values, room);
  text_pad (line, 2 + label + PAGE_DRAW_GAP + MIN (item->values->len, room) + PAGE_DRAW_GAP);
  g_string_append (line, item->text);
  end_line (renderer, line);
}

/* ---- rows ---- */

static GPtrArray *
page_draw_make_columns (const PageSection *section, GPtrArray *rows)
{
  GPtrArray *columns = text_columns_new ();

  for (guint i = 0; section->headings[i] != NULL; i++)
    {
      TextColumn *column = text_columns_add (columns, section->headings[i], i < section->n_texts);
      gboolean has_values = FALSE;

      column->rank = section->ranks[i];
      for (guint j = 0; j < rows->len; j++)
        {
          const char *cell = ((PageItem *) g_ptr_array_index (rows, j))->cells[i];

          has_values = has_values || *cell != '\0';
          text_columns_add_cell (column, g_strdup (cell));
        }
      if (!has_values)
        g_ptr_array_remove_index (columns, columns->len - 1);
    }

  return columns;
}

static void
draw_rows (const PageSection *section, TextRenderer *renderer)
{
  g_autoptr (GPtrArray) rows = page_section_list_rows (section, section->shown);
  g_autoptr (GPtrArray) columns = page_draw_make_columns (section, rows);

  text_columns_fit (renderer, columns, renderer->width);
  text_columns_print (renderer, columns, rows->len);
}

/* ---- a section ---- */

static void
draw_cut (const PageItem *item, TextRenderer *renderer)
{
  g_autofree char *text = g_strconcat ("  ", item->label, item->text, NULL);
  g_autofree char *cut = text_cut (renderer, text, renderer->width);

  text_renderer_line (renderer, style_of (item), cut);
}

/* Draw an item that needs whole lines, such as a paragraph. */
static void
draw_item (const PageSection *section, const PageItem *item, TextRenderer *renderer)
{
  if (item->kind == PAGE_PARAGRAPH)
    text_renderer_paragraph (renderer, style_of (item), item->label, item->text);
  else if (item->kind == PAGE_SERIES)
    draw_series (section, item, renderer);
  else
    draw_cut (item, renderer);
}

void
page_draw_section (PageSection *section, TextRenderer *renderer)
{
  PageItemKind kind = 0;

  if (section->shown == 0)
    return;
  kind = ((PageItem *) g_ptr_array_index (section->items, 0))->kind;
  if (section->title != NULL)
    text_renderer_heading (renderer, section->title);
  else
    g_string_append_c (renderer->text, '\n');
  if (kind == PAGE_NUMBER)
    draw_numbers (section, renderer);
  else if (kind == PAGE_BAR)
    draw_bars (section, renderer);
  else if (kind == PAGE_ROW)
    draw_rows (section, renderer);
  else
    for (guint i = 0; i < section->shown; i++)
      draw_item (section, g_ptr_array_index (section->items, i), renderer);
  if (section->is_open && section->shown < section->items->len)
    {
      g_autofree char *more =
          g_strdup_printf ("  and %u more: -e table,sections=%s", section->items->len - section->shown, section->name);

      text_renderer_line (renderer, DIM, more);
    }
}

void
page_draw (GPtrArray *sections, TextRenderer *renderer)
{
  for (guint i = 0; i < sections->len; i++)
    page_draw_section (g_ptr_array_index (sections, i), renderer);
}
