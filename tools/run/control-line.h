/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The longest line that is taken, with the end of the line, B. */
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
  char *parent; /* of CONTROL_OPEN; NULL: none */
  char *name;   /* of CONTROL_OPEN: UTF-8 */
} ControlLine;

/* One line without its end, which comes from another program. If it is not an order: NULL, and @why says so; @number is
 * that of the order that the answer belongs to, or “-”. */
ControlLine *control_line_parse (const char *text, gsize length, char **number, const char **why);
void control_line_free (ControlLine *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ControlLine, control_line_free)

G_END_DECLS
