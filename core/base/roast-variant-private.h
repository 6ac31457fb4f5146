/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Gets the value of any integer type. Returns FALSE if the type is not an integer or the value does not fit. */
gboolean roast_variant_get_integer (GVariant *value, gint64 *integer);
