/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "vine-tokenizer.h"

G_BEGIN_DECLS

/* What is used of a record's resources, in TaskVine's units: s, s since the epoch, MB (2^20 bytes), cores. */
typedef enum
{
  VINE_CORES,
  VINE_MEMORY,
  VINE_DISK,
  VINE_COMMIT_START,
  VINE_COMMIT_END,
  VINE_INPUT_TIME,
  VINE_INPUT_SIZE,
  VINE_WORKER_START,
  VINE_WORKER_END,
  VINE_OUTPUT_TIME,
  VINE_OUTPUT_SIZE,
  VINE_WALL_TIME,
  VINE_CPU_TIME,
  VINE_BYTES_READ,
  VINE_BYTES_WRITTEN,
  VINE_N_RESOURCES
} VineResource;

typedef struct
{
  double value[VINE_N_RESOURCES]; /* NaN if it is not said */
} VineResources;

/* Nothing is said. */
void vine_resources_clear (VineResources *self);
/* Reads `{"name":[number,"unit"],…}` at the beginning of @rest, which then is what follows. What is not known is
 * skipped. FALSE if it is none. */
gboolean vine_resources_read (VineResources *self, VineToken *rest);

/* Microseconds since the epoch; -1 if it is not said, 0 or beyond reason. */
gint64 vine_resources_time (const VineResources *self, VineResource resource);
/* Bytes, of MB; -1 if it is not said. */
gint64 vine_resources_bytes (const VineResources *self, VineResource resource);
/* s; NaN if it is not said, or what a difference of unsigned numbers became. */
double vine_resources_seconds (const VineResources *self, VineResource resource);

G_END_DECLS
