/* SPDX-License-Identifier: BSD-3-Clause */

/* The text of --export: names of files with any character can be written. */

#include "run-options.h"

static void
check_target (const char *text, const char *target, const char *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ExportOption) export = export_option_parse (text, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (export->name, ==, "json");
  g_assert_cmpstr (export->target, ==, target);
  g_assert_cmpstr (export->options, ==, options);
}

static void
test_export (void)
{
  check_target ("json", NULL, NULL);
  check_target ("json,indent=no", NULL, "indent=no");
  check_target ("json:a.json", "a.json", NULL);
  check_target ("json:a:b,indent=no", "a:b", "indent=no");
  check_target ("json:a\\,b,indent=no", "a,b", "indent=no");
}

/* A file whose name ends in a backslash could not be written before options. */
static void
test_backslashes (void)
{
  check_target ("json:a\\b\\", "a\\b\\", NULL);
  check_target ("json:a\\\\,indent=no", "a\\", "indent=no");
  check_target ("json:a\\\\\\,b", "a\\,b", NULL);
}

static void
check_refused (const char *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (export_option_parse (text, &error));
  g_assert_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_SYNTAX);
}

static void
test_refused (void)
{
  check_refused ("");
  check_refused (":a");
  check_refused (",indent=no");
  check_refused ("json:");
  check_refused ("json:,indent=no");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-options/export", test_export);
  g_test_add_func ("/run-options/backslashes", test_backslashes);
  g_test_add_func ("/run-options/refused", test_refused);

  return g_test_run ();
}
