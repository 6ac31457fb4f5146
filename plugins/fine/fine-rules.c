/* SPDX-License-Identifier: BSD-3-Clause */
#include "fine-rules.h"

#include <string.h>

#define DASK_NAME 50 /* characters of a function's name that Dask keeps */

/* What coffea runs beside the processor, by the names that Dask makes of it, and the categories of its TaskVine executor. */
static const char *const overhead[] = {
  "get_metadata", "_get_metadata", "reduce", "_reduce", "preprocessing", "accumulating", "lambda", "get_file_handle",
};

/* What coffea's tasks are called where it does not wrap them: without compression, the processor's too. */
static const char anonymous[] = "automatic_retries";

gboolean
fine_rules_names_it (const char *prefix, const char *processor)
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
  if (g_str_equal (prefix, processor))
    return TRUE;
  while (*processor == '_')
    processor++;
  while (*prefix == '_')
    prefix++;

  return g_str_equal (prefix, processor) ||
         (g_utf8_strlen (processor, -1) > DASK_NAME - 1 && strlen (prefix) >= DASK_NAME - 2 && g_str_has_prefix (processor, prefix));
}

gboolean
fine_rules_is_processor (const char *prefix, const char *processor, gboolean others_occur)
{
  if (g_str_equal (prefix, anonymous))
    return !others_occur;

  return fine_rules_names_it (prefix, processor);
}
