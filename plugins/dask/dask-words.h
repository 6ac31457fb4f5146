/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Translate Dask's names of an activity and its context to the words of the schema. The new *@activity points into the
 * original string. Several Dask activities may get the same name. */
void dask_words_translate (const char **context, const char **activity);

G_END_DECLS
