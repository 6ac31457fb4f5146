/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Maps roastcoffea's names to roast's columns and words, for import and export. */

#define ROASTCOFFEA_MIB (1024.0 * 1024.0)

typedef struct
{
  const char *name;
  guint slot;    /* slot of a column, or a word */
  double factor; /* from roastcoffea's unit to the unit of the column */
} RoastcoffeaWord;

#define ROASTCOFFEA_N_CHUNK_NUMBERS 8
#define ROASTCOFFEA_N_SECTION_KINDS 3
#define ROASTCOFFEA_N_CONTEXTS 5

/* Columns of chunks. Factors other than 1 belong to sizes; only the first may be negative. */
extern const RoastcoffeaWord roastcoffea_chunk_numbers[ROASTCOFFEA_N_CHUNK_NUMBERS];
/* Kinds of sections of a chunk. */
extern const RoastcoffeaWord roastcoffea_section_kinds[ROASTCOFFEA_N_SECTION_KINDS];
/* Contexts of activities: Dask's words, as in roastcoffea's keys. The first is the context of tasks. */
extern const RoastcoffeaWord roastcoffea_contexts[ROASTCOFFEA_N_CONTEXTS];

typedef enum
{
  ROASTCOFFEA_MEMORY,
  ROASTCOFFEA_MEMORY_LIMIT, /* constant: stored in the table workers */
  ROASTCOFFEA_ACTIVE_TASKS,
  ROASTCOFFEA_CORES, /* constant: stored in the table workers */
  ROASTCOFFEA_NBYTES,
  ROASTCOFFEA_OCCUPANCY,
  ROASTCOFFEA_EXECUTING,
  ROASTCOFFEA_LAST_SEEN,
  ROASTCOFFEA_CPU,
  ROASTCOFFEA_N_SERIES,
} RoastcoffeaSeries;

/* Series of a worker. Slots belong to worker_samples; constants have the slot of the time. */
extern const RoastcoffeaWord roastcoffea_series[ROASTCOFFEA_N_SERIES];

/* Parses a time such as "2025-10-09T08:53:21.039575" to µs since the epoch, as UTC unless it has a zone. Returns FALSE
 * for any other text. */
gboolean roastcoffea_parse_time (const char *text, gint64 *time);
#define ROASTCOFFEA_TIME_SIZE 48
void roastcoffea_format_time (gint64 time, char *to);

G_END_DECLS
