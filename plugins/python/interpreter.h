/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Starts a Python interpreter, unless one already runs. After this function has started an interpreter, no thread holds
 * its GIL. Fails with ROAST_PLUGIN_ERROR_LOADER. */
gboolean interpreter_ensure (GError **error);
