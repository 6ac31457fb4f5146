/* SPDX-License-Identifier: BSD-3-Clause */

/* A roast that was built without libsoup says what it lacks, and what to do. */

#include <roast/roast.h>

#include "../../plugins/dask/dask-transport.h"

static void
test_refused (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (dask_transport_new_for_url ("http://host:8787", "token", NULL, NULL, &error));
  g_assert_error (error, ROAST_PLUGIN_ERROR, ROAST_PLUGIN_ERROR_OPEN);
  g_assert_true (g_str_has_prefix (error->message,
                                   "http://host:8787 needs the module libroast-dask-http.so, which is not installed."));
  g_assert_nonnull (strstr (error->message, "libsoup 3, or give roast-run or roast-attach the tcp:// address"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/dask-no-http/refused", test_refused);

  return g_test_run ();
}
