/* SPDX-License-Identifier: BSD-3-Clause */

/* What a plugin or a program may write, in C and in C++, without a warning. */

#include <roast/roast.h>

typedef struct
{
  GObject parent_instance;
} UseBackend;
typedef struct
{
  GObject parent_instance;
} UseAggregator;
typedef struct
{
  GObject parent_instance;
} UseExporter;

static void
stop_tracking (RoastMetricsBackend *backend, GTask *task)
{
  g_autoptr (RoastSession) session = roast_session_new (NULL);
  g_autoptr (RoastTableWriter) writer = NULL;

  g_task_return_boolean (task, backend != NULL && session != NULL && writer == NULL);
}

ROAST_DEFINE_BACKEND (UseBackend, use_backend, iface->stop_tracking = stop_tracking)
ROAST_DEFINE_AGGREGATOR (UseAggregator, use_aggregator, iface->aggregate = NULL)
ROAST_DEFINE_EXPORTER (UseExporter, use_exporter, iface->export_report = NULL)

ROAST_DEFINE_PLUGIN ("use", "1.0", ROAST_PLUGIN_BACKEND ("use", use_backend_get_type),
                     ROAST_PLUGIN_AGGREGATOR ("use", use_aggregator_get_type),
                     ROAST_PLUGIN_EXPORTER ("use", use_exporter_get_type))
