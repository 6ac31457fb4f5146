/* SPDX-License-Identifier: BSD-3-Clause */
#include "dask-words.h"

#include <roast/roast.h>
#include <string.h>

static const struct
{
  const char *dask;
  guint word;
} contexts[] = {
  { "gather-dep", ROAST_CONTEXT_FETCH },
  { "get-data", ROAST_CONTEXT_SERVE },
  { "memory-monitor", ROAST_CONTEXT_MEMORY },
};

/* Split the activity of a shuffle, which has the form WHERE/ACTIVITY. WHERE is “foreground” for an activity inside
 * shuffle tasks. Otherwise WHERE names a part of the shuffle that runs in the background. */
static void
translate_shuffle (const char **context, const char **activity)
{
  const char *slash = strchr (*activity, '/');

  *context = roast_context_words[g_str_has_prefix (*activity, "foreground/") ? ROAST_CONTEXT_SHUFFLE_TASKS
                                                                             : ROAST_CONTEXT_SHUFFLE];
  if (slash != NULL)
    *activity = slash + 1;
}

void
dask_words_translate (const char **context, const char **activity)
{
  if (g_str_equal (*context, "p2p"))
    {
      translate_shuffle (context, activity);
      return;
    }
  if (g_str_equal (*context, roast_context_words[ROAST_CONTEXT_EXECUTE]) && g_str_has_prefix (*activity, "p2p-"))
    *activity += strlen ("p2p-");
  for (guint i = 0; i < G_N_ELEMENTS (contexts); i++)
    if (g_str_equal (*context, contexts[i].dask))
      *context = roast_context_words[contexts[i].word];
}
