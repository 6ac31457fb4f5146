/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* The names of roastcoffea for columns and words of roast, for import and export. */

#define ROASTCOFFEA_MIB (1024.0 * 1024.0)

typedef struct
{
  const char *name;
  guint slot;    /* or the word of a column */
  double factor; /* from roastcoffea's unit to that of the column */
} RoastcoffeaWord;

#define ROASTCOFFEA_N_CHUNK_NUMBERS 8
#define ROASTCOFFEA_N_SECTION_KINDS 3
#define ROASTCOFFEA_N_CONTEXTS 5

/* Columns of chunks; factors other than 1 are for sizes, of which the first one may be negative. */
extern const RoastcoffeaWord roastcoffea_chunk_numbers[ROASTCOFFEA_N_CHUNK_NUMBERS];
/* Kinds of sections of a chunk. */
extern const RoastcoffeaWord roastcoffea_section_kinds[ROASTCOFFEA_N_SECTION_KINDS];
/* Contexts of activities: the words of the executor, which are in roastcoffea's keys. The first one is that of tasks.
 */
extern const RoastcoffeaWord roastcoffea_contexts[ROASTCOFFEA_N_CONTEXTS];

typedef enum
{
  ROASTCOFFEA_MEMORY,
  ROASTCOFFEA_MEMORY_LIMIT, /* constant: the table of workers has it */
  ROASTCOFFEA_ACTIVE_TASKS,
  ROASTCOFFEA_CORES, /* constant, too */
  ROASTCOFFEA_NBYTES,
  ROASTCOFFEA_OCCUPANCY,
  ROASTCOFFEA_EXECUTING,
  ROASTCOFFEA_LAST_SEEN,
  ROASTCOFFEA_CPU,
  ROASTCOFFEA_N_SERIES,
} RoastcoffeaSeries;

/* Series of a worker; the slots are of worker_samples, for constants that of the time. */
extern const RoastcoffeaWord roastcoffea_series[ROASTCOFFEA_N_SERIES];

/* "2025-10-09T08:53:21.039575" as µs since the epoch, if it is UTC; FALSE if it is another text. */
gboolean roastcoffea_parse_time (const char *text, gint64 *time);
#define ROASTCOFFEA_TIME_SIZE 48
void roastcoffea_format_time (gint64 time, char *to);

G_END_DECLS
