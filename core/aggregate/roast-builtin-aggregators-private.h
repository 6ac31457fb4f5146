/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-aggregator.h"

G_BEGIN_DECLS

/* The aggregators that every report has. */

/* "processes": elapsed time, CPU, memory, I/O, the kernel's counters, the accounting and own cost. */
#define ROAST_TYPE_PROCESS_AGGREGATOR (roast_process_aggregator_get_type ())
G_DECLARE_FINAL_TYPE (RoastProcessAggregator, roast_process_aggregator, ROAST, PROCESS_AGGREGATOR, GObject)

/* "workers": how many workers there were. */
#define ROAST_TYPE_WORKER_AGGREGATOR (roast_worker_aggregator_get_type ())
G_DECLARE_FINAL_TYPE (RoastWorkerAggregator, roast_worker_aggregator, ROAST, WORKER_AGGREGATOR, GObject)

/* "spans": what was used and processed in each span. */
#define ROAST_TYPE_SPAN_AGGREGATOR (roast_span_aggregator_get_type ())
G_DECLARE_FINAL_TYPE (RoastSpanAggregator, roast_span_aggregator, ROAST, SPAN_AGGREGATOR, GObject)

/* "workload": what the program said it processed. */
#define ROAST_TYPE_WORKLOAD_AGGREGATOR (roast_workload_aggregator_get_type ())
G_DECLARE_FINAL_TYPE (RoastWorkloadAggregator, roast_workload_aggregator, ROAST, WORKLOAD_AGGREGATOR, GObject)

G_END_DECLS
