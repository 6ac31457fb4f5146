/* SPDX-License-Identifier: BSD-3-Clause */

/* The aggregators of this plugin. Each aggregator is a type of its own, whose class points to an Analysis. */

#include <gmodule.h>

#include "analysis.h"

typedef struct
{
  GObjectClass parent_class;
  const Analysis *analysis;
} AnalysisClass;

static const Analysis *
get_analysis (RoastAggregator *self)
{
  return ((AnalysisClass *) G_OBJECT_GET_CLASS (self))->analysis;
}

static char **
analysis_dup_provides (RoastAggregator *self)
{
  return g_strdupv ((char **) get_analysis (self)->provided);
}

static char **
analysis_dup_requires (RoastAggregator *self)
{
  return g_strdupv ((char **) get_analysis (self)->required);
}

static gboolean
analysis_aggregate (RoastAggregator *self, RoastRecordingSnapshot *recording, RoastReport *report,
                    GCancellable *cancellable, GError **error)
{
  const Analysis *analysis = get_analysis (self);
  g_autoptr (RoastTableReader) table = NULL;

  /* A report may have a schema without the tables of this plugin. Opening them cannot fail otherwise. */
  if (analysis->table != NULL)
    table = roast_report_read_table (report, analysis->table, NULL, error);
  if (analysis->table != NULL && table == NULL)
    return FALSE;
  analysis->aggregate (recording, report);

  return TRUE;
}

static void
analysis_init_interface (gpointer interface, gpointer data)
{
  RoastAggregatorInterface *iface = interface;

  iface->dup_provides = analysis_dup_provides;
  iface->dup_requires = analysis_dup_requires;
  iface->aggregate = analysis_aggregate;
}

static void
analysis_init_class (gpointer klass, gpointer analysis)
{
  ((AnalysisClass *) klass)->analysis = analysis;
}

static GType
register_type (const char *name, const Analysis *analysis)
{
  const GTypeInfo info = {
    .class_size = sizeof (AnalysisClass),
    .class_init = analysis_init_class,
    .class_data = analysis,
    .instance_size = sizeof (GObject),
  };
  const GInterfaceInfo interface = { .interface_init = analysis_init_interface };
  GType type = g_type_register_static (G_TYPE_OBJECT, name, &info, (GTypeFlags) 0);

  g_type_add_interface_static (type, ROAST_TYPE_AGGREGATOR, &interface);

  return type;
}

#define DEFINE_TYPE(Type, name)                                                                                        \
  static GType name##_get_type (void)                                                                                  \
  {                                                                                                                    \
    static GType type = 0;                                                                                             \
                                                                                                                       \
    if (g_once_init_enter (&type))                                                                                     \
      g_once_init_leave (&type, register_type ("RoastAnalysis" Type, &analysis_##name));                               \
    return type;                                                                                                       \
  }

DEFINE_TYPE ("Compare", compare)
DEFINE_TYPE ("CoreTime", core_time)
DEFINE_TYPE ("Findings", findings)
DEFINE_TYPE ("Processes", processes)
DEFINE_TYPE ("Spans", spans)
DEFINE_TYPE ("TaskActivity", task_activity)
DEFINE_TYPE ("TaskLifecycle", task_lifecycle)
DEFINE_TYPE ("Tasks", tasks)
DEFINE_TYPE ("WhatIf", what_if)
DEFINE_TYPE ("Windows", windows)
DEFINE_TYPE ("Workers", workers)
DEFINE_TYPE ("Workload", workload)

ROAST_DEFINE_PLUGIN ("analysis", PLUGIN_VERSION, ROAST_PLUGIN_AGGREGATOR ("compare", compare_get_type),
                     ROAST_PLUGIN_AGGREGATOR ("core-time", core_time_get_type),
                     ROAST_PLUGIN_AGGREGATOR ("findings", findings_get_type),
                     ROAST_PLUGIN_AGGREGATOR ("processes", processes_get_type),
                     ROAST_PLUGIN_AGGREGATOR ("spans", spans_get_type),
                     ROAST_PLUGIN_AGGREGATOR ("task-activity", task_activity_get_type),
                     ROAST_PLUGIN_AGGREGATOR ("task-lifecycle", task_lifecycle_get_type),
                     ROAST_PLUGIN_AGGREGATOR ("tasks", tasks_get_type),
                     ROAST_PLUGIN_AGGREGATOR ("what-if", what_if_get_type),
                     ROAST_PLUGIN_AGGREGATOR ("windows", windows_get_type),
                     ROAST_PLUGIN_AGGREGATOR ("workers", workers_get_type),
                     ROAST_PLUGIN_AGGREGATOR ("workload", workload_get_type))
