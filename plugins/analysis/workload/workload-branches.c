/* SPDX-License-Identifier: BSD-3-Clause */

/* Write the table per_branch: the branches that chunks read. */

#include <math.h>

#include "chunk-verdicts.h"
#include "group-element.h"
#include "id-set.h"
#include "workload-files.h"
#include "workload-tables.h"

#define NOT_REPORTED "no chunk reported to roast which branches it read (docs/protocol.md explains how)"
#define NO_SIZES "no chunk reported the size of the branches that it read"

/* Sums of a branch over all files, or over one file. */
typedef struct
{
  const char *branch;
  gint64 chunks, sized; /* chunks: all chunks; sized: chunks that reported bytes */
  double bytes;         /* size of the baskets that chunks needed */
  double compressed;    /* part of @bytes whose uncompressed size is known or estimated */
  double uncompressed;  /* uncompressed size of the baskets that @compressed counts */
  double estimated;     /* part of @uncompressed that is estimated */
} Branch;

/* Return a table that maps "FILE\nBRANCH" to the uncompressed size of the branch in this file, divided by its
 * compressed size. */
static GHashTable *
read_ratios (RoastRecordingSnapshot *recording)
{
  GHashTable *ratios = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (RoastTableReader) table = roast_branches_read (recording);

  while (roast_table_reader_next (table))
    {
      double ratio = roast_table_reader_get_double (table, ROAST_BRANCHES_UNCOMPRESSED) /
                     roast_table_reader_get_double (table, ROAST_BRANCHES_BYTES);

      if (isfinite (ratio))
        g_hash_table_insert (ratios,
                             g_strconcat (roast_table_reader_get_string (table, ROAST_BRANCHES_FILE), "\n",
                                          roast_table_reader_get_string (table, ROAST_BRANCHES_BRANCH), NULL),
                             g_memdup2 (&ratio, sizeof ratio));
    }

  return ratios;
}

/* Return the compression ratio of the branch in the current row of @table; NaN if it is unknown. */
static double
look_up_ratio (GHashTable *ratios, RoastTableReader *table)
{
  const char *file = roast_table_reader_get_string (table, ROAST_CHUNK_BRANCHES_FILE);
  g_autofree char *key = NULL;
  const double *ratio = NULL;

  if (file == NULL)
    return NAN;
  key = g_strconcat (file, "\n", roast_table_reader_get_string (table, ROAST_CHUNK_BRANCHES_BRANCH), NULL);
  ratio = g_hash_table_lookup (ratios, key);

  return ratio != NULL ? *ratio : NAN;
}

/* One branch in one file. */
typedef struct
{
  Branch sums;
  double ratio;
} FileBranch;

/* Add a row of the table chunk_branches. If the row has no uncompressed size of its baskets, estimate this size from
 * the compression ratio of the whole branch. */
static void
branches_add_row (FileBranch *branch, RoastTableReader *table)
{
  double bytes = roast_table_reader_get_double (table, ROAST_CHUNK_BRANCHES_BYTES);
  double uncompressed = roast_table_reader_get_double (table, ROAST_CHUNK_BRANCHES_UNCOMPRESSED);
  gboolean known = !isnan (uncompressed);

  branch->sums.chunks++;
  if (isnan (bytes))
    return;
  branch->sums.sized++;
  branch->sums.bytes += bytes;
  if (!known)
    uncompressed = bytes * branch->ratio;
  if (isnan (uncompressed))
    return;
  branch->sums.compressed += bytes;
  branch->sums.uncompressed += uncompressed;
  branch->sums.estimated += known ? 0 : uncompressed;
}

/* Collect the hashes of attempts that failed during a call, or are not in the result. */
static void
branches_collect_wasted (IdSet *ids, RoastRecordingSnapshot *recording)
{
  g_autoptr (ChunkVerdicts) verdicts = chunk_verdicts_get (recording);
  g_autoptr (RoastTableReader) chunks = roast_chunks_read (recording);

  while (roast_table_reader_next (chunks))
    {
      ChunkVerdict verdict = chunk_verdicts_judge (verdicts, roast_table_reader_get_row (chunks));
      const char *id = roast_table_reader_get_string (chunks, ROAST_CHUNKS_CHUNK);

      if (id != NULL && (verdict == CHUNK_LOST || verdict == CHUNK_WASTED))
        id_set_add (ids, id_set_hash_text (ID_SET_START, id));
    }
}

static gboolean
branches_is_wasted (const IdSet *wasted, RoastTableReader *table)
{
  const char *id = wasted->n > 0 ? roast_table_reader_get_string (table, ROAST_CHUNK_BRANCHES_CHUNK) : NULL;

  return id != NULL && id_set_contains (wasted, id_set_hash_text (ID_SET_START, id));
}

/* Add up the table chunk_branches for each branch of each file. Count a basket that two chunks share for both of them,
 * because each chunk decompresses it. */
