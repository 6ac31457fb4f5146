/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Prints the text of --help: options, installed backends and exporters with their options, examples. */
void run_help_print (RoastRegistry *registry);

G_END_DECLS
