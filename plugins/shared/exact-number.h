/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Append numbers for programs to read, independent of the locale. A double must be finite. It is written with 15
 * digits if these parse to exactly the same double, else with 17. */
void exact_number_append_int64 (GString *text, gint64 value);
void exact_number_append_double (GString *text, double value);
