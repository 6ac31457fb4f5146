/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

#include <roast/roast-version-macros.h>

G_BEGIN_DECLS

/**
 * RoastPluginError:
 * @ROAST_PLUGIN_ERROR_METADATA: the key file cannot be read or is invalid
 * @ROAST_PLUGIN_ERROR_OPEN: the module cannot be opened
 * @ROAST_PLUGIN_ERROR_NO_DESCRIPTOR: the module exports no usable descriptor
 * @ROAST_PLUGIN_ERROR_API_VERSION: the plugin was built for another API version
 * @ROAST_PLUGIN_ERROR_TYPE: an entry of the descriptor does not have the type that it declares
 * @ROAST_PLUGIN_ERROR_NAME_CLASH: the name is already taken
 * @ROAST_PLUGIN_ERROR_NOT_FOUND: no plugin, backend, aggregator or exporter has that name
 * @ROAST_PLUGIN_ERROR_LOADER: the loader that the plugin needs is missing
 *
 * Why a plugin cannot be used.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_PLUGIN_ERROR_METADATA,
  ROAST_PLUGIN_ERROR_OPEN,
  ROAST_PLUGIN_ERROR_NO_DESCRIPTOR,
  ROAST_PLUGIN_ERROR_API_VERSION,
  ROAST_PLUGIN_ERROR_TYPE,
  ROAST_PLUGIN_ERROR_NAME_CLASH,
  ROAST_PLUGIN_ERROR_NOT_FOUND,
  ROAST_PLUGIN_ERROR_LOADER,
} RoastPluginError;

/**
 * RoastOptionError:
 * @ROAST_OPTION_ERROR_SYNTAX: the text is not a list of OPTION=VALUE
 * @ROAST_OPTION_ERROR_UNKNOWN: there is no option of that name
 * @ROAST_OPTION_ERROR_VALUE: the option does not accept the value
 *
 * Why an option is refused.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_OPTION_ERROR_SYNTAX,
  ROAST_OPTION_ERROR_UNKNOWN,
  ROAST_OPTION_ERROR_VALUE,
} RoastOptionError;

/**
 * RoastBackendError:
 * @ROAST_BACKEND_ERROR_NOT_SUPPORTED: the backend does not offer the operation
 * @ROAST_BACKEND_ERROR_CONNECT: the executor or process cannot be reached
 * @ROAST_BACKEND_ERROR_PROTOCOL: the executor or process sent an invalid answer
 * @ROAST_BACKEND_ERROR_NOT_TRACKING: tracking has not been started
 * @ROAST_BACKEND_ERROR_ALREADY_TRACKING: tracking has already been started
 * @ROAST_BACKEND_ERROR_UNKNOWN_SPAN: the span does not belong to this backend
 * @ROAST_BACKEND_ERROR_REMOTE_FAILED: the executor or process reported that it failed
 * @ROAST_BACKEND_ERROR_BAD_IMPLEMENTATION: the backend breaks the rules of the interface
 * @ROAST_BACKEND_ERROR_TIMED_OUT: the backend did not answer before the deadline
 *
 * Why a backend failed.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_BACKEND_ERROR_NOT_SUPPORTED,
  ROAST_BACKEND_ERROR_CONNECT,
  ROAST_BACKEND_ERROR_PROTOCOL,
  ROAST_BACKEND_ERROR_NOT_TRACKING,
  ROAST_BACKEND_ERROR_ALREADY_TRACKING,
  ROAST_BACKEND_ERROR_UNKNOWN_SPAN,
  ROAST_BACKEND_ERROR_REMOTE_FAILED,
  ROAST_BACKEND_ERROR_BAD_IMPLEMENTATION,
  ROAST_BACKEND_ERROR_TIMED_OUT,
} RoastBackendError;

/**
 * RoastLaunchError:
 * @ROAST_LAUNCH_ERROR_NOT_FOUND: there is no such program (exit status 127 in a shell)
 * @ROAST_LAUNCH_ERROR_NOT_EXECUTABLE: the program cannot be executed (exit status 126 in a shell)
 * @ROAST_LAUNCH_ERROR_NO_SUCH_PROCESS: there is no process with that id
 * @ROAST_LAUNCH_ERROR_PERMISSION: the process belongs to another user
 * @ROAST_LAUNCH_ERROR_SUPERVISOR: the supervisor cannot be started, or failed
 *
 * Why a program cannot be launched or followed.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_LAUNCH_ERROR_NOT_FOUND,
  ROAST_LAUNCH_ERROR_NOT_EXECUTABLE,
  ROAST_LAUNCH_ERROR_NO_SUCH_PROCESS,
  ROAST_LAUNCH_ERROR_PERMISSION,
  ROAST_LAUNCH_ERROR_SUPERVISOR,
} RoastLaunchError;

/**
 * RoastTableError:
 * @ROAST_TABLE_ERROR_COLUMN: there is no such column, or the column has another type
 * @ROAST_TABLE_ERROR_TYPE: the value does not fit the column
 * @ROAST_TABLE_ERROR_KEY: a key cell is missing, or the table has no key
 * @ROAST_TABLE_ERROR_CONFLICT: the cell has already been set to another value
 * @ROAST_TABLE_ERROR_EXISTS: a table of that name exists
 * @ROAST_TABLE_ERROR_TABLE: no schema declares the table, or the table cannot be written or read in this place
 * @ROAST_TABLE_ERROR_CLOSED: the row has been closed
 * @ROAST_TABLE_ERROR_LATE: the recording has ended
 *
 * Why rows cannot be added to a table.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_TABLE_ERROR_COLUMN,
  ROAST_TABLE_ERROR_TYPE,
  ROAST_TABLE_ERROR_KEY,
  ROAST_TABLE_ERROR_CONFLICT,
  ROAST_TABLE_ERROR_EXISTS,
  ROAST_TABLE_ERROR_TABLE,
  ROAST_TABLE_ERROR_CLOSED,
  ROAST_TABLE_ERROR_LATE,
} RoastTableError;

/**
 * RoastAggregateError:
 * @ROAST_AGGREGATE_ERROR_NO_DATA: the recording lacks the data that the aggregator needs
 * @ROAST_AGGREGATE_ERROR_CYCLE: aggregators require each other's results
 * @ROAST_AGGREGATE_ERROR_BAD_IMPLEMENTATION: the aggregator breaks the rules of the interface
 *
 * Why an aggregator failed.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_AGGREGATE_ERROR_NO_DATA,
  ROAST_AGGREGATE_ERROR_CYCLE,
  ROAST_AGGREGATE_ERROR_BAD_IMPLEMENTATION,
} RoastAggregateError;

/**
 * RoastExportError:
 * @ROAST_EXPORT_ERROR_OUTPUT: the output cannot be opened or written
 * @ROAST_EXPORT_ERROR_NO_DATA: the report has no data for the exporter
 * @ROAST_EXPORT_ERROR_BAD_IMPLEMENTATION: the exporter breaks the rules of the interface
 *
 * Why an exporter failed.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_EXPORT_ERROR_OUTPUT,
  ROAST_EXPORT_ERROR_NO_DATA,
  ROAST_EXPORT_ERROR_BAD_IMPLEMENTATION,
} RoastExportError;

/**
 * RoastSchemaError:
 * @ROAST_SCHEMA_ERROR_SYNTAX: the text is not a schema
 * @ROAST_SCHEMA_ERROR_DUPLICATE: a name is declared twice
 * @ROAST_SCHEMA_ERROR_UNKNOWN: a declaration refers to an undeclared name
 *
 * Why a schema cannot be read.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_SCHEMA_ERROR_SYNTAX,
  ROAST_SCHEMA_ERROR_DUPLICATE,
  ROAST_SCHEMA_ERROR_UNKNOWN,
} RoastSchemaError;

/**
 * RoastStoreError:
 * @ROAST_STORE_ERROR_OPEN: the file cannot be opened or created
 * @ROAST_STORE_ERROR_FOREIGN: the file is not a run file
 * @ROAST_STORE_ERROR_VERSION: a newer version of roast wrote the file
 * @ROAST_STORE_ERROR_DAMAGED: the content of the file is damaged
 * @ROAST_STORE_ERROR_WRITE: the file cannot grow: disk full, quota, or a device error
 *
 * Why a run file cannot be written or read.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_STORE_ERROR_OPEN,
  ROAST_STORE_ERROR_FOREIGN,
  ROAST_STORE_ERROR_VERSION,
  ROAST_STORE_ERROR_DAMAGED,
  ROAST_STORE_ERROR_WRITE,
} RoastStoreError;

/**
 * RoastChartError:
 * @ROAST_CHART_ERROR_NOT_AVAILABLE: the recording lacks the data that the chart shows
 *
 * Why a chart cannot be drawn.
 *
 * Since: 0.9
 */
