/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Return P (T > t) for Student's distribution. */
double student_tail (double t, double freedom);
/* Return P (|T| > |t|). */
double student_p (double t, double freedom);
/* Return the value that T does not exceed with probability @p. */
double student_quantile (double p, double freedom);

G_END_DECLS
