/* SPDX-License-Identifier: BSD-3-Clause */

/* The supervisor does not enable controllers, because this is a decision of the site. Even without controllers, a
 * version 2 group counts CPU time (cpu.stat). The group has memory.peak only if the site has enabled the memory
 * controller. The supervisor moves only the child, and only into a leaf group, so that inner groups stay without
 * processes where the site requires that. */

#include "cgroup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "procfs.h"

#define PATH_SIZE 4096
#define NO_LIMIT (INT64_C (1) << 60) /* bytes; a larger value means no limit (v1: a number near 2^63) */

struct Cgroup
{
  char path[PATH_SIZE];
  char parent[PATH_SIZE];
};

/* The path of a control group in a mounted hierarchy: the member mount followed by the member group. */
typedef struct
{
  char mount[PATH_SIZE];
  char group[PATH_SIZE]; /* "" or "/..." */
} Location;

static bool
read_text (const char *directory, const char *name, char *text, size_t size)
{
  char path[PATH_SIZE + 64];

  return (size_t) snprintf (path, sizeof path, "%s/%s", directory, name) < sizeof path &&
         file_read (path, text, size) > 0;
}

/* Returns the number that follows @key at the start of a line. If @key is NULL, returns the number at the start of the
 * file. Returns -1 if there is no such number. */
static int64_t
read_value (const char *directory, const char *file, const char *key)
{
  char text[4096];
  const char *at = text;

  if (!read_text (directory, file, text, sizeof text))
    return -1;
  if (key != NULL)
    at = proc_find_line (text, key);

  return at != NULL && *at >= '0' && *at <= '9' ? (int64_t) strtoll (at, NULL, 10) : -1;
}

static bool
is_in_list (char *list, const char *wanted)
{
  char *save = NULL;

  for (char *item = strtok_r (list, ",", &save); item != NULL; item = strtok_r (NULL, ",", &save))
    if (strcmp (item, wanted) == 0)
      return true;

  return false;
}

/* A process whose groups are read */
typedef struct
{
  const char *root; /* the directory below which all files are; "" for the real root directory */
  pid_t pid;        /* 0 for the supervisor */
} Member;

/* Opens a file of the process @pid, or of the supervisor if @pid is 0. */
static FILE *
open_proc (const char *root, pid_t pid, const char *name)
{
  char path[PATH_SIZE];

  if (pid == 0)
    snprintf (path, sizeof path, "%s/proc/self/%s", root, name);
  else
    snprintf (path, sizeof path, "%s/proc/%d/%s", root, (int) pid, name);

  return fopen (path, "re");
}

static bool
read_line (FILE *file, char **line, size_t *size)
{
  if (getline (line, size, file) == -1)
    return false;
  (*line)[strcspn (*line, "\n")] = '\0';

  return true;
}

/* Finds the process's group in the hierarchy of a v1 controller or, if @controller is "", in the v2 hierarchy. */
static bool
find_group (const Member *member, const char *controller, char *group)
{
  FILE *file = open_proc (member->root, member->pid, "cgroup");
  char *line = NULL;
  size_t size = 0;
  bool found = false;

  while (file != NULL && !found && read_line (file, &line, &size))
    {
      char *rest = line, *controllers;

      strsep (&rest, ":");
      controllers = strsep (&rest, ":");
      if (rest == NULL)
        continue;
      found = (*controller == '\0' ? *controllers == '\0' : is_in_list (controllers, controller)) &&
              (size_t) snprintf (group, PATH_SIZE, "%s", rest) < PATH_SIZE;
    }
  free (line);
  if (file != NULL)
    fclose (file);

  return found;
}

