/* SPDX-License-Identifier: BSD-3-Clause */

/* What was not processed, as a fileset for coffea's Runner: the files that failed, with the entries that are missing.
 */

#include "roast-failed-exporter.h"

#include <json-glib/json-glib.h>

#include "workload-tables.h"

#define UNNAMED "(no dataset)"

struct _RoastCoffeaFailedExporter
{
  GObject parent_instance;
};

static void exporter_iface_init (RoastExporterInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (RoastCoffeaFailedExporter, roast_coffea_failed_exporter, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_EXPORTER, exporter_iface_init))

/* The member @name of @object, which is made if it is missing. */
static JsonObject *
get_object (JsonObject *object, const char *name)
{
  if (!json_object_has_member (object, name))
    json_object_set_object_member (object, name, json_object_new ());

  return json_object_get_object_member (object, name);
}

static void
add_range (JsonObject *file, gint64 start, gint64 stop)
{
  JsonArray *range = json_array_new ();

  if (!json_object_has_member (file, "steps"))
    json_object_set_array_member (file, "steps", json_array_new ());
  json_array_add_int_element (range, start);
  json_array_add_int_element (range, stop);
  json_array_add_array_element (json_object_get_array_member (file, "steps"), range);
}

/* A file that could not be prepared has no entries: then all of it is to be done. */
static void
add_failure (JsonObject *filesets, RoastTableReader *failures)
{
  const char *dataset = roast_table_reader_get_string (failures, ROAST_FAILED_FILES_DATASET);
  const char *tree = roast_table_reader_get_string (failures, ROAST_FAILED_FILES_TREE);
  JsonObject *files = get_object (get_object (filesets, dataset != NULL ? dataset : UNNAMED), "files");
  JsonObject *file = get_object (files, roast_table_reader_get_string (failures, ROAST_FAILED_FILES_FILE));
  gint64 start = roast_table_reader_get_int64 (failures, ROAST_FAILED_FILES_ENTRY_START, -1);
  gint64 stop = roast_table_reader_get_int64 (failures, ROAST_FAILED_FILES_ENTRY_STOP, -1);

  if (tree != NULL)
    json_object_set_string_member (file, "object_path", tree);
  if (stop >= 0)
    add_range (file, MAX (start, 0), stop);
}

/* No failures where no aggregator knows that table. */
static gboolean
add_failures (JsonObject *filesets, RoastReport *report, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (RoastTableReader) failures =
      roast_report_read_table (report, ROAST_TABLE_FAILED_FILES, roast_failed_files_columns, &problem);

  if (failures == NULL && !g_error_matches (problem, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_TABLE))
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }
  while (failures != NULL && roast_table_reader_next (failures))
    if (roast_table_reader_has (failures, ROAST_FAILED_FILES_FILE))
      add_failure (filesets, failures);

  return TRUE;
}

static gboolean
failed_export_report (RoastExporter *exporter, RoastRecordingSnapshot *recording, RoastReport *report,
                      RoastOutput *output, GCancellable *cancellable, GError **error)
{
  g_autoptr (JsonNode) root = json_node_new (JSON_NODE_OBJECT);
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  g_autoptr (GOutputStream) stream = NULL;
  g_autofree char *text = NULL;
  gsize length;

  json_node_take_object (root, json_object_new ());
  if (!add_failures (json_node_get_object (root), report, error))
    return FALSE;
  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, TRUE);
  text = json_generator_to_data (generator, &length);
  stream = roast_output_open (output, "failed.json", error);

  return stream != NULL && g_output_stream_write_all (stream, text, length, NULL, cancellable, error) &&
         g_output_stream_write_all (stream, "\n", 1, NULL, cancellable, error) &&
         g_output_stream_close (stream, cancellable, error);
}

static void
exporter_iface_init (RoastExporterInterface *iface)
{
  iface->export_report = failed_export_report;
}

static void
roast_coffea_failed_exporter_class_init (RoastCoffeaFailedExporterClass *klass)
{
}

static void
roast_coffea_failed_exporter_init (RoastCoffeaFailedExporter *self)
{
}
