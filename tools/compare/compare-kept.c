/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds other kept runs of the same command, which show how much its elapsed time varies. */

#include "compare.h"
#include "run-entry.h"

#define MOST_KEPT 50 /* newest runs of a command that are used */

/* Returns whether an entry has this text as metadata. */
static gboolean
has_meta (const RunEntry *entry, const char *key, const char *text)
{
  g_autofree char *value = roast_run_file_dup_meta (entry->file, key);

  return value != NULL && g_str_equal (value, text);
}

/* Returns whether an entry is another successful run of the same command on the same host. */
static gboolean
is_like (const RunEntry *entry, GVariant *metadata)
{
  g_autofree const char **command = NULL;
  const char *id = "", *host = "";
  g_autofree char *text = entry->file != NULL ? roast_run_file_dup_meta (entry->file, "command") : NULL;
  g_auto (GStrv) words = NULL;

  g_variant_lookup (metadata, "run-id", "&s", &id);
  g_variant_lookup (metadata, "host", "&s", &host);

  return text != NULL && g_variant_lookup (metadata, "command", "^a&s", &command) &&
         g_shell_parse_argv (text, NULL, &words, NULL) && g_strv_equal ((const char *const *) words, command) &&
         !has_meta (entry, "run-id", id) && has_meta (entry, "host", host) && has_meta (entry, "status", "exit 0") &&
         run_entry_get_duration (entry) > 0;
}

static void
attach (RoastRecording *run, GVariant *metadata, GVariant *other, const GPtrArray *entries)
{
  g_autoptr (GVariantBuilder) kept = g_variant_builder_new (G_VARIANT_TYPE ("a(sd)"));
  const char *id = "";
  guint n = 0;

  g_variant_lookup (other, "run-id", "&s", &id);
  for (guint i = 0; i < entries->len && n < MOST_KEPT; i++)
    {
      const RunEntry *entry = g_ptr_array_index (entries, i);

      if (!is_like (entry, metadata) || has_meta (entry, "run-id", id))
        continue;
      g_variant_builder_add (kept, "(sd)", entry->id, run_entry_get_duration (entry));
      n++;
    }
  if (n > 0)
    roast_recording_set_metadata (run, "kept-runs", g_variant_builder_end (kept));
}

void
compare_kept_attach (RoastRecording *run, RoastRecording *reference)
{
  g_autoptr (RoastRuns) runs = roast_runs_new (NULL);
  g_autoptr (GPtrArray) entries = runs != NULL ? run_entry_list (runs, NULL) : NULL;
  g_autoptr (GVariant) metadata = roast_recording_dup_metadata (run);
  g_autoptr (GVariant) of_reference = roast_recording_dup_metadata (reference);
  g_autofree const char **command = NULL;
  g_autofree const char **command_of_reference = NULL;

  if (entries == NULL || !g_variant_lookup (metadata, "command", "^a&s", &command) ||
      !g_variant_lookup (of_reference, "command", "^a&s", &command_of_reference))
    return;
  attach (run, metadata, of_reference, entries);
  /* Count the runs of one command once. */
  if (!g_strv_equal (command, command_of_reference))
    attach (reference, of_reference, metadata, entries);
}
