/* SPDX-License-Identifier: BSD-3-Clause */
#include "run-entry.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/roast-fail-private.h"
#include "core/base/roast-suggest-private.h"
#include "report-run.h"

static void
entry_free (gpointer data)
{
  RunEntry *self = data;

  g_clear_object (&self->file);
  g_clear_error (&self->error);
  g_free (self->path);
  g_free (self->id);
  g_free (self);
}

/* Returns the ID at the end of the file's name: “a1b2” for 20261122-201600-a1b2.roast. */
static char *
dup_id (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  char *dash = strrchr (name, '-');
  char *dot = strrchr (name, '.');

  if (dot != NULL && dot > name)
    *dot = '\0';

  return g_strdup (dash != NULL ? dash + 1 : name);
}

GPtrArray *
run_entry_list (RoastRuns *runs, GError **error)
{
  g_auto (GStrv) paths = roast_runs_list (runs, error);
  GPtrArray *entries = NULL;

  if (paths == NULL)
    return NULL;
  entries = g_ptr_array_new_with_free_func (entry_free);
  for (guint i = 0; paths[i] != NULL; i++)
    {
      RunEntry *entry = g_new0 (RunEntry, 1);

      entry->path = g_strdup (paths[i]);
      entry->id = dup_id (paths[i]);
      entry->file = roast_run_file_open (paths[i], &entry->error);
      g_ptr_array_add (entries, entry);
    }

  return entries;
}

static gint64
get_time (const RunEntry *self, const char *key)
{
  g_autofree char *text = self->file != NULL ? roast_run_file_dup_meta (self->file, key) : NULL;

  return text != NULL ? g_ascii_strtoll (text, NULL, 10) : -1;
}

gint64
run_entry_get_started (const RunEntry *self)
{
  return get_time (self, "started");
}

double
run_entry_get_duration (const RunEntry *self)
{
  gint64 started = get_time (self, "started");
  gint64 ended = get_time (self, "ended");
  gint64 elapsed = get_time (self, "tree-elapsed");

  /* Prefer the elapsed time of the program, because it does not include the start of roast and the wait for processes
   * that the program left behind. */
  if (elapsed >= 0)
    return (double) elapsed / G_USEC_PER_SEC;
  if (ended < 0 && self->file != NULL)
    ended = roast_run_file_get_reach (self->file);

  return started >= 0 && ended >= started ? (double) (ended - started) / G_USEC_PER_SEC : -1;
}

gboolean
run_entry_has_meta (const RunEntry *self, const char *key, const char *text)
{
  g_autofree char *value = roast_run_file_dup_meta (self->file, key);

  return value != NULL && g_str_equal (value, text);
}

gboolean
run_entry_repeats (const RunEntry *self, GVariant *metadata)
{
  g_autofree const char **command = NULL;
  const char *id = "", *host = "";
  g_autofree char *text = self->file != NULL ? roast_run_file_dup_meta (self->file, "command") : NULL;
  g_auto (GStrv) words = NULL;

  g_variant_lookup (metadata, "run-id", "&s", &id);
  g_variant_lookup (metadata, "host", "&s", &host);

  return text != NULL && g_variant_lookup (metadata, "command", "^a&s", &command) &&
         g_shell_parse_argv (text, NULL, &words, NULL) && g_strv_equal ((const char *const *) words, command) &&
         !run_entry_has_meta (self, "run-id", id) && run_entry_has_meta (self, "host", host) &&
         run_entry_has_meta (self, "status", "exit 0") && run_entry_get_duration (self) > 0;
}

guint64
run_entry_get_size (const RunEntry *self)
{
  static const char *const companions[] = { "", "-wal", "-shm" };
  guint64 size = 0;

  for (guint i = 0; i < G_N_ELEMENTS (companions); i++)
    {
      g_autofree char *file = g_strconcat (self->path, companions[i], NULL);
      struct stat info;

      if (stat (file, &info) == 0)
        size += (guint64) info.st_size;
    }

  return size;
}

const char *
run_entry_get_state (const RunEntry *self)
{
  return self->file != NULL ? report_run_state_name (self->file) : "unreadable";
}

/* ---- conditions and order ---- */

/* Returns the run's value for a key, or NULL if the run has no such key. */
static char *
dup_value (const RunEntry *self, const char *key)
{
  g_autofree char *tag = g_strconcat ("tag.", key, NULL);
  double duration = run_entry_get_duration (self);
  char *value = NULL;

  if (g_str_equal (key, "id"))
    return g_strdup (self->id);
  if (g_str_equal (key, "state"))
    return g_strdup (run_entry_get_state (self));
  if (g_str_equal (key, "path"))
    return g_strdup (self->path);
  if (g_str_equal (key, "size"))
    return g_strdup_printf ("%" G_GUINT64_FORMAT, run_entry_get_size (self));
  if (g_str_equal (key, "duration"))
    return duration >= 0 ? g_strdup_printf ("%.6f", duration) : NULL;
  if (self->file == NULL)
    return NULL;
  value = roast_run_file_dup_meta (self->file, key);

  return value != NULL ? value : roast_run_file_dup_meta (self->file, tag);
}

