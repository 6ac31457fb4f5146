/* SPDX-License-Identifier: BSD-3-Clause */

/* The lines of the log, and the life of a manager. */

#include <math.h>
#include <string.h>

#include "vine-replay-private.h"

#define FIRST_TIME G_GINT64_CONSTANT (1000000000000000) /* µs: 2001 */
#define LAST_TIME G_GINT64_CONSTANT (10000000000000000) /* µs: 2286; with one more digit it was written over */

enum
{
  SPAN_SOURCE,
  SPAN_SPAN,
  SPAN_NAME,
  SPAN_KIND,
  SPAN_PARENT,
  SPAN_STARTED,
  SPAN_ENDED
};
static const char *const span_columns[] = { "source", "span", "name", "kind", "parent", "started", "ended", NULL };

/* A span of the manager's life; those of the application are in it. */
#define RUN_SPAN "run"

static void
worker_free (Worker *worker)
{
  g_free (worker->id);
  g_free (worker->name);
  g_free (worker->address);
  g_free (worker->host);
  g_free (worker);
}

static void
category_free (Category *category)
{
  g_free (category->name);
  g_free (category);
}

VineReplay *
vine_replay_new (RoastRecording *recording, const char *source, const VineReplayOptions *options)
{
  VineReplay *self = g_new0 (VineReplay, 1);

  self->recording = g_object_ref (recording);
  self->source = g_strdup (source);
  self->options = *options;
  self->started = self->ended = self->first = self->last = -1;
  self->attempts = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->numbers = g_byte_array_new ();
  self->strings = g_string_chunk_new (1024);
  self->workers = g_hash_table_new (g_str_hash, g_str_equal);
  self->addresses = g_hash_table_new (g_str_hash, g_str_equal);
  self->all_workers = g_ptr_array_new_with_free_func ((GDestroyNotify) worker_free);
  self->dirty = g_ptr_array_new ();
  self->categories = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) category_free);
  vine_downsampler_init (&self->thinning, options->interval);
  vine_replay_open_workers (self);
  vine_replay_open_tasks (self);
  vine_replay_open_rows (self);
  vine_replay_open_sums (self);
  sheet_open (&self->sheet_spans, recording, "spans", span_columns);

  return self;
}

void
vine_replay_free (VineReplay *self)
{
  sheet_clear (&self->sheet_workers);
  sheet_clear (&self->sheet_samples);
  sheet_clear (&self->sheet_tasks);
  sheet_clear (&self->sheet_transfers);
  sheet_clear (&self->sheet_activities);
  sheet_clear (&self->sheet_states);
  sheet_clear (&self->sheet_spans);
  sheet_clear (&self->sheet_libraries);
  vine_replay_clear_sums (self);
  g_hash_table_unref (self->attempts);
  g_byte_array_unref (self->numbers);
  g_string_chunk_free (self->strings);
  g_hash_table_unref (self->workers);
  g_hash_table_unref (self->addresses);
  g_hash_table_unref (self->categories);
  g_ptr_array_unref (self->dirty);
  g_ptr_array_unref (self->all_workers);
  g_object_unref (self->recording);
  g_free (self->first_unusable);
  g_free (self->first_unknown);
  g_free (self->source);
  g_free (self);
}

void
vine_replay_note_event (VineReplay *self, RoastSeverity severity, const char *kind, const char *message)
{
  roast_recording_add_event (self->recording, self->source, -1, severity, kind, message);
}

/* ---- lines that are of no use ---- */

void
vine_replay_note_unusable (VineReplay *self, const char *line, gsize length)
{
  self->counts.unusable++;
  if (self->first_unusable != NULL)
    return;
  self->first_unusable = vine_token_dup ((VineToken) { line, MIN (length, 60) });
  self->first_unusable_line = self->counts.lines;
}

gboolean
vine_replay_note_unknown (VineReplay *self, VineToken what)
{
  for (gsize i = 0; i < what.length; i++)
    if (!g_ascii_isupper (what.at[i]) && what.at[i] != '_')
      return FALSE;
  self->counts.unknown++;
  if (self->first_unknown == NULL)
    self->first_unknown = vine_token_dup ((VineToken) { what.at, MIN (what.length, 60) });

  return TRUE;
}

