/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Copies text and integer metadata of a recording to the run file, for lists of runs. @keys ends with NULL. Skips
 * missing keys. */
void run_meta_set (RoastRunFile *file, GVariant *metadata, const char *const *keys);

G_END_DECLS
