/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ROAST_CLIENT_H
#define ROAST_CLIENT_H

/* Functions with which a program reports the events, bytes and chunks that it processed, on the run's socket
 * (docs/protocol.md). This library needs only the C library.
 *
 * ```c
 * enum { CHUNK_DATASET, CHUNK_EVENTS };
 * static const char *const columns[] = { "dataset", "events", NULL };
 *
 * RoastClientTable *chunks = roast_client_table_new ("chunks", columns);
 *
 * roast_client_table_set_string (chunks, CHUNK_DATASET, "ttbar");
 * roast_client_table_set_int64 (chunks, CHUNK_EVENTS, 1000);
 * roast_client_table_send (chunks);
 * ```
 *
 * The library does not disturb the program: no function waits (except roast_client_flush ()), prints, raises a signal
 * or ends the process. Up to 1 MiB of rows that cannot be sent at once are kept. More rows are dropped and counted; the
 * report of the run shows the number of dropped rows. Outside a run, the functions do nothing.
 *
 * All functions may be called from any thread, but not from a signal handler. Only one thread may use a table at a
 * time. The functions may also be called after fork (), because the child gets its own connection. exit () waits for at
 * most one second until all rows are sent. Before _exit (), call roast_client_flush ().
 *
 * Functions that send or set something return ROAST_CLIENT_OK or an error, which the program may ignore. */

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
#define ROAST_CLIENT_BEGIN_DECLS                                                                                       \
  extern "C"                                                                                                           \
  {
#define ROAST_CLIENT_END_DECLS }
#else
#define ROAST_CLIENT_BEGIN_DECLS
#define ROAST_CLIENT_END_DECLS
#endif

ROAST_CLIENT_BEGIN_DECLS

#if defined(__GNUC__)
#define ROAST_CLIENT_API __attribute__ ((visibility ("default")))
#else
#define ROAST_CLIENT_API
#endif

typedef enum
{
  ROAST_CLIENT_OK,        /* the report was sent, or queued for sending */
  ROAST_CLIENT_NO_RUN,    /* the program does not run under roast, or the run has ended */
  ROAST_CLIENT_INVALID,   /* an argument is wrong; nothing was sent */
  ROAST_CLIENT_TOO_LONG,  /* the row has more than 64 KiB and was dropped */
  ROAST_CLIENT_FULL,      /* the row was dropped, because roast reads too slowly */
  ROAST_CLIENT_NO_MEMORY, /* the row was dropped, because memory ran out */
  ROAST_CLIENT_TIMED_OUT  /* not all rows could be sent in time */
} RoastClientResult;

/* Describes the result in a sentence. */
ROAST_CLIENT_API const char *roast_client_result_to_string (RoastClientResult result);

/* Returns whether the program runs under roast, so that its reports are read. This call is fast. If it returns false,
 * you need not compute numbers for a report. */
ROAST_CLIENT_API bool roast_client_is_enabled (void);

/* Waits until all queued rows are sent, for at most @timeout milliseconds. */
ROAST_CLIENT_API RoastClientResult roast_client_flush (int timeout);

/* ---- rows of a table that programs may write, such as chunks and sections (docs/tables.md) ----
 *
 * The common rows below have no column `chunk`. If chunks have an identity, create a table with this column for the
 * chunks, and for their sections. A row of `chunk_results` confirms that a chunk is in the result. A row of
 * `processing` describes a call of an executor. */

typedef struct RoastClientTable RoastClientTable;

/* Creates a table. @columns ends with NULL. The slot of a column is its index in @columns. Returns NULL if there is no
 * memory or no column. */
ROAST_CLIENT_API RoastClientTable *roast_client_table_new (const char *name, const char *const *columns);
ROAST_CLIENT_API void roast_client_table_free (RoastClientTable *table);

/* Set a cell of the next row, in the unit of its column. Times are in microseconds since the epoch. A cell is missing
 * if it is not set, or set to NULL or to a number that is not finite. Strings are converted to valid UTF-8. */
ROAST_CLIENT_API RoastClientResult roast_client_table_set_int64 (RoastClientTable *table, unsigned slot, int64_t value);
ROAST_CLIENT_API RoastClientResult roast_client_table_set_double (RoastClientTable *table, unsigned slot, double value);
ROAST_CLIENT_API RoastClientResult roast_client_table_set_boolean (RoastClientTable *table, unsigned slot, bool value);
ROAST_CLIENT_API RoastClientResult roast_client_table_set_string (RoastClientTable *table, unsigned slot,
                                                                  const char *value);

/* Sends the current row and begins the next row. If a cell could not be set, the row is not sent. */
ROAST_CLIENT_API RoastClientResult roast_client_table_send (RoastClientTable *table);

/* ---- common rows, one call each; NULL and -1 stand for unknown values ---- */

/* Report the number of events that were processed, or of bytes that were read, since the last call of the same
 * function. */
ROAST_CLIENT_API RoastClientResult roast_client_events (const char *dataset, int64_t events);
ROAST_CLIENT_API RoastClientResult roast_client_bytes_read (const char *dataset, int64_t bytes);

/* Reports a finished chunk: the entries of @file from @entry_start up to but not including @entry_stop. Do not report
 * the events and bytes of the chunk a second time with another function. @started and @ended are in microseconds since
 * the epoch. If the chunk failed, @error is the reason, and its events are not added to the events of the run. */
ROAST_CLIENT_API RoastClientResult roast_client_chunk (const char *dataset, const char *file, int64_t entry_start,
                                                       int64_t entry_stop, int64_t events, int64_t bytes_read,
                                                       int64_t started, int64_t ended, const char *error);

typedef enum
{
  ROAST_CLIENT_SECTION_TIME,   /* time in seconds */
  ROAST_CLIENT_SECTION_MEMORY, /* change of resident memory in bytes; may be negative */
  ROAST_CLIENT_SECTION_BYTES,  /* bytes read or written */
  ROAST_CLIENT_SECTION_CUSTOM  /* any number */
} RoastClientSection;

/* Reports the cost of a named section of the program. */
ROAST_CLIENT_API RoastClientResult roast_client_section (const char *name, RoastClientSection kind, double value);

typedef enum
{
  ROAST_CLIENT_INFO,
  ROAST_CLIENT_WARNING,
  ROAST_CLIENT_ERROR
} RoastClientSeverity;

/* Adds a remark for readers of the report. */
ROAST_CLIENT_API RoastClientResult roast_client_message (RoastClientSeverity severity, const char *message);

ROAST_CLIENT_END_DECLS

#endif
