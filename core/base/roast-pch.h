/* SPDX-License-Identifier: BSD-3-Clause */
/* These headers are precompiled once for each target that has many files, because most files take less time to compile
 * than these headers take to parse. */
#include <gio/gio.h>
