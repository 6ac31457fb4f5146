/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Copies texts and whole numbers of the metadata of a recording, by their names, for lists of runs. @keys ends with
 * NULL; what is not there is left out. */
void run_meta_set (RoastRunFile *file, GVariant *metadata, const char *const *keys);

G_END_DECLS
