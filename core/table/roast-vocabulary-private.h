/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/roast-key-text-private.h"
#include "roast/roast-vocabulary.h"

/* The declaration of a vocabulary. The strings are parts of @text, memory from g_atomic_rc_box_alloc(). */
typedef struct
{
  char *text;
  const char *declared_by; /* origin of the text; the creator keeps this string valid */
  const char *name;
  const char *description;
  gboolean closed;
  const RoastKeyEntry *words; /* unique words and their meanings */
  guint n_words;
} RoastVocabularyDeclaration;

RoastVocabulary *roast_vocabulary_new (const RoastVocabularyDeclaration *declaration);
/* Return a text with all words, separated by commas. */
char *roast_vocabulary_dup_words (RoastVocabulary *self);
const char *roast_vocabulary_get_declared_by (RoastVocabulary *self);
