/* SPDX-License-Identifier: BSD-3-Clause */

/* Modules of Python that instruments and backends measure. They are looked up, and not imported: that may take seconds.
 */

#include "doctor.h"

#include <gio/gio.h>
#include <string.h>

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

/* What scripts may use is looked for under its own name. */
#define FIRST "Dask"     /* check-source: allow executors: name of a package */
#define SECOND "coffea"  /* check-source: allow executors: name of a package */
#define THIRD "TaskVine" /* check-source: allow executors: name of a package */

static const struct
{
  const char *module;
  const char *name;
  const char *remedy;
} modules[] = {
  { "distributed", FIRST, "activate the environment that has it; or pip install distributed" },
  { SECOND, SECOND, "activate the environment that has it; or pip install " SECOND },
  { "ndcctools", THIRD, "activate the environment that has it; or install the package ndcctools" },
};

void
doctor_python (Doctor *doctor)
{
  const char *python = g_getenv ("ROAST_PYTHON") != NULL ? g_getenv ("ROAST_PYTHON") : "python3";
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = NULL;
  g_autofree char *output = NULL;
  g_auto (GStrv) lines = NULL;

  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error, python, "-c",
                              script, modules[0].module, modules[1].module, modules[2].module, NULL);
  if (process != NULL)
    g_subprocess_communicate_utf8 (process, NULL, NULL, &output, NULL, &error);
  lines = g_strsplit (output != NULL ? output : "", "\n", -1);
  if (g_strv_length (lines) <= G_N_ELEMENTS (modules))
    {
      doctor_add_missing (doctor, "Python",
                          g_strdup_printf ("%s: %s", python, error != NULL ? error->message : "it failed"),
                          "scripts in Python cannot run", g_strdup ("install python3, or set ROAST_PYTHON"));
      return;
    }
  doctor_add (doctor, "Python", g_strdup (lines[0]));
  for (guint i = 0; i < G_N_ELEMENTS (modules); i++)
    if (*lines[i + 1] != '\0')
      doctor_add (doctor, modules[i].name, g_strdup_printf ("%s, in %s", lines[i + 1], lines[0]));
    else
      doctor_add_missing (doctor, modules[i].name, g_strdup_printf ("%s does not have it", lines[0]),
                          "none, unless your programs use it", g_strdup (modules[i].remedy));
}
