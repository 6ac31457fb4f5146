/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-client/roast-client.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "connection.h"

#define MAX_INTEGER 999999999999999999 /* larger integers are refused, because the protocol allows only 18 digits */

struct RoastClientTable
{
  char *name;
  Text declaration;
  Text row;
  unsigned n_columns;
  Text *cells;             /* JSON value of each cell; empty if the cell is missing */
  RoastClientResult fault; /* first fault of a cell in the current row */
};

const char *
roast_client_result_to_string (RoastClientResult result)
{
  static const char *const sentences[] = {
    "no error",
    "the program does not run under roast, or the run is over",
    "invalid argument",
    "the line is longer than the limit of 64 KiB",
    "roast cannot read as fast as the program reports",
    "out of memory",
    "roast did not read everything in time",
  };

  return (unsigned) result < sizeof sentences / sizeof *sentences ? sentences[result] : "unknown error";
}

bool
roast_client_is_enabled (void)
{
  return connection_is_wanted ();
}

RoastClientResult
roast_client_flush (int timeout)
{
  return connection_flush (timeout);
}

/* ---- rows ---- */

static void
declare (RoastClientTable *table, const char *const *columns)
{
  text_append_plain (&table->declaration, "{\"table\":");
  text_append_string (&table->declaration, table->name);
  text_append_plain (&table->declaration, ",\"columns\":[");
  for (unsigned i = 0; columns[i] != NULL; i++)
    {
      if (i > 0)
        text_append_plain (&table->declaration, ",");
      text_append_string (&table->declaration, columns[i]);
    }
  text_append_plain (&table->declaration, "]}");
}

RoastClientTable *
roast_client_table_new (const char *name, const char *const *columns)
{
  RoastClientTable *table = NULL;

  if (name == NULL || columns == NULL || columns[0] == NULL)
    return NULL;
  table = calloc (1, sizeof *table);
  if (table == NULL)
    return NULL;
  while (columns[table->n_columns] != NULL)
    table->n_columns++;
  table->name = strdup (name);
  table->cells = calloc (table->n_columns, sizeof *table->cells);
  if (table->name != NULL && table->cells != NULL)
    declare (table, columns);
  if (table->name != NULL && table->cells != NULL && !table->declaration.failed)
    return table;
  roast_client_table_free (table);

  return NULL;
}

void
roast_client_table_free (RoastClientTable *table)
{
  if (table == NULL)
    return;
  for (unsigned i = 0; table->cells != NULL && i < table->n_columns; i++)
    text_free (&table->cells[i]);
  free (table->cells);
  free (table->name);
  text_free (&table->declaration);
  text_free (&table->row);
  free (table);
}

/* Remember a fault of the current row, unless the row already has a fault. */
static RoastClientResult
fail (RoastClientTable *table, RoastClientResult fault)
{
  if (table != NULL && table->fault == ROAST_CLIENT_OK)
    table->fault = fault;

  return fault;
}

/* Empty a cell and return it. Return NULL if the table has no such slot. */
static Text *
begin_cell (RoastClientTable *table, unsigned slot)
{
  if (table == NULL || slot >= table->n_columns)
    return NULL;
  text_clear (&table->cells[slot]);

  return &table->cells[slot];
}

static RoastClientResult
end_cell (RoastClientTable *table, const Text *cell)
{
  return cell->failed ? fail (table, ROAST_CLIENT_NO_MEMORY) : ROAST_CLIENT_OK;
}

RoastClientResult
roast_client_table_set_int64 (RoastClientTable *table, unsigned slot, int64_t value)
{
  Text *cell = begin_cell (table, slot);

  if (cell == NULL || value > MAX_INTEGER || value < -MAX_INTEGER)
    return fail (table, ROAST_CLIENT_INVALID);
  text_append_int64 (cell, value);

  return end_cell (table, cell);
}

RoastClientResult
roast_client_table_set_double (RoastClientTable *table, unsigned slot, double value)
{
  Text *cell = begin_cell (table, slot);

  if (cell == NULL)
    return fail (table, ROAST_CLIENT_INVALID);
  if (isfinite (value))
    text_append_double (cell, value);

  return end_cell (table, cell);
}

