/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "inspect.h"

G_BEGIN_DECLS

/* A check: what was tried, what came out, and for what is missing what it costs and what to do. */
typedef struct
{
  const char *name;
  const char *state; /* "yes", "no" or "broken" */
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

/* doctor-measure.c: runs of a program that show what the supervisor can use. */
void doctor_measure (Doctor *doctor);
/* doctor-system.c: other processes, runs and certificates. */
void doctor_system (Doctor *doctor);
/* doctor-python.c: executors that Python has. */
void doctor_python (Doctor *doctor);
/* doctor-plugins.c */
void doctor_plugins (Doctor *doctor, RoastRegistry *registry);

G_END_DECLS
