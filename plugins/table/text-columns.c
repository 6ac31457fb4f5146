/* SPDX-License-Identifier: BSD-3-Clause */

#include "text-columns.h"
#include "each.h"

#define TEXT_COLUMNS_GAP 2 /* number of spaces between columns */
#define GOOD_TEXT 24
#define MIN_TEXT 12
#define MAX_FIXED 24 /* a constant value up to this width is moved from its column to the title of the table */

static void
text_column_free (TextColumn *column)
{
  g_free (column->heading);
  g_ptr_array_unref (column->cells);
  g_free (column);
}

GPtrArray *
text_columns_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) text_column_free);
}

TextColumn *
text_columns_add (GPtrArray *columns, const char *heading, gboolean is_text)
{
  TextColumn *column = g_new0 (TextColumn, 1);

  column->heading = g_strdup (heading);
  column->is_text = is_text;
  column->rank = 1;
  column->width = text_width (heading);
  column->cells = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (columns, column);

  return column;
}

/* Adds a cell to the column. Takes ownership of @text. */
void
text_columns_add_cell (TextColumn *column, char *text)
{
  g_ptr_array_add (column->cells, text);
  column->width = MAX (column->width, text_width (text));
}

/* ---- constant columns ---- */

char *
text_columns_take_fixed (GPtrArray *columns)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < columns->len;)
    {
      TextColumn *column = g_ptr_array_index (columns, i);
      const char *cell = column->cells->len > 1 ? g_ptr_array_index (column->cells, 0) : "";

      if (!column->is_fixed || columns->len < 3 || *cell == '\0' || text_width (cell) > MAX_FIXED)
        {
          i++;
          continue;
        }
      g_string_append_printf (text, "%s%s %s", text->len > 0 ? ", " : "", column->heading, cell);
      g_ptr_array_remove_index (columns, i);
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* ---- fitting ---- */

static gsize
total_width (GPtrArray *columns)
{
  gsize width = 0;

  for (guint i = 0; i < columns->len; i++)
    width += ((TextColumn *) g_ptr_array_index (columns, i))->width + (i > 0 ? TEXT_COLUMNS_GAP : 0);

  return width;
}

static guint
count_distinct (const TextRenderer *page, GPtrArray *cells, gsize width)
{
  g_autoptr (GHashTable) distinct = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < cells->len; i++)
    g_hash_table_add (distinct, text_shorten (page, g_ptr_array_index (cells, i), width));

  return g_hash_table_size (distinct);
}

/* Find the minimum width at which different cells still look different. For example, addresses that begin with the same
 * text would look the same if they were cut too short. */
static gsize
find_least (const TextRenderer *page, const TextColumn *column)
{
  guint n = count_distinct (page, column->cells, G_MAXSIZE);
  gsize least = MIN (MIN_TEXT, column->width);

  while (least < column->width && count_distinct (page, column->cells, least) < n)
    least++;

  return least;
}

/* Narrow the widest text columns until the table fits into @width. Do not narrow any column below @least, or below the
 * minimum width of the column itself. */
static void
narrow_texts (const TextRenderer *page, GPtrArray *columns, gsize width, gsize least)
{
  gsize total = total_width (columns);

  while (total > width)
    {
      TextColumn *widest = NULL;

      FOR_EACH_POINTER (TextColumn, column, columns)
        {
          if (!column->is_text)
            continue;
          if (column->least == 0)
            column->least = find_least (page, column);
          if (column->width > MAX (least, column->least) && (widest == NULL || column->width > widest->width))
            widest = column;
        }
      if (widest == NULL)
        return;
      widest->width--;
      total--;
    }
}

/* Wrap headings: reduce the width of each column to that of its cells, or to the longest word of its heading if this is
 * wider. */
static void
narrow_headings (GPtrArray *columns)
{
  FOR_EACH_POINTER (TextColumn, column, columns)
    {
      g_auto (GStrv) words = g_strsplit (column->heading, " ", -1);
      gsize width = 0;

      for (guint j = 0; words[j] != NULL; j++)
        width = MAX (width, text_width (words[j]));
      for (guint j = 0; j < column->cells->len; j++)
        width = MAX (width, text_width (g_ptr_array_index (column->cells, j)));
      column->width = MIN (column->width, width);
    }
}

