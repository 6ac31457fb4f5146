/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

#include <roast/roast-version-macros.h>

G_BEGIN_DECLS

ROAST_AVAILABLE_IN_0_9
char *roast_format_number (double value, const char *format);
ROAST_AVAILABLE_IN_0_9
char *roast_format_value (GVariant *value, const char *format);

G_END_DECLS
