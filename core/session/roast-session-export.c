/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/roast-fail-private.h"
#include "roast-session-private.h"

/**
 * roast_session_prepare_outputs:
 * @self: a session
 * @error: return location for an error
 *
 * Opens all outputs, so that errors are reported before the measurement starts.
 *
 * Returns: %TRUE if all outputs are open; %FALSE with %ROAST_EXPORT_ERROR_OUTPUT
 *
 * Since: 0.9
 */
gboolean
roast_session_prepare_outputs (RoastSession *self, GError **error)
{
  g_return_val_if_fail (ROAST_IS_SESSION (self), FALSE);

  for (guint i = 0; i < self->outputs->len; i++)
    {
      if (!roast_output_prepare (g_ptr_array_index (self->outputs, i), error))
        return FALSE;
    }

  return TRUE;
}

/* Run one exporter. If the exporter fails, add its error to the errors of the exporters that failed before. */
static void
export_one (RoastSession *self, guint index, RoastRecordingSnapshot *snapshot, GCancellable *cancellable,
            GError **errors)
{
  RoastOutput *output = g_ptr_array_index (self->outputs, index);
  GError *error = NULL;

  if (roast_exporter_export_report (g_ptr_array_index (self->exporters, index), snapshot, self->report, output,
                                    cancellable, &error) &&
      roast_output_commit (output, &error))
    return;

  roast_output_discard (output);
  if (*errors == NULL)
    {
      *errors = error;
      return;
    }
  g_prefix_error (errors, "%s; ", error->message);
  g_error_free (error);
}

/**
 * roast_session_export:
 * @self: a session that has finished
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Runs all exporters. If one exporter fails, the other exporters still run.
 *
 * Fails with an error of the domain #RoastExportError, or with the error of the first exporter that failed. The message
 * contains the messages of all exporters that failed.
 *
 * Returns: %TRUE if all exporters succeeded
 *
 * Since: 0.9
 */
gboolean
roast_session_export (RoastSession *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  GError *errors = NULL;

  g_return_val_if_fail (ROAST_IS_SESSION (self), FALSE);

  if (self->state != ROAST_SESSION_STATE_FINISHED)
    return roast_fail (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_NO_DATA,
                       "there is no report yet: the session has not finished");
  if (self->exporters->len == 0)
    return TRUE;
  /* Make the report before the snapshot, so that the snapshot includes the events that aggregators add. */
  roast_session_make_report (self);
  snapshot = roast_recording_snapshot (self->recording);
  for (guint i = 0; i < self->exporters->len; i++)
    export_one (self, i, snapshot, cancellable, &errors);
  if (errors == NULL)
    return TRUE;
  g_propagate_error (error, errors);

  return FALSE;
}
