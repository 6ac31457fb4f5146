/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Queues answers for a slow reader. Writes never block, because the reader may never read. The queue size is
 * limited. */
typedef struct _ControlOutput ControlOutput;

/* Maximum size of the queue in bytes. */
#define CONTROL_MAX_WAITING (1 << 20)

ControlOutput *control_output_new (int fd);
/* Queues a whole line. Any thread may call it. Returns FALSE and drops @line if the queue is full. */
gboolean control_output_send (ControlOutput *self, const char *line);
/* Queues the last line, even beyond the size limit. Later lines are rejected. */
void control_output_send_last (ControlOutput *self, const char *line);
/* Waits until everything is written, or until the reader has read nothing for some time. */
void control_output_flush (ControlOutput *self);
void control_output_free (ControlOutput *self);

G_END_DECLS
