/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-column.h"

/* The declaration of a column. The strings are parts of @text, memory from g_atomic_rc_box_alloc(). */
typedef struct
{
  char *text;
  const char *declared_by; /* origin of the text; the creator keeps this string valid */
  const char *name;
  RoastColumnType type;
  const char *unit; /* unit of the cells, or NULL */
  const char *description;
  gboolean key;
  gboolean negative;    /* whether the values may be less than zero */
  const char *expected; /* condition of the rows that must have a cell, an interned string: NULL for no rows, "" for all
                         * rows, "COLUMN" for rows with a cell of this column, "COLUMN=WORD" for rows with this word */
  RoastVocabulary *vocabulary; /* words that the cells may contain, or NULL */
} RoastColumnDeclaration;

RoastColumn *roast_column_new (const RoastColumnDeclaration *declaration);
const char *roast_column_get_declared_by (RoastColumn *self);
const char *roast_column_get_expected (RoastColumn *self);
/* Give a column of an older file the condition that this version of the core declares. */
void roast_column_set_expected (RoastColumn *self, const char *expected);

/* Names of the types in schemas, indexed by RoastColumnType; NULL-terminated. */
extern const char *const roast_column_type_words[];
