/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "plots-figures.h"

/* The text of index.txt: captions of the figures, and what was not drawn, and why. */
char *plots_index_make (GPtrArray *figures, const char *suffix, RoastRecordingSnapshot *recording);