/* ---- categories ---- */

/* DaskVine names a category after the text of a Python object, with its address:
 * "<function_processing_at_0x7f09a40c9c60>". The address is another one in each run. */
static VineToken
without_address (VineToken name)
{
  static const char *const kinds[] = { "<function_", "<bound_method_", "<built-in_function_", "<class_" };
  const char *end = name.at + name.length;
  const char *cut = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      gsize n = strlen (kinds[i]);

      if (name.length <= n || memcmp (name.at, kinds[i], n) != 0 || end[-1] != '>')
        continue;
      cut = g_strrstr_len (name.at, (gssize) name.length, "_at_0x");
      if (cut == NULL)
        cut = end - 1;
      return cut > name.at + n ? (VineToken) { name.at + n, (gsize) (cut - name.at) - n } : name;
    }

  return name;
}

Category *
vine_replay_get_category (VineReplay *self, VineToken name)
{
  char key[256];
  Category *category = NULL;

  name = without_address (name);
  if (g_hash_table_size (self->categories) >= MAX_CATEGORIES)
    name = (VineToken) { "(others)", 8 };
  /* Nearly always: short, and known. */
  name.length = MIN (name.length, 200);
  vine_token_copy (name, key, sizeof key);
  category = g_hash_table_lookup (self->categories, key);
  if (category == NULL)
    {
      g_autofree char *valid = vine_token_dup (name);

      category = g_hash_table_lookup (self->categories, valid);
      if (category != NULL)
        return category;
      category = g_new0 (Category, 1);
      category->name = g_steal_pointer (&valid);
      g_hash_table_insert (self->categories, category->name, category);
    }

  return category;
}

const char *
vine_replay_name_category (const Category *category)
{
  return category != NULL ? category->name : "(unknown)";
}

/* ---- spans ---- */

static void
write_span (VineReplay *self, const char *span, const char *name, const char *kind, const char *parent, gint64 started,
            gint64 ended)
{
  sheet_begin (&self->sheet_spans, self->source);
  sheet_set_text (&self->sheet_spans, SPAN_SPAN, span);
  sheet_set_text (&self->sheet_spans, SPAN_NAME, name);
  sheet_set_text (&self->sheet_spans, SPAN_KIND, kind);
  sheet_set_text (&self->sheet_spans, SPAN_PARENT, parent);
  sheet_set_count (&self->sheet_spans, SPAN_STARTED, started);
  sheet_set_count (&self->sheet_spans, SPAN_ENDED, ended);
  sheet_end (&self->sheet_spans);
}

static void
end_span (VineReplay *self, gint64 time)
{
  if (self->span != NULL)
    write_span (self, self->span, NULL, NULL, NULL, -1, time);
  self->span = NULL;
}

/* What the application has to say: a stretch of the run, until it says something else. */
static gboolean
take_application (VineReplay *self, VineToken rest)
{
  g_autofree char *text = NULL;
  g_autofree char *id = NULL;

  while (rest.length > 0 && *rest.at == ' ')
    {
      rest.at++;
      rest.length--;
    }
  text = vine_token_dup (rest);
  end_span (self, self->now);
  if (self->n_spans >= MAX_SPANS)
    {
      self->n_spans_left_out++;
      return TRUE;
    }
  id = g_strdup_printf ("application-%u", ++self->n_spans);
  self->span = g_string_chunk_insert_const (self->strings, id);
  write_span (self, id, text, "native", RUN_SPAN, self->now, -1);

  return TRUE;
}

/* ---- the manager ---- */

static gboolean
take_manager (VineReplay *self, VineToken rest)
{
  VineToken pid, what;

  if (!vine_token_next (&rest, &pid) || !vine_token_next (&rest, &what))
    return FALSE;
  if (vine_token_is (what, "START"))
    {
      self->n_starts++;
      if (self->started < 0)
        {
          g_autofree char *name = g_strdup_printf ("manager %" G_GINT64_FORMAT, self->pid);

          self->started = self->now;
          write_span (self, RUN_SPAN, name, "default", NULL, self->started, -1);
        }
      return TRUE;
    }
  if (!vine_token_is (what, "END"))
    return vine_replay_note_unknown (self, what);
  self->ended = self->now;

  return TRUE;
}

