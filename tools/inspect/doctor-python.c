/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds the Python modules that instruments and backends can measure, for each Python in PATH. Does not import these
 * modules, because importing may take seconds. */

#include "doctor.h"

#include <gio/gio.h>
#include <string.h>

#include "core/base/roast-fail-private.h"

#define MAX_PYTHONS 8
#define MAX_SECONDS 10 /* s; time for one Python to answer, because it may be on a network file system that hangs */

static const char script[] = "import importlib.util as u, sys\n"
                             "def has(n):\n"
                             "    try: return u.find_spec(n) is not None\n"
                             "    except Exception: return False\n"
                             "def version(n):\n"
                             "    try:\n"
                             "        import importlib.metadata as m; return m.version(n)\n"
                             "    except Exception: return 'of unknown version'\n"
                             "print('%s %d.%d.%d' % ((sys.executable,) + tuple(sys.version_info[:3])))\n"
                             "for n in sys.argv[1:]: print(version(n) if has(n) else '')\n";

/* Names of Python packages to look for, because scripts of users may import them. */
#define FIRST "Dask"     /* check-source: allow executors: name of a package */
#define SECOND "coffea"  /* check-source: allow executors: name of a package */
#define THIRD "TaskVine" /* check-source: allow executors: name of a package */

static const struct
{
  const char *module;
  const char *name;
  const char *remedy;
} modules[] = {
  { "distributed", FIRST, "activate the environment that has this package, or run “pip install distributed”" },
  { SECOND, SECOND, "activate the environment that has this package, or run “pip install " SECOND "”" },
  { "ndcctools", THIRD, "activate the environment that has this package, or install the package ndcctools" },
};

/* Asks a Python for its program and version, which are in the first line, and for the version of each module. The
 * version of a missing module is "". Returns NULL if the Python cannot be asked. */
static GStrv
ask (const char *python, GError **error)
{
  char *argv[] = { (char *) python,
                   (char *) "-c",
                   (char *) script,
                   (char *) modules[0].module,
                   (char *) modules[1].module,
                   (char *) modules[2].module,
                   NULL };
  g_autoptr (GString) output = g_string_new (NULL);
  g_auto (GStrv) lines = NULL;
  int fd, status = 0;
  GPid pid;

  if (!g_spawn_async_with_pipes (NULL, argv, NULL,
                                 G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDERR_TO_DEV_NULL, NULL,
                                 NULL, &pid, NULL, &fd, NULL, error))
    return NULL;
  if (!inspect_wait (pid, fd, output, MAX_SECONDS, &status))
    return roast_fail_null (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT, "this Python did not answer within %d s",
                            MAX_SECONDS);
  lines = g_strsplit (output->str, "\n", -1);
  if (g_strv_length (lines) > G_N_ELEMENTS (modules))
    return g_steal_pointer (&lines);
  return roast_fail_null (error, G_IO_ERROR, G_IO_ERROR_FAILED, "this Python failed");
}

/* Asks the other Pythons in PATH, such as Debian's Python or that of an environment that is not activated. */
static GPtrArray *
ask_others (const char *first)
{
  g_auto (GStrv) path = g_strsplit (g_getenv ("PATH") != NULL ? g_getenv ("PATH") : "", ":", -1);
  GPtrArray *others = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_hash_table_add (seen, g_strdup (first));
  for (guint i = 0; path[i] != NULL && others->len < MAX_PYTHONS; i++)
    {
      g_autofree char *python = g_build_filename (path[i], "python3", NULL);
      g_auto (GStrv) lines =
          g_path_is_absolute (python) && g_file_test (python, G_FILE_TEST_IS_EXECUTABLE) ? ask (python, NULL) : NULL;

      if (lines != NULL && g_hash_table_add (seen, g_strdup (lines[0])))
        g_ptr_array_add (others, g_steal_pointer (&lines));
    }
  return others;
}

static void
check_module (Doctor *doctor, guint i, GStrv first, GPtrArray *others)
{
  for (guint k = 0; *first[i + 1] == '\0' && k < others->len; k++)
    {
      GStrv lines = g_ptr_array_index (others, k);
      g_autofree char *program = g_strndup (lines[0], strcspn (lines[0], " "));
      g_autofree char *directory = g_path_get_dirname (program);

      if (*lines[i + 1] == '\0')
        continue;
      doctor_add_missing (doctor, modules[i].name,
                          g_strdup_printf ("%s does not have this package, but %s has version %s", first[0], lines[0],
                                           lines[i + 1]),
                          "scripts that use this package fail with the first Python in PATH",
                          g_strdup_printf ("PATH=%s:$PATH roast-run ...", directory));
      return;
    }
  if (*first[i + 1] != '\0')
    doctor_add (doctor, modules[i].name, g_strdup_printf ("%s, in %s", first[i + 1], first[0]));
  else
    doctor_add_missing (doctor, modules[i].name, g_strdup_printf ("%s does not have this package", first[0]),
                        "none, unless your programs use this package", g_strdup (modules[i].remedy));
}

void
doctor_python (Doctor *doctor)
{
  const char *python = g_getenv ("ROAST_PYTHON") != NULL ? g_getenv ("ROAST_PYTHON") : "python3";
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) first = ask (python, &error);
  g_autoptr (GPtrArray) others = NULL;

  if (first == NULL)
    {
      g_autofree char *program = g_find_program_in_path (python);

      doctor_add_missing (doctor, "Python",
                          g_strdup_printf ("%s: %s", program != NULL ? program : python, error->message),
                          "scripts in Python cannot run",
                          g_strdup (program != NULL ? "repair this Python, remove it from PATH, or set ROAST_PYTHON"
                                                    : "install python3, or set ROAST_PYTHON"));
      return;
    }
  others = ask_others (first[0]);
  doctor_add (doctor, "Python", g_strdup (first[0]));
  for (guint i = 0; i < G_N_ELEMENTS (modules); i++)
    check_module (doctor, i, first, others);
}
