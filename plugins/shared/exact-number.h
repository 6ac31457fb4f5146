/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Append a number for programs to read, independent of the locale. A double must be finite. It is written with 15
 * digits if a parser gets exactly the same double from these, otherwise with 17 digits. */
void exact_number_append_int64 (GString *text, gint64 value);
void exact_number_append_double (GString *text, double value);
