/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* The texts of a category column. The dictionary only grows: each text keeps its code and its address. Any thread may
 * call the functions of a dictionary. */
typedef struct _RoastDictionary RoastDictionary;

RoastDictionary *roast_dictionary_new (void);
RoastDictionary *roast_dictionary_ref (RoastDictionary *self);
void roast_dictionary_unref (RoastDictionary *self);
gint32 roast_dictionary_encode (RoastDictionary *self, const char *text);
guint roast_dictionary_get_length (RoastDictionary *self);
/* Return the first @n_texts texts, indexed by code. The texts live as long as the dictionary. */
GPtrArray *roast_dictionary_list (RoastDictionary *self, guint n_texts);
gsize roast_dictionary_get_memory (RoastDictionary *self);
