/* SPDX-License-Identifier: BSD-3-Clause */

#include "cgroup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_SIZE 4096
#define NO_LIMIT (INT64_C (1) << 60) /* v1 writes a number near 2^63 for "none" */

struct Cgroup {
  char path[PATH_SIZE];
  char parent[PATH_SIZE];
};

static bool
read_text (const char *directory, const char *name, char *text, size_t size)
{
  char path[PATH_SIZE + 64];
  FILE *file;
  size_t n;

  snprintf (path, sizeof path, "%s/%s", directory, name);
  file = fopen (path, "re");
  if (file == NULL)
    return false;
  n = fread (text, 1, size - 1, file);
  fclose (file);
  text[n] = '\0';

  return n > 0;
}

static int64_t
read_value (const char *directory, const char *file, const char *key)
{
  char text[2048];
  const char *at = text;

  if (!read_text (directory, file, text, sizeof text))
    return -1;
  if (key != NULL)
    {
      at = strstr (text, key);
      if (at == NULL)
        return -1;
      at += strlen (key);
    }
  while (*at == ' ')
    at++;

  return *at >= '0' && *at <= '9' ? (int64_t) strtoll (at, NULL, 10) : -1;
}

/* Our own group below a controller of v1, or of v2 if controller is "". */
static bool
own_group (const char *controller, char *path, size_t size)
{
  FILE *file = fopen ("/proc/self/cgroup", "re");
  char line[PATH_SIZE];
  bool found = false;

  if (file == NULL)
    return false;
  while (!found && fgets (line, sizeof line, file) != NULL)
    {
      char *controllers = strchr (line, ':');
      char *group = controllers != NULL ? strchr (controllers + 1, ':') : NULL;
      char *save = NULL;

      if (group == NULL)
        continue;
      *group++ = '\0';
      group[strcspn (group, "\n")] = '\0';
      controllers++;
      if (*controller == '\0' && *controllers == '\0')
        found = true;
      for (char *c = *controller != '\0' ? strtok_r (controllers, ",", &save) : NULL; c != NULL && !found;
           c = strtok_r (NULL, ",", &save))
        found = strcmp (c, controller) == 0;
      if (found)
        snprintf (path, size, "%s", group);
    }
  fclose (file);

  return found;
}

/* Where a hierarchy is mounted: v2 if controller is "". */
static bool
mount_point (const char *controller, char *path, size_t size)
{
  FILE *file = fopen ("/proc/self/mountinfo", "re");
  char line[PATH_SIZE];
  bool found = false;

  if (file == NULL)
    return false;
  while (!found && fgets (line, sizeof line, file) != NULL)
    {
      char *rest = strstr (line, " - ");
      char type[32], source[256], options[512], root[1024], point[1024];

      if (rest == NULL || sscanf (rest, " - %31s %255s %511s", type, source, options) != 3 ||
          sscanf (line, "%*s %*s %*s %1023s %1023s", root, point) != 2)
        continue;
      if (*controller == '\0')
        found = strcmp (type, "cgroup2") == 0;
      else if (strcmp (type, "cgroup") == 0)
        {
          char *save = NULL;

          for (char *c = strtok_r (options, ",", &save); c != NULL && !found; c = strtok_r (NULL, ",", &save))
            found = strcmp (c, controller) == 0;
        }
      if (found)
        snprintf (path, size, "%s", point);
    }
  fclose (file);

  return found;
}

static void
lower (double *limit, double value)
{
  if (value > 0 && (*limit < 0 || value < *limit))
    *limit = value;
}

static void
lower_bytes (int64_t *limit, int64_t value)
{
  if (value > 0 && value < NO_LIMIT && (*limit < 0 || value < *limit))
    *limit = value;
}

