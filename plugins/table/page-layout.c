/* SPDX-License-Identifier: BSD-3-Clause */

/* Fits the sections into the page. Less important sections are shortened first. */

#include "each.h"
#include "page-draw.h"

static const struct
{
  const char *section;
  guint most;   /* maximum number of items that are shown */
  guint weight; /* a section with a larger weight loses items earlier */
  guint few;    /* number of items that remain if the page has no room for the `least` items of all sections */
  guint whole;  /* rank for removing the whole section: larger values are removed first, 0 never */
} limits[] = {
  { "outcome", 3, 0, 1, 0 },  { "findings", 4, 3, 1, 0 },    { "numbers", 12, 2, 3, 1 },   { "core_time", 8, 2, 3, 2 },
  { "timeline", 5, 3, 1, 4 }, { "costliest", 9, 4, 2, 5 },   { "notes", 4, 2, 1, 3 },      { "missing", 1, 0, 1, 0 },
  { "verdicts", 9, 2, 3, 0 }, { "differences", 9, 3, 2, 2 }, { "properties", 8, 2, 1, 3 }, { "what_if", 2, 3, 1, 4 },
  { "scaling", 16, 2, 3, 1 },
};

static guint
find_limit (const PageSection *section)
{
  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    if (g_str_equal (limits[i].section, section->name))
      return i;

  g_assert_not_reached ();
}

static guint
count_lines (GPtrArray *sections, const TextRenderer *renderer)
{
  g_autoptr (GString) text = g_string_new (NULL);
  TextRenderer scratch = *renderer;
  guint n = 0;

  scratch.text = text;
  page_draw (sections, &scratch);
  for (const char *c = text->str; *c != '\0'; c++)
    n += *c == '\n';

  return n;
}

static guint
get_least (const PageSection *section, gboolean are_few)
{
  return are_few ? MIN (section->least, limits[find_limit (section)].few) : section->least;
}

/* Steps of shortening a section: first remove items until `least` items remain, then until `few` items remain, then
 * remove the whole section. */
typedef enum
{
  ABOVE_LEAST,
  ABOVE_FEW,
  WHOLE,
  N_STEPS,
} Step;

static guint
get_loss (const PageSection *section, Step step)
{
  guint least = get_least (section, step == ABOVE_FEW);

  if (step == WHOLE)
    return section->shown > 0 ? limits[find_limit (section)].whole : 0;

  return section->shown > least ? (section->shown - least) * limits[find_limit (section)].weight : 0;
}

/* Choose the section with the largest value of get_loss () in this step. */
static PageSection *
choose (GPtrArray *sections, Step step)
{
  PageSection *chosen = NULL;
  guint most = 0;

  FOR_EACH_POINTER (PageSection, section, sections)
    {
      guint loss = get_loss (section, step);

      if (loss > most)
        {
          chosen = section;
          most = loss;
        }
    }

  return chosen;
}

static guint
get_most (const PageSection *section)
{
  return MIN (section->items->len, limits[find_limit (section)].most);
}

/* Show more items of a section, up to @shown items. Undo this if the page then has more than @lines lines. Return
 * whether more items are shown. */
static gboolean
grow (GPtrArray *sections, PageSection *section, guint shown, const TextRenderer *renderer, guint lines)
{
  guint before = section->shown;

  section->shown = MIN (shown, get_most (section));
  if (section->shown > before && count_lines (sections, renderer) <= lines)
    return TRUE;
  section->shown = before;

  return FALSE;
}

/* Use the lines that remain after shortening. First restore removed sections that fit, most important first. Then add
 * single items to sections. */
static void
fill (GPtrArray *sections, const TextRenderer *renderer, guint lines)
{
  gboolean has_grown = TRUE;

  for (guint whole = 1; whole <= G_N_ELEMENTS (limits); whole++)
    FOR_EACH_POINTER (PageSection, section, sections)
      if (section->shown == 0 && limits[find_limit (section)].whole == whole)
        grow (sections, section, MAX (get_least (section, TRUE), 1), renderer, lines);
  while (has_grown)
    {
      has_grown = FALSE;
      FOR_EACH_POINTER (PageSection, section, sections)
        if (section->shown > 0)
          has_grown = grow (sections, section, section->shown + 1, renderer, lines) || has_grown;
    }
}

void
page_fit (GPtrArray *sections, const TextRenderer *renderer, guint lines)
{
  FOR_EACH_POINTER (PageSection, section, sections)
    section->shown = lines > 0 ? get_most (section) : section->items->len;
  while (lines > 0 && count_lines (sections, renderer) > lines)
    {
      PageSection *section = NULL;
      Step step = ABOVE_LEAST;

      while (step < N_STEPS && (section = choose (sections, step)) == NULL)
        step++;
      if (section == NULL)
        return;
      section->shown = step == WHOLE ? 0 : section->shown - 1;
    }
  if (lines > 0)
    fill (sections, renderer, lines);
}