/* Returns a sentence that lists the keys of all runs, for the end of an error message about an unknown key. */
static char *
dup_known (GPtrArray *entries, const char *key)
{
  static const char *const own[] = { "id", "state", "path", "size", "duration" };
  g_autoptr (GHashTable) all = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree const char **names = NULL;
  guint n = 0;

  for (guint i = 0; i < entries->len; i++)
    {
      const RunEntry *entry = g_ptr_array_index (entries, i);
      g_auto (GStrv) keys = entry->file != NULL ? roast_run_file_dup_meta_keys (entry->file) : NULL;

      for (guint j = 0; keys != NULL && keys[j] != NULL; j++)
        if (!g_str_has_prefix (keys[j], "roast."))
          g_hash_table_add (all, g_strdup (g_str_has_prefix (keys[j], "tag.") ? keys[j] + 4 : keys[j]));
    }
  for (guint i = 0; i < G_N_ELEMENTS (own); i++)
    g_hash_table_add (all, g_strdup (own[i]));
  names = (const char **) g_hash_table_get_keys_as_array (all, &n);
  qsort (names, n, sizeof *names, roast_compare_names);

  return roast_suggest_sentence (key, names, "the keys are", "there are no keys");
}

static gboolean
check_key (GPtrArray *entries, const char *key, GError **error)
{
  g_autofree char *known = NULL;

  for (guint i = 0; i < entries->len; i++)
    {
      g_autofree char *value = dup_value (g_ptr_array_index (entries, i), key);

      if (value != NULL)
        return TRUE;
    }
  if (entries->len == 0)
    return TRUE;
  known = dup_known (entries, key);

  return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE, "no run has the key “%s”; %s", key, known);
}

/* Returns the value of a key in the format of the list: times are readable. */
static char *
entry_dup_shown (const RunEntry *self, const char *key)
{
  g_autofree char *value = dup_value (self, key);

  if (value != NULL && (g_str_equal (key, "started") || g_str_equal (key, "ended")))
    return report_format_time (g_ascii_strtoll (value, NULL, 10));

  return g_steal_pointer (&value);
}

/* Removes the entries that do not fulfill a condition. */
static gboolean
apply (GPtrArray *entries, const char *condition, GError **error)
{
  const char *sign = strchr (condition, '=');
  g_autofree char *key = sign != NULL ? g_strndup (condition, (gsize) (sign - condition)) : NULL;

  if (sign == NULL || sign == condition)
    return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                       "“%s” is not a condition: write KEY=VALUE, as in site=bonn or command=*analysis*", condition);
  if (!check_key (entries, key, error))
    return FALSE;
  for (guint i = entries->len; i-- > 0;)
    {
      g_autofree char *value = entry_dup_shown (g_ptr_array_index (entries, i), key);

      if (value == NULL || !g_pattern_match_simple (sign + 1, value))
        g_ptr_array_remove_index (entries, i);
    }

  return TRUE;
}

typedef struct
{
  const char *key;
  int direction;
} Order;

/* Compares numbers by value and texts by bytes. Missing values come last. */
static int
run_entry_compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const Order *order = data;
  g_autofree char *first = dup_value (*(RunEntry *const *) a, order->key);
  g_autofree char *second = dup_value (*(RunEntry *const *) b, order->key);
  char *first_end = NULL;
  char *second_end = NULL;
  double x = 0;
  double y = 0;

  if (first == NULL || second == NULL)
    return (first == NULL) - (second == NULL);
  x = g_ascii_strtod (first, &first_end);
  y = g_ascii_strtod (second, &second_end);
  if (*first != '\0' && *second != '\0' && *first_end == '\0' && *second_end == '\0')
    return order->direction * ((x > y) - (x < y));

  return order->direction * strcmp (first, second);
}

gboolean
run_entry_select (GPtrArray *entries, char **conditions, const char *sort, GError **error)
{
  Order order = { sort, 1 };

  if (sort != NULL && *sort == '-')
    order = (Order) { sort + 1, -1 };
  if (sort != NULL && !check_key (entries, order.key, error))
    return FALSE;
  for (guint i = 0; conditions[i] != NULL; i++)
    if (!apply (entries, conditions[i], error))
      return FALSE;
  if (sort != NULL)
    g_ptr_array_sort_with_data (entries, run_entry_compare, &order);

  return TRUE;
}
