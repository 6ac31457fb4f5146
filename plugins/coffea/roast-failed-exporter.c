/* SPDX-License-Identifier: BSD-3-Clause */

/* Exports the input that was not processed, as a fileset for coffea's Runner. This includes failed files and missing
 * ranges of entries. */

#include "roast-failed-exporter.h"

#include <json-glib/json-glib.h>
#include <string.h>

#include "workload-tables.h"

#define UNNAMED "(no dataset)"
#define MAX_DEPTH 16
#define REMOVED "***"  /* text that replaces a secret in a URL */
#define REMARK "roast" /* key in the metadata under which a note tells the user what to add to the fileset */

struct _RoastCoffeaFailedExporter
{
  GObject parent_instance;
};

static void exporter_iface_init (RoastExporterInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (RoastCoffeaFailedExporter, roast_coffea_failed_exporter, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_EXPORTER, exporter_iface_init))

/* Return the member @name of @object. If the member does not exist, create it. */
static JsonObject *
get_object (JsonObject *object, const char *name)
{
  if (!json_object_has_member (object, name))
    json_object_set_object_member (object, name, json_object_new ());

  return json_object_get_object_member (object, name);
}

/* Return whether the file already contains the range, because two processors may have missed the same entries. */
static gboolean
has_range (JsonArray *ranges, gint64 start, gint64 stop)
{
  for (guint i = 0; i < json_array_get_length (ranges); i++)
    {
      JsonArray *range = json_array_get_array_element (ranges, i);

      if (json_array_get_int_element (range, 0) == start && json_array_get_int_element (range, 1) == stop)
        return TRUE;
    }

  return FALSE;
}

static void
add_range (JsonObject *file, gint64 start, gint64 stop)
{
  JsonArray *range = NULL;

  if (!json_object_has_member (file, "steps"))
    json_object_set_array_member (file, "steps", json_array_new ());
  if (has_range (json_object_get_array_member (file, "steps"), start, stop))
    return;
  range = json_array_new ();
  json_array_add_int_element (range, start);
  json_array_add_int_element (range, stop);
  json_array_add_array_element (json_object_get_array_member (file, "steps"), range);
}

/* Add a failed file to its dataset. If the file could not be prepared, add no range, so that the whole file is
 * processed. */
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

/* ---- metadata ---- */

/* Return whether @json is nested only a few levels deep. This must be checked, because the metadata come from the
 * program and the parser is recursive. */
static gboolean
is_flat (const char *json)
{
  guint depth = 0;
  gboolean quoted = FALSE;

  for (const char *c = json; *c != '\0'; c++)
    {
      if (quoted && *c == '\\' && c[1] != '\0')
        c++;
      else if (*c == '"')
        quoted = !quoted;
      else if (!quoted && (*c == '{' || *c == '['))
        depth++;
      else if (!quoted && (*c == '}' || *c == ']') && depth > 0)
        depth--;
      if (depth > MAX_DEPTH)
        return FALSE;
    }

  return TRUE;
}

/* Parse the metadata of a dataset. Returns NULL if @json is not a JSON object. */
static JsonObject *
parse_metadata (const char *json)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonNode *root = NULL;

  if (!is_flat (json) || !json_parser_load_from_data (parser, json, -1, NULL))
    return NULL;
  root = json_parser_get_root (parser);

  return root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_dup_object (root) : NULL;
}

static void
add_remark (JsonObject *fileset, const char *text)
{
  JsonObject *metadata = get_object (fileset, "metadata");

  if (!json_object_has_member (metadata, REMARK))
    json_object_set_string_member (metadata, REMARK, text);
}

/* Add the metadata of each dataset. If they were reported several times, use the last report. */
static void
add_metadata (JsonObject *filesets, RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) datasets = roast_datasets_read (recording);

  while (datasets != NULL && roast_table_reader_next (datasets))
    {
      const char *dataset = roast_table_reader_get_string (datasets, ROAST_DATASETS_DATASET);
      const char *json = roast_table_reader_get_string (datasets, ROAST_DATASETS_METADATA);
      const char *missing = roast_table_reader_get_string (datasets, ROAST_DATASETS_METADATA_MISSING);
      JsonObject *metadata = json != NULL ? parse_metadata (json) : NULL;
      JsonObject *fileset = NULL;

      if (dataset != NULL && json_object_has_member (filesets, dataset))
        fileset = json_object_get_object_member (filesets, dataset);
      if (fileset != NULL && (json != NULL || missing != NULL))
        json_object_remove_member (fileset, "metadata");
      if (fileset != NULL && metadata != NULL && json_object_get_size (metadata) > 0)
        json_object_set_object_member (fileset, "metadata", json_object_ref (metadata));
      else if (fileset != NULL && (missing != NULL || (json != NULL && metadata == NULL)))
        {
          g_autofree char *text =
              g_strdup_printf ("the recording lacks the metadata of this dataset (%s): add the metadata to this file",
                               missing != NULL ? missing : "the metadata are not a JSON object");

          add_remark (fileset, text);
        }
      g_clear_pointer (&metadata, json_object_unref);
    }
}

static void
add_remarks (JsonObject *filesets)
{
  g_autoptr (GList) names = json_object_get_members (filesets);

  for (GList *name = names; name != NULL; name = name->next)
    {
      JsonObject *fileset = json_object_get_object_member (filesets, name->data);
      g_autoptr (GList) files = json_object_get_members (json_object_get_object_member (fileset, "files"));

      for (GList *file = files; file != NULL; file = file->next)
        if (strstr (file->data, REMOVED) != NULL)
          {
            add_remark (fileset, "replace " REMOVED " in the URLs: roast does not keep tokens");
            break;
          }
    }
}

/* Add the rows of the table failed_files. If no aggregator makes this table, add nothing. */
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
  add_metadata (json_node_get_object (root), recording);
  add_remarks (json_node_get_object (root));
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