typedef enum
{
  /* Set the nick explicitly. Because this is the only value, glib-mkenums would regard NOT_ as a part of the common
   * prefix and remove it. */
  ROAST_CHART_ERROR_NOT_AVAILABLE, /*< nick=not-available >*/
} RoastChartError;

#define ROAST_PLUGIN_ERROR (roast_plugin_error_quark ())
#define ROAST_OPTION_ERROR (roast_option_error_quark ())
#define ROAST_BACKEND_ERROR (roast_backend_error_quark ())
#define ROAST_LAUNCH_ERROR (roast_launch_error_quark ())
#define ROAST_TABLE_ERROR (roast_table_error_quark ())
#define ROAST_AGGREGATE_ERROR (roast_aggregate_error_quark ())
#define ROAST_EXPORT_ERROR (roast_export_error_quark ())
#define ROAST_SCHEMA_ERROR (roast_schema_error_quark ())
#define ROAST_STORE_ERROR (roast_store_error_quark ())
#define ROAST_CHART_ERROR (roast_chart_error_quark ())

ROAST_AVAILABLE_IN_0_9
GQuark roast_schema_error_quark (void);
ROAST_AVAILABLE_IN_0_9
GQuark roast_plugin_error_quark (void);
ROAST_AVAILABLE_IN_0_9
GQuark roast_option_error_quark (void);
ROAST_AVAILABLE_IN_0_9
GQuark roast_backend_error_quark (void);
ROAST_AVAILABLE_IN_0_9
GQuark roast_launch_error_quark (void);
ROAST_AVAILABLE_IN_0_9
GQuark roast_table_error_quark (void);
ROAST_AVAILABLE_IN_0_9
GQuark roast_aggregate_error_quark (void);
ROAST_AVAILABLE_IN_0_9
GQuark roast_export_error_quark (void);
ROAST_AVAILABLE_IN_0_9
GQuark roast_store_error_quark (void);
ROAST_AVAILABLE_IN_0_9
GQuark roast_chart_error_quark (void);

G_END_DECLS
