/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-error.h"

/* g_set_error () for a function that ends with it: returns FALSE. */
gboolean roast_fail (GError **error, GQuark domain, int code, const char *format, ...) G_GNUC_PRINTF (4, 5);
