/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "vine-tokenizer.h"

/* The resources that roast reads from a record. Their units are those of TaskVine: s, s since the epoch, MB (2^20
 * bytes), cores. */
typedef enum
{
  VINE_CORES,
  VINE_MEMORY,
  VINE_DISK,
  VINE_GPUS,
  VINE_COMMIT_START,
  VINE_COMMIT_END,
  VINE_INPUT_SIZE,
  VINE_WORKER_START,
  VINE_WORKER_END,
  VINE_OUTPUT_TIME,
  VINE_OUTPUT_SIZE,
  VINE_CPU_TIME,
  VINE_CORES_AVG,
  VINE_BYTES_READ,
  VINE_BYTES_WRITTEN,
  VINE_N_RESOURCES
} VineResource;

typedef struct
{
  double value[VINE_N_RESOURCES]; /* NaN if missing */
} VineResources;

/* Set all values to missing. */
void vine_resources_clear (VineResources *self);
/* Take a text such as `{"name":[number,"unit"],…}` off the start of @rest. Unknown names are skipped. Returns FALSE if
 * the text is malformed. */
gboolean vine_resources_read (VineResources *self, VineToken *rest);

/* Return a time in µs since the epoch; -1 if missing, 0 or out of range. */
gint64 vine_resources_time (const VineResources *self, VineResource resource);
/* Return an amount in MB as bytes; -1 if missing. */
gint64 vine_resources_bytes (const VineResources *self, VineResource resource);
/* Return a duration in s; NaN if missing or out of range. */
double vine_resources_seconds (const VineResources *self, VineResource resource);
