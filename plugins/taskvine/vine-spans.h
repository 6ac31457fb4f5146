/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "vine-tokenizer.h"

G_BEGIN_DECLS

/* The life of a manager, and in it the stretches that the script names: rows of spans. */
typedef struct _VineSpans VineSpans;

VineSpans *vine_spans_new (RoastRecording *recording, const char *source);
void vine_spans_free (VineSpans *self);
void vine_spans_start_manager (VineSpans *self, gint64 pid, gint64 time);
/* Starts the span that the rest of an APPLICATION record names, and ends the one before. */
void vine_spans_take_application (VineSpans *self, VineToken rest, gint64 time);
void vine_spans_finish (VineSpans *self, gint64 time);
/* Identity of the application's span; NULL if there is none. It stays valid. */
const char *vine_spans_get_current (VineSpans *self);
/* APPLICATION records beyond the limit. */
guint64 vine_spans_get_n_left_out (VineSpans *self);

G_END_DECLS
