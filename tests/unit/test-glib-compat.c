/* SPDX-License-Identifier: BSD-3-Clause */

/* What roast has in place of what came to GLib after 2.66 does what GLib's own does. */

#include <base/roast-glib-compat.h>

static void
test_memdup (void)
{
  const char data[] = "abc";
  g_autofree char *copy = g_memdup2 (data, sizeof data);

  g_assert_cmpstr (copy, ==, "abc");
  g_assert_true (copy != data);
  g_assert_null (g_memdup2 (data, 0));
  g_assert_null (g_memdup2 (NULL, 4));
}

static void
test_replace (void)
{
  static const struct
  {
    const char *text;
    const char *find;
    const char *replacement;
    guint limit;
    const char *expected;
    guint n;
  } cases[] = {
    { "a|b|c", "|", "\\|", 0, "a\\|b\\|c", 2 }, /* what it inserts it does not find again */
    { "a|b|c", "|", "", 0, "abc", 2 },
    { "|||", "|", "--", 2, "----|", 2 },
    { "aaa", "aa", "b", 0, "ba", 1 },
    { "abab", "ab", "ab", 0, "abab", 2 },
    { "abc", "d", "e", 0, "abc", 0 },
    { "", "d", "e", 0, "", 0 },
    { "@KIND@", "@KIND@", "worker", 0, "worker", 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) text = g_string_new (cases[i].text);

      g_assert_cmpuint (g_string_replace (text, cases[i].find, cases[i].replacement, cases[i].limit), ==, cases[i].n);
      g_assert_cmpstr (text->str, ==, cases[i].expected);
      g_assert_cmpuint (text->len, ==, strlen (cases[i].expected));
    }
}

static void
test_status (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (g_spawn_check_wait_status (0, &error));
  g_assert_no_error (error);
  g_assert_false (g_spawn_check_wait_status (3 << 8, &error));
  g_assert_error (error, G_SPAWN_EXIT_ERROR, 3);
}

typedef struct
{
  GObject parent_instance;
} Final;

typedef struct
{
  GObjectClass parent_class;
} FinalClass;

GType final_get_type (void);

G_DEFINE_FINAL_TYPE (Final, final, G_TYPE_OBJECT)

static void
final_class_init (FinalClass *klass)
{
}

static void
final_init (Final *self)
{
}

/* The flag by its number is what GLib means by it. */
static void
test_final (void)
{
  g_autoptr (GObject) object = g_object_new (final_get_type (), NULL);

  g_assert_nonnull (object);
#if GLIB_CHECK_VERSION(2, 70, 0)
  g_assert_cmpuint (ROAST_COMPAT_FINAL, ==, 1 << 6);
  g_assert_true (g_type_test_flags (final_get_type (), ROAST_COMPAT_FINAL));
  g_assert_false (g_type_test_flags (G_TYPE_OBJECT, ROAST_COMPAT_FINAL));
#endif
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/glib-compat/memdup", test_memdup);
  g_test_add_func ("/glib-compat/replace", test_replace);
  g_test_add_func ("/glib-compat/status", test_status);
  g_test_add_func ("/glib-compat/final", test_final);

  return g_test_run ();
}
