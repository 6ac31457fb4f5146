/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

/* Defines a final type without properties and signals. Define PREFIX_init (), and PREFIX_release (), which frees the
 * object's members. */
#define ROAST_DEFINE_TYPE(TypeName, PREFIX)                                                                            \
  static void PREFIX##_release (TypeName *self);                                                                       \
  G_DEFINE_FINAL_TYPE (TypeName, PREFIX, G_TYPE_OBJECT)                                                                \
  ROAST_DEFINE_CLASS (TypeName, PREFIX)

/* Defines a final type like ROAST_DEFINE_TYPE. The type also implements an interface. */
#define ROAST_DEFINE_TYPE_WITH(TypeName, PREFIX, TYPE_OF_INTERFACE, INIT_OF_INTERFACE)                                 \
  static void PREFIX##_release (TypeName *self);                                                                       \
  G_DEFINE_FINAL_TYPE_WITH_CODE (TypeName, PREFIX, G_TYPE_OBJECT,                                                      \
                                 G_IMPLEMENT_INTERFACE (TYPE_OF_INTERFACE, INIT_OF_INTERFACE))                         \
  ROAST_DEFINE_CLASS (TypeName, PREFIX)

/* Defines an empty PREFIX_init (), for a type whose objects need no initial values other than 0. Use it after
 * ROAST_DEFINE_TYPE or ROAST_DEFINE_TYPE_WITH. */
#define ROAST_DEFINE_NO_INIT(TypeName, PREFIX)                                                                         \
  static void PREFIX##_init (G_GNUC_UNUSED TypeName *self)                                                             \
  {                                                                                                                    \
  }

#define ROAST_DEFINE_CLASS(TypeName, PREFIX)                                                                           \
  static void PREFIX##_finalize (GObject *object)                                                                      \
  {                                                                                                                    \
    PREFIX##_release ((gpointer) object);                                                                              \
    G_OBJECT_CLASS (PREFIX##_parent_class)->finalize (object);                                                         \
  }                                                                                                                    \
                                                                                                                       \
  static void PREFIX##_class_init (TypeName##Class *klass)                                                             \
  {                                                                                                                    \
    G_OBJECT_CLASS (klass)->finalize = PREFIX##_finalize;                                                              \
  }

/* Defines a function that returns @value, an expression of @self. The function returns @missing if @self is no object
 * of the type. Type and TYPE are the name of the type without its prefix, such as Column and COLUMN. */
#define ROAST_DEFINE_GETTER(Type, TYPE, RESULT, FUNCTION, missing, value)                                              \
  RESULT FUNCTION (Roast##Type *self)                                                                                  \
  {                                                                                                                    \
    g_return_val_if_fail (ROAST_IS_##TYPE (self), missing);                                                            \
                                                                                                                       \
    return value;                                                                                                      \
  }

/* Defines a public function that finishes an asynchronous function whose result is a GTask. PROPAGATED is boolean or
 * pointer. */
#define ROAST_DEFINE_FINISH(Type, RESULT, FUNCTION, PROPAGATED)                                                        \
  RESULT FUNCTION (Roast##Type *self, GAsyncResult *result, GError **error)                                            \
  {                                                                                                                    \
    g_return_val_if_fail (g_task_is_valid (result, self), 0);                                                          \
                                                                                                                       \
    return g_task_propagate_##PROPAGATED (G_TASK (result), error);                                                     \
  }
