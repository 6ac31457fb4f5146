/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Those who wait for one thing: any number of tasks, each with its own cancellable, completed together. Used in one
 * main context. */
typedef struct _RoastWaiters RoastWaiters;

RoastWaiters *roast_waiters_new (void);
void roast_waiters_free (RoastWaiters *self);
/* Takes the task. */
void roast_waiters_add (RoastWaiters *self, GTask *task);
/* Completes all, and each that comes later, with TRUE or a copy of the error. */
void roast_waiters_complete (RoastWaiters *self, const GError *error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastWaiters, roast_waiters_free)

G_END_DECLS
