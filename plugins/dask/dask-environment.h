/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Return the module's directory, which also has the injected Python files; NULL with an error if they are missing. */
char *dask_environment_dup_directory (GError **error);
/* Make the program's schedulers and clients load our preload module, after those that user and site configured. */
gboolean dask_environment_prepare (RoastLaunchContext *context, const char *span, gboolean tasks, GError **error);

/* Return @text as a Python string literal. Public for tests. */
char *dask_environment_quote (const char *text);

G_END_DECLS
