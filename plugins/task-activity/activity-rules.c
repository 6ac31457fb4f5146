/* SPDX-License-Identifier: BSD-3-Clause */
#include "activity-rules.h"

#include <string.h>

#define DASK_NAME 50 /* characters of a function's name that Dask keeps */

/* What coffea runs beside the processor: by the names that Dask makes of it, and the categories of its TaskVine
 * executor. Nothing that a script may call its own work by. */
static const char *const overhead[] = {
  "get_metadata", "_get_metadata", "reduce", "_reduce", "preprocessing", "accumulating",
};

/* What coffea's tasks are called where it does not wrap them: without compression, the processor's too. */
static const char anonymous[] = "automatic_retries";

/* Dask keeps the beginning of a name, and of what begins with no letter takes off what is not pleasant at both ends. */
static gboolean
is_cut_from (const char *prefix, const char *name)
{
  glong length = MIN (g_utf8_strlen (name, -1), DASK_NAME);
  g_autofree char *cut = g_utf8_substring (name, 0, length);
  const char *begin = cut;

  if (g_str_equal (prefix, cut))
    return TRUE;
  if (g_unichar_isalpha (g_utf8_get_char (cut)))
    return FALSE;
  for (char *end = cut + strlen (cut); end > cut && strchr ("_'()\"", end[-1]) != NULL; end--)
    end[-1] = '\0';
  begin += strspn (begin, "_'()\"");

  return *begin != '\0' && g_str_equal (prefix, begin);
}

gboolean
activity_rules_names_it (const char *prefix, const char *processor)
{
  if (g_str_equal (prefix, anonymous))
    return FALSE;
  if (processor == NULL)
    {
      for (guint i = 0; i < G_N_ELEMENTS (overhead); i++)
        if (g_str_equal (prefix, overhead[i]))
          return FALSE;
      return TRUE;
    }

  return g_str_equal (prefix, processor) || g_str_equal (prefix, processor + strspn (processor, "_")) ||
         is_cut_from (prefix, processor);
}

gboolean
activity_rules_is_processor (const char *prefix, const char *processor, gboolean named)
{
  if (g_str_equal (prefix, anonymous))
    return processor == NULL || !named;

  return activity_rules_names_it (prefix, processor);
}
