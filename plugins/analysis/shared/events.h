/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Return the message of the first event of the given kinds, separated by spaces, and the number of further events; NULL
 * if there is none. */
char *events_describe (RoastRecordingSnapshot *recording, const char *kinds);

G_END_DECLS
