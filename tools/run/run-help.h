/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Prints the text of --help: examples, options, and the names of installed backends and exporters. */
void run_help_print (RoastRegistry *registry);
