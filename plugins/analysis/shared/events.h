/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Return the message of the first event that has one of @kinds, followed by the number of further such events; NULL if
 * there is none. @kinds are separated by spaces. */
char *events_describe (RoastRecordingSnapshot *recording, const char *kinds);

G_END_DECLS
