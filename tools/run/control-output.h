/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Queues answers for a slow reader. A write never blocks, because the reader may never read. The size of the queue is
 * limited. */
typedef struct _ControlOutput ControlOutput;

/* Maximum size of the queue in bytes. */
#define CONTROL_MAX_WAITING (1 << 20)

ControlOutput *control_output_new (int fd);
/* Queues a whole line. This function may be called from any thread. If the queue is full, drops @line and returns
 * FALSE. */
gboolean control_output_send (ControlOutput *self, const char *line);
/* Queues the last line, even if the queue is full. Lines that are sent after it are dropped. */
void control_output_send_last (ControlOutput *self, const char *line);
/* Waits until everything is written, or until the reader has not read anything for some time. */
void control_output_flush (ControlOutput *self);
void control_output_free (ControlOutput *self);
