/* SPDX-License-Identifier: BSD-3-Clause */

/* The costliest tasks, workers, categories, datasets and files. */

#include "elapsed.h"
#include "page.h"
#include "under-way.h"

#include <math.h>

#define MAX_ROWS 3   /* largest number of rows of each kind */
#define LEAST_ROWS 4 /* minimum number of rows of all kinds; in many runs enough for one row of each kind */

/* Cells of a row. A cell stays empty if the table of the entry's kind has no column for it. */
enum
{
  WHAT,
  NAME,
  WHERE,
  COUNT,
  TIME,
  CPU,
  SLOWEST,
  MEMORY,
  N_CELLS,
};

static const char *const headings[] = { "", "name", "where", "number", "time", "CPU", "slowest", "memory", NULL };

static const guint ranks[] = {
  [WHAT] = 3, [NAME] = 4, [WHERE] = 0, [COUNT] = 1, [TIME] = 3, [CPU] = 2, [SLOWEST] = 0, [MEMORY] = 3
};

/* A row whose values have not been formatted as texts yet. */
typedef struct
{
  const char *what; /* first cell of the row; NULL to use the name of the kind */
  char *name, *where;
  double values[N_CELLS];
  const char *memory_mark; /* mark that is put before the memory if it is only a bound; or NULL */
} Entry;

static void
entry_free (Entry *entry)
{
  g_free (entry->name);
  g_free (entry->where);
  g_free (entry);
}

/* ---- the costliest entries ---- */

typedef struct
{
  GPtrArray *entries; /* in descending order of TIME; in descending order of CPU if entries have no TIME */
  guint n;            /* number of entries from which the costliest were chosen */
} Top;

static double
cost_of (double time, double cpu)
{
  return isnan (time) ? cpu : time;
}

static gboolean
belongs (const Top *top, double cost)
{
  const Entry *last = NULL;

  if (isnan (cost) || cost <= 0)
    return FALSE;
  if (top->entries->len < MAX_ROWS)
    return TRUE;
  last = g_ptr_array_index (top->entries, top->entries->len - 1);

  return cost > cost_of (last->values[TIME], last->values[CPU]);
}

/* Sort entries by cost, in descending order. */
static int
compare_entries (const Entry *const *a, const Entry *const *b)
{
  double first = cost_of ((*a)->values[TIME], (*a)->values[CPU]);
  double second = cost_of ((*b)->values[TIME], (*b)->values[CPU]);

  return (first < second) - (first > second);
}

static void
insert (Top *top, Entry *entry)
{
  g_ptr_array_add (top->entries, entry);
  g_ptr_array_sort (top->entries, (GCompareFunc) compare_entries);
  g_ptr_array_set_size (top->entries, MIN (top->entries->len, MAX_ROWS));
}

/* ---- tables of the report ---- */

/* A kind of entry. Maps each cell of a row to a column of the table; NULL if the table has no column for this cell. */
typedef struct
{
  const char *table, *what;
  const char *columns[N_CELLS];
  const char *more_cpu[2]; /* columns that are added to the column for CPU */
  const char *memory_bound;
} PageCostliestKind;

static const PageCostliestKind kinds[] = {
  { "per_category",
    "category",
    { [NAME] = "category", [COUNT] = "tasks", [TIME] = "busy", [CPU] = "cpu", [SLOWEST] = "max" },
    { NULL },
    NULL },
  { "per_worker",
    "worker",
    { [NAME] = "worker",
      [WHERE] = "host",
      [COUNT] = "tasks",
      [TIME] = "busy",
      [CPU] = "process_cpu",
      [MEMORY] = "memory_peak" },
    { NULL },
    "memory_peak_bound" },
  { "per_dataset", "dataset", { [NAME] = "dataset", [COUNT] = "chunks", [TIME] = "processing_time" }, { NULL }, NULL },
  { "per_file",
    "file",
    { [NAME] = "file", [WHERE] = "site", [COUNT] = "chunks", [TIME] = "processing_time", [CPU] = "thread_cpu" },
    { NULL },
    NULL },
};

