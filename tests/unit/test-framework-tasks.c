/* SPDX-License-Identifier: BSD-3-Clause */

/* Which categories of tasks are the analysis. */

#include <roast/roast.h>

#include "framework-tasks.h"
#include "rows.h"

#define UNNAMED "wrapped"
#define MAX_NAME 50

/* The role of the first category, if the run has all of them; NULL as processor if the user gave no name. */
static void
assert_role_of (const char *processor, guint max_name, const char *const *categories, const char *expected)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (FrameworkTasks) tasks = framework_tasks_new (recording, processor, UNNAMED, max_name);
  g_autofree char *row = g_strdup_printf ("category=%s role=%s", categories[0], expected);
  guint64 n = g_strv_length ((char **) categories);
  gboolean found = FALSE;

  for (guint i = 0; i < n; i++)
    framework_tasks_add (tasks, "a", categories[i]);
  framework_tasks_add (tasks, "a", categories[0]);
  framework_tasks_finish (tasks);
  framework_tasks_finish (tasks);
  g_assert_cmpuint (rows_count (recording, "categories"), ==, n);
  for (guint64 i = 0; i < n; i++)
    {
      g_autofree char *shown = rows_show (recording, "categories", i);

      found |= g_str_equal (shown, row);
    }
  if (!found)
    g_error ("%s with processor %s is not %s", categories[0], processor != NULL ? processor : "(none)", expected);
}

static void
assert_role (const char *processor, const char *const *categories, const char *expected)
{
  assert_role_of (processor, MAX_NAME, categories, expected);
}

#define analysis(processor, ...) assert_role (processor, (const char *const[]) { __VA_ARGS__, NULL }, "analysis")
#define framework(processor, ...) assert_role (processor, (const char *const[]) { __VA_ARGS__, NULL }, "framework")

static void
test_without_name (void)
{
  analysis (NULL, "MyProcessor");
  framework (NULL, "reduce");
  framework (NULL, "get_metadata");
  framework (NULL, "accumulating");
  /* What a script of its own calls lambda is its work. */
  analysis (NULL, "lambda");
  /* Nobody gave a name: tasks without one are the analysis, whatever else there is. */
  analysis (NULL, UNNAMED);
  analysis (NULL, UNNAMED, "MyProcessor", "reduce");
}

static void
test_with_name (void)
{
  static const char longest[] = "AVeryLongNameOfAProcessorThatDaskCutsAfterFiftyCharacters";
  static const char cut[] = "AVeryLongNameOfAProcessorThatDaskCutsAfterFiftyCha";

  analysis ("MyProcessor", "MyProcessor");
  framework ("MyProcessor", "other");
  framework ("MyProcessor", "reduce");
  analysis ("_Hidden", "Hidden");
  analysis (longest, cut);
  framework (longest, "AVeryLongName");
  /* The rest of 50 characters, the leading underscore included. */
  analysis ("_VeryLongNameOfAProcessorThatDaskCutsAfterFiftyCharacters",
            "VeryLongNameOfAProcessorThatDaskCutsAfterFiftyCha");
  framework (longest, "AVeryLongNameOfAProcessorThatDaskCutsAfterFiftyC");
  /* Not a name that only begins alike. */
  framework ("AVeryLongNameOfAProcessorThatDaskCutsAfterFiftyCh", cut);
}

