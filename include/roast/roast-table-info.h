/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

#include <roast/roast-column.h>

G_BEGIN_DECLS

/**
 * RoastTableKind:
 * @ROAST_TABLE_KIND_LOG: rows that never change, in the order in which they were written
 * @ROAST_TABLE_KIND_ENTITY: one row per key; until the row is closed, each missing cell can be set once
 *
 * The kind of a table, which determines how its rows are written.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_TABLE_KIND_LOG,
  ROAST_TABLE_KIND_ENTITY,
} RoastTableKind;

/**
 * RoastTableOrigin:
 * @ROAST_TABLE_ORIGIN_MEASURED: written by backends and programs; part of a recording
 * @ROAST_TABLE_ORIGIN_DERIVED: written by aggregators; part of a report
 *
 * The origin of a table's rows.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_TABLE_ORIGIN_MEASURED,
  ROAST_TABLE_ORIGIN_DERIVED,
} RoastTableOrigin;

/**
 * RoastTableStorage:
 * @ROAST_TABLE_STORAGE_BLOCKS: stored in blocks of columns, for tables with many rows that are read column by column
 * @ROAST_TABLE_STORAGE_ROWS: stored row by row, for tables with few rows that are looked up one by one
 *
 * How the run file stores a table.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_TABLE_STORAGE_BLOCKS,
  ROAST_TABLE_STORAGE_ROWS,
} RoastTableStorage;

/**
 * RoastTableFrom:
 * @ROAST_TABLE_FROM_BACKEND: backends only
 * @ROAST_TABLE_FROM_PROGRAM: backends, and the measured program over the run's socket
 *
 * Who may write a measured table.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_TABLE_FROM_BACKEND,
  ROAST_TABLE_FROM_PROGRAM,
} RoastTableFrom;

#define ROAST_TYPE_TABLE_INFO (roast_table_info_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastTableInfo, roast_table_info, ROAST, TABLE_INFO, GObject)

ROAST_AVAILABLE_IN_0_9
const char *roast_table_info_get_name (RoastTableInfo *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_table_info_get_description (RoastTableInfo *self);
ROAST_AVAILABLE_IN_0_9
RoastTableKind roast_table_info_get_kind (RoastTableInfo *self);
ROAST_AVAILABLE_IN_0_9
RoastTableOrigin roast_table_info_get_origin (RoastTableInfo *self);
ROAST_AVAILABLE_IN_0_9
RoastTableStorage roast_table_info_get_storage (RoastTableInfo *self);
ROAST_AVAILABLE_IN_0_9
RoastTableFrom roast_table_info_get_from (RoastTableInfo *self);
ROAST_AVAILABLE_IN_0_9
guint roast_table_info_get_n_columns (RoastTableInfo *self);
ROAST_AVAILABLE_IN_0_9
RoastColumn *roast_table_info_get_column (RoastTableInfo *self, guint column);
ROAST_AVAILABLE_IN_0_9
gboolean roast_table_info_find_column (RoastTableInfo *self, const char *name, guint *column);

G_END_DECLS
