/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "plots-figures.h"

/* Returns the text of index.txt: captions of the figures, and the charts not drawn with the reasons. */
char *plots_index_make (GPtrArray *figures, const char *suffix, RoastRecordingSnapshot *recording);
