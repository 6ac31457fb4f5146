/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

#include "roast-supervisor-wire.h"

/* Converts a failure that the supervisor reports to an error for users. For a launch, @program is the name of the
 * program and @path the value of PATH, which may be NULL. For an attach, @pid is the process id. */
GError *roast_supervisor_failure_to_error (const RoastWireFailure *failure, const char *program, const char *path,
                                           int pid);