static gboolean
take_category (VineReplay *self, VineToken rest)
{
  /* What the manager learnt to give to tasks of a kind: each attempt says what it was given. */
  return rest.length > 0;
}

static gboolean
take_record (VineReplay *self, VineToken subject, VineToken rest)
{
  if (vine_token_is (subject, "TASK"))
    return vine_replay_take_task (self, rest);
  if (vine_token_is (subject, "WORKER"))
    return vine_replay_take_worker (self, rest);
  if (vine_token_is (subject, "LIBRARY"))
    return vine_replay_take_library (self, rest);
  if (vine_token_is (subject, "CATEGORY"))
    return take_category (self, rest);
  if (vine_token_is (subject, "MANAGER"))
    return take_manager (self, rest);
  if (vine_token_is (subject, "APPLICATION"))
    return take_application (self, rest);

  return vine_replay_note_unknown (self, subject);
}

void
vine_replay_take_line (VineReplay *self, const char *line, gsize length)
{
  VineToken rest = { line, length };
  VineToken time, pid, subject;
  gint64 when, process;

  self->counts.lines++;
  if (length > 0 && line[length - 1] == '\r')
    rest.length = --length;
  if (length == 0 || *line == '#')
    return;
  if (!vine_token_next (&rest, &time) || !vine_token_integer (time, &when) || when < FIRST_TIME || when > LAST_TIME ||
      !vine_token_next (&rest, &pid) || !vine_token_integer (pid, &process) || !vine_token_next (&rest, &subject))
    {
      vine_replay_note_unusable (self, line, length);
      return;
    }
  if (self->pid == 0)
    self->pid = process;
  self->now = when;
  if (self->first < 0)
    self->first = when;
  self->last = MAX (self->last, when);
  if (!take_record (self, subject, rest))
    vine_replay_note_unusable (self, line, length);
  if (self->now >= self->sampled)
    vine_replay_sample_workers (self);
}

void
vine_replay_flush (VineReplay *self)
{
  vine_replay_sample_workers (self);
  vine_replay_write_sums (self);
  vine_replay_write_states (self);
}

/* ---- the end ---- */

