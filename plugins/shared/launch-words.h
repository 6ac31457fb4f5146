/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Whether the command to launch mentions one of @words, either in its arguments or in a file of at most 1 MiB named
 * by an argument, such as a script. This is only a hint: modules that the script imports are not searched. */
gboolean launch_words_find (RoastLaunchContext *context, const char *const *words);

G_END_DECLS
