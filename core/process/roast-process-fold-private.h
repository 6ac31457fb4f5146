/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-process.h"

G_BEGIN_DECLS

/* Processes beyond those that have rows of their own: summed up per parent and command, so that a run of a million
 * processes needs no million rows. */
typedef struct _RoastProcessFold RoastProcessFold;

typedef void (*RoastProcessFoldFunc) (RoastProcess *sum, gpointer user_data);

RoastProcessFold *roast_process_fold_new (void);
void roast_process_fold_free (RoastProcessFold *self);
void roast_process_fold_add (RoastProcessFold *self, RoastProcess *process);
/* Calls back with each sum and forgets it. */
void roast_process_fold_flush (RoastProcessFold *self, RoastProcessFoldFunc func, gpointer user_data);

G_END_DECLS
