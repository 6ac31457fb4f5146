/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Translate Dask's names of an activity and its context to words of the schema. The new *@activity points into the old
 * string. Several Dask activities may be translated to the same words. */
void dask_words_translate (const char **context, const char **activity);
