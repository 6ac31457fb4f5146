/* SPDX-License-Identifier: BSD-3-Clause */
#include "workload-files.h"

#include <math.h>
#include <string.h>

#include "chunk-time.h"
#include "group-element.h"
#include "partial-sum.h"
#include "row-copy.h"
#include "workload-sum.h"
#include "workload-tables.h"

#define N_SLOWEST 10

/* One file of one dataset. */
typedef struct
{
  const char *dataset, *file;
  const char *tree;
  gboolean has_trees; /* chunks read several trees of the file */
  gint64 chunks, failed, wasted, events;
  WorkloadSum bytes, time, function, cpu, requests;
  double branches, first_branches; /* largest number of branches in a chunk; number of branches in the first chunk */
  gboolean has_first;
} File;

/* Properties of a file that the program reported before reading it; NaN if unknown. */
typedef struct
{
  double bytes, branches;
} FilesTree;

typedef struct
{
  char *name; /* name of the host; NULL for files of this host */
  gint64 files, chunks, failed;
  WorkloadSum bytes, time;
} Site;

typedef struct
{
  guint64 row;
  double seconds;
} Slow;

static const RowCell texts[] = {
  { ROAST_SLOWEST_CHUNKS_DATASET, ROAST_CHUNKS_DATASET },
  { ROAST_SLOWEST_CHUNKS_FILE, ROAST_CHUNKS_FILE },
  { ROAST_SLOWEST_CHUNKS_HOST, ROAST_CHUNKS_HOST },
}, counts[] = {
  { ROAST_SLOWEST_CHUNKS_ENTRY_START, ROAST_CHUNKS_ENTRY_START },
  { ROAST_SLOWEST_CHUNKS_ENTRY_STOP, ROAST_CHUNKS_ENTRY_STOP },
  { ROAST_SLOWEST_CHUNKS_EVENTS, ROAST_CHUNKS_EVENTS },
  { ROAST_SLOWEST_CHUNKS_BYTES_READ, ROAST_CHUNKS_BYTES_READ },
  { ROAST_SLOWEST_CHUNKS_PID, ROAST_CHUNKS_PID },
};

struct _WorkloadFiles
{
  GArray *files;           /* maps the group of a dataset and file to its File */
  Slow slowest[N_SLOWEST]; /* the slowest chunks, slowest first */
  guint n_slowest;
};

WorkloadFiles *
workload_files_new (void)
{
  WorkloadFiles *self = g_new0 (WorkloadFiles, 1);

  self->files = g_array_new (FALSE, FALSE, sizeof (File));

  return self;
}

void
workload_files_free (WorkloadFiles *self)
{
  g_array_unref (self->files);
  g_free (self);
}

char *
workload_dup_site (const char *file)
{
  g_autoptr (GUri) uri = NULL;
  const char *scheme = strstr (file, "://");

  if (scheme == NULL || scheme == file)
    return NULL;
  uri = g_uri_parse (file, G_URI_FLAGS_PARSE_RELAXED | G_URI_FLAGS_NON_DNS, NULL);

  return uri != NULL && g_uri_get_host (uri) != NULL && *g_uri_get_host (uri) != '\0' ? g_strdup (g_uri_get_host (uri))
                                                                                      : NULL;
}

/* Insert a chunk into the list of the slowest chunks if it is slow enough. Shifting the elements is cheap, because the
 * list is short and most chunks are not inserted. */
static void
add_slow (WorkloadFiles *self, guint64 row, double seconds)
{
  guint place = self->n_slowest;

  if (isnan (seconds) || (place == N_SLOWEST && self->slowest[N_SLOWEST - 1].seconds >= seconds))
    return;
  self->n_slowest = MIN (place + 1, N_SLOWEST);
  place = self->n_slowest - 1;
  for (; place > 0 && self->slowest[place - 1].seconds < seconds; place--)
    self->slowest[place] = self->slowest[place - 1];
  self->slowest[place] = (Slow) { row, seconds };
}

static void
files_add_counted (WorkloadFiles *self, File *file, RoastTableReader *chunks)
{
  double seconds = chunk_time_get (chunks);

  file->chunks++;
  file->events += roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_EVENTS, 0);
  workload_sum_add (&file->bytes, roast_table_reader_get_double (chunks, ROAST_CHUNKS_BYTES_READ));
  workload_sum_add (&file->time, seconds);
  workload_sum_add (&file->function, roast_table_reader_get_double (chunks, ROAST_CHUNKS_PROCESS_TIME));
  workload_sum_add (&file->cpu, roast_table_reader_get_double (chunks, ROAST_CHUNKS_THREAD_CPU));
  workload_sum_add (&file->requests, roast_table_reader_get_double (chunks, ROAST_CHUNKS_REQUESTS));
  file->branches = fmax (file->branches, roast_table_reader_get_double (chunks, ROAST_CHUNKS_BRANCHES_READ));
  add_slow (self, roast_table_reader_get_row (chunks), seconds);
}

