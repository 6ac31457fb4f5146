/* SPDX-License-Identifier: BSD-3-Clause */

/* Groups, keys and values of a text; what GKeyFile makes of the same text is the reference. */

#include <base/roast-key-text-private.h>
#include <string.h>

static RoastKeyText *
read_text (const char *text)
{
  g_autoptr (GError) error = NULL;
  RoastKeyText *self = roast_key_text_new (text, strlen (text), &error);

  g_assert_no_error (error);

  return self;
}

static void
assert_as_key_file (const char *text)
{
  g_autoptr (RoastKeyText) self = read_text (text);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_auto (GStrv) groups = NULL;
  g_autoptr (GError) error = NULL;

  g_key_file_load_from_data (file, text, (gsize) -1, G_KEY_FILE_NONE, &error);
  g_assert_no_error (error);
  groups = g_key_file_get_groups (file, NULL);
  g_assert_cmpuint (self->groups->len, ==, g_strv_length (groups));
  for (guint i = 0; groups[i] != NULL; i++)
    {
      const RoastKeyGroup *group = roast_key_text_find (self, groups[i]);
      const RoastKeyEntry *entries = roast_key_text_get_entries (self, group);
      g_auto (GStrv) keys = g_key_file_get_keys (file, groups[i], NULL, NULL);

      g_assert_cmpstr (group->name, ==, groups[i]);
      g_assert_true (group == &g_array_index (self->groups, RoastKeyGroup, i));
      g_assert_cmpuint (group->n_entries, ==, g_strv_length (keys));
      for (guint k = 0; keys[k] != NULL; k++)
        {
          g_autofree char *value = g_key_file_get_string (file, groups[i], keys[k], &error);

          g_assert_no_error (error);
          g_assert_cmpstr (entries[k].key, ==, keys[k]);
          g_assert_cmpstr (entries[k].value, ==, value);
        }
    }
}

static void
test_as_key_file (void)
{
  assert_as_key_file ("");
  assert_as_key_file ("\n  \n# a comment\n");
  assert_as_key_file ("[a]\n[b c]\nx=1\ny = 2 \n  z\t=\t3=4\n# x=5\n   # x=6\nempty=\n[d]\nx=“µ”\n");
  assert_as_key_file ("  [a] \t\nx=1");
  assert_as_key_file ("[a]\r\nx=1\r\n\r\ny=2\r\n");
  assert_as_key_file ("[a]\nx=\\s1\\n2\\t3\\r4\\\\5\\\\\\\\\ny=\\\\n\n");
}

static void
test_find (void)
{
  g_autoptr (RoastKeyText) self = read_text ("[a]\nx=1\n[b]\n");

  g_assert_cmpuint (roast_key_text_find (self, "b")->n_entries, ==, 0);
  g_assert_null (roast_key_text_find (self, "c"));
  g_assert_null (roast_key_text_find (self, "x"));
}

/* Names and values live as long as the box that they are parts of. */
static void
test_box (void)
{
  RoastKeyText *self = read_text ("[a]\nx=1\n");
  char *box = g_atomic_rc_box_acquire (self->data);
  const char *value = roast_key_text_get_entries (self, roast_key_text_find (self, "a"))->value;

  roast_key_text_free (self);
  g_assert_cmpstr (value, ==, "1");
  g_atomic_rc_box_release (box);
}

static void
assert_error (const char *text, gsize length, int code, const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (roast_key_text_new (text, length, &error));
  g_assert_error (error, G_KEY_FILE_ERROR, code);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_errors (void)
{
  static const struct
  {
    const char *text;
    int code;
    const char *message;
  } bad[] = {
    { "[a]\nno equals sign\n", G_KEY_FILE_ERROR_PARSE,
      "line 2: “no equals sign” is not a group, a comment or KEY=VALUE" },
    { "[a]\n = 1\n", G_KEY_FILE_ERROR_PARSE, "line 2: “= 1” is not a group, a comment or KEY=VALUE" },
    { "\n\nx=1\n", G_KEY_FILE_ERROR_PARSE,
      "line 3: key “x” comes before the first group: write a line [GROUP] before this key" },
    { "[a\n", G_KEY_FILE_ERROR_PARSE, "line 1: “[a” is not the name of a group in brackets" },
    { "[]\n", G_KEY_FILE_ERROR_PARSE, "line 1: “[]” is not the name of a group in brackets" },
    { "[a] b\n", G_KEY_FILE_ERROR_PARSE, "line 1: “[a] b” is not the name of a group in brackets" },
    { "[[a]\n", G_KEY_FILE_ERROR_PARSE, "line 1: “[[a]” is not the name of a group in brackets" },
    { "[a\tb]\n", G_KEY_FILE_ERROR_PARSE, "line 1: a group's name contains a control character" },
    { "[a]\nx[de]=1\n", G_KEY_FILE_ERROR_PARSE, "line 2: key “x[de]” contains a bracket" },
    { "[a]\nx=1\\\n", G_KEY_FILE_ERROR_PARSE,
      "line 2: the value of x ends in an incomplete escape: write \\\\ for a backslash" },
    { "[a]\nx=\\\\\\\n", G_KEY_FILE_ERROR_PARSE,
      "line 2: the value of x ends in an incomplete escape: write \\\\ for a backslash" },
    { "[a]\nx=\\d\n", G_KEY_FILE_ERROR_PARSE,
      "line 2: the value of x has the unknown escape \\d: write \\\\ for a backslash" },
    { "[a]\nx=\xff\n", G_KEY_FILE_ERROR_PARSE, "the text is not UTF-8" },
    { "[a]\n123456789=\xc3\xa4\xc3\n", G_KEY_FILE_ERROR_PARSE, "the text is not UTF-8" },
    { "[a]\n[b]\n [a] \n", G_KEY_FILE_ERROR_INVALID_VALUE, "group [a] appears twice" },
    { "[a]\nx=1\ny=2\nx =3\n[b]\n", G_KEY_FILE_ERROR_INVALID_VALUE, "x appears twice in [a]" },
    { "[a]\nx=1\n[b]\nx=1\ny=2\ny=3", G_KEY_FILE_ERROR_INVALID_VALUE, "y appears twice in [b]" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    assert_error (bad[i].text, strlen (bad[i].text), bad[i].code, bad[i].message);
  assert_error ("[a]\nx=\0\n", 8, G_KEY_FILE_ERROR_PARSE, "the text is not UTF-8");
}

/* Keys are compared in another way in a large group. */
static void
test_many_keys (void)
{
  GString *text = g_string_new ("[a]\n");
  g_autoptr (RoastKeyText) self = NULL;

  for (guint i = 0; i < 1000; i++)
    g_string_append_printf (text, "key%u=%u\n", i, i);
  self = read_text (text->str);
  g_assert_cmpuint (roast_key_text_find (self, "a")->n_entries, ==, 1000);
  g_assert_cmpstr (roast_key_text_get_entries (self, roast_key_text_find (self, "a"))[999].value, ==, "999");
  g_string_append (text, "key500=1\n");
  assert_error (text->str, text->len, G_KEY_FILE_ERROR_INVALID_VALUE, "key500 appears twice in [a]");
  g_string_free (text, TRUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/key-text/as-key-file", test_as_key_file);
  g_test_add_func ("/key-text/find", test_find);
  g_test_add_func ("/key-text/box", test_box);
  g_test_add_func ("/key-text/errors", test_errors);
  g_test_add_func ("/key-text/many-keys", test_many_keys);

  return g_test_run ();
}
