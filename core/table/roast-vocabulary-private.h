/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-vocabulary.h"

G_BEGIN_DECLS

RoastVocabulary *roast_vocabulary_new (const char *name, const char *description, gboolean closed);
/* FALSE if the word is there already. */
gboolean roast_vocabulary_add (RoastVocabulary *self, const char *word, const char *meaning);

G_END_DECLS
