/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-supervisor-wire.h"
#include "roast/roast-process-tree.h"

RoastProcessTree *roast_process_tree_new (const RoastWireInfo *info);
/* A process was seen for the first time, or has a new name after an exec. */
RoastProcess *roast_process_tree_begin_process (RoastProcessTree *self, const RoastWireProcess *record,
                                                const char *command_line);
/* Takes a sample and returns the processes that changed: an array of the tree, valid until the next sample. */
GPtrArray *roast_process_tree_sample (RoastProcessTree *self, const RoastWireTick *tick);
/* Takes the process out of the tree; with id 0 it makes one that stands for several processes. */
RoastProcess *roast_process_tree_end_process (RoastProcessTree *self, const RoastWireProcessEnd *end);
void roast_process_tree_end (RoastProcessTree *self, const RoastWireTreeEnd *end);
