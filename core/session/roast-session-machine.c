/* SPDX-License-Identifier: BSD-3-Clause */

/* Records properties of the machine, of Python, and of how the program was started, so that a comparison of runs can
 * report different properties. */

#include "base/roast-redact-private.h"
#include "roast-session-private.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Return whether a text is a version such as "3.12", or "3.13t" for a free-threaded Python. */
static gboolean
is_version (const char *text)
{
  gsize major = strspn (text, "0123456789");
  gsize minor = text[major] == '.' ? strspn (text + major + 1, "0123456789") : 0;
  const char *rest = text + major + 1 + minor;

  return major > 0 && minor > 0 && (*rest == '\0' || g_str_equal (rest, "t"));
}

/* Return the Python version from the interpreter's file name, after resolving links: "3.12" from python3.12. This does
 * not need to start the interpreter. */
static char *
dup_python_version (const char *program)
{
  g_autofree char *found = g_find_program_in_path (program);
  char *file = found != NULL ? realpath (found, NULL) : NULL;
  const char *slash = file != NULL ? strrchr (file, '/') : NULL;
  char *version = NULL;

  if (slash != NULL && g_str_has_prefix (slash, "/python") && is_version (slash + strlen ("/python")))
    version = g_strdup (slash + strlen ("/python"));
  free (file);

  return version;
}

/* ---- how the program was started ---- */

/* Read only the first processor, because a machine may have hundreds. */
static char *
dup_cpu_model (void)
{
  char text[1024];
  int file = open ("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
  gssize n = file >= 0 ? read (file, text, sizeof text - 1) : 0;
  const char *model = NULL;

  if (file >= 0)
    close (file);
  text[MAX (n, 0)] = '\0';
  model = strstr (text, "\nmodel name");
  model = model != NULL ? strstr (model, ": ") : NULL;

  return model != NULL ? g_strndup (model + 2, strcspn (model + 2, "\n")) : NULL;
}

static void
put_limits (GVariantDict *settings)
{
  static const struct
  {
    __rlimit_resource_t resource;
    const char *name;
  } limits[] = {
    { RLIMIT_AS, "limit on address space in bytes" }, { RLIMIT_DATA, "limit on data in bytes" },
    { RLIMIT_STACK, "limit on stack in bytes" },      { RLIMIT_NOFILE, "limit on open files" },
    { RLIMIT_NPROC, "limit on processes" },           { RLIMIT_CPU, "limit on CPU time in s" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    {
      struct rlimit limit;

      if (getrlimit (limits[i].resource, &limit) != 0)
        continue;
      if (limit.rlim_cur == RLIM_INFINITY)
        g_variant_dict_insert (settings, limits[i].name, "s", "none");
      else
        g_variant_dict_insert_value (settings, limits[i].name,
                                     g_variant_new_take_string (g_strdup_printf ("%" G_GUINT64_FORMAT,
                                                                                 limit.rlim_cur)));
    }
}

/* Return whether an environment variable changes how fast programs run. Leave out variables that may be secret. */
static gboolean
is_setting (const char *name)
{
  static const char *const prefixes[] = { "OMP_",    "OPENBLAS_", "MKL_",        "NUMEXPR_",    "NUMBA_",
                                          "MALLOC_", "GLIBC_",    "LD_",         "PYTHON",      "XRD_",
                                          "CUDA_",   "TMPDIR",    "VIRTUAL_ENV", "CONDA_PREFIX" };
  static const char *const secrets[] = { "KEY", "TOKEN", "SECRET", "PASS", "AUTH", "CRED" };

  for (guint i = 0; i < G_N_ELEMENTS (secrets); i++)
    if (strstr (name, secrets[i]) != NULL)
      return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (name, prefixes[i]))
      return TRUE;

  return FALSE;
}

static void
put_environment (GVariantDict *settings)
{
  g_auto (GStrv) names = g_listenv ();

  for (guint i = 0; names[i] != NULL; i++)
    if (is_setting (names[i]) && g_utf8_validate (g_getenv (names[i]), -1, NULL))
      {
        g_autofree char *key = g_strconcat ("environment ", names[i], NULL);
        g_autofree char *value = roast_redact_text (g_getenv (names[i]));

        g_variant_dict_insert (settings, key, "s", value);
      }
}

static void
describe_start (RoastRecording *recording)
{
  g_auto (GVariantDict) settings = G_VARIANT_DICT_INIT (NULL);
  g_autofree char *directory = g_get_current_dir ();
  g_autofree char *model = dup_cpu_model ();

  if (model != NULL)
    g_variant_dict_insert (&settings, "CPU model", "s", model);
  if (g_utf8_validate (directory, -1, NULL))
    g_variant_dict_insert (&settings, "working directory", "s", directory);
  g_variant_dict_insert_value (&settings, "nice value",
                               g_variant_new_take_string (g_strdup_printf ("%d", getpriority (PRIO_PROCESS, 0))));
  put_limits (&settings);
  put_environment (&settings);
  roast_recording_set_metadata (recording, "settings", g_variant_dict_end (&settings));
}

void
roast_session_describe_machine (RoastRecording *recording, RoastLaunchContext *program)
{
  const char *const *argv = program != NULL ? roast_launch_context_get_argv (program) : NULL;
  g_autofree char *python = argv != NULL ? dup_python_version (argv[0]) : NULL;
  struct utsname system;

  if (uname (&system) == 0)
    roast_recording_set_metadata (recording, "kernel", g_variant_new_string (system.release));
  roast_recording_set_metadata (recording, "cores", g_variant_new_int64 (g_get_num_processors ()));
  if (python != NULL)
    roast_recording_set_metadata (recording, "python", g_variant_new_string (python));
  if (program != NULL)
    describe_start (recording);
}
