/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Numbers as programs read them, the same in every locale. A double must be finite; it gets the digits that give
 * exactly this number when they are parsed, 15 if those are enough. */
void exact_number_append_int64 (GString *text, gint64 value);
void exact_number_append_double (GString *text, double value);
