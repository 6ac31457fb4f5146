/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* The host names of workers. */
typedef struct _LifecycleHosts LifecycleHosts;

LifecycleHosts *lifecycle_hosts_new (RoastRecordingSnapshot *recording);
void lifecycle_hosts_free (LifecycleHosts *self);
/* Return NULL if the host is unknown. */
const char *lifecycle_hosts_lookup (LifecycleHosts *self, const char *source, const char *worker);

/* Return @counts as text, the largest number first; NULL if it is empty. @counts maps host names to numbers
 * (GUINT_TO_POINTER). */
char *lifecycle_hosts_describe (GHashTable *counts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LifecycleHosts, lifecycle_hosts_free)

G_END_DECLS
