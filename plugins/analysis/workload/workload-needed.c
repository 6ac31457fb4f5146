/* SPDX-License-Identifier: BSD-3-Clause */

/* Compute how many bytes chunks needed. Several chunks may need the same basket, because the bounds of chunks cut
 * baskets. Such a basket counts only once. Rows of `chunk_branches` contain the positions of each chunk's baskets in
 * their branch. The union of these ranges is exact, whichever chunks are in the result and whichever branches each
 * chunk read. For chunks without such rows, only an estimate is possible. */

#include "workload-needed.h"

#include "group-element.h"
#include "id-set.h"
#include "partial-sum.h"
#include "workload-tables.h"

/* A chunk of the result, which may have rows in `chunk_branches`. */
typedef struct
{
  guint64 id;  /* hash of the chunk's name */
  gint64 left; /* bytes that the chunk needed, minus the bytes in those of its rows that were already read */
  int tree, call;
  guint group : 31;
  guint read : 1; /* the chunk also reports how many bytes it read */
} NeededChunk;

/* A chunk that needs baskets which begin before the chunk. */
typedef struct
{
  guint64 start; /* hash of the entry where the chunk starts */
  gint64 bytes;  /* size of the baskets that begin before the chunk */
  guint group;
  gboolean read;
} Shared;

typedef struct
{
  gint64 start, stop;
} Range;

/* The baskets that chunks need from one branch of a file. */
typedef struct
{
  guint64 key;
  guint group;
  GArray *ranges; /* elements are Range, sorted, with gaps between them */
} Baskets;

typedef struct
{
  WorkloadNeed need;
  double own[2];    /* bytes of baskets that begin in their chunk: over all chunks; over chunks with bytes_read */
  double needed[2]; /* bytes of the ranges of baskets: over all chunks; over chunks with bytes_read, for each call */
  int call;         /* call of the last chunk */
  gboolean apart; /* chunks without bytes_read or of several calls: only the second of these numbers fits bytes_read */
  gboolean unknown;  /* the positions of some baskets of the file's chunks are unknown */
  gboolean doubtful; /* a chunk needs baskets that begin before it, or chunks start at the same entry */
} NeededFile;

struct _WorkloadNeeded
{
  GArray *files;       /* elements are NeededFile, by group */
  GArray *chunks;      /* elements are NeededChunk */
  GArray *shared;      /* elements are Shared */
  IdSet starts, stops; /* hashes of the entries where chunks start and stop */
  GHashTable *places;  /* maps the hash of a chunk to its index; NULL as long as rows have the order of @chunks */
  guint next;          /* index of the chunk to which the next row probably belongs */
};

WorkloadNeeded *
workload_needed_new (void)
{
  WorkloadNeeded *self = g_new0 (WorkloadNeeded, 1);

  self->files = g_array_new (FALSE, FALSE, sizeof (NeededFile));
  self->chunks = g_array_new (FALSE, FALSE, sizeof (NeededChunk));
  self->shared = g_array_new (FALSE, FALSE, sizeof (Shared));

  return self;
}

void
workload_needed_free (WorkloadNeeded *self)
{
  g_array_unref (self->files);
  g_array_unref (self->chunks);
  g_array_unref (self->shared);
  id_set_clear (&self->starts);
  id_set_clear (&self->stops);
  g_clear_pointer (&self->places, g_hash_table_unref);
  g_free (self);
}

/* Return a hash of the file and tree of the current row, and of the entry in its column @column. */
static guint64
hash_entry (RoastTableReader *chunks, guint column)
{
  guint64 hash = id_set_hash_number (ID_SET_START, roast_table_reader_get_group (chunks));

  hash = id_set_hash_number (hash, (guint64) roast_table_reader_get_code (chunks, ROAST_CHUNKS_TREE));

  return id_set_hash_number (hash, (guint64) roast_table_reader_get_int64 (chunks, column, -1));
}

static void
add_chunk (WorkloadNeeded *self, RoastTableReader *chunks, gint64 needed, gboolean read)
{
  const char *id = roast_table_reader_get_string (chunks, ROAST_CHUNKS_CHUNK);
  NeededChunk chunk = { .id = id != NULL ? id_set_hash_text (ID_SET_START, id) : 0,
                        .left = needed,
                        .tree = roast_table_reader_get_code (chunks, ROAST_CHUNKS_TREE),
                        .call = roast_table_reader_get_code (chunks, ROAST_CHUNKS_CALL),
                        .group = roast_table_reader_get_group (chunks) & G_MAXINT,
                        .read = read };

  g_array_append_val (self->chunks, chunk);
}

