/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-error.h"

/* Sets an error as g_set_error () does, and returns FALSE so that the caller can return the result. */
gboolean roast_fail (GError **error, GQuark domain, int code, const char *format, ...) G_GNUC_PRINTF (4, 5);
/* Sets an error as roast_fail () does, for a caller that returns a pointer: the value is NULL. */
#define roast_fail_null(...) (roast_fail (__VA_ARGS__), NULL)
