/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Shows on a terminal how much of long logs has been read, while the session lives. Shows nothing elsewhere, or if
 * reading takes less than a second. */
void run_progress_show (RoastSession *session);

G_END_DECLS
