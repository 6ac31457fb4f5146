/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Copies metadata of a recording to the run file, where lists of runs find them. @keys ends with NULL. The values must
 * be texts or integers; missing keys are skipped. */
void run_meta_set (RoastRunFile *file, GVariant *metadata, const char *const *keys);
