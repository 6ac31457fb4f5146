/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* The value of any integer type, as a number; FALSE if it is of another type or does not fit. */
gboolean roast_variant_get_integer (GVariant *value, gint64 *integer);
