/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Whether the command that is to be launched mentions one of the words, in its arguments or in a file of at most 1 MiB
 * that they name, such as a script. A hint: what a script imports may use more. */
gboolean launch_words_find (RoastLaunchContext *context, const char *const *words);

G_END_DECLS