void
workload_files_add (WorkloadFiles *self, RoastTableReader *chunks, ChunkVerdict verdict)
{
  File *file = group_element_at (self->files, roast_table_reader_get_group (chunks));
  const char *tree = roast_table_reader_get_string (chunks, ROAST_CHUNKS_TREE);

  file->has_trees |= file->tree != NULL && g_strcmp0 (file->tree, tree) != 0;
  file->tree = tree;
  if (file->file == NULL)
    {
      file->dataset = roast_table_reader_get_string (chunks, ROAST_CHUNKS_DATASET);
      file->file = roast_table_reader_get_string (chunks, ROAST_CHUNKS_FILE);
      file->branches = file->first_branches = NAN;
    }
  if (!file->has_first && (verdict == CHUNK_COUNTED || verdict == CHUNK_FAILED))
    {
      file->has_first = TRUE;
      file->first_branches = roast_table_reader_get_double (chunks, ROAST_CHUNKS_BRANCHES_READ);
    }
  file->failed += verdict == CHUNK_FAILED || verdict == CHUNK_LOST ||
                          (verdict == CHUNK_PREPARATION && roast_table_reader_has (chunks, ROAST_CHUNKS_ERROR))
                      ? 1
                      : 0;
  file->wasted += verdict == CHUNK_WASTED ? 1 : 0;
  if (verdict == CHUNK_COUNTED)
    files_add_counted (self, file, chunks);
}

/* ---- the report ---- */

static GHashTable *
read_trees (RoastRecordingSnapshot *recording)
{
  GHashTable *trees = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autoptr (RoastTableReader) table = roast_files_read (recording);

  while (roast_table_reader_next (table))
    {
      const char *file = roast_table_reader_get_string (table, ROAST_FILES_FILE);
      FilesTree tree = { roast_table_reader_get_double (table, ROAST_FILES_BYTES),
                         roast_table_reader_get_double (table, ROAST_FILES_BRANCHES) };

      if (file != NULL)
        g_hash_table_insert (trees, (char *) file, g_memdup2 (&tree, sizeof tree));
    }

  return trees;
}

/* Return the properties of a file; NULL if they are unknown, or if chunks read several trees of the file. First look
 * for the name FILE:TREE, because a program may report the properties of a tree under such a name. */
static const FilesTree *
find_tree (GHashTable *trees, const File *file)
{
  g_autofree char *name = NULL;
  const FilesTree *tree = NULL;

  if (file->has_trees)
    return NULL;
  name = g_strjoin (":", file->file, file->tree, NULL);
  tree = g_hash_table_lookup (trees, name);

  return tree != NULL ? tree : g_hash_table_lookup (trees, file->file);
}

static void
set_count (RoastTableWriter *table, guint slot, const WorkloadSum *sum)
{
  if (sum->n > 0)
    roast_table_writer_set_int64 (table, slot, (gint64) sum->sum);
}

static void
write_file (RoastTableWriter *table, const File *file, const WorkloadNeed *need, GHashTable *trees)
{
  g_autofree char *site = workload_dup_site (file->file);
  const FilesTree *tree = find_tree (trees, file);

  roast_table_writer_set_string (table, ROAST_PER_FILE_DATASET, file->dataset);
  roast_table_writer_set_string (table, ROAST_PER_FILE_FILE, file->file);
  roast_table_writer_set_string (table, ROAST_PER_FILE_SITE, site);
  roast_table_writer_set_int64 (table, ROAST_PER_FILE_CHUNKS, file->chunks);
  roast_table_writer_set_int64 (table, ROAST_PER_FILE_FAILED, file->failed);
  roast_table_writer_set_int64 (table, ROAST_PER_FILE_WASTED, file->wasted);
  roast_table_writer_set_int64 (table, ROAST_PER_FILE_EVENTS, file->events);
  set_count (table, ROAST_PER_FILE_BYTES_READ, &file->bytes);
  set_count (table, ROAST_PER_FILE_REQUESTS, &file->requests);
  roast_table_writer_set_double (table, ROAST_PER_FILE_PROCESSING_TIME, workload_sum_get (&file->time));
  roast_table_writer_set_double (table, ROAST_PER_FILE_FUNCTION_TIME, workload_sum_get (&file->function));
  roast_table_writer_set_double (table, ROAST_PER_FILE_THREAD_CPU, workload_sum_get (&file->cpu));
  roast_table_writer_set_double (table, ROAST_PER_FILE_EVENT_RATE,
                                 (double) file->events / workload_sum_get (&file->time));
  partial_sum_write (table, ROAST_PER_FILE_BRANCHES_READ, file->branches);
  partial_sum_write (table, ROAST_PER_FILE_FIRST_BRANCHES, file->first_branches);
  if (tree != NULL)
    partial_sum_write (table, ROAST_PER_FILE_BRANCHES, tree->branches);
  if (need->missing == 0 && !isnan (need->needed))
    {
      roast_table_writer_set_int64 (table, ROAST_PER_FILE_NEEDED_BYTES, llround (need->needed));
      if (tree != NULL && tree->bytes > 0 && need->needed <= tree->bytes)
        roast_table_writer_set_double (table, ROAST_PER_FILE_READ_SHARE, need->needed / tree->bytes);
      if (need->unread == 0 && need->amplified > 0)
        roast_table_writer_set_double (table, ROAST_PER_FILE_AMPLIFICATION, need->bytes / need->amplified);
    }
  roast_table_writer_end (table, NULL);
}

