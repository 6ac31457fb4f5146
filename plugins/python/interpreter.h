/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Ensures that a Python interpreter runs, and starts one if needed. No thread holds the GIL of an interpreter that this
 * function has started. Fails with ROAST_PLUGIN_ERROR_LOADER. */
gboolean interpreter_ensure (GError **error);

G_END_DECLS
