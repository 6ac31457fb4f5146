/* SPDX-License-Identifier: BSD-3-Clause */
/* Precompiled once for each target with many files, because parsing these headers takes longer than compiling most of
 * the files. */
#include <gio/gio.h>
