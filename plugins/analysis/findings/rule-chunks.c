/* SPDX-License-Identifier: BSD-3-Clause */

/* Judges chunks that run on this machine in processes or threads of the program. Finds a single long chunk, chunks that
 * do not overlap, and much time spent between chunks, on loading processors or on opening files. */

#include "findings.h"

#define CHUNKS_LEAST_CHUNKS 4
#define LEAST_WITH_STRAGGLER 2 /* a long chunk needs at least one other chunk for comparison */
#define CHUNKS_LEAST 2.0       /* s; do not report shorter times */
#define CHUNKS_LONG 2.5        /* minimum time of a long chunk, as a multiple of the median chunk time */
#define ALONE 0.1              /* report the last chunk only if it ran alone for at least this share of the run */
#define CHUNKS_PART 0.25       /* minimum time of a long chunk, as a share of the time in which any chunk ran */
#define SERIAL 1.02            /* chunks overlapped if, on average, more chunks than this ran at the same time */
#define CHUNKS_IDLE 0.25       /* report chunks that do not overlap only if this share of the core time was free */
#define BETWEEN 0.2            /* report time between chunks only if it is at least this share of the run */
#define LEAST_BETWEEN 5.0      /* report time between chunks only if it is at least this, s */
#define OPENING 0.4            /* report opening or loading only if it takes at least this share of the chunk time */
#define CHUNKS_SOME 0.1        /* report the opening of files only if chunks take at least this share of the run */

static double
get_cores (Findings *self)
{
  return findings_get_metric (self, "cores_available");
}

/* Returns FALSE, and records the reason, if there are too few chunks to judge. */
static gboolean
need_chunks (Findings *self, guint least)
{
  if (!self->is_tree)
    findings_not_apply (self, "an executor ran the tasks");
  else if (self->chunks.n < least)
    findings_lack (self, "fewer than %u chunks reported their times", least);
  else if (self->offered <= 0 || isnan (get_cores (self)))
    findings_lack (self, "the cores of the program were not measured");
  else
    return TRUE;

  return FALSE;
}

/* Returns a text such as " in the call of FuturesExecutor"; "" if the call is unknown. */
static const char *
describe_call (Findings *self)
{
  return self->chunks.executor != NULL ? findings_text (self, " in the call of %s", self->chunks.executor) : "";
}

/* Returns a text such as "entries 0 to 1000 of file.root"; only its known part if the file or the entries are
 * unknown. */
static const char *
describe_chunk (Findings *self, RoastTableReader *chunk)
{
  const char *file = roast_table_reader_get_string (chunk, ROAST_CHUNKS_FILE);
  gint64 start = roast_table_reader_get_int64 (chunk, ROAST_CHUNKS_ENTRY_START, -1);
  gint64 stop = roast_table_reader_get_int64 (chunk, ROAST_CHUNKS_ENTRY_STOP, -1);

  if (file == NULL)
    return "the last chunk";
  if (start < 0 || stop < 0)
    return findings_text (self, "a chunk of %s", file);

  return findings_text (self, "entries %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT " of %s", start, stop, file);
}

void
rule_straggling_chunk (Findings *self)
{
  const FindingsChunks *chunks = &self->chunks;
  g_autoptr (RoastTableReader) table = NULL;
  const char *chunk = NULL;
  const char *time = findings_duration (self, chunks->last_time);
  const char *median = findings_duration (self, chunks->median);
  const char *alone = findings_duration (self, chunks->alone);
  RoastFinding *finding = NULL;

  if (!need_chunks (self, LEAST_WITH_STRAGGLER))
    return;
  if (chunks->alone < fmax (ALONE * findings_get_run_length (self), CHUNKS_LEAST) ||
      chunks->last_time < CHUNKS_LONG * chunks->median)
    {
      findings_be_silent (self,
                          "the last chunk ran for %s after the other chunks had ended and took %s; the other chunks "
                          "took %s (median)",
                          alone, time, median);
      return;
    }
  table = roast_chunks_read (self->recording);
  roast_table_reader_seek (table, chunks->last_row);
  chunk = describe_chunk (self, table);
  finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, chunks->alone * (get_cores (self) - 1) / self->offered,
                          "One chunk (%s) took %s, %.0f times the median of the other chunks (%s). For %s of this "
                          "time, no other chunk ran.",
                          chunk, time, chunks->last_time / chunks->median, median, alone);
  roast_finding_add_text (finding, "chunk", chunk);
  roast_finding_add_number (finding, "time", chunks->last_time, "s");
  roast_finding_add_number (finding, "median", chunks->median, "s");
  roast_finding_add_number (finding, "alone", chunks->alone, "s");
  findings_add (self, finding,
                "Find out why this chunk is slow (such as slow input or a few expensive events), or use smaller chunks "
                "to spread its work.");
}

/* Returns the share of the core time that was free during @seconds in which one process merged results or started
 * processes. All cores but one were free then. */
static double
get_free_share (Findings *self, double seconds)
{
  double idle = findings_get_parts (self, ROAST_CORE_PART_IDLE_EXECUTOR, ROAST_CORE_PART_IDLE_NO_WORK);

  return fmin (seconds * (get_cores (self) - 1) / self->offered, idle);
}

