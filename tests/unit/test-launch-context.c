/* SPDX-License-Identifier: BSD-3-Clause */
#include <roast/roast.h>

static void
test_defaults (void)
{
  const char *argv[] = { "sh", "-c", "exit 3", NULL };
  g_autoptr (RoastLaunchContext) context = roast_launch_context_new (argv);
  g_autoptr (RoastLaunchContext) empty = roast_launch_context_new (NULL);
  g_autoptr (GPtrArray) observers = roast_launch_context_list_observers (context);
  RoastAccounting accounting = roast_launch_context_get_accounting (context);

  g_assert_cmpstrv (roast_launch_context_get_argv (context), argv);
  g_assert_null (roast_launch_context_get_argv (empty)[0]);
  g_assert_null (roast_launch_context_get_directory (context));
  g_assert_cmpint (roast_launch_context_get_interval (context), ==, G_USEC_PER_SEC);
  g_assert_cmpint (roast_launch_context_get_grace (context), ==, G_USEC_PER_SEC / 5);
  g_assert_cmpint (roast_launch_context_get_pss_mode (context), ==, ROAST_PSS_MODE_AUTO);
  g_assert_cmpint (roast_launch_context_get_wait_mode (context), ==, ROAST_WAIT_MODE_MAIN);
  g_assert_true (accounting & ROAST_ACCOUNTING_WAIT);
  g_assert_true (accounting & ROAST_ACCOUNTING_CHILDREN);
  g_assert_false (roast_launch_context_get_ignore_sigpipe (context));
  g_assert_cmpuint (observers->len, ==, 0);
}

static void
test_environment (void)
{
  g_autoptr (RoastLaunchContext) context = roast_launch_context_new (NULL);
  g_auto (GStrv) before = NULL;
  g_auto (GStrv) environment = NULL;

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

  environment = roast_launch_context_dup_environment (context);
  g_assert_true (g_strv_contains ((const char *const *) environment, "ROAST_TEST_A=2 = 2"));
  g_assert_true (g_strv_contains ((const char *const *) environment, "ROAST_TEST_B="));

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
  g_assert_cmpint (roast_launch_context_get_grace (context), ==, 0);
  g_assert_cmpint (roast_launch_context_get_pss_mode (context), ==, ROAST_PSS_MODE_EXACT);
  g_assert_cmpint (roast_launch_context_get_wait_mode (context), ==, ROAST_WAIT_MODE_TREE);
  g_assert_cmpint (roast_launch_context_get_accounting (context), ==, ROAST_ACCOUNTING_WAIT);
  g_assert_true (roast_launch_context_get_ignore_sigpipe (context));
}

static void
on_notify (GObject *object, GParamSpec *pspec, gpointer user_data)
{
  g_string_append_printf (user_data, "%s;", pspec->name);
}

/* By their names, and with one notification for each change. */
static void
test_properties (void)
{
  const char *argv[] = { "sleep", "1", NULL };
  g_autoptr (RoastLaunchContext) context = g_object_new (ROAST_TYPE_LAUNCH_CONTEXT, "argv", argv, NULL);
  g_autoptr (GString) heard = g_string_new (NULL);
  g_autofree char *directory = NULL;
  g_auto (GStrv) back = NULL;
  RoastPssMode pss_mode;
  RoastWaitMode wait_mode;
  RoastAccounting accounting;
  gboolean ignore_sigpipe;
  gint64 interval;
  gint64 grace;

  g_signal_connect (context, "notify", G_CALLBACK (on_notify), heard);
  for (guint i = 0; i < 2; i++)
    g_object_set (context, "directory", "/tmp", "interval", G_GINT64_CONSTANT (20000), "pss-mode", ROAST_PSS_MODE_OFF,
                  "wait-mode", ROAST_WAIT_MODE_TREE, "grace", G_GINT64_CONSTANT (5), "accounting", ROAST_ACCOUNTING_IO,
                  "ignore-sigpipe", TRUE, NULL);
  g_assert_cmpstr (heard->str, ==, "ignore-sigpipe;accounting;grace;wait-mode;pss-mode;interval;directory;");
  g_object_get (context, "argv", &back, "directory", &directory, "interval", &interval, "pss-mode", &pss_mode,
                "wait-mode", &wait_mode, "grace", &grace, "accounting", &accounting, "ignore-sigpipe", &ignore_sigpipe,
                NULL);
  g_assert_cmpstrv (back, argv);
  g_assert_cmpstr (directory, ==, "/tmp");
  g_assert_cmpint (interval, ==, 20000);
  g_assert_cmpint (pss_mode, ==, ROAST_PSS_MODE_OFF);
  g_assert_cmpint (wait_mode, ==, ROAST_WAIT_MODE_TREE);
  g_assert_cmpint (grace, ==, 5);
  g_assert_cmpint (accounting, ==, ROAST_ACCOUNTING_IO);
  g_assert_true (ignore_sigpipe);
}

static void
test_guards (void)
{
  g_autoptr (RoastLaunchContext) context = roast_launch_context_new (NULL);

  g_test_expect_message ("Roast", G_LOG_LEVEL_CRITICAL, "*interval >= MIN_INTERVAL*");
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
  g_test_add_func ("/launch-context/properties", test_properties);
  g_test_add_func ("/launch-context/guards", test_guards);

  return g_test_run ();
}
