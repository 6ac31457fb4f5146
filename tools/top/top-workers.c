/* SPDX-License-Identifier: BSD-3-Clause */

/* Draws the workers of executors: a grid with one letter for each worker, and a list with one line for each host. */

#include "top.h"

#include <math.h>
#include <string.h>

#include "text-width.h"

#define NO_WORKERS "no executor has workers now"
#define SILENT 5.0       /* s; a worker that the executor has not heard from for this long may have stopped, */
#define SILENT_EACH 0.02 /* and this long for each worker, because workers of large clusters report less often */
#define MEMORY_SHARE 0.8 /* a worker is short of memory if it uses more than this share of its memory limit */

typedef enum
{
  STATE_BUSY,
  STATE_WAITING,
  STATE_IDLE,
  STATE_MEMORY,
  STATE_SILENT,
  STATE_LOST,
  STATE_UNKNOWN,
  N_STATES,
} State;

/* Each state has a letter, because a terminal without colour shows no other difference. */
static const struct
{
  char letter;
  const char *color, *text;
} states[N_STATES] = {
  { 'B', "\033[32m", "busy" },
  { 'W', "\033[33m", "waiting" },
  { '.', "", "idle" },
  { 'M', "\033[31m", "memory at 80 % of the limit or more" },
  { 'S', "\033[1;31m", "silent" },
  { 'L', "\033[1;31m", "lost" },
  { '?', "", "unknown" },
};

typedef struct
{
  State state;
  const char *host;
  double cores, executing, memory, limit; /* NaN if unknown */
  double seen; /* time at which the executor last heard from it, µs since the epoch; NaN if unknown */
} Worker;

/* ---- collecting ---- */

/* Adds the workers that are present, and those that were lost. Skips workers that left as planned. @places: maps a
 * worker of the model to its index in @workers */
static void
add_workers (RoastRunModel *model, GArray *workers, GHashTable *places)
{
  guint n;
  const RoastRunWorker *all = roast_run_model_get_workers (model, &n);

  for (guint i = 0; i < n; i++)
    {
      gboolean has_left = !isnan (all[i].left);
      gboolean is_lost = has_left && all[i].cause >= ROAST_WORKER_END_MEMORY;
      double limit = all[i].memory_limit >= 0 ? (double) all[i].memory_limit : NAN;
      Worker worker = { is_lost ? STATE_LOST : STATE_UNKNOWN, all[i].host, all[i].cores, NAN, NAN, limit, NAN };

      if (all[i].is_process || (has_left && !is_lost))
        continue;
      g_hash_table_insert (places, (gpointer) &all[i], GUINT_TO_POINTER (workers->len));
      g_array_append_val (workers, worker);
    }
}

static State
find_state (const Worker *worker, double assigned)
{
  if (worker->memory >= MEMORY_SHARE * worker->limit)
    return STATE_MEMORY;
  if (worker->executing > 0)
    return STATE_BUSY;

  return assigned > 0 ? STATE_WAITING : isnan (assigned) && isnan (worker->executing) ? STATE_UNKNOWN : STATE_IDLE;
}

static void
take_sample (GArray *workers, guint place, RoastTableReader *sample)
{
  Worker *worker = &g_array_index (workers, Worker, place);

  if (worker->state == STATE_LOST)
    return;
  worker->executing = roast_table_reader_get_double (sample, ROAST_WORKER_SAMPLES_EXECUTING_TASKS);
  worker->seen = roast_table_reader_get_double (sample, ROAST_WORKER_SAMPLES_LAST_SEEN);
  worker->memory = roast_table_reader_get_double (sample, ROAST_WORKER_SAMPLES_MEMORY);
  worker->state = find_state (worker, roast_table_reader_get_double (sample, ROAST_WORKER_SAMPLES_ACTIVE_TASKS));
}

/* Returns for how long the executor has not heard from a worker, s; NaN if unknown. */
static double
get_silence (const Worker *worker, const TopLook *look)
{
  return ((double) look->reach - worker->seen) / G_USEC_PER_SEC;
}

/* Returns the workers in the order in which they joined. */
static GArray *
collect (const TopLook *look)
{
  GArray *workers = g_array_new (FALSE, FALSE, sizeof (Worker));
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);

  add_workers (roast_run_model_get (look->snapshot), workers, places);
  top_look_take_samples (look, places, workers, take_sample);
  for (guint i = 0; i < workers->len; i++)
    {
      Worker *worker = &g_array_index (workers, Worker, i);

      if (worker->state != STATE_LOST && get_silence (worker, look) > SILENT + SILENT_EACH * workers->len)
        worker->state = STATE_SILENT;
    }

  return workers;
}

/* ---- the grid ---- */

static void
append_legend (const TopLook *look, const GArray *workers, guint width, GPtrArray *lines)
{
  g_autoptr (GString) line = g_string_new (NULL);
  guint counts[N_STATES] = { 0 };
  double silence = 0;

  for (guint i = 0; i < workers->len; i++)
    {
      const Worker *worker = &g_array_index (workers, Worker, i);

      counts[worker->state]++;
      if (worker->state == STATE_SILENT)
        silence = fmax (silence, get_silence (worker, look));
    }
  for (guint i = 0; i < N_STATES; i++)
    {
      g_autofree char *age = i == STATE_SILENT ? g_strdup_printf (" (no report for up to %.0f s)", silence) : NULL;
      g_autofree char *text = counts[i] > 0 ? g_strdup_printf ("%c %u %s%s", states[i].letter, counts[i],
                                                               states[i].text, age != NULL ? age : "")
                                            : NULL;

      if (text == NULL)
        continue;
      if (line->len > 0 && line->len + 3 + strlen (text) > width)
        {
          g_ptr_array_add (lines, g_strdup (line->str));
          g_string_truncate (line, 0);
        }
      g_string_append_printf (line, "%s%s", line->len > 0 ? "   " : "", text);
    }
  g_ptr_array_add (lines, g_strdup (line->str));
}

