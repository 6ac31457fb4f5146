/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-guarded-task-private.h"

#include "roast/roast-error.h"

typedef struct
{
  gatomicrefcount refs;
  GTask *outer; /* NULL once it is completed */
  RoastGuardedKind kind;
  GType type;
  const char *what;
  gboolean dropped;    /* the inner task, without a return */
  GCancellable *inner; /* of the inner task: also cancelled at the deadline */
  GSource *deadline;
  GSource *cancelled;
} Guard;

static Guard *
guard_ref (Guard *guard)
{
  g_atomic_ref_count_inc (&guard->refs);

  return guard;
}

static void
guard_unref (Guard *guard)
{
  if (g_atomic_ref_count_dec (&guard->refs))
    {
      g_clear_object (&guard->outer);
      g_object_unref (guard->inner);
      g_free (guard);
    }
}

static void
clear_source (GSource **source)
{
  GSource *taken = g_steal_pointer (source);

  if (taken != NULL)
    {
      g_source_destroy (taken);
      g_source_unref (taken);
    }
}

/* The outer task, for who completes it; NULL if somebody else was quicker. */
static GTask *
take_outer (Guard *guard)
{
  GTask *outer = g_steal_pointer (&guard->outer);

  if (outer != NULL)
    {
      clear_source (&guard->deadline);
      clear_source (&guard->cancelled);
    }

  return outer;
}

static const char *
type_of (GTask *outer)
{
  return G_OBJECT_TYPE_NAME (g_task_get_source_object (outer));
}

static void
return_bad (GTask *outer, const Guard *guard, const char *how)
{
  g_task_return_new_error (outer, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_BAD_IMPLEMENTATION,
                           "%s() of %s %s (a bug in that backend)", guard->what, type_of (outer), how);
}

static gboolean
on_deadline (gpointer user_data)
{
  Guard *guard = user_data;
  g_autoptr (GTask) outer = take_outer (guard);

  if (outer != NULL)
    g_task_return_new_error (outer, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_TIMED_OUT,
                             "%s() of %s did not finish in time: the executor that it measures may hang or be "
                             "unreachable",
                             guard->what, type_of (outer));
  g_cancellable_cancel (guard->inner);

  return G_SOURCE_REMOVE;
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  Guard *guard = user_data;
  g_autoptr (GTask) outer = take_outer (guard);

  if (outer != NULL)
    g_task_return_error_if_cancelled (outer);
  g_cancellable_cancel (guard->inner);

  return G_SOURCE_REMOVE;
}

static void
return_boolean (Guard *guard, GTask *inner, GTask *outer)
{
  GError *error = NULL;
  gboolean ok = g_task_propagate_boolean (inner, &error);

  if (error != NULL)
    g_task_return_error (outer, error);
  else if (ok != TRUE)
    return_bad (outer, guard, ok ? "returned a value that is not a boolean" : "returned FALSE without an error");
  else
    g_task_return_boolean (outer, TRUE);
}

/* A value that is none of ours may be anything: only its first word is looked at, and only if it can be an address. */
static gboolean
starts_with (gconstpointer data, gconstpointer word)
{
  return GPOINTER_TO_SIZE (data) >= 4096 && word != NULL && *(const gconstpointer *) data == word;
}

/* In C an implementation returns a pointer, in Python a GValue with it (g_task_return_value(); g_task_propagate_value()
 * would refuse the pointer). As the types are final, the first word distinguishes them: the class of an instance, or
 * the type of a value. */
static gpointer
take_object (GType type, gpointer data)
{
  GValue *value = data;
  gpointer object;

  if (starts_with (data, g_type_class_peek (type)))
    return data;
  if (!starts_with (data, GSIZE_TO_POINTER (type)) && !starts_with (data, GSIZE_TO_POINTER (G_TYPE_OBJECT)))
    return NULL;

  object = g_value_dup_object (value);
  g_value_unset (value);
  g_free (value);
  if (object == NULL || G_OBJECT_TYPE (object) == type)
    return object;

  g_object_unref (object);

  return NULL;
}

static GVariant *
take_variant (gpointer data)
{
  GValue *value = data;
  GVariant *variant;

  if (GPOINTER_TO_SIZE (data) < 4096)
    return NULL;
  if (!starts_with (data, GSIZE_TO_POINTER (G_TYPE_VARIANT)))
    return g_variant_take_ref (data);

  variant = g_value_dup_variant (value);
  g_value_unset (value);
  g_free (value);

  return variant;
}

