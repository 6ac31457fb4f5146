/* SPDX-License-Identifier: BSD-3-Clause */

/* Compute the numbers of each source over time. A CoreLine stores changes of the number, so that adding an attempt
 * modifies only four array elements, however long the attempt takes. */

#include "chunk-verdicts.h"
#include "core-time.h"

static guint
over_time_find_interval (double started, double ended, double time)
{
  return (guint) CLAMP ((time - started) / (ended - started) * CORE_OVER_TIME_N, 0, CORE_OVER_TIME_N - 1);
}

void
core_line_add (CoreLine *self, double started, double ended, double from, double to, double amount)
{
  double length = (ended - started) / CORE_OVER_TIME_N;
  guint first, last;

  from = fmax (from, started);
  to = fmin (to, ended);
  if (!(to > from))
    return;
  first = over_time_find_interval (started, ended, from);
  last = over_time_find_interval (started, ended, to);
  if (first == last)
    {
      self->edges[first] += amount * (to - from);
      return;
    }
  self->edges[first] += amount * (started + (first + 1) * length - from);
  self->edges[last] += amount * (to - (started + last * length));
  self->inner[first + 1] += amount;
  self->inner[last] -= amount;
}

double
core_line_get_means (const CoreLine *self, double started, double ended, double means[CORE_OVER_TIME_N])
{
  double length = (ended - started) / CORE_OVER_TIME_N;
  double whole = 0;

  for (guint i = 0; i < CORE_OVER_TIME_N; i++)
    {
      whole += self->inner[i];
      /* Rounding errors may leave a small negative mean: replace it by 0. */
      means[i] = fmax (whole + self->edges[i] / length, 0);
    }

  return length;
}

void
core_source_add_line (CoreSource *self, CoreLineKind kind, gint64 from, gint64 to)
{
  if (from >= 0)
    core_line_add (&self->lines[kind], self->started, self->ended, (double) from, (double) to, 1);
}

void
core_source_add_done (CoreSource *self, gint64 started, gint64 ended, gboolean is_analysis)
{
  if (ended >= (gint64) self->started && ended <= (gint64) self->ended)
    self->done[over_time_find_interval (self->started, self->ended, (double) ended)]++;
  if (is_analysis && started >= 0 && ended >= started)
    core_events_add (self->work, ended, 0, 0, (gint32) CLAMP ((ended - started) / 100, 1, G_MAXINT32));
}

/* ---- chunks ---- */

/* Events and bytes of a source's chunks. The amounts of a chunk are spread evenly over the time that the chunk took. */
typedef struct
{
  CoreLine events, bytes;
  gboolean has_events, has_bytes;
} OverTimeChunks;

static void
spread (CoreLine *line, gboolean *is_known, double amount, const double run[2], double from, double to)
{
  if (isnan (amount))
    return;
  *is_known = TRUE;
  core_line_add (line, run[0], run[1], from, to, amount / (to - from) * G_USEC_PER_SEC);
}

/* Return a table that maps the name of a source to its OverTimeChunks. */
static GHashTable *
over_time_read_chunks (RoastRecordingSnapshot *recording, double started, double ended)
{
  GHashTable *lines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (RoastTableReader) chunks = roast_chunks_read (recording);
  g_autoptr (ChunkVerdicts) verdicts = chunk_verdicts_get (recording);
  const double run[2] = { started, ended };

  while (roast_table_reader_next (chunks))
    {
      const char *source = roast_table_reader_get_string (chunks, ROAST_CHUNKS_SOURCE);
      double from = roast_table_reader_get_double (chunks, ROAST_CHUNKS_STARTED);
      double to = roast_table_reader_get_double (chunks, ROAST_CHUNKS_ENDED);
      double events = roast_table_reader_get_double (chunks, ROAST_CHUNKS_EVENTS);
      double bytes = roast_table_reader_get_double (chunks, ROAST_CHUNKS_BYTES_READ);
      OverTimeChunks *line = NULL;

      if (chunk_verdicts_judge (verdicts, roast_table_reader_get_row (chunks)) != CHUNK_COUNTED || source == NULL ||
          !(to > from) || (isnan (events) && isnan (bytes)))
        continue;
      line = g_hash_table_lookup (lines, source);
      if (line == NULL)
        {
          line = g_new0 (OverTimeChunks, 1);
          g_hash_table_insert (lines, g_strdup (source), line);
        }
      spread (&line->events, &line->has_events, events, run, from, to);
      spread (&line->bytes, &line->has_bytes, bytes, run, from, to);
    }

  return lines;
}

/* ---- the tables ---- */