void
workload_needed_add (WorkloadNeeded *self, RoastTableReader *chunks)
{
  NeededFile *file = group_element_at (self->files, roast_table_reader_get_group (chunks));
  gint64 needed = roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_NEEDED_BYTES, -1);
  gint64 own = roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_NEEDED_BYTES_OWN, -1);
  double bytes = roast_table_reader_get_double (chunks, ROAST_CHUNKS_BYTES_READ);
  int call = roast_table_reader_get_code (chunks, ROAST_CHUNKS_CALL);
  gboolean read = !isnan (bytes);

  if (needed < 0 || own < 0)
    {
      file->need.missing++;
      return;
    }
  file->apart = file->apart || !read || (file->need.chunks > 0 && call != file->call);
  file->call = call;
  file->need.chunks++;
  file->need.unread += read ? 0 : 1;
  file->need.bytes += read ? bytes : 0;
  file->own[0] += (double) own;
  file->own[1] += read ? (double) own : 0;
  add_chunk (self, chunks, needed, read);
  id_set_add (&self->stops, hash_entry (chunks, ROAST_CHUNKS_ENTRY_STOP));
  if (!id_set_add (&self->starts, hash_entry (chunks, ROAST_CHUNKS_ENTRY_START)))
    file->doubtful = TRUE;
  if (needed > own)
    {
      Shared shared = { hash_entry (chunks, ROAST_CHUNKS_ENTRY_START), needed - own,
                        roast_table_reader_get_group (chunks), read };

      file->doubtful = TRUE;
      g_array_append_val (self->shared, shared);
    }
}

/* ---- the baskets of each chunk ---- */

static NeededChunk *
needed_look_up (WorkloadNeeded *self, guint64 id)
{
  gpointer place = NULL;

  if (self->places == NULL)
    {
      self->places = g_hash_table_new (g_int64_hash, g_int64_equal);
      for (guint i = 0; i < self->chunks->len; i++)
        g_hash_table_insert (self->places, &g_array_index (self->chunks, NeededChunk, i).id, GUINT_TO_POINTER (i));
    }
  if (!g_hash_table_lookup_extended (self->places, &id, NULL, &place))
    return NULL;
  self->next = GPOINTER_TO_UINT (place) + 1;

  return &g_array_index (self->chunks, NeededChunk, GPOINTER_TO_UINT (place));
}

/* Return the chunk with the hash @id; NULL if the chunk is not in the result. Try the next chunk first, because most
 * rows have the order of the chunks. */
static NeededChunk *
find_chunk (WorkloadNeeded *self, guint64 id)
{
  if (self->next < self->chunks->len && g_array_index (self->chunks, NeededChunk, self->next).id == id)
    return &g_array_index (self->chunks, NeededChunk, self->next++);

  return needed_look_up (self, id);
}

static void
baskets_free (gpointer data)
{
  Baskets *self = data;

  g_array_unref (self->ranges);
  g_free (self);
}

/* Add @range to @ranges. Merge ranges that overlap or touch each other. */
static void
add_range (GArray *ranges, Range range)
{
  guint first = 0;
  guint last = ranges->len;

  while (first < last) /* find the first range that ends at or after the start of the new range */
    {
      guint middle = first + (last - first) / 2;

      if (g_array_index (ranges, Range, middle).stop < range.start)
        first = middle + 1;
      else
        last = middle;
    }
  for (; last < ranges->len && g_array_index (ranges, Range, last).start <= range.stop; last++)
    {
      range.start = MIN (range.start, g_array_index (ranges, Range, last).start);
      range.stop = MAX (range.stop, g_array_index (ranges, Range, last).stop);
    }
  if (last > first)
    {
      g_array_index (ranges, Range, first) = range;
      g_array_remove_range (ranges, first + 1, last - first - 1);
    }
  else
    g_array_insert_val (ranges, first, range);
}

static void
add_baskets (GHashTable *branches, const NeededChunk *chunk, int call, int branch, Range range)
{
  guint64 key = id_set_hash_number (ID_SET_START, chunk->group);
  Baskets *baskets = NULL;

  key = id_set_hash_number (key, (guint64) chunk->tree);
  key = id_set_hash_number (key, (guint64) call);
  key = id_set_hash_number (key, (guint64) branch);
  baskets = g_hash_table_lookup (branches, &key);
  if (baskets == NULL)
    {
      baskets = g_new0 (Baskets, 1);
      baskets->key = key;
      baskets->group = chunk->group;
      baskets->ranges = g_array_new (FALSE, FALSE, sizeof (Range));
      g_hash_table_insert (branches, &baskets->key, baskets);
    }
  add_range (baskets->ranges, range);
}

/* Read the rows of `chunk_branches` that contain the positions of their baskets. Add the baskets of all chunks to
 * @branches[0]. If some chunks of a file report the bytes that they read and others do not, or if chunks of several
 * calls need the file, also add the baskets of the reporting chunks to @branches[1], for each call apart, because a
 * call has to read also what an earlier call has read. */
