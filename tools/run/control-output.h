/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Answers wait here for a reader that is slow. It may never read: so nothing waits for it, and there is an end. */
typedef struct _ControlOutput ControlOutput;

/* What may wait, B. */
#define CONTROL_MAX_WAITING (1 << 20)

ControlOutput *control_output_new (int fd);
/* A whole line, from any thread. FALSE if too much waits already: then @line is dropped. */
gboolean control_output_send (ControlOutput *self, const char *line);
/* The last line: it waits however much does, and none follows. */
void control_output_send_last (ControlOutput *self, const char *line);
/* Waits for the reader until all is written, or until it has read nothing for some time. */
void control_output_flush (ControlOutput *self);
void control_output_free (ControlOutput *self);

G_END_DECLS