/* Executors keep names as they are, or take punctuation off names that do not begin with a letter. */
static void
test_punctuation (void)
{
  static const struct
  {
    const char *processor;
    guint max_name;
    const char *category, *role;
  } cases[] = {
    { "_hidden_", 50, "hidden", "analysis" },
    { "('hidden')", 50, "hidden", "analysis" },
    { "_hidden_", 50, "hidden_", "analysis" },
    { "_hidden_", 7, "hidden", "analysis" },
    { "_hidden_", 50, "other", "framework" },
    { "hidden_", 50, "hidden", "framework" },
    { "___", 50, "_", "framework" },
    { "Px", 1, "P", "analysis" },
    { "_Hidden", 0, "_Hidden", "analysis" },
    { "_Hidden", 0, "Hidden", "analysis" },
    { "_hidden_", 0, "hidden", "framework" },
    { "P", 0, "(none)", "framework" },
    { "P", 0, "", "framework" },
    { "", 0, "P", "framework" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_role_of (cases[i].processor, cases[i].max_name, (const char *const[]) { cases[i].category, NULL },
                    cases[i].role);
}

/* Tasks without a name are the analysis unless others are it by name, whichever comes first. */
static void
test_unnamed (void)
{
  analysis ("MyProcessor", UNNAMED);
  analysis ("MyProcessor", UNNAMED, "other");
  framework ("MyProcessor", UNNAMED, "MyProcessor");
  analysis ("MyProcessor", "MyProcessor", UNNAMED);
}

/* The user gave no name, and the program reported it. */
static void
test_reported (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (FrameworkTasks) tasks = framework_tasks_new (recording, NULL, UNNAMED, MAX_NAME);
  g_autoptr (RoastRecording) other = roast_recording_new (NULL);
  g_autoptr (FrameworkTasks) others = framework_tasks_new (other, NULL, UNNAMED, MAX_NAME);

  rows_add (recording, "processing", "{'source': <'program-1'>, 'call': <'1'>, 'kind': <'preprocessing'>}");
  rows_add (recording, "processing", "{'source': <'program-1'>, 'call': <'2'>, 'processor': <'_Mine'>}");
  framework_tasks_add (tasks, "a", "lambda");
  framework_tasks_add (tasks, "a", UNNAMED);
  framework_tasks_add (tasks, "a", "Mine");
  framework_tasks_finish (tasks);
  g_assert_cmpuint (rows_count (recording, "categories"), ==, 3);
  assert_row (recording, "categories", 0, "category=Mine role=analysis");
  assert_row (recording, "categories", 1, "category=lambda role=framework");
  assert_row (recording, "categories", 2, "category=" UNNAMED " role=framework");

  /* Its tasks have no name of their own: without compression. */
  rows_add (other, "processing", "{'source': <'program-1'>, 'call': <'2'>, 'processor': <'Mine'>}");
  framework_tasks_add (others, "a", UNNAMED);
  framework_tasks_add (others, "a", "reduce");
  framework_tasks_finish (others);
  assert_row (other, "categories", 1, "category=" UNNAMED " role=analysis");
}

/* A role is written as soon as it is certain. */
static void
test_live (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (FrameworkTasks) tasks = framework_tasks_new (recording, "MyProcessor", UNNAMED, 0);

  framework_tasks_add (tasks, "a", UNNAMED);
  framework_tasks_add (tasks, "b", UNNAMED);
  g_assert_cmpuint (rows_count (recording, "categories"), ==, 0);
  framework_tasks_add (tasks, "b", "reduce");
  assert_row (recording, "categories", 0, "category=reduce role=framework");
  framework_tasks_add (tasks, "b", "MyProcessor");
  g_assert_cmpuint (rows_count (recording, "categories"), ==, 4);
  g_assert_cmpuint (rows_count_with (recording, "categories", "role", "framework"), ==, 3);
  g_assert_cmpuint (rows_count_with (recording, "categories", "source", "a"), ==, 1);
  /* What comes later is written at once. */
  framework_tasks_add (tasks, "c", UNNAMED);
  g_assert_cmpuint (rows_count (recording, "categories"), ==, 5);
  framework_tasks_finish (tasks);
  framework_tasks_add (tasks, "d", "late");
  g_assert_cmpuint (rows_count (recording, "categories"), ==, 5);
  g_assert_cmpuint (rows_count (recording, "events"), ==, 0);
}

/* A name that no task has is probably misspelt. Tasks without a name are the analysis all the same. */
static void
test_misspelt (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (FrameworkTasks) tasks = framework_tasks_new (recording, "MyProcesor", UNNAMED, 0);
  g_autoptr (FrameworkTasks) unnamed = framework_tasks_new (recording, "MyProcesor", UNNAMED, 0);
  g_autofree char *time = NULL;

  framework_tasks_add (tasks, "a", "MyProcessor");
  framework_tasks_finish (tasks);
  framework_tasks_add (unnamed, "a", UNNAMED);
  framework_tasks_finish (unnamed);
  g_assert_cmpuint (rows_count (recording, "events"), ==, 1);
  g_assert_true (rows_has_event (recording, "processor", "no task matches processor=MyProcesor"));
  time = rows_show_cell (recording, "events", 0, "time");
  g_assert_cmpstr (time, !=, "0");
  framework_tasks_finish (tasks);
  g_assert_cmpuint (rows_count (recording, "events"), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/framework-tasks/without-name", test_without_name);
  g_test_add_func ("/framework-tasks/with-name", test_with_name);
  g_test_add_func ("/framework-tasks/punctuation", test_punctuation);
  g_test_add_func ("/framework-tasks/unnamed", test_unnamed);
  g_test_add_func ("/framework-tasks/reported", test_reported);
  g_test_add_func ("/framework-tasks/live", test_live);
  g_test_add_func ("/framework-tasks/misspelt", test_misspelt);

  return g_test_run ();
}
