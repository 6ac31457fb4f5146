/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Distributes the intervals of each group over as few lanes as possible, so that intervals in the same lane do not
 * overlap. Takes the intervals in the order of their starts. Each interval gets the first free lane. */
typedef struct _Lanes Lanes;

#define LANES_NONE G_MAXUINT32

Lanes *lanes_new (void);
void lanes_free (Lanes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Lanes, lanes_free)

/* Adds an interval. Intervals are numbered in the order in which they are added, and their slices must be written in
 * the same order. If @group is LANES_NONE, the interval gets no lane. */
void lanes_add (Lanes *self, guint group, gint64 started, gint64 ended);
void lanes_pack (Lanes *self);
guint lanes_get (const Lanes *self, gsize interval);
