/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Prints what --help shows: the options, what backends and exporters there are with their own options, examples. */
void run_help_print (RoastRegistry *registry);

G_END_DECLS