static void
write_files (WorkloadFiles *self, WorkloadNeeded *needed, GHashTable *trees, RoastReport *report)
{
  g_autoptr (RoastTableWriter) table = roast_per_file_write (report);

  for (guint i = 0; i < self->files->len; i++)
    if (g_array_index (self->files, File, i).file != NULL)
      {
        WorkloadNeed need = workload_needed_get (needed, i);

        write_file (table, &g_array_index (self->files, File, i), &need, trees);
      }
}

static void
site_free (gpointer data)
{
  Site *self = data;

  g_free (self->name);
  g_free (self);
}

static Site *
get_site (GPtrArray *sites, const char *file)
{
  g_autofree char *name = workload_dup_site (file);
  Site *site = NULL;

  for (guint i = 0; i < sites->len; i++)
    if (g_strcmp0 (((Site *) g_ptr_array_index (sites, i))->name, name) == 0)
      return g_ptr_array_index (sites, i);
  site = g_new0 (Site, 1);
  site->name = g_steal_pointer (&name);
  g_ptr_array_add (sites, site);

  return site;
}

static void
files_merge (WorkloadSum *sum, const WorkloadSum *other)
{
  sum->sum += other->sum;
  sum->n += other->n;
  sum->missing += other->missing;
}

/* Write the table per_site, unless all files are on this host. */
static void
write_sites (WorkloadFiles *self, RoastReport *report)
{
  g_autoptr (GPtrArray) sites = g_ptr_array_new_with_free_func (site_free);
  g_autoptr (RoastTableWriter) table = NULL;

  FOR_EACH (const File, file, self->files)
    {
      Site *site = file->file != NULL ? get_site (sites, file->file) : NULL;

      if (site == NULL)
        continue;
      site->files++;
      site->chunks += file->chunks;
      site->failed += file->failed;
      files_merge (&site->bytes, &file->bytes);
      files_merge (&site->time, &file->time);
    }
  if (sites->len == 0 || (sites->len == 1 && ((Site *) g_ptr_array_index (sites, 0))->name == NULL))
    return;
  table = roast_per_site_write (report);
  FOR_EACH_POINTER (const Site, site, sites)
    {
      roast_table_writer_set_string (table, ROAST_PER_SITE_SITE, site->name != NULL ? site->name : "(local path)");
      roast_table_writer_set_int64 (table, ROAST_PER_SITE_FILES, site->files);
      roast_table_writer_set_int64 (table, ROAST_PER_SITE_CHUNKS, site->chunks);
      roast_table_writer_set_int64 (table, ROAST_PER_SITE_FAILED, site->failed);
      set_count (table, ROAST_PER_SITE_BYTES_READ, &site->bytes);
      roast_table_writer_set_double (table, ROAST_PER_SITE_PROCESSING_TIME, workload_sum_get (&site->time));
      roast_table_writer_set_double (table, ROAST_PER_SITE_DATA_RATE,
                                     workload_sum_get (&site->bytes) / workload_sum_get (&site->time));
      roast_table_writer_end (table, NULL);
    }
}

/* Write the slowest chunks, or all chunks if there are only a few. */
static void
write_slowest (WorkloadFiles *self, RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (RoastTableReader) chunks = roast_chunks_read (recording);
  g_autoptr (RoastTableWriter) table = roast_slowest_chunks_write (report);

  for (guint i = 0; i < self->n_slowest; i++)
    if (roast_table_reader_seek (chunks, self->slowest[i].row))
      {
        row_copy_texts (table, chunks, texts, G_N_ELEMENTS (texts));
        row_copy_counts (table, chunks, counts, G_N_ELEMENTS (counts));
        roast_table_writer_set_double (table, ROAST_SLOWEST_CHUNKS_TIME, self->slowest[i].seconds);
        roast_table_writer_set_double (table, ROAST_SLOWEST_CHUNKS_FUNCTION_TIME,
                                       roast_table_reader_get_double (chunks, ROAST_CHUNKS_PROCESS_TIME));
        roast_table_writer_set_double (table, ROAST_SLOWEST_CHUNKS_THREAD_CPU,
                                       roast_table_reader_get_double (chunks, ROAST_CHUNKS_THREAD_CPU));
        roast_table_writer_end (table, NULL);
      }
}

void
workload_files_report (WorkloadFiles *self, WorkloadNeeded *needed, RoastRecordingSnapshot *recording,
                       RoastReport *report)
{
  g_autoptr (GHashTable) trees = NULL;
  gboolean any = FALSE;

  roast_report_add_unavailable (report, "avg_bytes_read_ratio",
                                "the size of branches in the whole file is not recorded; the tables per_file and "
                                "per_branch have shares that are computed from the needed baskets");
  for (guint i = 0; i < self->files->len; i++)
    any = any || g_array_index (self->files, File, i).file != NULL;
  if (!any)
    return;
  trees = read_trees (recording);
  write_files (self, needed, trees, report);
  write_sites (self, report);
  write_slowest (self, recording, report);
}
