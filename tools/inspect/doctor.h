/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "inspect.h"

#include <sys/types.h>

/* A check: the feature that was tested, and the result. If the feature is missing, @cost says what roast cannot do
 * without it, and @remedy says how to get it. */
typedef struct
{
  const char *name;
  const char *state;   /* result: "yes", "no" or "broken" */
  const char *purpose; /* purpose of the feature */
  char *found;
  const char *cost;
  char *remedy;
} DoctorCheck;

typedef GPtrArray Doctor;

/* These functions add a check. They take ownership of @found and @remedy. */
void doctor_add (Doctor *doctor, const char *name, char *found);
void doctor_add_missing (Doctor *doctor, const char *name, char *found, const char *cost, char *remedy);
/* Adds a check that failed so that no measurement is possible. */
void doctor_add_broken (Doctor *doctor, const char *name, char *found, const char *cost, char *remedy);

/* doctor-measure.c: measures a program, and checks what the supervisor can use. Returns FALSE if measuring is
 * impossible. */
gboolean doctor_measure (Doctor *doctor);
/* Measures the program “true”. @keep: option of roast-run that says where the run file is kept */
gboolean doctor_run (const char *keep, GError **error);
/* doctor-perf.c and doctor-cgroup.c: test their feature on the process @child. */
void doctor_perf (Doctor *doctor, pid_t child);
void doctor_cgroup (Doctor *doctor, pid_t child);
/* doctor-system.c: checks whether other users' processes are visible, and which certificates are trusted. */
void doctor_system (Doctor *doctor);
/* doctor-limits.c: checks the limit of open files, and the clock. */
void doctor_limits (Doctor *doctor);
/* doctor-runs.c: checks the place where runs are kept. Call doctor_runs_list_missing() before the first run: it lists
 * directories of this place that do not exist yet, innermost first. doctor_runs() removes these directories after the
 * check. */
GPtrArray *doctor_runs_list_missing (void);
void doctor_runs (Doctor *doctor, GPtrArray *missing);
/* doctor-python.c: checks which executors are installed in each Python. */
void doctor_python (Doctor *doctor);
/* doctor-plugins.c */
void doctor_plugins (Doctor *doctor, RoastRegistry *registry);