/* Decodes the \ooo escapes that mountinfo uses for blanks and other special characters. */
static void
unescape (char *text)
{
  char *to = text;

  for (const char *from = text; *from != '\0';)
    if (from[0] == '\\' && from[1] >= '0' && from[1] <= '3' && from[2] >= '0' && from[2] <= '7' && from[3] >= '0' &&
        from[3] <= '7')
      {
        *to++ = (char) ((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0'));
        from += 4;
      }
    else
      *to++ = *from++;
  *to = '\0';
}

/* Sets the path of the group relative to the mount point: removes the root of the mount from @group. If the group is
 * outside of the mount, uses the top group of the mount instead. */
static void
place (Location *location, const char *group, const char *mount_root)
{
  size_t n = strcmp (mount_root, "/") == 0 ? 0 : strlen (mount_root);

  if (strncmp (group, mount_root, n) != 0 || group[n] != '/' || strncmp (group, "/..", 3) == 0)
    group = "";
  else
    group += n;
  snprintf (location->group, sizeof location->group, "%s", strcmp (group, "/") == 0 ? "" : group);
}

/* Parses a line of mountinfo: "ID PARENT DEVICE ROOT POINT OPTIONS [TAG...] - TYPE SOURCE SUPER-OPTIONS". Returns
 * whether it mounts the hierarchy of the controller. */
static bool
parse_mount (char *line, const char *controller, char **mount_root, char **point)
{
  char *rest = strstr (line, " - ");
  char *type, *options;

  if (rest == NULL)
    return false;
  *rest = '\0';
  rest += 3;
  type = strsep (&rest, " ");
  strsep (&rest, " ");
  options = rest;
  for (int i = 0; i < 3; i++)
    strsep (&line, " ");
  *mount_root = strsep (&line, " ");
  *point = strsep (&line, " ");
  if (*point == NULL || options == NULL)
    return false;
  unescape (*mount_root);
  unescape (*point);
  if (*controller == '\0')
    return strcmp (type, "cgroup2") == 0;

  return strcmp (type, "cgroup") == 0 && is_in_list (options, controller);
}

/* Finds the mount point of the hierarchy of a controller, and the process's group in this hierarchy. Reads the
 * supervisor's mountinfo, because the supervisor reads the group's files, and only if the process has such a group,
 * because mountinfo is a long text that the kernel generates for each reader. */
static bool
locate (const Member *member, const char *controller, Location *location)
{
  char group[PATH_SIZE];
  char *line = NULL, *mount_root, *point;
  size_t size = 0;
  FILE *file = find_group (member, controller, group) ? open_proc (member->root, 0, "mountinfo") : NULL;
  bool found = false;

  while (file != NULL && !found && read_line (file, &line, &size))
    if (parse_mount (line, controller, &mount_root, &point))
      {
        place (location, group, mount_root);
        found = (size_t) snprintf (location->mount, sizeof location->mount, "%s%s", member->root, point) <
                sizeof location->mount;
      }
  free (line);
  if (file != NULL)
    fclose (file);

  return found;
}

static void
lower_bytes (int64_t *limit, int64_t value)
{
  if (value >= 0 && value < NO_LIMIT && (*limit < 0 || value < *limit))
    *limit = value;
}

static void
lower_cores (CgroupLimits *limits, const char *directory, long long quota, long long period)
{
  double cores = quota > 0 && period > 0 ? (double) quota / (double) period : -1;

  if (cores <= 0 || (limits->cores >= 0 && cores >= limits->cores))
    return;
  limits->cores = cores;
  if ((size_t) snprintf (limits->cpu_directory, sizeof limits->cpu_directory, "%s", directory) >=
      sizeof limits->cpu_directory)
    limits->cpu_directory[0] = '\0';
}

/* Gets the number of OOM kills of a group, unless a previous group had such a number. The callers walk from the
 * process's own group to its ancestors. */
static void
count_kills (const char *directory, const char *name, CgroupLimits *limits)
{
  if (limits->oom_kills >= 0)
    return;
  limits->oom_kills = read_value (directory, name, "oom_kill ");
  if (limits->oom_kills >= 0 && (size_t) snprintf (limits->oom_directory, sizeof limits->oom_directory, "%s",
                                                   directory) < sizeof limits->oom_directory)
    limits->oom_file = name;
}

/* Lowers the limits to the limits of one group, if these are lower. Reads only files that exist in the hierarchy of
 * @controller. */
static void
read_group_limits (const char *directory, const char *controller, CgroupLimits *limits)
{
  char text[128];
  long long quota, period;

  if (strcmp (controller, "cpu") == 0)
    {
      quota = read_value (directory, "cpu.cfs_quota_us", NULL);
      if (quota > 0)
        lower_cores (limits, directory, quota, read_value (directory, "cpu.cfs_period_us", NULL));
    }
  else if (strcmp (controller, "memory") == 0)
    {
      lower_bytes (&limits->memory_limit, read_value (directory, "memory.limit_in_bytes", NULL));
      count_kills (directory, "memory.oom_control", limits);
    }
  else
    {
      if (read_text (directory, "cpu.max", text, sizeof text) && sscanf (text, "%lld %lld", &quota, &period) == 2)
        lower_cores (limits, directory, quota, period);
      lower_bytes (&limits->memory_limit, read_value (directory, "memory.max", NULL));
      count_kills (directory, "memory.events", limits);
    }
}

/* Reads the limits of the process's group and of its ancestors up to the mount point, because all these limits
 * apply. In a container, ancestors above the mount point are not visible. */
static void
read_hierarchy (const Member *member, const char *controller, CgroupLimits *limits)
{
  char directory[2 * PATH_SIZE];
  Location location;
  char *slash;

  if (!locate (member, controller, &location))
    return;
  while ((slash = strrchr (location.group, '/')) != NULL)
    {
      snprintf (directory, sizeof directory, "%s%s", location.mount, location.group);
      read_group_limits (directory, controller, limits);
      *slash = '\0';
    }
  read_group_limits (location.mount, controller, limits);
}

void
cgroup_read_limits_of (const char *root, pid_t pid, CgroupLimits *limits)
{
  const Member member = { root, pid };

  *limits = (CgroupLimits) { .cores = -1, .memory_limit = -1, .oom_kills = -1 };
  read_hierarchy (&member, "", limits);
  read_hierarchy (&member, "cpu", limits);
  read_hierarchy (&member, "memory", limits);
}

void
cgroup_read_limits (pid_t pid, CgroupLimits *limits)
{
  cgroup_read_limits_of ("", pid, limits);
}

int64_t
cgroup_read_throttled (const CgroupLimits *limits)
{
  int64_t us = -1, ns;

  if (limits->cpu_directory[0] == '\0')
    return -1;
  us = read_value (limits->cpu_directory, "cpu.stat", "throttled_usec ");
  if (us >= 0)
    return us;
  ns = read_value (limits->cpu_directory, "cpu.stat", "throttled_time ");

  return ns >= 0 ? ns / 1000 : -1;
}

int64_t
cgroup_read_oom_kills (const CgroupLimits *limits)
{
  return limits->oom_file != NULL ? read_value (limits->oom_directory, limits->oom_file, "oom_kill ") : -1;
}

/* Creates a group. If an empty group with this path exists, replaces that group, because a supervisor that was killed
 * has left it behind. */
static bool
make_group (const char *path)
{
  if (mkdir (path, 0755) == 0)
    return true;

  return errno == EEXIST && rmdir (path) == 0 && mkdir (path, 0755) == 0;
}

Cgroup *
cgroup_create (const char **why)
{
  Cgroup *cgroup = calloc (1, sizeof *cgroup);
  static const Member supervisor = { "", 0 };
  Location location;
  size_t length;

  *why = "this machine has no version 2 control groups";
  if (cgroup == NULL || !locate (&supervisor, "", &location))
    {
      free (cgroup);
      return NULL;
    }
  *why = "this site does not allow a control group for the program";
  length = (size_t) snprintf (cgroup->parent, sizeof cgroup->parent, "%s%s", location.mount, location.group);
  if (length < sizeof cgroup->parent)
    length = (size_t) snprintf (cgroup->path, sizeof cgroup->path, "%s/roast-%d", cgroup->parent, getpid ());
  if (length >= sizeof cgroup->path || !make_group (cgroup->path))
    {
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
cgroup_read_controllers (Cgroup *cgroup, char *text, size_t size)
{
  if (!read_text (cgroup->path, "cgroup.controllers", text, size))
    *text = '\0';
}

/* Moves the processes of the group to its parent group. Returns whether at least one process was moved. */
static bool
move_back (Cgroup *cgroup)
{
  char text[16384];
  char *save = NULL, *end;
  bool moved = false;

  if (!read_text (cgroup->path, "cgroup.procs", text, sizeof text))
    return false;
  /* Drop the last line, which may be incomplete. The next call reads the line again. */
  end = strrchr (text, '\n');
  if (end != NULL)
    *end = '\0';
  for (char *pid = strtok_r (text, "\n", &save); pid != NULL; pid = strtok_r (NULL, "\n", &save))
    if (move (cgroup->parent, (pid_t) atoi (pid)))
      moved = true;

  return moved;
}

void
cgroup_destroy (Cgroup *cgroup)
{
  if (cgroup == NULL)
    return;
  /* rmdir still fails if the program created a group below this group. In this case, both groups stay. */
  while (rmdir (cgroup->path) < 0 && errno == EBUSY && move_back (cgroup))
    ;
  free (cgroup);
}
