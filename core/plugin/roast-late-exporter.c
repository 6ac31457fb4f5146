/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-late-exporter-private.h"

#include "base/roast-fail-private.h"
#include "base/roast-type-private.h"
#include "roast-plugin-private.h"
#include "roast/roast-enums.h"

struct _RoastLateExporter
{
  GObject parent_instance;

  RoastPlugin *plugin;
  char *name;
  RoastExporterFlags flags;
  GVariant *options;
  RoastExporter *real; /* exporter of the plugin; NULL until the plugin is opened */
};

static void roast_late_exporter_iface_init (RoastExporterInterface *iface);

ROAST_DEFINE_TYPE_WITH (RoastLateExporter, roast_late_exporter, ROAST_TYPE_EXPORTER, roast_late_exporter_iface_init)

static void
roast_late_exporter_release (RoastLateExporter *self)
{
  g_clear_object (&self->real);
  g_clear_object (&self->plugin);
  g_clear_pointer (&self->options, g_variant_unref);
  g_free (self->name);
}

static void
roast_late_exporter_init (RoastLateExporter *self)
{
}

/* Check that the exporter has the flags that its key file declares, because the output was opened for those flags. */
static gboolean
check_flags (RoastLateExporter *self, RoastExporter *real, GError **error)
{
  RoastExporterFlags flags = roast_exporter_get_flags (real);
  g_autofree char *declared = NULL;
  g_autofree char *found = NULL;

  if (flags == self->flags)
    return TRUE;
  declared = g_flags_to_string (ROAST_TYPE_EXPORTER_FLAGS, self->flags);
  found = g_flags_to_string (ROAST_TYPE_EXPORTER_FLAGS, flags);
  return roast_fail (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_METADATA,
                     "%s: group [Exporter %s] declares the flags %s, but get_flags() returns %s. Correct the key Flags "
                     "of this group",
                     roast_plugin_get_path (self->plugin), self->name, declared, found);
}

static gboolean
open_real (RoastLateExporter *self, GError **error)
{
  GType type = G_TYPE_INVALID;
  g_autoptr (RoastExporter) real = NULL;

  if (self->real != NULL)
    return TRUE;
  type = roast_plugin_get_provided_type (self->plugin, ROAST_ROLE_EXPORTER, self->name, error);
  if (type == G_TYPE_INVALID)
    return FALSE;
  real = roast_plugin_make (self->plugin, ROAST_ROLE_EXPORTER, self->name, type);
  if (!check_flags (self, real, error) || !roast_exporter_configure (real, self->options, error))
    return FALSE;
  self->real = g_steal_pointer (&real);

  return TRUE;
}

static RoastExporterFlags
late_get_flags (RoastExporter *exporter)
{
  return ROAST_LATE_EXPORTER (exporter)->flags;
}

/* Refuse further options, because the registry has already set the options of this exporter. */
static gboolean
late_configure (RoastExporter *exporter, GVariant *options, GError **error)
{
  return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_UNKNOWN,
                     "the registry has already set the options of this exporter: create another exporter");
}

static gboolean
late_export_report (RoastExporter *exporter, RoastRecordingSnapshot *recording, RoastReport *report,
                    RoastOutput *output, GCancellable *cancellable, GError **error)
{
  RoastLateExporter *self = ROAST_LATE_EXPORTER (exporter);

  return open_real (self, error) &&
         roast_exporter_export_report (self->real, recording, report, output, cancellable, error);
}

/* Ignore an error of the plugin here, because the first export reports it. */
static gint64
late_begin_live (RoastExporter *exporter)
{
  RoastLateExporter *self = ROAST_LATE_EXPORTER (exporter);

  return open_real (self, NULL) ? roast_exporter_begin_live (self->real) : 0;
}

static void
roast_late_exporter_iface_init (RoastExporterInterface *iface)
{
  iface->get_flags = late_get_flags;
  iface->configure = late_configure;
  iface->export_report = late_export_report;
  iface->begin_live = late_begin_live;
}

RoastExporter *
roast_late_exporter_new (RoastPlugin *plugin, const char *name, RoastExporterFlags flags, GVariant *options)
{
  RoastLateExporter *self = g_object_new (ROAST_TYPE_LATE_EXPORTER, NULL);

  self->plugin = g_object_ref (plugin);
  self->name = g_strdup (name);
  self->flags = flags;
  self->options = g_variant_ref_sink (options);

  return ROAST_EXPORTER (self);
}
