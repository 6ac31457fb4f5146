/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast/roast-span.h"

#include "roast/roast-enums.h"

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
  RoastSpanKind kind;
  gint64 started;
  gint64 ended;
};

enum
{
  PROP_0,
  PROP_ID,
  PROP_NAME,
  PROP_KIND,
  PROP_STARTED,
  PROP_ENDED,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (RoastSpan, roast_span, G_TYPE_OBJECT)

static void
roast_span_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  RoastSpan *self = ROAST_SPAN (object);

  switch (id)
    {
    case PROP_ID:
      g_value_set_string (value, self->id);
      break;
    case PROP_NAME:
      g_value_set_string (value, self->name);
      break;
    case PROP_KIND:
      g_value_set_enum (value, self->kind);
      break;
    case PROP_STARTED:
      g_value_set_int64 (value, self->started);
      break;
    case PROP_ENDED:
      g_value_set_int64 (value, self->ended);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
roast_span_finalize (GObject *object)
{
  RoastSpan *self = ROAST_SPAN (object);

  g_free (self->id);
  g_free (self->name);

  G_OBJECT_CLASS (roast_span_parent_class)->finalize (object);
}

static void
roast_span_class_init (RoastSpanClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->finalize = roast_span_finalize;
  object_class->get_property = roast_span_get_property;

  /**
   * RoastSpan:id:
   *
   * The identity of the span within its source.
   *
   * Since: 0.9
   */
  properties[PROP_ID] = g_param_spec_string ("id", NULL, NULL, NULL, flags);

  /**
   * RoastSpan:name:
   *
   * The name of the span, for human readers.
   *
   * Since: 0.9
   */
  properties[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, flags);

  /**
   * RoastSpan:kind:
   *
   * The kind of the span.
   *
   * Since: 0.9
   */
  properties[PROP_KIND] = g_param_spec_enum ("kind", NULL, NULL, ROAST_TYPE_SPAN_KIND, ROAST_SPAN_KIND_NATIVE, flags);

  /**
   * RoastSpan:started:
   *
   * The start time of the span, in µs since the epoch; -1 if unknown.
   *
   * Since: 0.9
   */
  properties[PROP_STARTED] = g_param_spec_int64 ("started", NULL, NULL, -1, G_MAXINT64, -1, flags);

  /**
   * RoastSpan:ended:
   *
   * The end time of the span, in µs since the epoch; -1 while the span is open.
   *
   * Since: 0.9
   */
  properties[PROP_ENDED] = g_param_spec_int64 ("ended", NULL, NULL, -1, G_MAXINT64, -1, flags);

  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
roast_span_init (RoastSpan *self)
{
  self->started = -1;
  self->ended = -1;
}

/**
 * roast_span_new:
 * @id: identity of the span within its source
 * @name: name of the span, for human readers
 * @kind: kind of the span
 *
 * Creates a span whose times are not known yet.
 *
 * Returns: (transfer full): a span
 *
 * Since: 0.9
 */
RoastSpan *
roast_span_new (const char *id, const char *name, RoastSpanKind kind)
{
  RoastSpan *self;

  g_return_val_if_fail (id != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  self = g_object_new (ROAST_TYPE_SPAN, NULL);
  self->id = g_strdup (id);
  self->name = g_strdup (name);
  self->kind = kind;

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
const char *
roast_span_get_id (RoastSpan *self)
{
  g_return_val_if_fail (ROAST_IS_SPAN (self), NULL);

  return self->id;
}

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
const char *
roast_span_get_name (RoastSpan *self)
{
  g_return_val_if_fail (ROAST_IS_SPAN (self), NULL);

  return self->name;
}

/**
 * roast_span_get_kind:
 * @self: a span
 *
 * Gets the kind of the span.
 *
 * Returns: the kind
 *
 * Since: 0.9
 */
RoastSpanKind
roast_span_get_kind (RoastSpan *self)
{
  g_return_val_if_fail (ROAST_IS_SPAN (self), ROAST_SPAN_KIND_NATIVE);

  return self->kind;
}

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
gint64
roast_span_get_started (RoastSpan *self)
{
  g_return_val_if_fail (ROAST_IS_SPAN (self), -1);

  return self->started;
}

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
gint64
roast_span_get_ended (RoastSpan *self)
{
  g_return_val_if_fail (ROAST_IS_SPAN (self), -1);

  return self->ended;
}

/**
 * roast_span_set_times:
 * @self: a span
 * @started: start time in µs since the epoch; -1 if unknown
 * @ended: end time in µs since the epoch; -1 if unknown
 *
 * Sets the times of the span. Only the backend that created the span should call this.
 *
 * Since: 0.9
 */
void
roast_span_set_times (RoastSpan *self, gint64 started, gint64 ended)
{
  g_return_if_fail (ROAST_IS_SPAN (self));

  if (self->started != started)
    {
      self->started = started;
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STARTED]);
    }
  if (self->ended != ended)
    {
      self->ended = ended;
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ENDED]);
    }
}
