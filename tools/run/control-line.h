/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Maximum length of an accepted line in bytes, including the newline. */
#define CONTROL_MAX_LINE 65536

typedef enum
{
  CONTROL_OPEN,
  CONTROL_CLOSE,
  CONTROL_STOP,
} ControlOrder;

typedef struct
{
  ControlOrder order;
  char *number; /* NULL for CONTROL_STOP */
  char *parent; /* CONTROL_OPEN: number of the parent span, or NULL */
  char *name;   /* CONTROL_OPEN: name of the span in UTF-8 */
} ControlLine;

/* Parses one untrusted line, given without its newline. If the line is not a valid order, returns NULL and sets @why to
 * the reason. Sets @number to the number of the order, which the answer repeats, or to “-” if the line has none. */
ControlLine *control_line_parse (const char *text, gsize length, char **number, const char **why);
void control_line_free (ControlLine *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ControlLine, control_line_free)
