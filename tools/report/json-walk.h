/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/roast-json-scan-private.h"

G_BEGIN_DECLS

#define JSON_WALK_MAX_DEPTH 16

/* Walks through JSON of any size in place, so that a file of gigabytes takes no memory. Also accepts NaN, Infinity and
 * -Infinity, which Python writes.
 *
 * Each function begins at a value and moves past it. On FALSE, the fault of the scan is set. */

/* Reads the opening brace or bracket of a value. */
gboolean json_walk_open (RoastJsonScan *scan, char bracket);
/* Returns whether another element follows. Returns FALSE without a fault after the closing bracket. @n: 0 before the
 * first call */
gboolean json_walk_next (RoastJsonScan *scan, char bracket, guint64 *n);
/* Reads a number. Sets @value to NaN for null and for numbers that are not finite. */
gboolean json_walk_number (RoastJsonScan *scan, double *value);
/* Reads a string. @is_null: optional; if it is NULL, a JSON null is a fault */
gboolean json_walk_text (RoastJsonScan *scan, GString *text, gboolean *is_null);
/* Skips any value. */
gboolean json_walk_skip (RoastJsonScan *scan);

/* Reads a value and moves past it. @name is the name of the member and may be changed. If it returns FALSE, the fault
 * of the scan is set or the caller knows the reason. */
typedef gboolean (*JsonWalkTake) (RoastJsonScan *scan, GString *name, gpointer data);
/* Calls @take for each member of an object ('{') or element of an array ('['). */
gboolean json_walk_each (RoastJsonScan *scan, char bracket, JsonWalkTake take, gpointer data);

G_END_DECLS
