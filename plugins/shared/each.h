/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Runs the statement after it for each element of a GArray. @element is a pointer of the type @Type * to the element.
 * The statement must not change the length of the array. */
#define FOR_EACH(Type, element, array)                                                                                 \
  for (Type *element = (Type *) (gpointer) (array)->data;                                                              \
       (guint) (element - (Type *) (gpointer) (array)->data) < (array)->len; element++)

/* The same for a GPtrArray, whose elements are pointers of the type @Type *. */
#define FOR_EACH_POINTER(Type, element, array)                                                                         \
  for (Type *element = NULL, **element##_at = (Type **) (array)->pdata;                                                \
       (guint) (element##_at - (Type **) (array)->pdata) < (array)->len && (element = *element##_at, TRUE);            \
       element##_at++)