/* Return the column that is left out first: the last of the columns with the lowest rank. Never return the first
 * column, because it names the row. */
static guint
find_least_wanted (GPtrArray *columns)
{
  guint found = columns->len - 1;

  for (guint i = columns->len - 1; i > 0; i--)
    if (((TextColumn *) g_ptr_array_index (columns, i))->rank <
        ((TextColumn *) g_ptr_array_index (columns, found))->rank)
      found = i;

  return found;
}

/* Leave out columns with a rank of at most @rank, until the table fits into @width. Return how many were left out. */
static guint
leave_out (GPtrArray *columns, gsize width, guint rank)
{
  guint left_out = 0;

  while (columns->len > 1 && total_width (columns) > width)
    {
      guint i = find_least_wanted (columns);

      if (((TextColumn *) g_ptr_array_index (columns, i))->rank > rank)
        break;
      g_ptr_array_remove_index (columns, i);
      left_out++;
    }

  return left_out;
}

/* If only one column is left and it is still too wide, cut off its texts. */
static void
force (GPtrArray *columns, gsize width)
{
  TextColumn *first = g_ptr_array_index (columns, 0);

  if (columns->len == 1)
    first->width = MIN (first->width, width);
}

guint
text_columns_fit (const TextRenderer *page, GPtrArray *columns, gsize width)
{
  guint left_out = 0;

  if (columns->len == 0)
    return 0;
  narrow_texts (page, columns, width, GOOD_TEXT);
  if (total_width (columns) > width)
    narrow_headings (columns);
  left_out = leave_out (columns, width, 0);
  narrow_texts (page, columns, width, MIN_TEXT);
  left_out += leave_out (columns, width, G_MAXUINT);
  force (columns, width);

  return left_out;
}

/* ---- drawing ---- */

static void
append_cell (GString *line, const TextColumn *column, gboolean is_first, const char *text)
{
  gsize used = text_width (text);
  gsize spaces = column->width > used ? column->width - used : 0;

  g_string_append_printf (line, "%*s", is_first ? 0 : TEXT_COLUMNS_GAP, "");
  if (column->is_text)
    g_string_append_printf (line, "%s%*s", text, (int) spaces, "");
  else
    g_string_append_printf (line, "%*s%s", (int) spaces, "", text);
}

static void
print_headings (TextRenderer *page, GPtrArray *columns)
{
  g_autoptr (GPtrArray) wrapped = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  guint height = 0;

  FOR_EACH_POINTER (TextColumn, column, columns)
    {
      char **lines = text_wrap (column->heading, column->width);

      g_ptr_array_add (wrapped, lines);
      height = MAX (height, g_strv_length (lines));
    }
  for (guint i = 0; i < height; i++)
    {
      g_autoptr (GString) line = g_string_new (NULL);

      for (guint j = 0; j < columns->len; j++)
        {
          char **lines = g_ptr_array_index (wrapped, j);
          guint n = g_strv_length (lines);

          /* Move headings that have fewer lines down, so that all headings end in the same line. */
          append_cell (line, g_ptr_array_index (columns, j), j == 0, i + n >= height ? lines[i + n - height] : "");
        }
      text_renderer_line (page, DIM, g_strchomp (line->str));
    }
}

void
text_columns_print (TextRenderer *page, GPtrArray *columns, guint64 n_rows)
{
  print_headings (page, columns);
  for (guint64 row = 0; row < n_rows; row++)
    {
      g_autoptr (GString) line = g_string_new (NULL);

      for (guint i = 0; i < columns->len; i++)
        {
          TextColumn *column = g_ptr_array_index (columns, i);
          g_autofree char *text = text_shorten (page, g_ptr_array_index (column->cells, row), column->width);

          append_cell (line, column, i == 0, text);
        }
      text_renderer_line (page, "", g_strchomp (line->str));
    }
}
