/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

#include "roast-supervisor-wire.h"

/* Converts a failure that the supervisor reports to an error for users. @program and @path (the value of PATH, may be
 * NULL) describe a launch; @pid describes an attach. */
GError *roast_supervisor_failure_to_error (const RoastWireFailure *failure, const char *program, const char *path,
                                           int pid);
