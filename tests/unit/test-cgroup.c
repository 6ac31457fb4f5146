/* SPDX-License-Identifier: BSD-3-Clause */

/* Limits in file systems as sites have them, and a control group for the test where the site allows it. */

#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cgroup.h"
#include "closeness.h"

typedef struct
{
  char *root;
} Site;

static void
site_set_up (Site *self, gconstpointer data)
{
  self->root = g_dir_make_tmp ("roast-cgroup-XXXXXX", NULL);
  g_assert_nonnull (self->root);
}

static void
remove_all (const char *path)
{
  g_autoptr (GDir) dir = g_file_test (path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      remove_all (child);
    }
  g_assert_cmpint (g_remove (path), ==, 0);
}

static void
site_tear_down (Site *self, gconstpointer data)
{
  remove_all (self->root);
  g_free (self->root);
}

static void
put (const Site *self, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (self->root, name, NULL);
  g_autofree char *directory = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (directory, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
check (const Site *self, double cores, gint64 memory, gint64 oom_kills)
{
  CgroupLimits limits;

  cgroup_read_limits_of (self->root, 0, &limits);
  g_assert_cmpfloat_with_epsilon (limits.cores, cores, 1e-9);
  g_assert_cmpint (limits.memory_limit, ==, memory);
  g_assert_cmpint (limits.oom_kills, ==, oom_kills);
  g_assert_cmpint (cgroup_read_oom_kills (&limits), ==, oom_kills);
}

static gint64
read_throttled (const Site *self)
{
  CgroupLimits limits;

  cgroup_read_limits_of (self->root, 0, &limits);

  return cgroup_read_throttled (&limits);
}

#define UNIFIED "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"

static void
test_none (Site *self, gconstpointer data)
{
  check (self, -1, -1, -1);
  put (self, "proc/self/mountinfo", UNIFIED);
  put (self, "sys/fs/cgroup/memory.max", "4096\n");
  check (self, -1, -1, -1);
  put (self, "proc/self/mountinfo", "");
  put (self, "proc/self/cgroup", "0::/a\n");
  check (self, -1, -1, -1);
  put (self, "proc/self/mountinfo", "21 1 0:5 / /proc rw - proc proc rw\nnonsense\n - \n30 23 - cgroup2\n");
  check (self, -1, -1, -1);
  put (self, "proc/self/mountinfo", "\n" UNIFIED);
  check (self, -1, 4096, -1);
}

/* mountinfo writes special characters in octal: a blank, a tab, a newline and a backslash. What looks like it is not.
 */
static void
test_escapes (Site *self, gconstpointer data)
{
  put (self, "proc/self/mountinfo",
       "30 23 0:26 / /a\\040b\\011c\\012d\\134e\\377f\\09g\\400h\\101i\\091j\\018k\\/40l\\08 rw - cgroup2 cgroup rw\n");
  put (self, "proc/self/cgroup", "0::/x\n");
  put (self, "a b\tc\nd\\e\377f\\09g\\400hAi\\091j\\018k\\/40l\\08/x/memory.max", "4096\n");
  check (self, -1, 4096, -1);
}

/* The least of the limits of the group and all its ancestors. */
static void
test_unified (Site *self, gconstpointer data)
{
  put (self, "proc/self/mountinfo", UNIFIED);
  put (self, "proc/self/cgroup", "0::/slurm/job 1/step\n");
  put (self, "sys/fs/cgroup/slurm/job 1/step/cpu.max", "max 100000\n");
  put (self, "sys/fs/cgroup/slurm/job 1/step/memory.max", "max\n");
  put (self, "sys/fs/cgroup/slurm/job 1/step/memory.events",
       "low 0\nhigh 0\nmax 7\noom 3\noom_kill 2\noom_group_kill 0\n");
  put (self, "sys/fs/cgroup/slurm/job 1/cpu.max", "150000 100000\n");
  put (self, "sys/fs/cgroup/slurm/job 1/memory.max", "8589934592\n");
  put (self, "sys/fs/cgroup/slurm/cpu.max", "400000 100000\n");
  put (self, "sys/fs/cgroup/slurm/memory.max", "4294967296\n");
  put (self, "sys/fs/cgroup/cpu.max", "garbage\n");
  check (self, 1.5, 4294967296, 2);
  g_assert_cmpint (read_throttled (self), ==, -1);
  put (self, "sys/fs/cgroup/slurm/cpu.stat", "usage_usec 9\nthrottled_usec 8\n");
  put (self, "sys/fs/cgroup/slurm/job 1/cpu.stat", "usage_usec 5\nnr_throttled 3\nthrottled_usec 7\n");
  g_assert_cmpint (read_throttled (self), ==, 7);
}

/* The group of a process that roast attaches to is not the supervisor's own. */
static void
test_other_process (Site *self, gconstpointer data)
{
  CgroupLimits limits;

  put (self, "proc/self/mountinfo", UNIFIED);
  put (self, "proc/self/cgroup", "0::/login\n");
  put (self, "proc/77/cgroup", "0::/job\n");
  put (self, "sys/fs/cgroup/login/memory.max", "8192\n");
  put (self, "sys/fs/cgroup/job/memory.max", "4096\n");
  check (self, -1, 8192, -1);
  cgroup_read_limits_of (self->root, 77, &limits);
  g_assert_cmpint (limits.memory_limit, ==, 4096);
}

/* A limit of 0 is one, and the group's own counts count, also where its ancestors have more. */
static void
test_no_memory (Site *self, gconstpointer data)
{
  put (self, "proc/self/mountinfo", UNIFIED);
  put (self, "proc/self/cgroup", "0::/a/b\n");
  put (self, "sys/fs/cgroup/a/b/memory.max", "0\n");
  put (self, "sys/fs/cgroup/a/b/memory.events", "oom 1\noom_kill 0\n");
  put (self, "sys/fs/cgroup/a/memory.max", "4096\n");
  put (self, "sys/fs/cgroup/a/memory.events", "oom 1\noom_kill 7\n");
  check (self, -1, 0, 0);
}

/* Those of this machine are read below its root. */
static void
test_machine (void)
{
  CgroupLimits limits = { .cores = 77, .memory_limit = 77, .oom_kills = 77 };
  CgroupLimits expected;

  cgroup_read_limits_of ("", 0, &expected);
  cgroup_read_limits (0, &limits);
  g_assert_true (limits.cores == expected.cores);
  g_assert_cmpint (limits.memory_limit, ==, expected.memory_limit);
}

static void
test_root_group (Site *self, gconstpointer data)
{
  put (self, "proc/self/mountinfo", UNIFIED);
  put (self, "proc/self/cgroup", "0::/\n");
  put (self, "sys/fs/cgroup/cpu.max", "50000 100000\n");
  check (self, 0.5, -1, -1);
}

#define LEGACY                                                                                                         \
  "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"                                                         \
  "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"                                        \
  "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"                                                  \
  "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"

static void
test_hybrid (Site *self, gconstpointer data)
{
  put (self, "proc/self/mountinfo", LEGACY);
  put (self, "proc/self/cgroup", "9:name=systemd:/x\n4:memory:/condor/slot1\n2:cpuacct,cpu:/condor\n0::/\n");
  put (self, "sys/fs/cgroup/cpu,cpuacct/condor/cpu.cfs_quota_us", "250000\n");
  put (self, "sys/fs/cgroup/cpu,cpuacct/condor/cpu.cfs_period_us", "100000\n");
  put (self, "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  put (self, "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  put (self, "sys/fs/cgroup/memory/condor/slot1/memory.limit_in_bytes", "2147483648\n");
  put (self, "sys/fs/cgroup/memory/condor/slot1/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 5\n");
  put (self, "sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  check (self, 2.5, 2147483648, 5);
  put (self, "sys/fs/cgroup/cpu,cpuacct/condor/cpu.stat", "nr_periods 5\nthrottled_time 7300\n");
  g_assert_cmpint (read_throttled (self), ==, 7);
  put (self, "sys/fs/cgroup/memory/condor/slot1/memory.limit_in_bytes", "9223372036854771712\n");
  check (self, 2.5, -1, 5);
}

/* A container with the names of its host, in which only its own group is mounted. */
static void
test_container (Site *self, gconstpointer data)
{
  put (self, "proc/self/mountinfo", "30 23 0:26 /docker/abc /sys/fs/cg\\040roup ro - cgroup2 cgroup rw\n");
  put (self, "proc/self/cgroup", "0::/docker/abc/inner\n");
  put (self, "sys/fs/cg roup/cpu.max", "200000 100000\n");
  put (self, "sys/fs/cg roup/inner/memory.max", "1048576\n");
  check (self, 2, 1048576, -1);
  /* The group is outside the mount: then the mount itself counts. */
  put (self, "proc/self/cgroup", "0::/docker/abcdef\n");
  check (self, 2, -1, -1);
  put (self, "proc/self/cgroup", "0::/../../other\n");
  check (self, 2, -1, -1);
  /* As long as the group that is mounted. */
  put (self, "proc/self/cgroup", "0::/podman1234/inner\n");
  check (self, 2, -1, -1);
}

/* Lines of mountinfo that end too early are of no mount. */
static void
test_cut_mounts (Site *self, gconstpointer data)
{
  put (self, "proc/self/cgroup", "4:memory:/\n0::/\n");
  put (self, "sys/fs/cgroup/memory.max", "4096\n");
  put (self, "sys/fs/cgroup/memory.limit_in_bytes", "4096\n");
  put (self, "proc/self/mountinfo",
       "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2\n35 31 0:32 / /sys/fs/cgroup rw - cgroup cgroup\n"
       "30 23 0:26 / - cgroup2 cgroup2 rw\n");
  check (self, -1, -1, -1);
}

static void
test_hostile (Site *self, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new ("0::");

  put (self, "proc/self/mountinfo", UNIFIED);
  for (int i = 0; i < 3000; i++)
    g_string_append (text, "/xx");
  put (self, "proc/self/cgroup", text->str);
  check (self, -1, -1, -1);
  put (self, "proc/self/cgroup", ":::\n::\n:\n\n0:\n");
  check (self, -1, -1, -1);
  put (self, "proc/self/cgroup", "0::/\n");
  put (self, "sys/fs/cgroup/cpu.max", "100000 0\n");
  put (self, "sys/fs/cgroup/memory.max", "-5\n");
  put (self, "sys/fs/cgroup/memory.events", "oom_kills 3\nxoom_kill 4\noom_kill\n");
  check (self, -1, -1, -1);
  put (self, "sys/fs/cgroup/cpu.max", "-1 100000\n");
  check (self, -1, -1, -1);
  put (self, "sys/fs/cgroup/cpu.max", "0 100000\n");
  check (self, -1, -1, -1);
}

static void
burn (int ms)
{
  struct timespec t;
  gint64 end = 0;

  do
    {
      clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
      if (end == 0)
        end = (gint64) t.tv_sec * 1000 + t.tv_nsec / 1000000 + ms;
    }
  while ((gint64) t.tv_sec * 1000 + t.tv_nsec / 1000000 < end);
}

static char *
group_of (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/cgroup", pid);
  g_autofree char *text = NULL;
  char *line;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  line = strstr (text, "0::");
  g_assert_nonnull (line);

  return g_strndup (line, strcspn (line, "\n"));
}

/* Whether the site allows a group: tried by hand, where the mount has no special characters and is that of the root. */
static gboolean
is_allowed (void)
{
  g_autofree char *mounts = NULL, *group = group_of (getpid ());
  g_autofree char *probe = NULL, *cpu = NULL;
  g_auto (GStrv) words = NULL;
  const char *at;
  gboolean allowed;

  g_assert_true (g_file_get_contents ("/proc/self/mountinfo", &mounts, NULL, NULL));
  at = strstr (mounts, " - cgroup2 ");
  if (at == NULL)
    return FALSE;
  while (at > mounts && at[-1] != '\n')
    at--;
  words = g_strsplit (at, " ", 6);
  if (strcmp (words[3], "/") != 0 || strchr (words[4], '\\') != NULL)
    return FALSE;
  probe = g_strdup_printf ("%s%s/roast-test-%d", words[4], group + strlen ("0::"), getpid ());
  if (g_mkdir (probe, 0755) < 0)
    return FALSE;
  cpu = g_build_filename (probe, "cpu.stat", NULL);
  allowed = g_file_test (cpu, G_FILE_TEST_EXISTS);
  g_assert_cmpint (g_rmdir (probe), ==, 0);

  return allowed;
}

/* The group counts children that nobody waits for, and is removed without killing a process. */
static void
test_own (void)
{
  const char *why = NULL;
  g_autofree char *before = NULL, *during = NULL, *after = NULL, *name = NULL;
  Cgroup *cgroup = cgroup_create (&why);
  gint64 deadline = g_get_monotonic_time () + HANG;
  pid_t child;
  int go[2];

  if (cgroup == NULL)
    {
      g_assert_nonnull (why);
      g_assert_false (is_allowed ());
      g_test_skip (why);
      return;
    }
  cgroup_destroy (NULL);
  g_assert_cmpint (cgroup_cpu_us (cgroup), ==, 0);
  g_assert_cmpint (cgroup_memory_peak (cgroup), >=, -1);
  g_assert_cmpint (pipe (go), ==, 0);
  child = fork ();
  if (child == 0)
    {
      char byte;

      if (read (go[0], &byte, 1) != 1)
        _exit (1);
      signal (SIGCHLD, SIG_IGN);
      for (int i = 0; i < 4; i++)
        if (fork () == 0)
          {
            burn (25);
            _exit (0);
          }
      for (;;)
        pause ();
    }
  before = group_of (child);
  g_assert_true (cgroup_join (cgroup, child));
  during = group_of (child);
  name = g_strdup_printf ("/roast-%d", getpid ());
  g_assert_true (g_str_has_suffix (during, name));
  g_assert_cmpint (write (go[1], "x", 1), ==, 1);
  while (cgroup_cpu_us (cgroup) < 100000)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_usleep (1000);
    }

  cgroup_destroy (cgroup);
  after = group_of (child);
  g_assert_cmpstr (after, ==, before);
  g_assert_cmpint (kill (child, 0), ==, 0);
  g_assert_cmpint (kill (child, SIGKILL), ==, 0);
  g_assert_cmpint (waitpid (child, NULL, 0), ==, child);
  close (go[0]);
  close (go[1]);
}

/* An empty group that a killed run left is replaced, and a process that does not exist cannot be moved. */
static void
test_left_over (void)
{
  const char *why = NULL;
  Cgroup *first = cgroup_create (&why);
  Cgroup *second;

  if (first == NULL)
    {
      g_test_skip (why);
      return;
    }
  second = cgroup_create (&why);
  g_assert_nonnull (second);
  g_assert_false (cgroup_join (second, 0x7fffffff));
  cgroup_destroy (second);
  g_assert_cmpint (cgroup_cpu_us (first), ==, -1);
  cgroup_destroy (first);
}

static void
test_nobody (void)
{
  pid_t child;
  int status;

  if (geteuid () != 0)
    {
      g_test_skip ("needs root, to become nobody");
      return;
    }
  child = fork ();
  if (child == 0)
    {
      const char *why = NULL;

      if (setresgid (65534, 65534, 65534) < 0 || setresuid (65534, 65534, 65534) < 0)
        _exit (2);
      _exit (cgroup_create (&why) == NULL && why != NULL ? 0 : 1);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define SITE(name, test) g_test_add ("/cgroup/limits/" name, Site, NULL, site_set_up, test, site_tear_down)
  SITE ("none", test_none);
  SITE ("escapes", test_escapes);
  SITE ("unified", test_unified);
  SITE ("other-process", test_other_process);
  SITE ("no-memory", test_no_memory);
  SITE ("root-group", test_root_group);
  SITE ("hybrid", test_hybrid);
  SITE ("container", test_container);
  SITE ("cut-mounts", test_cut_mounts);
  SITE ("hostile", test_hostile);
  g_test_add_func ("/cgroup/machine", test_machine);
  g_test_add_func ("/cgroup/own", test_own);
  g_test_add_func ("/cgroup/left-over", test_left_over);
  g_test_add_func ("/cgroup/nobody", test_nobody);

  return g_test_run ();
}
