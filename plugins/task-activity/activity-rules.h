/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Which tasks are the analysis, and which are the framework's own. @processor is the name that the user gave, or NULL;
 * @named whether any prefix of the run is the analysis by its own name, so that automatic_retries is not. */
gboolean activity_rules_is_processor (const char *prefix, const char *processor, gboolean named);
/* Whether a prefix by itself says that it is the analysis: not so for automatic_retries. */
gboolean activity_rules_names_it (const char *prefix, const char *processor);

G_END_DECLS
