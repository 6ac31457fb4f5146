/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Slices of one track must not overlap. Intervals of a group are spread over as few lanes as possible: in the order in
 * which they start, each gets the first lane that is free. */
typedef struct _Lanes Lanes;

#define LANES_NONE G_MAXUINT32

Lanes *lanes_new (void);
void lanes_free (Lanes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Lanes, lanes_free)

/* Intervals are numbered in the order in which they are added, which is also the order in which their slices must be
 * written. A group of LANES_NONE has no lane. */
void lanes_add (Lanes *self, guint group, gint64 started, gint64 ended);
void lanes_pack (Lanes *self);
guint lanes_get (const Lanes *self, gsize interval);

G_END_DECLS
