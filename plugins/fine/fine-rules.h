/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Which tasks are the analysis, and which are the framework's own. @processor is the name that the user gave, or NULL; @names_occur
 * whether any prefix but automatic_retries is that, or, without it, is no overhead. */
gboolean fine_rules_is_processor (const char *prefix, const char *processor, gboolean others_occur);
/* Whether a prefix by itself says that it is the analysis: not so for automatic_retries. */
gboolean fine_rules_names_it     (const char *prefix, const char *processor);

G_END_DECLS