static GArray *
read_file_branches (RoastRecordingSnapshot *recording)
{
  GArray *branches = g_array_new (FALSE, FALSE, sizeof (FileBranch));
  IdSet wasted = { NULL };
  g_autoptr (GHashTable) ratios = read_ratios (recording);
  g_autoptr (RoastTableReader) table = roast_chunk_branches_read (recording);

  branches_collect_wasted (&wasted, recording);
  GROUP_BY (table, ROAST_CHUNK_BRANCHES_FILE, ROAST_CHUNK_BRANCHES_BRANCH);
  while (roast_table_reader_next (table))
    {
      FileBranch *branch = NULL;

      if (!roast_table_reader_has (table, ROAST_CHUNK_BRANCHES_BRANCH) || branches_is_wasted (&wasted, table))
        continue;
      branch = group_element (branches, table);
      if (branch->sums.branch == NULL)
        {
          branch->sums.branch = roast_table_reader_get_string (table, ROAST_CHUNK_BRANCHES_BRANCH);
          branch->ratio = look_up_ratio (ratios, table);
        }
      branches_add_row (branch, table);
    }
  id_set_clear (&wasted);

  return branches;
}

static void
branches_merge (Branch *branch, const Branch *other)
{
  branch->branch = other->branch;
  branch->chunks += other->chunks;
  branch->sized += other->sized;
  branch->bytes += other->bytes;
  branch->compressed += other->compressed;
  branch->uncompressed += other->uncompressed;
  branch->estimated += other->estimated;
}

static GArray *
read_branches (RoastRecordingSnapshot *recording)
{
  g_autoptr (GArray) of_files = read_file_branches (recording);
  g_autoptr (GHashTable) places = g_hash_table_new (g_str_hash, g_str_equal);
  GArray *branches = g_array_new (FALSE, TRUE, sizeof (Branch));

  for (guint i = 0; i < of_files->len; i++)
    {
      const Branch *branch = &g_array_index (of_files, FileBranch, i).sums;
      gpointer place;

      if (branch->branch == NULL)
        continue;
      if (!g_hash_table_lookup_extended (places, branch->branch, NULL, &place))
        {
          place = GUINT_TO_POINTER (branches->len);
          g_array_set_size (branches, branches->len + 1);
          g_hash_table_insert (places, (char *) branch->branch, place);
        }
      branches_merge (&g_array_index (branches, Branch, GPOINTER_TO_UINT (place)), branch);
    }

  return branches;
}

static int
compare_bytes (gconstpointer a, gconstpointer b)
{
  double bytes_a = ((const Branch *) a)->bytes;
  double bytes_b = ((const Branch *) b)->bytes;

  return (bytes_a < bytes_b) - (bytes_a > bytes_b);
}

static void
write_branches (GArray *branches, double bytes, RoastReport *report)
{
  g_autoptr (RoastTableWriter) table = roast_per_branch_write (report);

  g_array_sort (branches, compare_bytes);
  FOR_EACH (const Branch, branch, branches)
    {
      roast_table_writer_set_string (table, ROAST_PER_BRANCH_BRANCH, branch->branch);
      roast_table_writer_set_int64 (table, ROAST_PER_BRANCH_CHUNKS, branch->chunks);
      if (branch->sized > 0)
        roast_table_writer_set_int64 (table, ROAST_PER_BRANCH_BYTES, (gint64) branch->bytes);
      if (branch->sized > 0 && branch->compressed == branch->bytes)
        roast_table_writer_set_int64 (table, ROAST_PER_BRANCH_UNCOMPRESSED, llround (branch->uncompressed));
      if (branch->sized > 0)
        roast_table_writer_set_double (table, ROAST_PER_BRANCH_SHARE, branch->bytes / bytes);
      roast_table_writer_set_double (table, ROAST_PER_BRANCH_COMPRESSION, branch->uncompressed / branch->compressed);
      roast_table_writer_end (table, NULL);
    }
}

static void
add_sizes (const Branch *all, RoastReport *report)
{
  g_autofree char *estimated = NULL;
  RoastCompleteness completeness = ROAST_COMPLETENESS_COMPLETE;

  if (!(all->compressed > 0))
    {
      const char *reason = all->sized > 0 && all->bytes == 0 ? "the branches that were read have no baskets" : NO_SIZES;

      roast_report_add_unavailable (report, "uncompressed_bytes_total", reason);
      roast_report_add_unavailable (report, "read_compression_ratio", reason);
      return;
    }
  if (all->estimated > 0)
    {
      completeness = ROAST_COMPLETENESS_ESTIMATED;
      estimated =
          g_strdup ("estimated from the size of whole branches: the uncompressed size of single baskets is unknown");
    }
  roast_report_add_double (report, "read_compression_ratio", all->uncompressed / all->compressed, completeness,
                           estimated);
  if (all->compressed < all->bytes)
    roast_report_add_unavailable (report, "uncompressed_bytes_total", "not all branches reported their size");
  else
    roast_report_add_int64 (report, "uncompressed_bytes_total", llround (all->uncompressed), completeness, estimated);
}

void
workload_add_branches (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (GArray) branches = read_branches (recording);
  Branch all = { NULL };

  if (branches->len == 0)
    {
      roast_report_add_unavailable (report, "uncompressed_bytes_total", NOT_REPORTED);
      roast_report_add_unavailable (report, "read_compression_ratio", NOT_REPORTED);
      return;
    }
  for (guint i = 0; i < branches->len; i++)
    branches_merge (&all, &g_array_index (branches, Branch, i));
  add_sizes (&all, report);
  write_branches (branches, all.bytes, report);
}