RoastClientResult
roast_client_table_set_boolean (RoastClientTable *table, unsigned slot, bool value)
{
  Text *cell = begin_cell (table, slot);

  if (cell == NULL)
    return fail (table, ROAST_CLIENT_INVALID);
  text_append_plain (cell, value ? "true" : "false");

  return end_cell (table, cell);
}

RoastClientResult
roast_client_table_set_string (RoastClientTable *table, unsigned slot, const char *value)
{
  Text *cell = begin_cell (table, slot);

  if (cell == NULL)
    return fail (table, ROAST_CLIENT_INVALID);
  if (value != NULL && strnlen (value, MAX_LINE) == MAX_LINE)
    return fail (table, ROAST_CLIENT_TOO_LONG);
  if (value != NULL)
    text_append_string (cell, value);

  return end_cell (table, cell);
}

static void
make_row (RoastClientTable *table)
{
  unsigned n = table->n_columns;

  while (n > 0 && table->cells[n - 1].length == 0)
    n--;
  text_clear (&table->row);
  text_append_plain (&table->row, "[");
  text_append_string (&table->row, table->name);
  for (unsigned i = 0; i < n; i++)
    {
      const Text *cell = &table->cells[i];

      text_append_plain (&table->row, ",");
      if (cell->length > 0)
        text_append (&table->row, cell->data, cell->length);
      else
        text_append_plain (&table->row, "null");
    }
  text_append_plain (&table->row, "]");
}

/* Send the row. The caller must hold the connection's lock. */
static RoastClientResult
send_row (RoastClientTable *table)
{
  RoastClientResult result = table->fault;

  if (result == ROAST_CLIENT_OK)
    {
      make_row (table);
      result = connection_send (table->name, &table->declaration, &table->row);
    }
  else
    {
      connection_count_dropped ();
    }
  table->fault = ROAST_CLIENT_OK;
  for (unsigned i = 0; i < table->n_columns; i++)
    text_clear (&table->cells[i]);

  return result;
}

RoastClientResult
roast_client_table_send (RoastClientTable *table)
{
  RoastClientResult result;

  if (table == NULL)
    return ROAST_CLIENT_INVALID;
  connection_lock ();
  result = send_row (table);
  connection_unlock ();

  return result;
}

/* ---- common rows ---- */

enum
{
  TOTAL_DATASET,
  TOTAL_EVENTS,
  TOTAL_BYTES_READ
};

enum
{
  CHUNK_DATASET,
  CHUNK_FILE,
  CHUNK_ENTRY_START,
  CHUNK_ENTRY_STOP,
  CHUNK_EVENTS,
  CHUNK_BYTES_READ,
  CHUNK_STARTED,
  CHUNK_ENDED,
  CHUNK_ERROR
};

enum
{
  SECTION_NAME,
  SECTION_KIND,
  SECTION_VALUE
};

static struct
{
  const char *name;
  const char *const *columns;
  RoastClientTable *table; /* table of the common row; created when the first such row is sent, and kept */
} common[] = {
  { "datasets", (const char *const[]) { "dataset", "events", "bytes_read", NULL }, NULL },
  { "chunks",
    (const char *const[]) { "dataset", "file", "entry_start", "entry_stop", "events", "bytes_read", "started", "ended",
                            "error", NULL },
    NULL },
  { "sections", (const char *const[]) { "name", "kind", "value", NULL }, NULL },
};

enum
{
  DATASETS,
  CHUNKS,
  SECTIONS
};

/* Begin a common row. Take the lock, because all threads share the tables of common rows. end_row () releases the
 * lock. */
static RoastClientTable *
begin_row (unsigned number)
{
  connection_lock ();
  if (common[number].table == NULL)
    common[number].table = roast_client_table_new (common[number].name, common[number].columns);

  return common[number].table;
}

