/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Whether measured times are compared with expected ones, which holds only where nothing else computes: in the release
 * tier. In the gate a test asserts what is true however slow the machine is. */
static inline gboolean
asks_for_closeness (void)
{
  return g_strcmp0 (g_getenv ("ROAST_TEST_RELEASE"), "1") == 0;
}

/* Until a test gives up: only a hang takes that long. */
#define HANG (240 * G_USEC_PER_SEC)
