/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads prmon's JSON: the highest or last value and the average of each number, and the machine's hardware. The JSON
 * has neither a time of day nor a series. */

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/roast-json-scan-private.h"
#include "formats.h"
#include "prmon.h"

#define MAX_SIZE (1024 * 1024)
#define MAX_DEPTH 8

static JsonObject *
get_object (JsonObject *object, const char *member)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, member) : NULL;

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

/* Returns NaN if the member is missing or not a number. */
static double
get_number (JsonObject *object, const char *member)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, member) : NULL;

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node) ||
      (json_node_get_value_type (node) != G_TYPE_INT64 && json_node_get_value_type (node) != G_TYPE_DOUBLE))
    return NAN;

  return json_node_get_double (node);
}

/* Reads the numbers of an object. Refuses values that prmon never writes. */
static gboolean
read_values (JsonObject *object, double *values, GError **error)
{
  for (guint i = 0; i < PRMON_N_FIELDS; i++)
    {
      JsonNode *node = json_object_get_member (object, prmon_fields[i].name);

      values[i] = get_number (object, prmon_fields[i].name);
      if (node != NULL && !JSON_NODE_HOLDS_NULL (node) && !(values[i] >= 0 && values[i] <= (double) PRMON_MAX))
        return exchange_fail (error, "%s is not a number that prmon writes", prmon_fields[i].name);
    }

  return TRUE;
}

static void
list_unknown (JsonObject *object, GPtrArray *left_out)
{
  g_autoptr (GList) members = json_object_get_members (object);

  for (GList *link = members; link != NULL; link = link->next)
    if (prmon_find (link->data, strlen (link->data)) < 0)
      g_ptr_array_add (left_out, g_strdup (link->data));
}

static void
set_machine (RoastRecording *recording, JsonObject *root)
{
  JsonObject *hardware = get_object (root, "HW");
  double cores = get_number (get_object (hardware, "cpu"), "CPUs");
  double memory = get_number (get_object (hardware, "mem"), "MemTotal");

  if (cores > 0 && cores <= G_MAXINT32)
    roast_recording_set_metadata (recording, "tree-cores", g_variant_new_double (cores));
  if (memory > 0 && memory <= (double) PRMON_MAX)
    roast_recording_set_metadata (recording, "tree-host-memory", g_variant_new_int64 ((gint64) memory * PRMON_KB));
}

static void
set_peaks (RoastRecording *recording, const double *max, const double *average)
{
  for (guint i = 0; i < PRMON_N_FIELDS; i++)
    {
      const PrmonFieldInfo *field = &prmon_fields[i];
      double factor = (double) field->factor;

      if (field->peak != NULL && !isnan (max[i]))
        roast_recording_set_metadata (recording, field->peak, g_variant_new_int64 ((gint64) (max[i] * factor)));
      if (field->mean != NULL && !isnan (average[i]))
        roast_recording_set_metadata (recording, field->mean, g_variant_new_double (average[i] * factor));
    }
}

static gboolean
take_root (RoastRecording *recording, JsonObject *root, gint64 ended, GPtrArray *left_out, GError **error)
{
  JsonObject *max = get_object (root, "Max");
  JsonObject *average = get_object (root, "Avg");
  double max_values[PRMON_N_FIELDS], average_values[PRMON_N_FIELDS];
  gint64 values[PRMON_N_FIELDS];
  gint64 started;
  g_autofree char *source = NULL;

  if (max == NULL || average == NULL)
    return exchange_fail (error, "the file has no sums (Max and Avg): prmon was killed before its first sample, or "
                                 "this is not prmon's JSON");
  if (!read_values (max, max_values, error) || !read_values (average, average_values, error))
    return FALSE;
  for (guint i = 0; i < PRMON_N_FIELDS; i++)
    values[i] = isnan (max_values[i]) ? -1 : (gint64) max_values[i];
  list_unknown (max, left_out);
  source = prmon_begin (recording,
                        "sums and peaks of a process tree: CPU, memory, I/O and threads; prmon's JSON has no samples, "
                        "no single processes and no exit status",
                        exchange_get_text (get_object (root, "prmon"), "Version"));
  set_machine (recording, root);
  set_peaks (recording, max_values, average_values);
  started = ended - MAX (values[PRMON_WTIME], 0) * G_USEC_PER_SEC;
  if (values[PRMON_WTIME] >= 0)
    roast_recording_set_times (recording, MAX (started, 0), ended);
  roast_recording_set_metadata (recording, "ended-at-least", g_variant_new_boolean (TRUE));
  roast_recording_add_event (recording, source, ended, ROAST_SEVERITY_INFO, "imported",
                             "prmon's JSON has no time of day: roast assumes that the run ended when the file was "
                             "written");

  return prmon_add_sums (recording, source, values, MAX (started, 0), error);
}

gboolean
prmon_json_take (RoastRecording *recording, const char *text, gsize length, gint64 ended, GPtrArray *left_out,
                 GError **error)
{
  RoastJsonScan scan = { text, text + length, NULL };
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();

  roast_json_scan_space (&scan);
  if (!roast_json_scan_value (&scan, MAX_DEPTH) || !roast_json_scan_end (&scan))
    return exchange_fail (error, "byte %" G_GSIZE_FORMAT ": %s: the file was cut or damaged; copy it again",
                          (gsize) (scan.at - text), scan.fault);
  if (!json_parser_load_from_data (parser, text, (gssize) length, error))
    return FALSE;
  if (!JSON_NODE_HOLDS_OBJECT (json_parser_get_root (parser)))
    return exchange_fail (error, "the file is not a JSON object, so it is not prmon's JSON");

  return take_root (recording, json_node_get_object (json_parser_get_root (parser)), ended, left_out, error);
}

/* ---- the format ---- */

gboolean
prmon_json_begins_like (const char *start, gsize length)
{
  return *start == '{' && strstr (start, "\"Avg\"") != NULL;
}

gboolean
prmon_json_import (ExchangeImport *import, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GPtrArray) left_out = g_ptr_array_new_with_free_func (g_free);
  gint64 ended = g_get_real_time ();
  gsize length = 0;
  struct stat status;

  if (!exchange_read (import->path, MAX_SIZE, &text, &length, error))
    return FALSE;
  if (!g_str_equal (import->path, "-") && stat (import->path, &status) == 0)
    ended = status.st_mtim.tv_sec * G_USEC_PER_SEC;
  if (!prmon_json_take (import->recording, text, length, ended, left_out, error))
    {
      g_prefix_error (error, "cannot import %s: ", import->name);
      return FALSE;
    }
  exchange_say_left_out (import->name, left_out, "roast has no columns for them");

  return TRUE;
}
