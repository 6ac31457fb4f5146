/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* The texts of a category column: only ever grows, a text keeps its code and its place. Used from any thread. */
typedef struct _RoastDictionary RoastDictionary;

RoastDictionary *roast_dictionary_new (void);
RoastDictionary *roast_dictionary_ref (RoastDictionary *self);
void roast_dictionary_unref (RoastDictionary *self);
gint32 roast_dictionary_encode (RoastDictionary *self, const char *text);
guint roast_dictionary_get_length (RoastDictionary *self);
/* The first texts by code; the texts live as long as the dictionary. */
GPtrArray *roast_dictionary_list (RoastDictionary *self, guint n_texts);
gsize roast_dictionary_get_memory (RoastDictionary *self);