static void
over_time_write_source (RoastTableWriter *table, const CoreSource *self, const OverTimeChunks *chunks)
{
  double means[CORE_LINE_N][CORE_OVER_TIME_N];
  double events[CORE_OVER_TIME_N];
  double bytes[CORE_OVER_TIME_N];
  CoreLineKind waiting = self->n_waiting > 0 ? CORE_LINE_QUEUED : CORE_LINE_WAITING;
  double length = 0;

  for (guint i = 0; i < CORE_LINE_N; i++)
    length = core_line_get_means (&self->lines[i], self->started, self->ended, means[i]);
  if (chunks != NULL)
    {
      core_line_get_means (&chunks->events, self->started, self->ended, events);
      core_line_get_means (&chunks->bytes, self->started, self->ended, bytes);
    }
  for (guint i = 0; i < CORE_OVER_TIME_N; i++)
    {
      roast_table_writer_set_string (table, ROAST_OVER_TIME_SOURCE, self->name);
      roast_table_writer_set_int64 (table, ROAST_OVER_TIME_STARTED, llround (self->started + i * length));
      roast_table_writer_set_int64 (table, ROAST_OVER_TIME_ENDED, llround (self->started + (i + 1) * length));
      if (self->workers->len > 0)
        {
          roast_table_writer_set_double (table, ROAST_OVER_TIME_RUNNING, means[CORE_LINE_RUNNING][i]);
          roast_table_writer_set_double (table, ROAST_OVER_TIME_WAITING, means[waiting][i]);
          roast_table_writer_set_double (table, ROAST_OVER_TIME_WORKERS, means[CORE_LINE_WORKERS][i]);
          roast_table_writer_set_int64 (table, ROAST_OVER_TIME_DONE, self->done[i]);
        }
      if (chunks != NULL && chunks->has_events)
        roast_table_writer_set_double (table, ROAST_OVER_TIME_EVENT_RATE, events[i]);
      if (chunks != NULL && chunks->has_bytes)
        roast_table_writer_set_double (table, ROAST_OVER_TIME_DATA_RATE, bytes[i]);
      roast_table_writer_end (table, NULL);
    }
}

static void
write_chunks (RoastTableWriter *table, GHashTable *lines, const CoreSource *like)
{
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (lines), (GCompareFunc) g_strcmp0);

  for (const GList *name = names; name != NULL; name = name->next)
    {
      g_autoptr (CoreSource) source = core_source_new (name->data, (gint64) like->started, (gint64) like->ended);

      over_time_write_source (table, source, g_hash_table_lookup (lines, name->data));
    }
}

void
core_write_over_time (RoastRecordingSnapshot *recording, RoastReport *report, GPtrArray *sources)
{
  const CoreSource *first = sources->len > 0 ? g_ptr_array_index (sources, 0) : NULL;
  g_autoptr (GHashTable) lines = first != NULL ? over_time_read_chunks (recording, first->started, first->ended) : NULL;
  g_autoptr (RoastTableWriter) table = NULL;

  if (first == NULL || (first->is_tree && g_hash_table_size (lines) == 0))
    return;
  table = roast_over_time_write (report);
  FOR_EACH_POINTER (const CoreSource, self, sources)
    {
      if (!self->is_tree)
        over_time_write_source (table, self, g_hash_table_lookup (lines, self->name));
      g_hash_table_remove (lines, self->is_tree ? "" : self->name);
    }

  write_chunks (table, lines, first);
}

static void
write_progress (RoastTableWriter *table, CoreSource *self)
{
  static const double shares[] = { 0.5, 0.9, 0.99, 1 };
  double total = 0;
  double done = 0;
  guint next = 0;

  core_events_sort (self->work);
  for (gsize i = 0; i < self->work->n; i++)
    total += self->work->items[i].amount;
  for (gsize i = 0; i < self->work->n; i++)
    for (done += self->work->items[i].amount; next < G_N_ELEMENTS (shares) && done >= shares[next] * total; next++)
      {
        gint64 time = self->work->items[i].time;

        roast_table_writer_set_string (table, ROAST_PROGRESS_SOURCE, self->name);
        roast_table_writer_set_double (table, ROAST_PROGRESS_SHARE, shares[next]);
        roast_table_writer_set_int64 (table, ROAST_PROGRESS_TIME, time);
        roast_table_writer_set_double (table, ROAST_PROGRESS_ELAPSED, ((double) time - self->started) / G_USEC_PER_SEC);
        roast_table_writer_end (table, NULL);
      }
}

void
core_write_progress (RoastReport *report, GPtrArray *sources)
{
  g_autoptr (RoastTableWriter) table = NULL;

  FOR_EACH_POINTER (CoreSource, self, sources)
    {
      if (self->work->n == 0)
        continue;
      if (table == NULL)
        table = roast_progress_write (report);
      write_progress (table, self);
    }
}