/* Kind that is used only if the run has no tasks and no chunks. */
static const PageCostliestKind commands = {
  "per_command",
  "command",
  { [NAME] = "command", [COUNT] = "processes", [CPU] = "cpu_user", [MEMORY] = "memory_peak" },
  { "cpu_system", "cpu_unsplit" },
  "memory_peak_bound",
};

static double
value_of (RoastTableReader *table, const guint *slots, guint cell)
{
  return slots[cell] != G_MAXUINT && roast_table_reader_has (table, slots[cell])
             ? roast_table_reader_get_double (table, slots[cell])
             : NAN;
}

static char *
text_of (const PageSource *source, RoastTableReader *table, const guint *slots, guint cell)
{
  const char *text = slots[cell] != G_MAXUINT ? roast_table_reader_get_string (table, slots[cell]) : NULL;

  return page_printable (source, text != NULL ? text : "");
}

/* Slots of the columns of a kind in its table; G_MAXUINT if the table lacks the column. */
typedef struct
{
  guint cells[N_CELLS];
  guint more[2];
  guint bound;
} Slots;

static guint
find_slot (RoastTableInfo *info, const char *column)
{
  guint slot = G_MAXUINT;

  return column != NULL && roast_table_info_find_column (info, column, &slot) ? slot : G_MAXUINT;
}

static Slots
find_slots (RoastTableReader *table, const PageCostliestKind *kind)
{
  RoastTableInfo *info = roast_table_reader_get_info (table);
  Slots slots;

  for (guint i = 0; i < N_CELLS; i++)
    slots.cells[i] = find_slot (info, kind->columns[i]);
  for (guint i = 0; i < G_N_ELEMENTS (slots.more); i++)
    slots.more[i] = find_slot (info, kind->more_cpu[i]);
  slots.bound = find_slot (info, kind->memory_bound);

  return slots;
}

static const char *
mark_of (RoastTableReader *table, guint slot)
{
  int bound = slot != G_MAXUINT ? roast_table_reader_get_word (table, slot) : ROAST_BOUND_EXACT;

  return bound == ROAST_BOUND_AT_LEAST ? "≥ " : bound == ROAST_BOUND_AT_MOST ? "≤ " : "";
}

static void
take_row (const PageSource *source, RoastTableReader *table, const Slots *slots, Top *top)
{
  double time = value_of (table, slots->cells, TIME);
  double cpu = value_of (table, slots->cells, CPU);
  Entry *entry = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (slots->more); i++)
    if (slots->more[i] != G_MAXUINT && roast_table_reader_has (table, slots->more[i]))
      cpu = (isnan (cpu) ? 0 : cpu) + roast_table_reader_get_double (table, slots->more[i]);
  top->n++;
  if (!belongs (top, cost_of (time, cpu)))
    return;
  entry = g_new0 (Entry, 1);
  entry->name = text_of (source, table, slots->cells, NAME);
  entry->where = text_of (source, table, slots->cells, WHERE);
  for (guint i = COUNT; i < N_CELLS; i++)
    entry->values[i] = value_of (table, slots->cells, i);
  entry->values[CPU] = cpu;
  entry->memory_mark = mark_of (table, slots->bound);
  insert (top, entry);
}

static void
look_at_table (const PageSource *source, const PageCostliestKind *kind, Top *top)
{
  g_autoptr (RoastTableReader) table = page_read_table (source, kind->table, NULL);
  Slots slots;

  if (table == NULL)
    return;
  slots = find_slots (table, kind);
  while (roast_table_reader_next (table))
    take_row (source, table, &slots, top);
}

/* ---- attempts ---- */

static void
take_attempt (const PageSource *source, RoastTableReader *tasks, double seconds, gboolean is_under_way, Top *top)
{
  Entry *entry = g_new0 (Entry, 1);
  const char *worker = roast_table_reader_get_string (tasks, ROAST_TASKS_WORKER);

  gboolean is_lost = roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS) == ROAST_STATUS_LOST;

  entry->what = is_under_way && is_lost ? "lost" : is_under_way ? "running" : NULL;
  entry->name = page_printable (source, roast_table_reader_get_string (tasks, ROAST_TASKS_TASK));
  entry->where = page_printable (source, worker != NULL ? worker : "");
  for (guint i = 0; i < N_CELLS; i++)
    entry->values[i] = NAN;
  entry->values[TIME] = seconds;
  entry->values[CPU] = roast_table_reader_get_double (tasks, ROAST_TASKS_CPU);
  entry->values[MEMORY] = roast_table_reader_get_double (tasks, ROAST_TASKS_MEMORY_PEAK);
  insert (top, entry);
}

