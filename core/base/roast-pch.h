/* SPDX-License-Identifier: BSD-3-Clause */
/* Precompiled once for each target of many files, since parsing these headers takes longer than most files do. */
#include <gio/gio.h>
