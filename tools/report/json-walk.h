/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/roast-json-scan-private.h"

G_BEGIN_DECLS

#define JSON_WALK_MAX_DEPTH 16

/* Walks through JSON of any size where it lies, so that a file of gigabytes takes no memory. Unlike JSON it may have
 * NaN, Infinity and -Infinity, which Python writes.
 *
 * Each function begins at a value and moves behind it. FALSE sets the fault of the scan. */

/* The brace or bracket of a value. */
gboolean json_walk_open (RoastJsonScan *scan, char bracket);
/* Whether another element comes; FALSE without a fault behind the closing bracket. @n: 0 before the first call. */
gboolean json_walk_next (RoastJsonScan *scan, char bracket, guint64 *n);
/* NaN for null and what is not finite. */
gboolean json_walk_number (RoastJsonScan *scan, double *value);
/* @is_null is optional: without it null is a fault. */
gboolean json_walk_text (RoastJsonScan *scan, GString *text, gboolean *is_null);
/* Any value. */
gboolean json_walk_skip (RoastJsonScan *scan);

/* Reads a value and moves behind it. @name is that of a member, and may be changed. FALSE: the fault of the scan is
 * set, or the caller knows why. */
typedef gboolean (*JsonWalkTake) (RoastJsonScan *scan, GString *name, gpointer data);
/* Calls @take for each member of an object ('{') or element of an array ('['). */
gboolean json_walk_each (RoastJsonScan *scan, char bracket, JsonWalkTake take, gpointer data);

G_END_DECLS
