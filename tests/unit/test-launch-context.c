/* SPDX-License-Identifier: BSD-3-Clause */
#include <roast/roast.h>

#include <process/roast-launch-context-private.h>

static void
test_defaults (void)
{
  const char *argv[] = { "sh", "-c", "exit 3", NULL };
  g_autoptr (RoastLaunchContext) context = roast_launch_context_new (argv);
  g_autoptr (RoastLaunchContext) empty = roast_launch_context_new (NULL);
  RoastAccounting accounting = roast_launch_context_get_accounting (context);

  g_assert_cmpstrv (roast_launch_context_get_argv (context), argv);
  g_assert_null (roast_launch_context_get_argv (empty)[0]);
  g_assert_null (roast_launch_context_get_directory (context));
  g_assert_cmpint (roast_launch_context_get_interval (context), ==, G_USEC_PER_SEC);
  g_assert_cmpint (context->grace, ==, G_USEC_PER_SEC / 5);
  g_assert_cmpint (context->pss_mode, ==, ROAST_PSS_MODE_AUTO);
  g_assert_cmpint (context->wait_mode, ==, ROAST_WAIT_MODE_MAIN);
  g_assert_true (accounting & ROAST_ACCOUNTING_WAIT);
  g_assert_true (accounting & ROAST_ACCOUNTING_CHILDREN);
  g_assert_false (context->ignore_sigpipe);
  g_assert_cmpuint (context->observers->len, ==, 0);
}

static void
test_environment (void)
{
  g_autoptr (RoastLaunchContext) context = roast_launch_context_new (NULL);
  g_auto (GStrv) before = NULL;

  before = g_get_environ ();
  g_assert_cmpstr (roast_launch_context_getenv (context, "PATH"), ==, g_getenv ("PATH"));

  roast_launch_context_setenv (context, "ROAST_TEST_A", "1");
  roast_launch_context_setenv (context, "ROAST_TEST_A", "2 = 2");
  roast_launch_context_setenv (context, "ROAST_TEST_B", "");
  roast_launch_context_unsetenv (context, "PATH");
  roast_launch_context_unsetenv (context, "ROAST_TEST_NEVER");

  g_assert_cmpstr (roast_launch_context_getenv (context, "ROAST_TEST_A"), ==, "2 = 2");
  g_assert_cmpstr (roast_launch_context_getenv (context, "ROAST_TEST_B"), ==, "");
  g_assert_null (roast_launch_context_getenv (context, "PATH"));

  g_assert_true (g_strv_contains ((const char *const *) context->environment, "ROAST_TEST_A=2 = 2"));
  g_assert_true (g_strv_contains ((const char *const *) context->environment, "ROAST_TEST_B="));

  /* Ours is not touched. */
  g_assert_null (g_getenv ("ROAST_TEST_A"));
  g_assert_cmpstr (g_getenv ("PATH"), ==, g_environ_getenv (before, "PATH"));
}

static void
test_settings (void)
{
  g_autoptr (RoastLaunchContext) context = roast_launch_context_new (NULL);

  roast_launch_context_set_directory (context, "/");
  roast_launch_context_set_interval (context, 10000);
  roast_launch_context_set_grace (context, 0);
  roast_launch_context_set_pss_mode (context, ROAST_PSS_MODE_EXACT);
  roast_launch_context_set_wait_mode (context, ROAST_WAIT_MODE_TREE);
  roast_launch_context_set_accounting (context, ROAST_ACCOUNTING_WAIT);
  roast_launch_context_set_ignore_sigpipe (context, TRUE);

  g_assert_cmpstr (roast_launch_context_get_directory (context), ==, "/");
  g_assert_cmpint (roast_launch_context_get_interval (context), ==, 10000);
  g_assert_cmpint (context->grace, ==, 0);
  g_assert_cmpint (context->pss_mode, ==, ROAST_PSS_MODE_EXACT);
  g_assert_cmpint (context->wait_mode, ==, ROAST_WAIT_MODE_TREE);
  g_assert_cmpint (roast_launch_context_get_accounting (context), ==, ROAST_ACCOUNTING_WAIT);
  g_assert_true (context->ignore_sigpipe);
}

static void
test_guards (void)
{
  g_autoptr (RoastLaunchContext) context = roast_launch_context_new (NULL);

  g_test_expect_message ("Roast", G_LOG_LEVEL_CRITICAL, "*interval >= *MIN_INTERVAL*");
  roast_launch_context_set_interval (context, 9999);
  g_test_assert_expected_messages ();
  g_test_expect_message ("Roast", G_LOG_LEVEL_CRITICAL, "*'='*");
  roast_launch_context_setenv (context, "A=B", "C");
  g_test_assert_expected_messages ();
  g_assert_cmpint (roast_launch_context_get_interval (context), ==, G_USEC_PER_SEC);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/launch-context/defaults", test_defaults);
  g_test_add_func ("/launch-context/environment", test_environment);
  g_test_add_func ("/launch-context/settings", test_settings);
  g_test_add_func ("/launch-context/guards", test_guards);

  return g_test_run ();
}
