/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-chart-selection-private.h"

#include <math.h>
#include <string.h>

#include "roast-chart-names-private.h"
#include "roast/roast-theme.h"

void
roast_chart_selection_grow (RoastChartSelection *self, guint n_names)
{
  guint n = MAX (n_names, 2 * self->n_sums);

  self->sums = g_renew (double, self->sums, n);
  while (self->n_sums < n)
    self->sums[self->n_sums++] = NAN;
}

gboolean
roast_chart_selection_has (const RoastChartSelection *self, guint name)
{
  return name < self->n_sums && !isnan (self->sums[name]);
}

typedef struct
{
  RoastChartNames *names;
  const double *sums;
  RoastChartOrder order;
} Sorting;

static int
selection_compare_names (const Sorting *self, guint a, guint b)
{
  int order =
      roast_chart_names_compare (roast_chart_names_get (self->names, a), roast_chart_names_get (self->names, b));

  return order != 0 ? order : (a > b) - (a < b);
}

static int
selection_compare_sizes (gconstpointer first, gconstpointer second, gpointer data)
{
  const Sorting *self = data;
  guint a = *(const guint *) first;
  guint b = *(const guint *) second;

  return self->sums[a] != self->sums[b] ? (self->sums[a] > self->sums[b] ? -1 : 1)
                                        : selection_compare_names (self, a, b);
}

static int
compare_shown (gconstpointer first, gconstpointer second, gpointer data)
{
  const Sorting *self = data;
  guint a = *(const guint *) first;
  guint b = *(const guint *) second;
  int word = roast_chart_names_get_word (self->names, a);
  int other = roast_chart_names_get_word (self->names, b);

  if (roast_chart_names_is_pair (self->names))
    return roast_chart_names_compare_pairs (self->names, a, b);
  if (word >= 0 && other >= 0)
    return (word > other) - (word < other);
  if (word >= 0 || other >= 0)
    return word >= 0 ? -1 : 1;

  return self->order != ROAST_CHART_ORDER_SIZE ? selection_compare_names (self, a, b)
                                               : selection_compare_sizes (first, second, data);
}

char *
roast_chart_selection_make_plural (const char *label)
{
  gsize length = strlen (label);

  if (g_str_has_suffix (label, "y") && length > 1 && strchr ("aeiou", label[length - 2]) == NULL)
    {
      g_autofree char *stem = g_strndup (label, length - 1);

      return g_strconcat (stem, "ies", NULL);
    }

  return g_strconcat (label, g_str_has_suffix (label, "s") ? "es" : "s", NULL);
}

/* Give half of the places to the names with the largest sums. Give the other half to every nth of the remaining names,
 * from large to small sums, and to the name with the smallest sum. Unusual names often have small sums. */
static void
spread (RoastChartSelection *self)
{
  guint largest = (self->n + 1) / 2;
  guint n_rest = self->n_names - largest;

  self->n_spread = self->n - largest;
  for (guint i = 0; i < self->n_spread; i++)
    {
      guint at = largest + (guint) (((guint64) (i + 1) * n_rest) / self->n_spread) - 1;
      guint name = self->names[at];

      self->names[at] = self->names[largest + i];
      self->names[largest + i] = name;
    }
}

static guint
find_free (const gboolean *taken, guint palette)
{
  for (guint i = 0; i < ROAST_THEME_N_COLOURS; i++)
    if (!taken[(palette + i) % ROAST_THEME_N_COLOURS])
      return (palette + i) % ROAST_THEME_N_COLOURS;

  return palette;
}

/* Choose the colours of the shown names. Words of a vocabulary have fixed colours; each other name gets the next colour
 * that is free. */
static void
choose_palettes (RoastChartSelection *self, RoastChartNames *names)
{
  gboolean taken[ROAST_THEME_N_COLOURS] = { FALSE };
  gboolean has_words = FALSE;

  self->palettes = g_new (guint, MAX (self->n, 1));
  for (guint i = 0; i < self->n; i++)
    {
      int palette = names != NULL ? roast_chart_names_get_palette (names, self->names[i]) : -1;

      self->palettes[i] = palette < 0 ? G_MAXUINT : find_free (taken, (guint) palette);
      if (palette >= 0)
        has_words = taken[self->palettes[i]] = TRUE;
    }
  for (guint i = 0; i < self->n; i++)
    if (self->palettes[i] == G_MAXUINT)
      {
        self->palettes[i] = has_words ? find_free (taken, i % ROAST_THEME_N_COLOURS) : i;
        taken[self->palettes[i] % ROAST_THEME_N_COLOURS] = TRUE;
      }
}

void
roast_chart_selection_choose (RoastChartSelection *self, RoastChartRows *rows, RoastChartCell cell, guint most,
                              RoastChartOrder order)
{
  RoastChartNames *names = rows->cells[cell].names;
  Sorting sorting = { names, self->sums, order };
  const char *label = rows->cells[cell].label;
  guint n_all = roast_chart_rows_count_names (rows, cell);

  if (names != NULL)
    self->all = roast_chart_names_is_pair (names) ? g_strdup ("bars") : roast_chart_selection_make_plural (label);
  self->names = g_new (guint, MAX (n_all, 1));
  self->places = g_new (guint, MAX (n_all, 1));
  for (guint i = 0; i < n_all; i++)
    {
      self->places[i] = ROAST_CHART_OTHERS;
      if (names == NULL || roast_chart_selection_has (self, i))
        self->names[self->n_names++] = i;
    }
  self->n = MIN (self->n_names, MAX (most, 1));
  if (names != NULL)
    {
      g_qsort_with_data (self->names, (int) self->n_names, sizeof *self->names, selection_compare_sizes, &sorting);
      if (order == ROAST_CHART_ORDER_SPREAD && self->n < self->n_names)
        spread (self);
      g_qsort_with_data (self->names, (int) self->n, sizeof *self->names, compare_shown, &sorting);
    }
  for (guint i = 0; i < self->n; i++)
    self->places[self->names[i]] = i;
  choose_palettes (self, names);
}

void
roast_chart_selection_clear (RoastChartSelection *self)
{
  g_clear_pointer (&self->sums, g_free);
  g_clear_pointer (&self->names, g_free);
  g_clear_pointer (&self->places, g_free);
  g_clear_pointer (&self->palettes, g_free);
  g_clear_pointer (&self->all, g_free);
}

guint
roast_chart_selection_count_others (const RoastChartSelection *self)
{
  return self->n_names - self->n;
}

char *
roast_chart_selection_dup_note (const RoastChartSelection *self, const char *most)
{
  if (self->n >= self->n_names)
    return NULL;
  if (self->n_spread == 0)
    return g_strdup_printf ("shown: %u of %u %s, %s with %s", self->n, self->n_names, self->all,
                            self->n == 1 ? "the one" : "those", most);

  return g_strdup_printf ("shown: %u of %u %s: the %u with %s, and an even selection of the others", self->n,
                          self->n_names, self->all, self->n - self->n_spread, most);
}

char *
roast_chart_selection_dup_others (const RoastChartSelection *self)
{
  guint n = roast_chart_selection_count_others (self);

  return n == 1 ? g_strdup ("1 other") : g_strdup_printf ("%u others", n);
}
