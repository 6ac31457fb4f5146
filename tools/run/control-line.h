/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

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
  char *parent; /* CONTROL_OPEN: number of the parent span; NULL: none */
  char *name;   /* CONTROL_OPEN: name of the span in UTF-8 */
} ControlLine;

/* Parses one untrusted line without its newline. If it is not a valid order, returns NULL and sets @why to the reason.
 * Sets @number to the order number for the answer, or to “-”. */
ControlLine *control_line_parse (const char *text, gsize length, char **number, const char **why);
void control_line_free (ControlLine *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ControlLine, control_line_free)

G_END_DECLS
