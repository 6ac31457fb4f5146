/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

#include "roast-supervisor-wire.h"

/* The reason why nothing runs, for a person. program and path (PATH, may be NULL) are those of a launch, pid is that of
 * an attach. */
GError *roast_supervisor_failure_to_error (const RoastWireFailure *failure, const char *program, const char *path,
                                           int pid);
