/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/roast-key-text-private.h"
#include "roast/roast-vocabulary.h"

/* The strings are parts of the text, which is a box of g_atomic_rc_box_alloc(). */
typedef struct
{
  char *text;
  const char *declared_by; /* where the text comes from; it stays */
  const char *name;
  const char *description;
  gboolean closed;
  const RoastKeyEntry *words; /* and their meanings; each word once */
  guint n_words;
} RoastVocabularyDeclaration;

RoastVocabulary *roast_vocabulary_new (const RoastVocabularyDeclaration *declaration);
const char *roast_vocabulary_get_declared_by (RoastVocabulary *self);
