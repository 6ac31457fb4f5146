/* SPDX-License-Identifier: BSD-3-Clause */

/* The user's settings: defaults, values, and what is wrong in the file. */

#include <roast/roast.h>

#include "base/roast-settings-private.h"

static void
test_defaults (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastSettings) none = roast_settings_parse (NULL, "settings", &error);
  g_autoptr (RoastSettings) empty = NULL;

  g_assert_no_error (error);
  empty = roast_settings_parse ("# nothing\n[Runs]\n[Redaction]\n", "settings", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (none->max_runs, ==, 100);
  g_assert_cmpuint (none->max_size, ==, 1000000000);
  g_assert_cmpuint (none->max_run_size, ==, 200000000);
  g_assert_null (none->redact_patterns);
  g_assert_cmpuint (empty->max_runs, ==, 100);
  g_assert_null (empty->redact_patterns);
}

static void
test_values (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastSettings) settings = roast_settings_parse ("[Runs]\nMaxRuns=7\nMaxSize=1.5G\nMaxRunSize = 20k \n"
                                                             "[Redaction]\nPatterns=grid-\\\\d+;user (\\\\w+);\n",
                                                             "settings", &error);

  g_assert_no_error (error);
  g_assert_cmpuint (settings->max_runs, ==, 7);
  g_assert_cmpuint (settings->max_size, ==, 1500000000);
  g_assert_cmpuint (settings->max_run_size, ==, 20000);
  g_assert_cmpuint (g_strv_length (settings->redact_patterns), ==, 2);
  g_assert_cmpstr (settings->redact_patterns[0], ==, "grid-\\d+");
  g_assert_cmpstr (settings->redact_patterns[1], ==, "user (\\w+)");
}

static void
test_mistakes (void)
{
  static const struct
  {
    const char *text;
    const char *message;
  } mistakes[] = {
    { "MaxRuns=1\n", "*settings /s: *" },
    { "[Run]\n", "settings /s: unknown group “Run”; *Did you mean Runs?" },
    { "[Runs]\nMaxRun=1\n", "settings /s: unknown key in [Runs] “MaxRun”; *Did you mean MaxRuns?" },
    { "[Runs]\nMaxRuns=0\n", "settings /s: MaxRuns=0 in [Runs] must be a number above 0, such as *" },
    { "[Runs]\nMaxSize=-1\n", "*MaxSize=-1*must be*" },
    { "[Runs]\nMaxSize=1x\n", "*MaxSize=1x*must be*" },
    { "[Runs]\nMaxSize=1GB\n", "*MaxSize=1GB*must be*" },
    { "[Runs]\nMaxSize=nan\n", "*MaxSize=nan*must be*" },
    { "[Runs]\nMaxSize=\n", "*MaxSize=*must be*" },
    { "[Redaction]\nPattern=x\n", "*unknown key*“Pattern”*" },
    { "[Redaction]\nPatterns=a;(;\n", "*“(” in Patterns of [Redaction] is not a regular expression: *" },
    { "[Redaction]\nPatterns=a\\\n", "*ends in a backslash*" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (mistakes); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (RoastSettings) settings = roast_settings_parse (mistakes[i].text, "/s", &error);

      g_assert_null (settings);
      g_assert_nonnull (error);
      if (!g_pattern_match_simple (mistakes[i].message, error->message))
        g_error ("“%s” does not match “%s”", error->message, mistakes[i].message);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/settings/defaults", test_defaults);
  g_test_add_func ("/settings/values", test_values);
  g_test_add_func ("/settings/mistakes", test_mistakes);

  return g_test_run ();
}