static void
read_group_limits (const char *directory, CgroupLimits *limits)
{
  char text[128];
  double quota, period;
  int64_t v1_quota, v1_period;

  if (read_text (directory, "cpu.max", text, sizeof text) && sscanf (text, "%lf %lf", &quota, &period) == 2 && period > 0)
    lower (&limits->cores, quota / period);
  v1_quota = read_value (directory, "cpu.cfs_quota_us", NULL);
  v1_period = read_value (directory, "cpu.cfs_period_us", NULL);
  if (v1_quota > 0 && v1_period > 0)
    lower (&limits->cores, (double) v1_quota / (double) v1_period);
  lower_bytes (&limits->memory_limit, read_value (directory, "memory.max", NULL));
  lower_bytes (&limits->memory_limit, read_value (directory, "memory.limit_in_bytes", NULL));
  if (limits->oom_kills < 0)
    limits->oom_kills = read_value (directory, "memory.events", "\noom_kill ");
}

/* A limit of any ancestor binds; in a container the mount may start at our own group. */
static void
read_hierarchy (const char *controller, CgroupLimits *limits)
{
  char mount[PATH_SIZE], group[PATH_SIZE], directory[2 * PATH_SIZE];

  if (!mount_point (controller, mount, sizeof mount) || !own_group (controller, group, sizeof group))
    return;
  for (;;)
    {
      char *slash = strrchr (group, '/');

      snprintf (directory, sizeof directory, "%s%s", mount, group);
      read_group_limits (directory, limits);
      if (slash == NULL || slash == group)
        break;
      *slash = '\0';
    }
  read_group_limits (mount, limits);
}

void
cgroup_read_limits (CgroupLimits *limits)
{
  *limits = (CgroupLimits) { .cores = -1, .memory_limit = -1, .oom_kills = -1 };
  read_hierarchy ("", limits);
  read_hierarchy ("cpu", limits);
  read_hierarchy ("memory", limits);
}

Cgroup *
cgroup_create (const char **why)
{
  char mount[PATH_SIZE / 2], group[PATH_SIZE / 2];
  Cgroup *cgroup = calloc (1, sizeof *cgroup);

  *why = "there is no control group of version 2 here";
  if (cgroup == NULL || !mount_point ("", mount, sizeof mount) || !own_group ("", group, sizeof group))
    {
      free (cgroup);
      return NULL;
    }
  snprintf (cgroup->parent, sizeof cgroup->parent, "%s%s", mount, strcmp (group, "/") == 0 ? "" : group);
  if ((size_t) snprintf (cgroup->path, sizeof cgroup->path, "%.4000s/roast-%d", cgroup->parent, getpid ()) >=
          sizeof cgroup->path ||
      mkdir (cgroup->path, 0755) < 0)
    {
      *why = "this site lets us make no control group of our own";
      free (cgroup);
      return NULL;
    }
  if (cgroup_cpu_us (cgroup) < 0)
    {
      *why = "the control group does not count CPU time";
      cgroup_destroy (cgroup);
      return NULL;
    }

  return cgroup;
}

static bool
move (const char *group, pid_t pid)
{
  char path[PATH_SIZE + 64];
  FILE *file;
  bool ok;

  snprintf (path, sizeof path, "%s/cgroup.procs", group);
  file = fopen (path, "we");
  if (file == NULL)
    return false;
  ok = fprintf (file, "%d", pid) > 0;

  return fclose (file) == 0 && ok;
}

bool
cgroup_join (Cgroup *cgroup, pid_t pid)
{
  return move (cgroup->path, pid);
}

int64_t
cgroup_cpu_us (Cgroup *cgroup)
{
  return read_value (cgroup->path, "cpu.stat", "usage_usec ");
}

int64_t
cgroup_memory_peak (Cgroup *cgroup)
{
  return read_value (cgroup->path, "memory.peak", NULL);
}

void
cgroup_destroy (Cgroup *cgroup)
{
  char text[16384];
  char *save = NULL;

  if (rmdir (cgroup->path) < 0 && errno == EBUSY && read_text (cgroup->path, "cgroup.procs", text, sizeof text))
    {
      for (char *pid = strtok_r (text, "\n", &save); pid != NULL; pid = strtok_r (NULL, "\n", &save))
        move (cgroup->parent, (pid_t) atoi (pid));
      rmdir (cgroup->path);
    }
  free (cgroup);
}
