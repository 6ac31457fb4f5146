/* SPDX-License-Identifier: BSD-3-Clause */

/* Implements --doctor, which shows what this machine can measure. Each check tries out one feature. */

#include "doctor.h"

#include <stdio.h>
#include <string.h>

/* Maps the name of each check to the purpose of the feature. */
static const struct
{
  const char *name;
  const char *purpose;
} purposes[] = {
  { "supervisor", "measuring any program" },
  { "perf events",
    "CPU time of every process until it ends, even if no parent waits for it; names of short processes" },
  { "control group", "CPU time of every process until it ends, if perf events are unavailable" },
  { "controllers", "the exact memory peak of a program, where a control group is used" },
  { "shared memory", "memory of processes that share memory, such as forked workers" },
  { "processes", "measuring programs that run as another user" },
  { "ptrace scope", "debuggers; roast does not depend on this setting" },
  { "open files", "measuring runs on many cores or with many workers, which need many open files" },
  { "clock", "correct times of workers on other machines" },
  { "kept runs", "showing a run again with roast-report, in any format" },
  { "local disk", "writing a run without delays" },
  { "TLS", "--attach=https://..." },
  { "Python", "scripts in Python, and roast-attach" },
  { "backends", "roast-run -b NAME" },
  { "exporters", "roast-run -e NAME and roast-report -e NAME" },
};

static const char *
get_purpose (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (purposes); i++)
    if (g_str_equal (purposes[i].name, name))
      return purposes[i].purpose;
  return NULL;
}

static void
check_free (gpointer data)
{
  DoctorCheck *check = data;

  g_free (check->found);
  g_free (check->remedy);
  g_free (check);
}

static void
add (Doctor *doctor, DoctorCheck check)
{
  DoctorCheck *copy = g_new (DoctorCheck, 1);

  *copy = check;
  if (copy->purpose == NULL)
    copy->purpose = get_purpose (copy->name);
  g_ptr_array_add (doctor, copy);
}

void
doctor_add (Doctor *doctor, const char *name, char *found)
{
  add (doctor, (DoctorCheck) { .name = name, .state = "yes", .found = found });
}

void
doctor_add_missing (Doctor *doctor, const char *name, char *found, const char *cost, char *remedy)
{
  add (doctor, (DoctorCheck) { .name = name, .state = "no", .found = found, .cost = cost, .remedy = remedy });
}

void
doctor_add_broken (Doctor *doctor, const char *name, char *found, const char *cost, char *remedy)
{
  add (doctor, (DoctorCheck) { .name = name, .state = "broken", .found = found, .cost = cost, .remedy = remedy });
}

static void
json_check (JsonBuilder *builder, gpointer data)
{
  const DoctorCheck *check = data;

  json_builder_begin_object (builder);
  inspect_json_string (builder, "name", check->name);
  inspect_json_string (builder, "state", check->state);
  inspect_json_string (builder, "for", check->purpose);
  inspect_json_string (builder, "found", check->found);
  inspect_json_string (builder, "cost", check->cost);
  inspect_json_string (builder, "remedy", check->remedy);
  json_builder_end_object (builder);
}

/* Prints the checks from number *shown on. This function is called several times, because some checks take seconds, and
 * the user sees the results of finished checks in the meantime. */
static void
print_text (Doctor *doctor, guint *shown)
{
  for (; *shown < doctor->len; ++*shown)
    {
      const DoctorCheck *check = g_ptr_array_index (doctor, *shown);

      inspect_print ("%-6s  %-14s  %s\n", check->state, check->name, check->found);
      if (check->purpose != NULL)
        inspect_print ("%24sfor: %s\n", "", check->purpose);
      if (check->cost != NULL)
        inspect_print ("%24scost: %s\n", "", check->cost);
      if (check->remedy != NULL)
        inspect_print ("%24sto do: %s\n", "", check->remedy);
    }
  fflush (stdout);
}

int
inspect_doctor (RoastRegistry *registry, gboolean json)
{
  g_autoptr (GPtrArray) doctor = g_ptr_array_new_with_free_func (check_free);
  g_autoptr (GPtrArray) missing = doctor_runs_list_missing ();
  int status = INSPECT_FINE;
  guint shown = 0;
  gboolean measured = doctor_measure (doctor);

  doctor_limits (doctor);
  if (measured)
    doctor_runs (doctor, missing);
  doctor_system (doctor);
  if (!json)
    print_text (doctor, &shown);
  doctor_python (doctor);
  doctor_plugins (doctor, registry);
  if (json)
    inspect_print_json_list (doctor, json_check);
  else
    print_text (doctor, &shown);
  for (guint i = 0; i < doctor->len; i++)
    if (strcmp (((DoctorCheck *) g_ptr_array_index (doctor, i))->state, "broken") == 0)
      status = INSPECT_BROKEN;
  return status;
}
