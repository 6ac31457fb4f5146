/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib-object.h>

#include <roast/roast-version-macros.h>

G_BEGIN_DECLS

/**
 * RoastSpanKind:
 * @ROAST_SPAN_KIND_NATIVE: a span of the executor itself
 * @ROAST_SPAN_KIND_DEFAULT: the executor's default span, for all work outside of other spans
 * @ROAST_SPAN_KIND_WINDOW: a time window, measured by the difference of cumulative values
 *
 * The origin of a span.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_SPAN_KIND_NATIVE,
  ROAST_SPAN_KIND_DEFAULT,
  ROAST_SPAN_KIND_WINDOW,
} RoastSpanKind;

#define ROAST_TYPE_SPAN (roast_span_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastSpan, roast_span, ROAST, SPAN, GObject)

ROAST_AVAILABLE_IN_0_9
RoastSpan *roast_span_new (const char *id, const char *name);
ROAST_AVAILABLE_IN_0_9
const char *roast_span_get_id (RoastSpan *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_span_get_name (RoastSpan *self);
ROAST_AVAILABLE_IN_0_9
gint64 roast_span_get_started (RoastSpan *self);
ROAST_AVAILABLE_IN_0_9
gint64 roast_span_get_ended (RoastSpan *self);
ROAST_AVAILABLE_IN_0_9
void roast_span_set_times (RoastSpan *self, gint64 started, gint64 ended);

G_END_DECLS
