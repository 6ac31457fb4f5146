/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* The message of the first event of one of these kinds (NULL-terminated), and how many more there are; NULL if there is
 * none. */
char *events_describe (RoastRecordingSnapshot *recording, const char *const *kinds);

G_END_DECLS
