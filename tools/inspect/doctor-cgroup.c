/* SPDX-License-Identifier: BSD-3-Clause */

/* Creates and removes a control group, using the code of the supervisor. */

#include "doctor.h"

#include "../supervisor/cgroup.h" /* check-source: allow rooms: tries what the supervisor would */

#define DELEGATION "run roast in your own control group (systemd-run --user --scope -p Delegate=yes roast-run ...)"

static gboolean
has_word (const char *list, const char *word)
{
  g_auto (GStrv) words = g_strsplit_set (list, " \n", -1);

  return g_strv_contains ((const char *const *) words, word);
}

/* Checks whether there is the memory controller, because roast uses no other controller. */
static void
check_controllers (Doctor *doctor, const char *list)
{
  g_autofree char *names = g_strstrip (g_strdup (list));

  if (has_word (names, "memory"))
    doctor_add (doctor, "controllers", g_strdup_printf ("delegated: %s", names));
  else
    doctor_add_missing (doctor, "controllers",
                        g_strdup_printf ("delegated: %s; the controller memory is missing",
                                         *names != '\0' ? names : "none"),
                        "none while perf events work. Without perf events, the memory peak of all processes comes from "
                        "samples. The controllers cpu and io are not needed",
                        g_strdup (DELEGATION
                                  ", or ask the administrator for the controller memory in cgroup.subtree_control"));
}

void
doctor_cgroup (Doctor *doctor, pid_t child)
{
  const char *why = NULL;
  Cgroup *cgroup = cgroup_create (&why);
  char controllers[256] = "";

  if (cgroup != NULL && !cgroup_join (cgroup, child))
    {
      cgroup_destroy (cgroup);
      cgroup = NULL;
      why = "a process could not be moved to a control group";
    }
  if (cgroup == NULL)
    {
      doctor_add_missing (doctor, "control group", g_strdup (why),
                          "none while perf events work: roast uses a control group only where perf events are "
                          "unavailable",
                          g_strdup (DELEGATION ", or ask the administrator for cgroup v2 with delegation"));
      return;
    }
  cgroup_read_controllers (cgroup, controllers, sizeof controllers);
  cgroup_destroy (cgroup);
  doctor_add (doctor, "control group", g_strdup ("created a control group of version 2, which counts CPU time"));
  check_controllers (doctor, controllers);
}
