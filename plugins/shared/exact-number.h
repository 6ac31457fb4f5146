/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Append a number that programs can read, in a form that does not depend on the locale. A double must be finite. It is
 * written with 15 digits if these give exactly the same double when parsed, and with 17 digits otherwise. */
void exact_number_append_int64 (GString *text, gint64 value);
void exact_number_append_double (GString *text, double value);
