/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-supervisor-wire.h"
#include "roast/roast-process-tree.h"

RoastProcessTree *roast_process_tree_new (const RoastWireInfo *info);
/* Adds a process to the tree and returns it. Called when the process is seen for the first time, and when its name has
 * changed by an exec. */
RoastProcess *roast_process_tree_begin_process (RoastProcessTree *self, const RoastWireProcess *record,
                                                const char *command_line);
/* Applies a sample and returns the changed processes. The tree owns the array, which is valid until the next sample. */
GPtrArray *roast_process_tree_sample (RoastProcessTree *self, const RoastWireTick *tick);
/* Removes the process that @end is about from the tree, and returns the process. If the id in @end is 0, returns a new
 * object that stands for several processes. */
RoastProcess *roast_process_tree_end_process (RoastProcessTree *self, const RoastWireProcessEnd *end);
void roast_process_tree_end (RoastProcessTree *self, const RoastWireTreeEnd *end);
