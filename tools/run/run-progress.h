/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Shows on a terminal how much of long logs was read, while the session lives. Nothing is shown elsewhere, or if it
 * takes less than a second. */
void run_progress_show (RoastSession *session);

G_END_DECLS
