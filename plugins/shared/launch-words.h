/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Returns whether the command to launch mentions one of @words. Searches its arguments, and files of at most 1 MiB that
 * the arguments name, such as a script. The result is only a hint, because modules that the script imports are not
 * searched. */
gboolean launch_words_find (RoastLaunchContext *context, const char *const *words);
