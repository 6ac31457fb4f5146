/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds other kept runs of the same command. They show how much the elapsed time varies between runs. */

#include "compare.h"
#include "run-entry.h"

#define MOST_KEPT 50 /* maximum number of kept runs that are compared; newer runs are preferred */

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

      if (!run_entry_repeats (entry, metadata) || run_entry_has_meta (entry, "run-id", id))
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
  /* Skip the reference if it ran the same command, because the kept runs are already attached then. */
  if (!g_strv_equal (command, command_of_reference))
    attach (reference, of_reference, metadata, entries);
}
