/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "perfetto-export.h"
#include "perfetto-lanes.h"

G_BEGIN_DECLS

/* ---- workers and sources: processes of the trace ---- */

Workers *workers_new (Export *export);
void workers_free (Workers *self);

/* The worker that two columns name. One of no name stands for the workers of attempts whose worker is unknown. */
guint workers_find (Workers *self, RoastTableReader *table, guint source_slot, guint worker_slot);
guint64 workers_get_track (Workers *self, guint worker);
guint64 workers_get_slot (Workers *self, guint worker, guint slot);

/* The worker whose process it is on that host, or one that is made for it. */
guint workers_find_process (Workers *self, const char *host, gint64 pid);

/* Of what belongs to no worker; NULL is the run itself. */
guint64 workers_get_source (Workers *self, const char *source);

/* ---- tasks, and what is inside of them ---- */

typedef struct _Details Details;

Details *details_new (Export *export);
void details_free (Details *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Details, details_free)

/* An attempt that was drawn: its slot, and when it executed. */
void details_add_place (Details *self, RoastTableReader *tasks, guint worker, guint64 track, gint64 started,
                        gint64 ended);
gboolean details_is_empty (const Details *self);

/* Row by row, phases before chunks. 0: not inside of an attempt; then @worker is that of the attempt or LANES_NONE. */
void details_arrange (Details *self);
guint64 details_get_track (const Details *self, gsize detail, guint *worker);
gsize details_get_n_phases (const Details *self);

typedef struct _Tasks Tasks;

Tasks *tasks_new (Export *export);
void tasks_free (Tasks *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Tasks, tasks_free)
gint64 tasks_get_first (const Tasks *self); /* G_MAXINT64 if there are none */
void tasks_write (Tasks *self, Details *details);

void chunks_write_phases (Export *export, Details *details);
void chunks_write (Export *export, Details *details);

/* ---- the rest ---- */

void lives_write (Export *export);
void transfers_write (Export *export);
void libraries_write (Export *export);
void processes_write (Export *export);
void samples_write (Export *export);
void run_write (Export *export);
void run_write_left_out (Export *export);

G_END_DECLS
