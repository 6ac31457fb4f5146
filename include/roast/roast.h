/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#define __ROAST_INSIDE__

#include <roast/roast-accounting.h>
#include <roast/roast-aggregator.h>
#include <roast/roast-chart-info.h>
#include <roast/roast-column.h>
#include <roast/roast-enums.h>
#include <roast/roast-error.h>
#include <roast/roast-exporter.h>
#include <roast/roast-finding.h>
#include <roast/roast-format.h>
#include <roast/roast-launch-context.h>
#include <roast/roast-launcher.h>
#include <roast/roast-metric-info.h>
#include <roast/roast-metric.h>
#include <roast/roast-metrics-backend.h>
#include <roast/roast-output.h>
#include <roast/roast-plugin-descriptor.h>
#include <roast/roast-plugin-loader.h>
#include <roast/roast-plugin-option.h>
#include <roast/roast-plugin-type.h>
#include <roast/roast-plugin.h>
#include <roast/roast-process-observer.h>
#include <roast/roast-process-tree.h>
#include <roast/roast-process.h>
#include <roast/roast-recording-snapshot.h>
#include <roast/roast-recording.h>
#include <roast/roast-registry.h>
#include <roast/roast-report.h>
#include <roast/roast-run-connection.h>
#include <roast/roast-run-file.h>
#include <roast/roast-runs.h>
#include <roast/roast-schema.h>
#include <roast/roast-session.h>
#include <roast/roast-span.h>
#include <roast/roast-table-info.h>
#include <roast/roast-table-reader.h>
#include <roast/roast-table-writer.h>
#include <roast/roast-tables.h>
#include <roast/roast-temporaries.h>
#include <roast/roast-version.h>
#include <roast/roast-vocabulary.h>
#include <roast/roast-wire-reader.h>

#undef __ROAST_INSIDE__