static void
append_cells (const GArray *workers, guint width, gboolean color, GPtrArray *lines)
{
  for (guint first = 0; first < workers->len; first += width)
    {
      GString *line = g_string_new (NULL);
      const char *before = "";

      for (guint i = first; i < MIN (first + width, workers->len); i++)
        {
          State state = g_array_index (workers, Worker, i).state;

          if (color && states[state].color != before)
            g_string_append_printf (line, "%s%s", *before != '\0' ? "\033[m" : "", states[state].color);
          before = color ? states[state].color : "";
          g_string_append_c (line, states[state].letter);
        }
      g_string_append (line, *before != '\0' ? "\033[m" : "");
      g_ptr_array_add (lines, g_string_free (line, FALSE));
    }
}

gboolean
top_workers_append_grid (const TopLook *look, int width, gboolean color, GPtrArray *lines)
{
  g_autoptr (GArray) workers = top_look_goes_on (look) ? collect (look) : NULL;

  if (workers == NULL)
    return FALSE;
  g_ptr_array_add (lines, g_strdup (""));
  if (workers->len == 0)
    {
      g_ptr_array_add (lines, g_strdup (NO_WORKERS));
      return TRUE;
    }
  append_legend (look, workers, (guint) width, lines);
  g_ptr_array_add (lines, g_strdup ("One letter per worker. Enter lists the workers."));
  g_ptr_array_add (lines, g_strdup (""));
  append_cells (workers, (guint) width, color, lines);

  return TRUE;
}

/* ---- hosts ---- */

typedef struct
{
  const char *name;
  guint counts[N_STATES];
  double cores, memory, limit;
} Host;

static int
compare_hosts (const Host *a, const Host *b)
{
  return (a->cores < b->cores) - (a->cores > b->cores);
}

/* Adds up the workers of each host. Sorts hosts by their cores, most first. A lost worker is only counted, and does not
 * add to the other sums of its host. */
static GArray *
group_by_host (const GArray *workers)
{
  GArray *hosts = g_array_new (FALSE, FALSE, sizeof (Host));
  g_autoptr (GHashTable) places = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < workers->len; i++)
    {
      const Worker *worker = &g_array_index (workers, Worker, i);
      const char *name = worker->host != NULL ? worker->host : "(host unknown)";
      gpointer place;
      Host *host;

      if (!g_hash_table_lookup_extended (places, name, NULL, &place))
        {
          Host new = { .name = name };

          place = GUINT_TO_POINTER (hosts->len);
          g_hash_table_insert (places, (char *) name, place);
          g_array_append_val (hosts, new);
        }
      host = &g_array_index (hosts, Host, GPOINTER_TO_UINT (place));
      host->counts[worker->state]++;
      if (worker->state == STATE_LOST)
        continue;
      host->cores += worker->cores;
      host->memory += worker->memory;
      host->limit += worker->limit;
    }
  g_array_sort (hosts, (GCompareFunc) compare_hosts);

  return hosts;
}

char *
top_describe_number (double value, const char *format)
{
  return isnan (value) ? g_strdup ("-") : roast_format_number (value, format);
}

#define HOST_FORMAT(n) "%s %7" n " %5s %5" n " %7" n " %5" n " %6" n " %4" n " %9s %8s"
#define HOST_WIDTH 66 /* width of a line, not counting the name of the host */

char *
top_pad (const char *text, int width)
{
  g_autofree char *fitted = top_fit (text, width);

  return g_strdup_printf ("%s%*s", fitted, width - (int) text_width (fitted), "");
}

static void
append_host (const Host *host, int name_width, GPtrArray *lines)
{
  guint present = 0;
  g_autofree char *name = top_pad (host->name, name_width);
  g_autofree char *memory = top_describe_number (host->memory, "bytes");
  g_autofree char *share = top_describe_number (host->memory / host->limit, "percent");
  g_autofree char *cores = top_describe_number (host->cores, "number");

  for (guint i = 0; i < N_STATES; i++)
    present += i == STATE_LOST ? 0 : host->counts[i];
  g_ptr_array_add (lines,
                   g_strdup_printf (HOST_FORMAT ("u"), name, present, cores, host->counts[STATE_BUSY],
                                    host->counts[STATE_WAITING], host->counts[STATE_IDLE], host->counts[STATE_MEMORY],
                                    host->counts[STATE_LOST], present > 0 ? memory : "-", share));
}

void
top_workers_append_hosts (const TopLook *look, int width, GPtrArray *lines)
{
  g_autoptr (GArray) workers = collect (look);
  g_autoptr (GArray) hosts = group_by_host (workers);
  int name_width = CLAMP (width - HOST_WIDTH, 12, 40);
  g_autofree char *title = top_pad ("Hosts", name_width);

  g_ptr_array_add (lines, g_strdup (""));
  if (hosts->len == 0)
    {
      g_ptr_array_add (lines, g_strdup (top_look_goes_on (look)
                                            ? NO_WORKERS
                                            : "all workers are gone. Press the left arrow key to go back in time"));
      return;
    }
  g_ptr_array_add (lines, g_strdup_printf (HOST_FORMAT ("s"), title, "workers", "cores", "busy", "waiting", "idle",
                                           "full", "lost", "memory", "of limit"));
  for (guint i = 0; i < hosts->len; i++)
    append_host (&g_array_index (hosts, Host, i), name_width, lines);
}
