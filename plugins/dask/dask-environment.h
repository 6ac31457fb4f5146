/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Return the directory of this plugin, which also contains the Python files that are injected. Returns NULL with an
 * error if these files are missing. */
char *dask_environment_dup_directory (GError **error);
/* Make the schedulers and clients of the program load our preload module. They load it after the preload modules that
 * the user and the site configured. */
gboolean dask_environment_prepare (RoastLaunchContext *context, const char *span, gboolean tasks, GError **error);

/* Return @text as a Python string literal. Public for tests. */
char *dask_environment_quote (const char *text);
