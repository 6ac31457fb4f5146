/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "vine-tokenizer.h"

G_BEGIN_DECLS

/* The span of a manager, and within it the spans that the script names, in the table spans. */
typedef struct _VineSpans VineSpans;

VineSpans *vine_spans_new (RoastRecording *recording, const char *source);
void vine_spans_free (VineSpans *self);
void vine_spans_start_manager (VineSpans *self, gint64 pid, gint64 time);
/* Start the span named in the rest of an APPLICATION record, and end the previous one. */
void vine_spans_take_application (VineSpans *self, VineToken rest, gint64 time);
void vine_spans_finish (VineSpans *self, gint64 time);
/* Return the ID of the application's span, or NULL if there is none. The string stays valid. */
const char *vine_spans_get_current (VineSpans *self);
/* Return the number of APPLICATION records beyond the limit. */
guint64 vine_spans_get_n_left_out (VineSpans *self);

G_END_DECLS