static void
look_at_attempts (const PageSource *source, Top *top)
{
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (source->recording);

  gint64 end = 0;

  g_variant_lookup (roast_recording_snapshot_get_metadata (source->recording), "ended", "x", &end);
  while (roast_table_reader_next (tasks))
    {
      double from, to;
      gboolean is_under_way = under_way_get (tasks, (double) end, &from, &to);
      double seconds =
          is_under_way ? (to - from) / G_USEC_PER_SEC : elapsed_get (tasks, ROAST_TASKS_STARTED, ROAST_TASKS_ENDED);

      top->n++;
      if (belongs (top, seconds))
        take_attempt (source, tasks, seconds, is_under_way, top);
    }
}

/* ---- rows ---- */

static char *
cell_text (const Entry *entry, guint cell)
{
  static const char *const formats[N_CELLS] = {
    [COUNT] = "count", [TIME] = "duration", [CPU] = "duration", [SLOWEST] = "duration", [MEMORY] = "bytes"
  };

  g_autofree char *number = NULL;

  if (isnan (entry->values[cell]))
    return g_strdup ("");
  number = roast_format_number (entry->values[cell], formats[cell]);

  return g_strconcat (cell == MEMORY && entry->memory_mark != NULL ? entry->memory_mark : "", number, NULL);
}

static char **
make_cells (const PageSource *source, const char *what, const Entry *entry)
{
  char **cells = g_new0 (char *, N_CELLS + 1);

  cells[WHAT] = page_printable (source, page_word (source, entry->what != NULL ? entry->what : what));
  cells[NAME] = g_strdup (entry->name);
  cells[WHERE] = g_strdup (entry->where);
  for (guint i = COUNT; i < N_CELLS; i++)
    {
      g_autofree char *text = cell_text (entry, i);

      cells[i] = page_printable (source, text);
    }

  return cells;
}

typedef struct
{
  const char *what;
  Top top;
} Group;

/* Add the first entry of each kind, then the second entry of each kind, and so on, because the page may have room only
 * for the first rows. Skip a kind that has only one entry, because it is not remarkable that this entry is the
 * costliest. */
static void
add_rows (PageSection *section, const PageSource *source, GArray *groups)
{
  for (guint rank = 0; rank < MAX_ROWS; rank++)
    for (guint i = 0; i < groups->len; i++)
      {
        const Group *group = &g_array_index (groups, Group, i);
        const Entry *entry = NULL;
        PageItem *item = NULL;

        if (rank >= group->top.entries->len || (group->top.n < 2 && groups->len > 1))
          continue;
        entry = g_ptr_array_index (group->top.entries, rank);
        item = page_section_add_row (section, make_cells (source, group->what, entry));
        item->order = i;
        item->values = g_array_sized_new (FALSE, FALSE, sizeof (double), N_CELLS);
        g_array_append_vals (item->values, entry->values, N_CELLS);
      }
}

static Group *
add_group (GArray *groups, const char *what)
{
  Group group = { .what = what, .top.entries = g_ptr_array_new_with_free_func ((GDestroyNotify) entry_free) };

  g_array_append_val (groups, group);

  return &g_array_index (groups, Group, groups->len - 1);
}

static void
group_clear (Group *group)
{
  g_ptr_array_unref (group->top.entries);
}

PageSection *
page_make_costliest (const PageSource *source)
{
  PageSection *section = page_section_new ("costliest", "Costliest", LEAST_ROWS);
  g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (Group));

  g_array_set_clear_func (groups, (GDestroyNotify) group_clear);
  look_at_attempts (source, &add_group (groups, "task")->top);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    look_at_table (source, &kinds[i], &add_group (groups, kinds[i].what)->top);
  if (!source->has_tasks && !source->has_chunks)
    look_at_table (source, &commands, &add_group (groups, commands.what)->top);
  section->headings = headings;
  section->ranks = ranks;
  section->n_texts = COUNT;
  add_rows (section, source, groups);

  return section;
}
