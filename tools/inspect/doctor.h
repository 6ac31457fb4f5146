/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "inspect.h"

#include <sys/types.h>

G_BEGIN_DECLS

/* A check: what was tried, what came out, and for what is missing what it costs and what to do. */
typedef struct
{
  const char *name;
  const char *state;   /* "yes", "no" or "broken" */
  const char *purpose; /* what it is good for */
  char *found;
  const char *cost;
  char *remedy;
} DoctorCheck;

typedef GPtrArray Doctor;

/* These take the ownership of @found and @remedy. */
void doctor_add (Doctor *doctor, const char *name, char *found);
void doctor_add_missing (Doctor *doctor, const char *name, char *found, const char *cost, char *remedy);
/* Without it nothing can be measured. */
void doctor_add_broken (Doctor *doctor, const char *name, char *found, const char *cost, char *remedy);

/* doctor-measure.c: a run of a program, and what the supervisor can use. FALSE if nothing can be measured. */
gboolean doctor_measure (Doctor *doctor);
/* Measures true. @keep is an option about the file of the run. */
gboolean doctor_run (const char *keep, GError **error);
/* doctor-perf.c and doctor-cgroup.c: @child is a process to try it on. */
void doctor_perf (Doctor *doctor, pid_t child);
void doctor_cgroup (Doctor *doctor, pid_t child);
/* doctor-system.c: other processes and certificates. */
void doctor_system (Doctor *doctor);
/* doctor-limits.c: open files and the clock. */
void doctor_limits (Doctor *doctor);
/* doctor-runs.c: where runs are kept. The directories of that path that do not exist, the innermost first, are asked
 * for before anything is measured, and removed at the end. */
GPtrArray *doctor_runs_list_missing (void);
void doctor_runs (Doctor *doctor, GPtrArray *missing);
/* doctor-python.c: executors that Python has. */
void doctor_python (Doctor *doctor);
/* doctor-plugins.c */
void doctor_plugins (Doctor *doctor, RoastRegistry *registry);

G_END_DECLS
