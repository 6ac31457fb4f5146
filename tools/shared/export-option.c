/* SPDX-License-Identifier: BSD-3-Clause */
#include "export-option.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/base/roast-fail-private.h"
#include "core/base/roast-option-text-private.h"

static gboolean standard_output_was_closed;

void
export_option_free (ExportOption *self)
{
  g_free (self->name);
  g_free (self->target);
  g_free (self->options);
  g_clear_object (&self->exporter);
  g_free (self);
}

ExportOption *
export_option_parse (const char *text, GError **error)
{
  g_autoptr (ExportOption) export = g_new0 (ExportOption, 1);
  const char *rest = text;
  g_autofree char *head = roast_option_text_take_item (&rest);
  const char *colon = strchr (head, ':');

  export->name = g_strndup (head, colon != NULL ? (gsize) (colon - head) : strlen (head));
  if (colon != NULL)
    export->target = g_strdup (colon + 1);
  if (*rest == ',')
    export->options = g_strdup (rest + 1);

  if (*export->name == '\0' || (export->target != NULL && *export->target == '\0'))
    return roast_fail_null (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_SYNTAX,
                            "“--export=%s” is not of the form NAME[:FILE][,OPTION=VALUE…]: for example "
                            "--export=json:run.json",
                            text);

  return g_steal_pointer (&export);
}

gboolean
export_option_append (GPtrArray *exports, const char *text, GError **error)
{
  ExportOption *export = export_option_parse (text, error);

  if (export == NULL)
    return FALSE;
  g_ptr_array_add (exports, export);

  return TRUE;
}

char *
export_option_dup_text (const ExportOption *self, const char *target)
{
  GString *text = g_string_new (self->target != NULL ? self->target : target);

  g_string_replace (text, "\\", "\\\\", 0);
  g_string_replace (text, ",", "\\,", 0);
  if (text->len > 0)
    g_string_prepend_c (text, ':');
  g_string_prepend (text, self->name);
  if (self->options != NULL)
    g_string_append_printf (text, ",%s", self->options);

  return g_string_free (text, FALSE);
}

gboolean
export_option_check_color (const char *color, GError **error)
{
  static const char *const choices[] = { "auto", "always", "never", NULL };

  if (color == NULL || g_strv_contains (choices, color))
    return TRUE;

  return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                     "“--color=%s” is invalid: write auto, always or never", color);
}

void
export_option_hold_streams (void)
{
  standard_output_was_closed = fcntl (STDOUT_FILENO, F_GETFD) < 0;
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    {
      if (fcntl (fd, F_GETFD) < 0 && open ("/dev/null", O_RDWR | O_CLOEXEC) != fd)
        return;
    }
}

int
export_option_get_descriptor (const ExportOption *self)
{
  static const char *const directories[] = { "/dev/fd/", "/proc/self/fd/" };
  guint64 fd = 0;

  if (self->target == NULL)
    return -1;
  if (g_str_equal (self->target, "-") || g_str_equal (self->target, "/dev/stdout"))
    return STDOUT_FILENO;
  if (g_str_equal (self->target, "/dev/stdin"))
    return STDIN_FILENO;
  for (guint i = 0; i < G_N_ELEMENTS (directories); i++)
    if (g_str_has_prefix (self->target, directories[i]) &&
        g_ascii_string_to_unsigned (self->target + strlen (directories[i]), 10, 0, G_MAXINT, &fd, NULL))
      return (int) fd;

  return -1;
}

static RoastOutput *
make_output (RoastExporter *exporter, ExportOption *export, int fallback, GError **error)
{
  gboolean directory = (roast_exporter_get_flags (exporter) & ROAST_EXPORTER_FLAGS_DIRECTORY) != 0;

  if (directory && (export->target == NULL || g_str_equal (export->target, "-")))
    return roast_fail_null (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_SYNTAX,
                            "%s writes several files: give a directory, as in --export=%s:DIRECTORY", export->name,
                            export->name);
  if (directory)
    return roast_output_new_for_directory (export->target);
  if (export->target == NULL && fallback != STDOUT_FILENO)
    return roast_output_new_for_fd (fallback, "standard error");
  if (export->target != NULL && !g_str_equal (export->target, "-"))
    return roast_output_new_for_file (export->target);
  if (standard_output_was_closed)
    return roast_fail_null (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT,
                            "standard output is closed: give a file for the report, as in --export=%s:FILE",
                            export->name);

  return roast_output_new_for_fd (STDOUT_FILENO, "standard output");
}

/* Returns the options of the exporter. For a table exporter, the option “color” with the value of --color comes
 * first. */
static char *
join_options (const ExportOption *export, const char *color)
{
  if (color == NULL || !g_str_equal (export->name, "table"))
    return g_strdup (export->options);

  return g_strdup_printf ("color=%s%s%s", color, export->options != NULL ? "," : "",
                          export->options != NULL ? export->options : "");
}

gboolean
export_option_may_be_live (const ExportOption *self)
{
  return self->options != NULL && self->exporter != NULL &&
         (roast_exporter_get_flags (self->exporter) & ROAST_EXPORTER_FLAGS_LIVE) != 0;
}

static gboolean
create_exporter (ExportOption *self, RoastRegistry *registry, const char *color, GError **error)
{
  g_autofree char *options = join_options (self, color);
  GVariant *values = roast_registry_parse_options (registry, ROAST_ROLE_EXPORTER, self->name, options, error);

  if (values != NULL)
    self->exporter = roast_registry_create_exporter (registry, self->name, values, error);
  g_clear_pointer (&values, g_variant_unref);

  return self->exporter != NULL;
}

gboolean
export_option_add (ExportOption *self, RoastSession *session, RoastRegistry *registry, int fallback, const char *color,
                   GError **error)
{
  g_autoptr (RoastOutput) output = NULL;

  if (self->exporter == NULL && !create_exporter (self, registry, color, error))
    return FALSE;
  output = make_output (self->exporter, self, fallback, error);
  if (output == NULL)
    return FALSE;
  roast_session_add_exporter (session, self->exporter, output);

  return TRUE;
}