static void
return_object (Guard *guard, GTask *inner, GTask *outer)
{
  GError *error = NULL;
  gpointer data = g_task_propagate_pointer (inner, &error);
  gpointer object = NULL;

  if (error != NULL)
    {
      g_task_return_error (outer, error);
      return;
    }

  object = take_object (guard->type, data);
  if (object != NULL)
    g_task_return_pointer (outer, object, g_object_unref);
  else
    return_bad (outer, guard,
                data == NULL ? "returned nothing without an error" : "returned an object of the wrong type");
}

static void
return_variant (Guard *guard, GTask *inner, GTask *outer)
{
  GError *error = NULL;
  gpointer data = g_task_propagate_pointer (inner, &error);
  g_autoptr (GVariant) variant = NULL;

  if (error != NULL)
    {
      g_task_return_error (outer, error);
      return;
    }

  variant = take_variant (data);
  if (variant != NULL && g_variant_is_of_type (variant, G_VARIANT_TYPE_VARDICT))
    g_task_return_pointer (outer, g_steal_pointer (&variant), (GDestroyNotify) g_variant_unref);
  else
    return_bad (outer, guard,
                data == NULL ? "returned nothing without an error" : "returned a value that is not a dictionary a{sv}");
}

static void
complete_outer (Guard *guard, GTask *inner)
{
  g_autoptr (GTask) outer = take_outer (guard);

  /* Too late: who called has gone on. What was returned is freed with the inner task. */
  if (outer == NULL)
    return;

  switch (guard->kind)
    {
    case ROAST_GUARDED_OBJECT:
      return_object (guard, inner, outer);
      break;
    case ROAST_GUARDED_VARIANT:
      return_variant (guard, inner, outer);
      break;
    case ROAST_GUARDED_BOOLEAN:
    default:
      return_boolean (guard, inner, outer);
      break;
    }
}

static void
on_inner_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Guard *guard = user_data;
  gboolean dropped = guard->dropped;

  complete_outer (guard, G_TASK (result));
  if (dropped)
    guard_unref (guard);
}

/* The inner task is about to go. If nobody completed it, it is completed here, which keeps it alive until that is told:
 * GLib would complain of a task that goes without a return, and stop a program that makes such complaints fatal. */
static void
on_inner_disposed (gpointer data, GObject *where)
{
  Guard *guard = data;
  GTask *inner = (GTask *) where;

  if (g_task_get_completed (inner))
    {
      guard_unref (guard);
      return;
    }
  guard->dropped = TRUE;
  g_task_return_new_error (inner, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_BAD_IMPLEMENTATION,
                           "%s() of %s dropped its task without completing it (a bug in that backend)", guard->what,
                           type_of (inner));
}

static void
watch (Guard *guard, gint64 deadline)
{
  GMainContext *context = g_task_get_context (guard->outer);
  GCancellable *cancellable = g_task_get_cancellable (guard->outer);

  if (deadline > 0)
    {
      guard->deadline = g_timeout_source_new ((guint) MIN ((deadline + 999) / 1000, G_MAXUINT));
      g_source_set_callback (guard->deadline, on_deadline, guard_ref (guard), (GDestroyNotify) guard_unref);
      g_source_attach (guard->deadline, context);
    }
  if (cancellable != NULL)
    {
      guard->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_callback (guard->cancelled, G_SOURCE_FUNC (on_cancelled), guard_ref (guard),
                             (GDestroyNotify) guard_unref);
      g_source_attach (guard->cancelled, context);
    }
}

GTask *
roast_guarded_task_new (GTask *outer, RoastGuardedKind kind, GType type, const char *what, gint64 deadline)
{
  Guard *guard = g_new0 (Guard, 1);
  GTask *inner = NULL;

  g_atomic_ref_count_init (&guard->refs);
  guard->outer = outer;
  guard->kind = kind;
  guard->type = type;
  guard->what = what;
  guard->inner = g_cancellable_new ();

  inner = g_task_new (g_task_get_source_object (outer), guard->inner, on_inner_done, guard);
  /* An operation that succeeded although it was cancelled has succeeded; the outer task judges that. */
  g_task_set_check_cancellable (inner, FALSE);
  g_task_set_name (inner, what);
  g_object_weak_ref (G_OBJECT (inner), on_inner_disposed, guard);
  watch (guard, deadline);

  return inner;
}
