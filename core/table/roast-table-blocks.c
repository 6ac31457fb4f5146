/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-table-blocks-private.h"

G_DEFINE_INTERFACE (RoastTableBlocks, roast_table_blocks, G_TYPE_OBJECT)

static void
roast_table_blocks_default_init (RoastTableBlocksInterface *iface)
{
}
