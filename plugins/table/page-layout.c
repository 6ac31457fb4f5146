/* SPDX-License-Identifier: BSD-3-Clause */

/* How much of each section is shown: as much as fits into the page, the less important things less. */

#include "page-draw.h"

static const struct
{
  const char *section;
  guint most;   /* items */
  guint weight; /* a section of a greater one loses its items earlier */
} limits[] = {
  { "outcome", 1, 0 },  { "findings", 4, 3 },  { "numbers", 12, 2 }, { "core_time", 8, 2 },
  { "timeline", 5, 3 }, { "costliest", 9, 4 }, { "notes", 4, 2 },    { "missing", 1, 0 },
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

/* The section that has the most to lose. */
static PageSection *
choose (GPtrArray *sections)
{
  PageSection *chosen = NULL;
  guint most = 0;

  for (guint i = 0; i < sections->len; i++)
    {
      PageSection *section = g_ptr_array_index (sections, i);
      guint loss =
          section->shown > section->least ? (section->shown - section->least) * limits[find_limit (section)].weight : 0;

      if (loss > most)
        {
          chosen = section;
          most = loss;
        }
    }

  return chosen;
}

/* A whole section, where there is no room even for the least of each. */
static PageSection *
choose_whole (GPtrArray *sections)
{
  PageSection *chosen = NULL;
  guint most = 0;

  for (guint i = 0; i < sections->len; i++)
    {
      PageSection *section = g_ptr_array_index (sections, i);
      guint weight = section->shown > 0 ? limits[find_limit (section)].weight : 0;

      if (weight > most)
        {
          chosen = section;
          most = weight;
        }
    }

  return chosen;
}

void
page_fit (GPtrArray *sections, const TextRenderer *renderer, guint lines)
{
  for (guint i = 0; i < sections->len; i++)
    {
      PageSection *section = g_ptr_array_index (sections, i);

      section->shown = lines > 0 ? MIN (section->items->len, limits[find_limit (section)].most) : section->items->len;
    }
  while (lines > 0 && count_lines (sections, renderer) > lines)
    {
      PageSection *section = choose (sections);

      if (section != NULL)
        {
          section->shown--;
          continue;
        }
      section = choose_whole (sections);
      if (section == NULL)
        return;
      section->shown = 0;
    }
}