/* Time without chunks has two causes: before the first chunk, the program starts workers; later, it merges results. */
void
rule_between_chunks (Findings *self)
{
  const FindingsChunks *chunks = &self->chunks;
  double least = fmax (BETWEEN * findings_get_run_length (self), LEAST_BETWEEN);
  double between = chunks->length - chunks->covered - chunks->first;
  const char *executor = chunks->executor != NULL ? chunks->executor : "the executor";
  const char *first = findings_duration (self, chunks->first);
  const char *none = findings_duration (self, between);
  const char *length = findings_duration (self, chunks->length);
  gboolean is_merging;
  double idle;
  RoastFinding *finding = NULL;

  if (!need_chunks (self, CHUNKS_LEAST_CHUNKS))
    return;
  if (chunks->call == NULL)
    {
      findings_lack (self, "the program reported no call that processed chunks");
      return;
    }
  if (between < least && chunks->first < least)
    {
      findings_be_silent (self,
                          "the longest call took %s: the first chunk started after %s, and after that no chunk ran for "
                          "%s in total",
                          length, first, none);
      return;
    }
  is_merging = between >= least;
  idle = is_merging ? between : chunks->first;
  finding =
      findings_new (self, ROAST_FINDING_SEVERITY_WARNING, get_free_share (self, idle),
                    is_merging
                        ? "The call of %s took %s. After the first chunk had started, no chunk ran for %s in total."
                        : "The call of %s took %s, and the first chunk started after %s.",
                    executor, length, is_merging ? none : first);
  roast_finding_set_run_share (finding, idle / findings_get_run_length (self));
  roast_finding_add_number (finding, "call", chunks->length, "s");
  roast_finding_add_number (finding, "until_first_chunk", chunks->first, "s");
  roast_finding_add_number (finding, "without_chunks", between, "s");
  findings_add (self, finding, "%s",
                is_merging
                    ? "While no chunk runs, one process of the program merges results. Return less from each chunk, "
                      "such as coarser histograms or no arrays, and use larger chunks to get fewer results."
                    : "Before the first chunk, workers start and import modules. Reuse workers for several calls, "
                      "import fewer modules, or start fewer workers.");
}

/* Returns a text such as " One of them (entries 0 to 10 of f) took 8 s, 20 times the median of 400 ms."; "" if no chunk
 * took much longer than the median. */
static const char *
describe_longest (Findings *self)
{
  const FindingsChunks *chunks = &self->chunks;
  const char *chunk = NULL;
  g_autoptr (RoastTableReader) table = NULL;

  if (chunks->longest_time < fmax (CHUNKS_LONG * chunks->median, CHUNKS_PART * chunks->covered))
    return "";
  table = roast_chunks_read (self->recording);
  roast_table_reader_seek (table, chunks->longest_row);
  chunk = describe_chunk (self, table);

  return findings_text (self, " One of these chunks (%s) took %s, %.0f times the median (%s).", chunk,
                        findings_duration (self, chunks->longest_time), chunks->longest_time / chunks->median,
                        findings_duration (self, chunks->median));
}

void
rule_one_at_a_time (Findings *self)
{
  const FindingsChunks *chunks = &self->chunks;
  double idle = findings_get_parts (self, ROAST_CORE_PART_IDLE_EXECUTOR, ROAST_CORE_PART_IDLE_NO_WORK);
  double free_cores = self->offered > 0 ? chunks->covered * (get_cores (self) - 1) / self->offered : 0;
  double share = fmin (idle, free_cores);
  const char *longest = NULL;
  RoastFinding *finding = NULL;

  if (!need_chunks (self, CHUNKS_LEAST_CHUNKS))
    return;
  if (chunks->time > SERIAL * chunks->covered || chunks->covered < CHUNKS_LEAST || share < CHUNKS_IDLE)
    {
      findings_be_silent (self,
                          "%.2f chunks ran at a time on average, and at most %.0f %% of the core time was idle while "
                          "chunks ran",
                          chunks->time / chunks->covered, 100 * share);
      return;
    }
  longest = describe_longest (self);
  finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, share,
                          "The %s%s ran one after the other, though the program had %.3g cores.%s",
                          findings_count (self, chunks->n, "chunk", "chunks"), describe_call (self), get_cores (self),
                          longest);
  roast_finding_add_number (finding, "chunks", chunks->n, NULL);
  roast_finding_add_number (finding, "cores", get_cores (self), NULL);
  findings_add (self, finding, "Use an executor that runs chunks in several processes, here with %.0f workers.",
                floor (get_cores (self)));
}

void
rule_opening (Findings *self)
{
  double opening = findings_get_metric (self, "chunk_open_time_seconds");
  double all = findings_get_metric (self, "processing_time_seconds");
  double n = findings_get_metric (self, "chunks_total");
  double loading = findings_evaluate (self, "sum (load_time over chunks where known (load_time))");
  double most;
  gboolean is_loading;
  RoastFinding *finding = NULL;

  if (isnan (opening) || isnan (all) || isnan (n))
    {
      findings_lack (self, "%s",
                     findings_get_reason (self, isnan (opening) ? "chunk_open_time_seconds"
                                                : isnan (all)   ? "processing_time_seconds"
                                                                : "chunks_total"));
      return;
    }
  is_loading = loading > opening;
  most = is_loading ? loading : opening;
  if (most < fmax (OPENING * all, CHUNKS_LEAST) || all < CHUNKS_SOME * findings_get_run_length (self))
    {
      findings_be_silent (self, "opening files took %.0f %% of the chunk time", 100 * opening / all);
      return;
    }
  finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, NAN,
                          "%s took %.0f %% of the chunk time: %s of the %s that a chunk took on average.",
                          is_loading ? "Loading the processor" : "Opening files", 100 * most / all,
                          findings_duration (self, most / n), findings_duration (self, all / n));
  roast_finding_add_number (finding, "opening", opening, "s");
  roast_finding_add_number (finding, "loading", loading, "s");
  roast_finding_add_number (finding, "chunk_time", all, "s");
  findings_add (self, finding, "%s",
                is_loading
                    ? "Each chunk loads a copy of the processor. Keep large tables out of its attributes, and let "
                      "each process load them once, or use larger chunks."
                    : "Use larger chunks to open each file less often, or merge small files.");
}
