/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds the rows of task_phases and chunks that lie within an attempt. Stores the names of tasks as 64-bit hashes, so
 * that a million tasks need little memory. Also compares times, so that two tasks with the same hash are not mixed
 * up. */

#include "perfetto.h"

#include "each.h"
#include "id-set.h"

/* A row of task_phases or chunks. The rows of task_phases come before all rows of chunks. */
typedef struct
{
  guint64 hash; /* hash of the task's name; 0 if the row names no task */
  gint64 started, ended;
  guint32 attempt; /* number of the attempt; 0 if the row does not contain it */
  guint32 place;   /* index of the row's attempt in @places, plus 1; 0 if there is none */
  gboolean is_inside;
} Detail;

/* An attempt that was drawn. Rows may be drawn inside it. */
typedef struct
{
  gint64 started, ended;
  guint64 track;
  guint32 worker, attempt;
  guint32 next; /* index of another place of the same task, plus 1; 0 if there is none */
} Place;

struct _Details
{
  GArray *details, *places;
  GHashTable *by_hash; /* maps a hash to the index of the task's last place, plus 1 */
  gsize n_phases;
};

static guint64
hash_task (RoastTableReader *table, guint slot)
{
  const char *task = roast_table_reader_get_string (table, slot);

  return task != NULL ? MAX (id_set_hash_text (ID_SET_START, task), 1) : 0;
}

static void
add_detail (Details *self, RoastTableReader *table, guint task, guint started, guint ended, gint64 attempt)
{
  Detail detail = { .hash = hash_task (table, task), .attempt = (guint32) CLAMP (attempt, 0, G_MAXINT32) };

  detail.started = roast_table_reader_get_int64 (table, started, -1);
  detail.ended = roast_table_reader_get_int64 (table, ended, -1);
  g_array_append_val (self->details, detail);
  if (detail.hash != 0)
    g_hash_table_insert (self->by_hash, g_memdup2 (&detail.hash, sizeof detail.hash), NULL);
}

Details *
details_new (Export *export)
{
  Details *self = g_new0 (Details, 1);
  g_autoptr (RoastTableReader) phases = roast_task_phases_read (export->recording);
  g_autoptr (RoastTableReader) chunks = roast_chunks_read (export->recording);

  self->details = g_array_new (FALSE, FALSE, sizeof (Detail));
  self->places = g_array_new (FALSE, FALSE, sizeof (Place));
  self->by_hash = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  while (roast_table_reader_next (phases))
    add_detail (self, phases, ROAST_TASK_PHASES_TASK, ROAST_TASK_PHASES_STARTED, ROAST_TASK_PHASES_ENDED,
                roast_table_reader_get_int64 (phases, ROAST_TASK_PHASES_ATTEMPT, 0));
  self->n_phases = self->details->len;
  while (roast_table_reader_next (chunks))
    add_detail (self, chunks, ROAST_CHUNKS_TASK, ROAST_CHUNKS_STARTED, ROAST_CHUNKS_ENDED, 0);

  return self;
}

void
details_free (Details *self)
{
  g_array_unref (self->details);
  g_array_unref (self->places);
  g_hash_table_unref (self->by_hash);
  g_free (self);
}

gboolean
details_is_empty (const Details *self)
{
  return g_hash_table_size (self->by_hash) == 0;
}

gsize
details_get_n_phases (const Details *self)
{
  return self->n_phases;
}

void
details_add_place (Details *self, RoastTableReader *tasks, guint worker, guint64 track, gint64 started, gint64 ended)
{
  guint64 hash = hash_task (tasks, ROAST_TASKS_TASK);
  Place place = { .started = started, .ended = ended, .track = track, .worker = worker };
  gpointer last = NULL;

  if (hash == 0 || !g_hash_table_lookup_extended (self->by_hash, &hash, NULL, &last))
    return;
  place.attempt = (guint32) CLAMP (roast_table_reader_get_int64 (tasks, ROAST_TASKS_ATTEMPT, 1), 0, G_MAXINT32);
  place.next = GPOINTER_TO_UINT (last);
  g_array_append_val (self->places, place);
  g_hash_table_insert (self->by_hash, g_memdup2 (&hash, sizeof hash), GUINT_TO_POINTER (self->places->len));
}

/* ---- nesting ---- */

/* Return whether the row lies within the attempt. A row that ends at the same time as the attempt does not count. The
 * next attempt in the slot may begin at this time, and its events are already in the file. */
static gboolean
contains (const Place *place, const Detail *detail)
{
  return detail->started >= place->started && detail->ended >= detail->started && detail->ended < place->ended;
}

/* Find the attempt of a row. If the row has no attempt number, use the attempt at its task during which the row
 * lies. */
static void
find_place (Details *self, Detail *detail)
{
  guint place = detail->hash != 0 ? GPOINTER_TO_UINT (g_hash_table_lookup (self->by_hash, &detail->hash)) : 0;

  for (; place != 0 && detail->place == 0; place = g_array_index (self->places, Place, place - 1).next)
    {
      const Place *candidate = &g_array_index (self->places, Place, place - 1);

      if (detail->attempt != 0 ? candidate->attempt == detail->attempt : contains (candidate, detail))
        detail->place = place;
    }
}

static int
compare_details (gconstpointer a, gconstpointer b)
{
  const Detail *x = *(const Detail *const *) a, *y = *(const Detail *const *) b;

  if (x->place != y->place)
    return x->place < y->place ? -1 : 1;
  if (x->started != y->started)
    return x->started < y->started ? -1 : 1;

  return x < y ? -1 : x > y;
}

/* Choose which rows are drawn inside their attempts. Rows inside the same attempt must not overlap. */
void
details_arrange (Details *self)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  guint32 place = 0;
  gint64 last = -1;

  FOR_EACH (Detail, detail, self->details)
    {
      find_place (self, detail);
      if (detail->place != 0 && contains (&g_array_index (self->places, Place, detail->place - 1), detail))
        g_ptr_array_add (sorted, detail);
    }
  g_ptr_array_sort (sorted, compare_details);
  FOR_EACH_POINTER (Detail, detail, sorted)
    {
      detail->is_inside = detail->place != place || detail->started > last;
      place = detail->place;
      last = detail->is_inside ? detail->ended : last;
    }
}

guint64
details_get_track (const Details *self, gsize number, guint *worker)
{
  const Detail *detail = &g_array_index (self->details, Detail, number);
  const Place *place = detail->place != 0 ? &g_array_index (self->places, Place, detail->place - 1) : NULL;

  *worker = place != NULL ? place->worker : LANES_NONE;

  return detail->is_inside ? place->track : 0;
}
