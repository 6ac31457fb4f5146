/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What is behind an asynchronous vfunc. The caller sees an outer task; the implementation receives an inner one, which
 * it must complete. The outer is completed by whichever comes first: the inner, the deadline, the cancellable, or the
 * inner being dropped without a return. What comes later is ignored. */

typedef enum
{
  ROAST_GUARDED_BOOLEAN, /* FALSE needs an error */
  ROAST_GUARDED_OBJECT,  /* a GObject of a type; NULL needs an error */
  ROAST_GUARDED_VARIANT, /* a GVariant of type a{sv}; NULL needs an error */
} RoastGuardedKind;

/* Takes the outer task; what is the name of the operation, for messages. Returns the inner one, to be given to the
 * vfunc and then dropped. */
GTask *roast_guarded_task_new (GTask *outer, RoastGuardedKind kind, GType type, const char *what, gint64 deadline);

G_END_DECLS
