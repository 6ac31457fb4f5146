/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* The directory of the Python files that are injected: that of the module. NULL with an error if they are not there. */
char *dask_environment_dup_directory (GError **error);
/* The path of a file beside the module; NULL with G_IO_ERROR_NOT_FOUND. */
char *dask_environment_dup_file (const char *name, GError **error);
/* Lets the schedulers and clients of the program load our preload, after those that user and site configured. */
gboolean dask_environment_prepare (RoastLaunchContext *context, const char *span, gboolean tasks, GError **error);

/* For tests: text as a literal of Python. */
char *dask_environment_quote (const char *text);

G_END_DECLS
