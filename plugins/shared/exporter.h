/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Helpers that several exporters need. */

/* Defines the type of an exporter. Place this macro after the functions PREFIX_configure () and PREFIX_export_report
 * (). @FLAGS are RoastExporterFlags. */
#define EXPORTER_DEFINE_TYPE(TypeName, type_name, PREFIX, FLAGS)                                                       \
  EXPORTER_DEFINE_TYPE_WITH (TypeName, type_name, PREFIX, FLAGS, (void) 0, (void) 0)

/* Like EXPORTER_DEFINE_TYPE, but also runs @RELEASE, which frees the members of @self, and @STATEMENT, which can set
 * more functions of @iface. */
#define EXPORTER_DEFINE_TYPE_WITH(TypeName, type_name, PREFIX, FLAGS, RELEASE, STATEMENT)                              \
  static RoastExporterFlags PREFIX##_get_flags (G_GNUC_UNUSED RoastExporter *exporter)                                 \
  {                                                                                                                    \
    return FLAGS;                                                                                                      \
  }                                                                                                                    \
                                                                                                                       \
  static void PREFIX##_iface_init (RoastExporterInterface *iface)                                                      \
  {                                                                                                                    \
    iface->get_flags = PREFIX##_get_flags;                                                                             \
    iface->configure = PREFIX##_configure;                                                                             \
    iface->export_report = PREFIX##_export_report;                                                                     \
    STATEMENT;                                                                                                         \
  }                                                                                                                    \
                                                                                                                       \
  G_DEFINE_FINAL_TYPE_WITH_CODE (TypeName, type_name, G_TYPE_OBJECT,                                                   \
                                 G_IMPLEMENT_INTERFACE (ROAST_TYPE_EXPORTER, PREFIX##_iface_init))                     \
                                                                                                                       \
  static void PREFIX##_finalize (GObject *object)                                                                      \
  {                                                                                                                    \
    G_GNUC_UNUSED TypeName *self = (gpointer) object;                                                                  \
                                                                                                                       \
    RELEASE;                                                                                                           \
    G_OBJECT_CLASS (type_name##_parent_class)->finalize (object);                                                      \
  }                                                                                                                    \
                                                                                                                       \
  static void type_name##_class_init (TypeName##Class *klass)                                                          \
  {                                                                                                                    \
    G_OBJECT_CLASS (klass)->finalize = PREFIX##_finalize;                                                              \
  }

/* Fails if @output is a single file or a stream. Exporters that write several files call this function before they
 * write anything. */
static inline gboolean
exporter_check_directory (RoastOutput *output, const char *exporter, GError **error)
{
  if (roast_output_get_kind (output) != ROAST_OUTPUT_FILE && roast_output_get_kind (output) != ROAST_OUTPUT_STREAM)
    return TRUE;
  g_set_error (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT,
               "%s writes several files: give a directory instead of %s", exporter, roast_output_get_name (output));

  return FALSE;
}

/* Writes @text as the whole content of a file. */
static inline gboolean
exporter_write (RoastOutput *output, const char *name, const char *text, gsize length, GCancellable *cancellable,
                GError **error)
{
  g_autoptr (GOutputStream) stream = roast_output_open (output, name, error);

  return stream != NULL && g_output_stream_write_all (stream, text, length, NULL, cancellable, error) &&
         g_output_stream_close (stream, cancellable, error);
}

/* Returns the name of a column type, as used in schemas. */
static inline const char *
exporter_get_type (RoastColumn *column)
{
  static const char *const types[] = { "int64", "double", "boolean", "string", "category" };

  return types[roast_column_get_column_type (column)];
}

/* Returns the command of the run as one line; NULL if the recording does not contain it. */
static inline char *
exporter_dup_command (RoastRecordingSnapshot *recording)
{
  g_autoptr (GVariant) command =
      roast_recording_snapshot_lookup_metadata (recording, "command", G_VARIANT_TYPE_STRING_ARRAY);
  g_autofree const char **words = command != NULL ? g_variant_get_strv (command, NULL) : NULL;

  return words != NULL ? g_strjoinv (" ", (char **) words) : NULL;
}

/* Returns what was measured as one line: the command of the run, or the address that roast attached to. Returns NULL if
 * the recording contains neither. */
static inline char *
exporter_dup_subject (RoastRecordingSnapshot *recording)
{
  g_autoptr (GVariant) address =
      roast_recording_snapshot_lookup_metadata (recording, "attached-to", G_VARIANT_TYPE_STRING);
  char *command = exporter_dup_command (recording);

  return command != NULL || address == NULL ? command
                                            : g_strconcat ("attached to ", g_variant_get_string (address, NULL), NULL);
}
