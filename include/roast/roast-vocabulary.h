/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

#include <roast/roast-version-macros.h>

G_BEGIN_DECLS

#define ROAST_TYPE_VOCABULARY (roast_vocabulary_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastVocabulary, roast_vocabulary, ROAST, VOCABULARY, GObject)

ROAST_AVAILABLE_IN_0_9
const char *roast_vocabulary_get_name (RoastVocabulary *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_vocabulary_get_description (RoastVocabulary *self);
ROAST_AVAILABLE_IN_0_9
gboolean roast_vocabulary_is_closed (RoastVocabulary *self);
ROAST_AVAILABLE_IN_0_9
guint roast_vocabulary_get_n_words (RoastVocabulary *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_vocabulary_get_word (RoastVocabulary *self, guint word);
ROAST_AVAILABLE_IN_0_9
const char *roast_vocabulary_get_meaning (RoastVocabulary *self, guint word);
ROAST_AVAILABLE_IN_0_9
gboolean roast_vocabulary_find (RoastVocabulary *self, const char *text, guint *word);

G_END_DECLS