static void
tell_of_lines (VineReplay *self)
{
  g_autofree char *message = NULL;

  if (self->n_starts > 1 || self->n_duplicates > 0)
    vine_replay_note_event (
        self, ROAST_SEVERITY_WARNING, "shared-log",
        "several managers wrote into this directory over each other, since TaskVine names directories by the second: "
        "numbers are what could be saved, of all of them together. Create managers more than a second apart, or give "
        "each its own run_info_path");
  if (self->counts.unusable > 0)
    {
      message =
          g_strdup_printf ("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                           " lines of the transactions log are unusable (the first: line %" G_GUINT64_FORMAT
                           ", “%s…”): what they told is missing",
                           self->counts.unusable, self->counts.lines, self->first_unusable_line, self->first_unusable);
      vine_replay_note_event (self, ROAST_SEVERITY_WARNING, "unusable-lines", message);
    }
}

static void
tell_of_more (VineReplay *self)
{
  if (self->counts.unknown > 0)
    {
      g_autofree char *message =
          g_strdup_printf ("%" G_GUINT64_FORMAT
                           " records are of kinds that this roast does not know (the first: “%s”): "
                           "TaskVine is newer",
                           self->counts.unknown, self->first_unknown);

      vine_replay_note_event (self, ROAST_SEVERITY_INFO, "unknown-records", message);
    }
  if (self->n_rows_left_out > 0 && self->options.max_tasks > 0)
    {
      g_autofree char *message =
          g_strdup_printf ("%" G_GUINT64_FORMAT " attempts have no row: raise max-tasks=%" G_GUINT64_FORMAT
                           ". Seconds and bytes per worker and kind are of all",
                           self->n_rows_left_out, self->options.max_tasks);

      vine_replay_note_event (self, ROAST_SEVERITY_WARNING, "frames-dropped", message);
    }
  if (self->n_coreless > 0)
    {
      g_autofree char *message =
          g_strdup_printf ("%" G_GUINT64_FORMAT
                           " attempts were given no core of their own, as calls of functions in a library: each "
                           "counts as one core, which together may be more than the library had",
                           self->n_coreless);

      vine_replay_note_event (self, ROAST_SEVERITY_INFO, "coreless", message);
    }
  if (self->n_changed > 0)
    {
      g_autofree char *message =
          g_strdup_printf ("%u workers told another number of cores or memory later: core time offered is by the first",
                           self->n_changed);

      vine_replay_note_event (self, ROAST_SEVERITY_WARNING, "resources-changed", message);
    }
  if (self->counts.unnamed > 0)
    {
      g_autofree char *message =
          g_strdup_printf ("of %" G_GUINT64_FORMAT " workers the log does not tell that they connected: they count "
                           "from when they are first named",
                           self->counts.unnamed);

      vine_replay_note_event (self, ROAST_SEVERITY_WARNING, "workers-unnamed", message);
    }
  if (self->n_spans_left_out > 0)
    {
      g_autofree char *message =
          g_strdup_printf ("%" G_GUINT64_FORMAT " further APPLICATION records are no spans", self->n_spans_left_out);

      vine_replay_note_event (self, ROAST_SEVERITY_INFO, "spans", message);
    }
  if (self->skew > 100000)
    {
      g_autofree char *message = g_strdup_printf ("clocks of workers differ from the manager's by up to %.1f s: when "
                                                  "tasks started was shifted; how long they took is "
                                                  "exact",
                                                  (double) self->skew / G_USEC_PER_SEC);

      vine_replay_note_event (self, ROAST_SEVERITY_INFO, "clock-skew", message);
    }
}

/* The manager's own counts, where it came to its end: the log alone gives the same. */
static void
compare (VineReplay *self, VinePerformance *performance)
{
  double dispatched = vine_performance_get (performance, "tasks_dispatched");
  double execute = vine_performance_get (performance, "time_execute") / G_USEC_PER_SEC;
  g_autofree char *message = NULL;

  if (self->ended < 0 || isnan (dispatched) || isnan (execute))
    return;
  /* Of those that were given back the log does not tell how long they took; the manager counts them. */
  if (fabs (dispatched - (double) self->counts.dispatched) < 0.5 &&
      (self->n_given_back > 0 || fabs (execute - self->counts.execute) <= 0.01 * execute + 0.01))
    return;
  message = g_strdup_printf ("the manager itself counted %.0f dispatched attempts and %.2f s of execution; its log "
                             "tells of %" G_GUINT64_FORMAT " and %.2f s",
                             dispatched, execute, self->counts.dispatched, self->counts.execute);
  vine_replay_note_event (self, ROAST_SEVERITY_WARNING, "disagreement", message);
}

void
vine_replay_finish (VineReplay *self, VinePerformance *performance, gint64 still)
{
  gboolean goes_on = still >= 0 && self->ended < 0;
  gint64 end = self->ended >= 0 ? self->ended : MAX (self->last, still);

  self->now = end;
  vine_replay_end_tasks (self, goes_on);
  vine_replay_end_workers (self, goes_on);
  vine_replay_flush (self);
  end_span (self, end);
  if (self->started >= 0)
    write_span (self, RUN_SPAN, NULL, NULL, NULL, -1, end);
  tell_of_lines (self);
  tell_of_more (self);
  if (performance != NULL && self->counts.unusable == 0)
    compare (self, performance);
}

/* ---- questions ---- */

const VineCounts *
vine_replay_get_counts (VineReplay *self)
{
  return &self->counts;
}

gint64
vine_replay_get_pid (VineReplay *self)
{
  return self->pid;
}

gint64
vine_replay_get_started (VineReplay *self)
{
  return self->started;
}

gint64
vine_replay_get_ended (VineReplay *self)
{
  return self->ended;
}

gint64
vine_replay_get_first (VineReplay *self)
{
  return self->first;
}

gint64
vine_replay_get_last (VineReplay *self)
{
  return self->last;
}

gboolean
vine_replay_is_measured (VineReplay *self, gboolean *all)
{
  *all = self->n_unmeasured == 0;

  return self->n_measured > 0;
}
