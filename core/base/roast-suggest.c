/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-suggest-private.h"

#include <string.h>

/* No suggestion is made for a longer name, because the comparison would take too long, and users do not type such
 * names. */
#define SUGGEST_LONGEST 64

static gboolean
same_letter (char a, char b)
{
  return g_ascii_tolower (a) == g_ascii_tolower (b);
}

/* Count the edits that turn one name into the other name. An edit changes, adds or removes a letter, or swaps it with
 * its neighbour. */
static guint
edit_distance (const char *a, const char *b)
{
  gsize n = strlen (a), m = strlen (b);
  guint rows[3][SUGGEST_LONGEST + 1];
  guint *before = rows[0], *last = rows[1], *now = rows[2];

  if (n > SUGGEST_LONGEST || m > SUGGEST_LONGEST)
    return G_MAXUINT;
  for (gsize j = 0; j <= m; j++)
    last[j] = (guint) j;
  for (gsize i = 1; i <= n; i++)
    {
      guint *unused = before;

      now[0] = (guint) i;
      for (gsize j = 1; j <= m; j++)
        {
          guint cost = same_letter (a[i - 1], b[j - 1]) ? 0 : 1;

          now[j] = MIN (MIN (last[j] + 1, now[j - 1] + 1), last[j - 1] + cost);
          if (i > 1 && j > 1 && same_letter (a[i - 1], b[j - 2]) && same_letter (a[i - 2], b[j - 1]))
            now[j] = MIN (now[j], before[j - 2] + 1);
        }
      before = last;
      last = now;
      now = unused;
    }
  return last[m];
}

const char *
roast_suggest (const char *name, const char *const *known)
{
  gsize length = strlen (name);
  guint best = (guint) MAX (1, MIN (length / 3, 3)) + 1;
  const char *found = NULL;

  for (gsize i = 0; length > 0 && known != NULL && known[i] != NULL; i++)
    {
      guint distance = edit_distance (name, known[i]);

      /* Prefer a name that begins with the user's text to any name that differs from it by typing errors. */
      if (length > 1 && g_ascii_strncasecmp (known[i], name, length) == 0)
        distance = 0;
      if (distance < best)
        {
          best = distance;
          found = known[i];
        }
    }
  return found;
}

int
roast_compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

char *
roast_suggest_sentence (const char *name, const char *const *known, const char *intro, const char *none)
{
  const char *near = roast_suggest (name, known);
  g_autofree char *list = NULL;

  if (known == NULL || known[0] == NULL)
    return g_strdup (none);
  list = g_strjoinv (", ", (char **) known);
  if (near != NULL)
    return g_strdup_printf ("%s: %s. Did you mean %s?", intro, list, near);
  return g_strdup_printf ("%s: %s", intro, list);
}
