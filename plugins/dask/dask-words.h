/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What Dask calls an activity and its context, in the words of the schema. *@activity points into what it was; several
 * of Dask's activities may have one name. */
void dask_words_translate (const char **context, const char **activity);

G_END_DECLS
