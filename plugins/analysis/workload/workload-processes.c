/* SPDX-License-Identifier: BSD-3-Clause */

/* Write the table chunk_processes: how the memory of each process grew from chunk to chunk. */

#include <math.h>

#include "group-element.h"
#include "workload-files.h"
#include "workload-tables.h"

/* A process that reported the memory of its chunks. */
typedef struct
{
  const char *host;
  gint64 pid, attempts;
  double began, first; /* start of the earliest chunk, and memory at its start */
  double ended, last;  /* end of the latest chunk, and memory at its end */
  double settled;      /* memory at the end of the first chunk; growth counts from there, to exclude one-time loading */
  double settled_at;
  double peak;
} Process;

static void
processes_add_attempt (Process *process, RoastTableReader *chunks)
{
  double began = roast_table_reader_get_double (chunks, ROAST_CHUNKS_STARTED);
  double ended = roast_table_reader_get_double (chunks, ROAST_CHUNKS_ENDED);

  if (process->attempts++ == 0)
    {
      process->host = roast_table_reader_get_string (chunks, ROAST_CHUNKS_HOST);
      process->pid = roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_PID, -1);
      process->began = process->settled_at = INFINITY;
      process->ended = -INFINITY;
      process->peak = NAN;
    }
  process->peak = fmax (process->peak, roast_table_reader_get_double (chunks, ROAST_CHUNKS_MEMORY_PEAK));
  if (began < process->began)
    {
      process->began = began;
      process->first = roast_table_reader_get_double (chunks, ROAST_CHUNKS_MEMORY_START);
    }
  if (ended < process->settled_at)
    {
      process->settled_at = ended;
      process->settled = roast_table_reader_get_double (chunks, ROAST_CHUNKS_MEMORY_END);
    }
  if (ended > process->ended)
    {
      process->ended = ended;
      process->last = roast_table_reader_get_double (chunks, ROAST_CHUNKS_MEMORY_END);
    }
}

static GArray *
read_processes (RoastRecordingSnapshot *recording)
{
  static const guint needed[] = { ROAST_CHUNKS_PID, ROAST_CHUNKS_MEMORY_START, ROAST_CHUNKS_MEMORY_END,
                                  ROAST_CHUNKS_STARTED, ROAST_CHUNKS_ENDED };
  GArray *processes = g_array_new (FALSE, FALSE, sizeof (Process));
  g_autoptr (RoastTableReader) chunks = roast_chunks_read (recording);

  GROUP_BY (chunks, ROAST_CHUNKS_HOST, ROAST_CHUNKS_PID);
  while (roast_table_reader_next (chunks))
    {
      guint n = 0;

      while (n < G_N_ELEMENTS (needed) && roast_table_reader_has (chunks, needed[n]))
        n++;
      if (n == G_N_ELEMENTS (needed))
        processes_add_attempt (group_element (processes, chunks), chunks);
    }

  return processes;
}

static void
write_process (const Process *process, RoastTableWriter *table)
{
  roast_table_writer_set_string (table, ROAST_CHUNK_PROCESSES_HOST, process->host);
  roast_table_writer_set_int64 (table, ROAST_CHUNK_PROCESSES_PID, process->pid);
  roast_table_writer_set_int64 (table, ROAST_CHUNK_PROCESSES_CHUNKS, process->attempts);
  roast_table_writer_set_int64 (table, ROAST_CHUNK_PROCESSES_MEMORY_START, (gint64) process->first);
  roast_table_writer_set_int64 (table, ROAST_CHUNK_PROCESSES_MEMORY_END, (gint64) process->last);
  if (!isnan (process->peak))
    roast_table_writer_set_int64 (table, ROAST_CHUNK_PROCESSES_MEMORY_PEAK, (gint64) process->peak);
  if (process->attempts > 1)
    roast_table_writer_set_double (table, ROAST_CHUNK_PROCESSES_GROWTH,
                                   (process->last - process->settled) / (double) (process->attempts - 1));
  roast_table_writer_end (table, NULL);
}

void
workload_add_processes (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (GArray) processes = read_processes (recording);
  g_autoptr (RoastTableWriter) table = NULL;

  FOR_EACH (const Process, process, processes)
    {
      if (process->attempts == 0)
        continue;
      if (table == NULL)
        table = roast_chunk_processes_write (report);
      write_process (process, table);
    }
}
