/* SPDX-License-Identifier: BSD-3-Clause */

/* What a call from C into a slot costs that is written in Python, beside one that is written in C, and beside the same
 * function without what turns exceptions into errors: bench-vfunc KEY_FILE_OF_A_PYTHON_PLUGIN. */

#include <roast/roast.h>
#include <stdlib.h>

#define CALLS 500000
#define ROUNDS 5

/* The best of some rounds, µs a call. */
static double
measure (RoastMetricsBackend *backend)
{
  double best = G_MAXDOUBLE;

  for (int round = 0; round < ROUNDS; round++)
    {
      gint64 before = g_get_monotonic_time ();

      for (int i = 0; i < CALLS; i++)
        g_assert_cmpint (roast_metrics_backend_get_capabilities (backend), ==, ROAST_BACKEND_CAPABILITIES_LAUNCH);
      best = MIN (best, (double) (g_get_monotonic_time () - before) / CALLS);
    }

  return best;
}

typedef GObject Native;
typedef GObjectClass NativeClass;

static RoastBackendCapabilities
native_get_capabilities (RoastMetricsBackend *self)
{
  return ROAST_BACKEND_CAPABILITIES_LAUNCH;
}

static void
native_backend_init (RoastMetricsBackendInterface *iface)
{
  iface->get_capabilities = native_get_capabilities;
}

GType native_get_type (void);
G_DEFINE_TYPE_WITH_CODE (Native, native, G_TYPE_OBJECT,
                         G_IMPLEMENT_INTERFACE (ROAST_TYPE_METRICS_BACKEND, native_backend_init))

static void
native_class_init (NativeClass *klass)
{
}

static void
native_init (Native *self)
{
}

static double
measure_provided (RoastPlugin *plugin, const char *name)
{
  g_autoptr (GError) error = NULL;
  GType type = roast_plugin_get_provided_type (plugin, ROAST_ROLE_BACKEND, name, &error);
  g_autoptr (GObject) backend = NULL;

  if (type == G_TYPE_INVALID)
    {
      g_printerr ("%s\n", error->message);
      exit (EXIT_FAILURE);
    }
  backend = g_object_new (type, NULL);

  return measure (ROAST_METRICS_BACKEND (backend));
}

int
main (int argc, char **argv)
{
  g_autoptr (RoastPlugin) plugin = roast_plugin_new_from_file (argv[1]);
  g_autoptr (GObject) native = g_object_new (native_get_type (), NULL);
  double in_c = measure (ROAST_METRICS_BACKEND (native));
  double guarded = measure_provided (plugin, "guarded");
  double bare = measure_provided (plugin, "bare");

  g_print ("a call from C of a slot in Python:         %.3f us (goal 1), %.0fx one in C (%.4f us)\n", guarded,
           guarded / in_c, in_c);
  g_print ("the same without what catches exceptions:  %.3f us, so that costs %.2fx\n", bare, guarded / bare);

  return EXIT_SUCCESS;
}
