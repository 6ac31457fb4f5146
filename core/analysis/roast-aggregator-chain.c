/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-aggregator-chain-private.h"

#include "roast/roast-error.h"

typedef struct
{
  RoastAggregator *aggregator;
  char **requires;
  char **provides;
  gboolean done;
} Link;

static void
link_clear (Link *link)
{
  g_object_unref (link->aggregator);
  g_strfreev (link->requires);
  g_strfreev (link->provides);
}

/* Return whether an aggregator requires a metric that another aggregator provides. Metrics that an aggregator both
 * requires and provides itself are ignored. */
static gboolean
needs (const Link *link, const Link *other)
{
  for (guint i = 0; link != other && link->requires[i] != NULL; i++)
    if (g_strv_contains ((const char *const *) other->provides, link->requires[i]))
      return TRUE;

  return FALSE;
}

/* Return whether an aggregator needs another aggregator that has not run yet. */
static gboolean
must_wait (GArray *links, guint index)
{
  for (guint i = 0; i < links->len; i++)
    if (!g_array_index (links, Link, i).done &&
        needs (&g_array_index (links, Link, index), &g_array_index (links, Link, i)))
      return TRUE;

  return FALSE;
}

static Link *
find_next (GArray *links)
{
  for (guint i = 0; i < links->len; i++)
    {
      if (!g_array_index (links, Link, i).done && !must_wait (links, i))
        return &g_array_index (links, Link, i);
    }

  return NULL;
}

/* Mark the aggregator's metrics as unavailable, unless the report already has these metrics. */
static void
set_unavailable (const Link *link, RoastReport *report, const char *reason)
{
  for (guint i = 0; link->provides[i] != NULL; i++)
    if (roast_report_lookup (report, link->provides[i]) == NULL)
      roast_report_add_unavailable (report, link->provides[i], reason);
}

static void
run_link (Link *link, RoastRecordingSnapshot *recording, RoastReport *report, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;

  link->done = TRUE;
  g_debug ("aggregator %s starts", G_OBJECT_TYPE_NAME (link->aggregator));
  if (roast_aggregator_aggregate (link->aggregator, recording, report, cancellable, &error))
    {
      /* Add a reason for each metric that the aggregator provides but did not add. */
      set_unavailable (link, report, "the aggregator of this metric gave neither a value nor a reason");
      return;
    }
  g_debug ("%s: %s", G_OBJECT_TYPE_NAME (link->aggregator), error->message);
  set_unavailable (link, report, error->message);
  roast_report_add_note (report, error->message);
}

/* Return whether an aggregator that has not run needs this aggregator. */
static gboolean
is_waited_for (GArray *links, const Link *link)
{
  for (guint i = 0; i < links->len; i++)
    if (!g_array_index (links, Link, i).done && needs (&g_array_index (links, Link, i), link))
      return TRUE;

  return FALSE;
}

/* List the aggregators of the cycle. Leave out aggregators that are not part of the cycle but wait for the cycle. */
static char *
name_cycle (GArray *links)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (gboolean changed = TRUE; changed;)
    {
      changed = FALSE;
      for (guint i = 0; i < links->len; i++)
        {
          Link *link = &g_array_index (links, Link, i);

          if (link->done || is_waited_for (links, link))
            continue;
          link->done = TRUE;
          changed = TRUE;
        }
    }
  for (guint i = 0; i < links->len; i++)
    {
      const Link *link = &g_array_index (links, Link, i);

      if (!link->done)
        g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", G_OBJECT_TYPE_NAME (link->aggregator));
    }

  return g_string_free (g_steal_pointer (&names), FALSE);
}

static void
fail_in_cycle (GArray *links, RoastReport *report, GError **error)
{
  g_autoptr (GPtrArray) left = g_ptr_array_new ();
  g_autofree char *names = NULL;
  g_autofree char *message = NULL;

  for (guint i = 0; i < links->len; i++)
    if (!g_array_index (links, Link, i).done)
      g_ptr_array_add (left, &g_array_index (links, Link, i));
  names = name_cycle (links);
  message = g_strdup_printf ("these aggregators require each other's metrics, so none can run first: %s", names);
  for (guint i = 0; i < left->len; i++)
    set_unavailable (g_ptr_array_index (left, i), report, message);
  g_set_error_literal (error, ROAST_AGGREGATE_ERROR, ROAST_AGGREGATE_ERROR_CYCLE, message);
}

gboolean
roast_aggregator_chain_run (GPtrArray *aggregators, RoastRecordingSnapshot *recording, RoastReport *report,
                            GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) links = g_array_new (FALSE, FALSE, sizeof (Link));

  g_array_set_clear_func (links, (GDestroyNotify) link_clear);
  for (guint i = 0; i < aggregators->len; i++)
    {
      RoastAggregator *aggregator = g_ptr_array_index (aggregators, i);
      Link link = { g_object_ref (aggregator), roast_aggregator_dup_requires (aggregator),
                    roast_aggregator_dup_provides (aggregator), FALSE };

      g_array_append_val (links, link);
    }
  for (guint n = 0; n < links->len; n++)
    {
      Link *next = find_next (links);

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (next == NULL)
        {
          fail_in_cycle (links, report, error);
          return FALSE;
        }
      run_link (next, recording, report, cancellable);
    }

  return TRUE;
}
