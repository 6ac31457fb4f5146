/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast/roast-span.h"

#include "base/roast-type-private.h"

/**
 * RoastSpan:
 *
 * A named period of a run.
 *
 * Since: 0.9
 */
struct _RoastSpan
{
  GObject parent_instance;

  char *id;
  char *name;
  gint64 started;
  gint64 ended;
};

ROAST_DEFINE_TYPE (RoastSpan, roast_span)

static void
roast_span_release (RoastSpan *self)
{
  g_free (self->id);
  g_free (self->name);
}

static void
roast_span_init (RoastSpan *self)
{
  self->started = -1;
  self->ended = -1;
}

/**
 * roast_span_new:
 * @id: identity of the span, unique within its source
 * @name: name of the span, for human readers
 *
 * Creates a span whose times are not known yet.
 *
 * Returns: (transfer full): a span
 *
 * Since: 0.9
 */
RoastSpan *
roast_span_new (const char *id, const char *name)
{
  RoastSpan *self;

  g_return_val_if_fail (id != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  self = g_object_new (ROAST_TYPE_SPAN, NULL);
  self->id = g_strdup (id);
  self->name = g_strdup (name);

  return self;
}

/**
 * roast_span_get_id:
 * @self: a span
 *
 * Gets the identity of the span within its source.
 *
 * Returns: (transfer none): the identity
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Span, SPAN, const char *, roast_span_get_id, NULL, self->id)

/**
 * roast_span_get_name:
 * @self: a span
 *
 * Gets the name of the span, for human readers.
 *
 * Returns: (transfer none): the name
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Span, SPAN, const char *, roast_span_get_name, NULL, self->name)

/**
 * roast_span_get_started:
 * @self: a span
 *
 * Gets the start time of the span.
 *
 * Returns: the time in µs since the epoch; -1 if it is unknown
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Span, SPAN, gint64, roast_span_get_started, -1, self->started)

/**
 * roast_span_get_ended:
 * @self: a span
 *
 * Gets the end time of the span.
 *
 * Returns: the time in µs since the epoch; -1 if the span is open or the time is unknown
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Span, SPAN, gint64, roast_span_get_ended, -1, self->ended)

/**
 * roast_span_set_times:
 * @self: a span
 * @started: start time in µs since the epoch; -1 if unknown
 * @ended: end time in µs since the epoch; -1 if unknown
 *
 * Sets the times of the span. Only the backend that created the span should call this function.
 *
 * Since: 0.9
 */
void
roast_span_set_times (RoastSpan *self, gint64 started, gint64 ended)
{
  g_return_if_fail (ROAST_IS_SPAN (self));

  self->started = started;
  self->ended = ended;
}