static RoastClientResult
end_row (RoastClientTable *table)
{
  RoastClientResult result = table != NULL ? send_row (table) : ROAST_CLIENT_NO_MEMORY;

  connection_unlock ();

  return result;
}

static void
set_count (RoastClientTable *table, unsigned slot, int64_t value)
{
  if (value >= 0)
    roast_client_table_set_int64 (table, slot, value);
}

static RoastClientResult
send_total (const char *dataset, unsigned slot, int64_t value)
{
  RoastClientTable *table = NULL;

  if (value < 0)
    return ROAST_CLIENT_INVALID;
  if (!connection_is_wanted ())
    return ROAST_CLIENT_NO_RUN;
  table = begin_row (DATASETS);
  roast_client_table_set_string (table, TOTAL_DATASET, dataset);
  roast_client_table_set_int64 (table, slot, value);

  return end_row (table);
}

RoastClientResult
roast_client_events (const char *dataset, int64_t events)
{
  return send_total (dataset, TOTAL_EVENTS, events);
}

RoastClientResult
roast_client_bytes_read (const char *dataset, int64_t bytes)
{
  return send_total (dataset, TOTAL_BYTES_READ, bytes);
}

RoastClientResult
roast_client_chunk (const char *dataset, const char *file, int64_t entry_start, int64_t entry_stop, int64_t events,
                    int64_t bytes_read, int64_t started, int64_t ended, const char *error)
{
  RoastClientTable *table = NULL;

  if (!connection_is_wanted ())
    return ROAST_CLIENT_NO_RUN;
  table = begin_row (CHUNKS);
  roast_client_table_set_string (table, CHUNK_DATASET, dataset);
  roast_client_table_set_string (table, CHUNK_FILE, file);
  set_count (table, CHUNK_ENTRY_START, entry_start);
  set_count (table, CHUNK_ENTRY_STOP, entry_stop);
  set_count (table, CHUNK_EVENTS, events);
  set_count (table, CHUNK_BYTES_READ, bytes_read);
  set_count (table, CHUNK_STARTED, started);
  set_count (table, CHUNK_ENDED, ended);
  roast_client_table_set_string (table, CHUNK_ERROR, error);

  return end_row (table);
}

RoastClientResult
roast_client_section (const char *name, RoastClientSection kind, double value)
{
  static const char *const kinds[] = { "time", "memory", "bytes", "custom" };
  bool negative = kind == ROAST_CLIENT_SECTION_MEMORY || kind == ROAST_CLIENT_SECTION_CUSTOM;
  RoastClientTable *table = NULL;

  if (name == NULL || (unsigned) kind >= sizeof kinds / sizeof *kinds || !isfinite (value) || (value < 0 && !negative))
    return ROAST_CLIENT_INVALID;
  if (!connection_is_wanted ())
    return ROAST_CLIENT_NO_RUN;
  table = begin_row (SECTIONS);
  roast_client_table_set_string (table, SECTION_NAME, name);
  roast_client_table_set_string (table, SECTION_KIND, kinds[kind]);
  roast_client_table_set_double (table, SECTION_VALUE, value);

  return end_row (table);
}

RoastClientResult
roast_client_message (RoastClientSeverity severity, const char *message)
{
  static const char *const severities[] = { "info", "warning", "error" };
  RoastClientResult result;
  Text line = { 0 };

  if (message == NULL || (unsigned) severity >= sizeof severities / sizeof *severities)
    return ROAST_CLIENT_INVALID;
  if (strnlen (message, MAX_LINE) == MAX_LINE)
    return ROAST_CLIENT_TOO_LONG;
  if (!connection_is_wanted ())
    return ROAST_CLIENT_NO_RUN;
  text_append_plain (&line, "{\"type\":\"message\",\"severity\":");
  text_append_string (&line, severities[severity]);
  text_append_plain (&line, ",\"message\":");
  text_append_string (&line, message);
  text_append_plain (&line, "}");
  connection_lock ();
  result = connection_send (NULL, NULL, &line);
  connection_unlock ();
  text_free (&line);

  return result;
}