static void
needed_read_branches (WorkloadNeeded *self, RoastRecordingSnapshot *recording, GHashTable *const branches[2])
{
  g_autoptr (RoastTableReader) rows = roast_chunk_branches_read (recording);
  NeededChunk *chunk = NULL;
  guint64 current = 0;

  while (roast_table_reader_next (rows))
    {
      gint64 offset = roast_table_reader_get_int64 (rows, ROAST_CHUNK_BRANCHES_OFFSET, -1);
      gint64 bytes = roast_table_reader_get_int64 (rows, ROAST_CHUNK_BRANCHES_BYTES, -1);
      const char *text = NULL;
      guint64 id;
      int branch;

      if (offset < 0 || bytes <= 0 || bytes > G_MAXINT64 - offset)
        continue;
      text = roast_table_reader_get_string (rows, ROAST_CHUNK_BRANCHES_CHUNK);
      if (text == NULL)
        continue;
      id = id_set_hash_text (ID_SET_START, text);
      if (id != current)
        chunk = find_chunk (self, id);
      current = id;
      if (chunk == NULL)
        continue;
      chunk->left -= MIN (bytes, MAX (chunk->left, 0));
      branch = roast_table_reader_get_code (rows, ROAST_CHUNK_BRANCHES_BRANCH);
      add_baskets (branches[0], chunk, 0, branch, (Range) { offset, offset + bytes });
      if (chunk->read && g_array_index (self->files, NeededFile, chunk->group).apart)
        add_baskets (branches[1], chunk, chunk->call, branch, (Range) { offset, offset + bytes });
    }
}

static void
add_up (WorkloadNeeded *self, GHashTable *branches, guint which)
{
  GHashTableIter iter;
  gpointer data;

  g_hash_table_iter_init (&iter, branches);
  while (g_hash_table_iter_next (&iter, NULL, &data))
    {
      const Baskets *baskets = data;

      FOR_EACH (const Range, range, baskets->ranges)
        g_array_index (self->files, NeededFile, baskets->group).needed[which] += (double) (range->stop - range->start);
    }
}

/* ---- files ---- */

/* Estimate the needed bytes if the positions of baskets are unknown. A basket that two chunks share is counted for the
 * chunk in which it begins. Count it for the later chunk only if no chunk of the result ends where the later chunk
 * starts. */
static void
add_shared (WorkloadNeeded *self)
{
  FOR_EACH (const Shared, shared, self->shared)
    {
      NeededFile *file = &g_array_index (self->files, NeededFile, shared->group);

      if (id_set_contains (&self->stops, shared->start))
        continue;
      file->own[0] += (double) shared->bytes;
      file->own[1] += shared->read ? (double) shared->bytes : 0;
    }
}

static void
finish_file (NeededFile *file)
{
  WorkloadNeed *need = &file->need;
  const double *needed = file->unknown ? file->own : file->needed;

  need->needed = need->chunks > 0 ? needed[0] : NAN;
  need->amplified = needed[file->apart ? 1 : 0];
  if (need->chunks == need->unread)
    need->amplified = need->bytes = NAN;
  need->estimated = file->unknown && file->doubtful;
}

void
workload_needed_finish (WorkloadNeeded *self, RoastRecordingSnapshot *recording)
{
  g_autoptr (GHashTable) all = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, baskets_free);
  g_autoptr (GHashTable) read = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, baskets_free);

  if (self->chunks->len > 0)
    needed_read_branches (self, recording, (GHashTable *const[]) { all, read });
  add_up (self, all, 0);
  add_up (self, read, 1);
  add_shared (self);
  FOR_EACH (const NeededChunk, chunk, self->chunks)
    if (chunk->left > 0)
      g_array_index (self->files, NeededFile, chunk->group).unknown = TRUE;
  for (guint i = 0; i < self->files->len; i++)
    finish_file (&g_array_index (self->files, NeededFile, i));
}

WorkloadNeed
workload_needed_get (WorkloadNeeded *self, guint group)
{
  if (group < self->files->len)
    return g_array_index (self->files, NeededFile, group).need;

  return (WorkloadNeed) { .needed = NAN, .amplified = NAN, .bytes = NAN };
}

WorkloadNeed
workload_needed_get_all (WorkloadNeeded *self)
{
  WorkloadNeed all = { .needed = NAN, .amplified = NAN, .bytes = NAN };

  for (guint i = 0; i < self->files->len; i++)
    {
      const WorkloadNeed *need = &g_array_index (self->files, NeededFile, i).need;

      partial_sum_add (&all.needed, need->needed);
      partial_sum_add (&all.amplified, need->amplified);
      partial_sum_add (&all.bytes, need->bytes);
      all.chunks += need->chunks;
      all.missing += need->missing;
      all.unread += need->unread;
      all.estimated = all.estimated || need->estimated;
    }

  return all;
}
