/* SPDX-License-Identifier: BSD-3-Clause */

/* Any text as the options of a plugin, as a value of --export, and as the arguments of roast-run, one on each line: it
 * is understood or refused with a reason, and what is understood is what was written. */

#include <stdint.h>
#include <string.h>

#include "base/roast-option-text-private.h"
#include "run-options.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
append_escaped (GString *text, const char *part)
{
  for (; *part != '\0'; part++)
    {
      if (*part == ',' || *part == '\\')
        g_string_append_c (text, '\\');
      g_string_append_c (text, *part);
    }
}

/* Written again from what was understood, it means the same. */
static void
check_again (GPtrArray *items)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GPtrArray) again = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < items->len; i++)
    {
      RoastOptionText *item = g_ptr_array_index (items, i);

      if (i > 0)
        g_string_append_c (text, ',');
      append_escaped (text, item->name);
      if (item->value != NULL)
        g_string_append_c (text, '=');
      append_escaped (text, item->value != NULL ? item->value : "");
    }
  again = roast_option_text_split (text->str, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (again->len, ==, items->len);
  for (guint i = 0; i < items->len; i++)
    {
      RoastOptionText *a = g_ptr_array_index (items, i), *b = g_ptr_array_index (again, i);

      g_assert_cmpstr (a->name, ==, b->name);
      g_assert_cmpstr (a->value, ==, b->value);
    }
}

static void
split (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) items = roast_option_text_split (text, &error);

  g_assert_true ((items == NULL) == (error != NULL));
  for (guint i = 0; items != NULL && i < items->len; i++)
    {
      RoastOptionText *item = g_ptr_array_index (items, i);

      g_assert_cmpstr (item->name, !=, "");
      g_assert_true (g_utf8_validate (item->name, -1, NULL));
      g_assert_true (item->value == NULL || g_utf8_validate (item->value, -1, NULL));
    }
  if (items != NULL)
    check_again (items);
}

static void
check_export (ExportOption *export)
{
  g_assert_cmpstr (export->name, !=, "");
  g_assert_null (strpbrk (export->name, ":"));
  g_assert_cmpstr (export->target, !=, "");
}

static void
parse_export (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ExportOption) export = export_option_parse (text, &error);
  g_autoptr (ExportOption) again = NULL;
  g_autoptr (GString) written = NULL;

  g_assert_true ((export == NULL) == (error != NULL));
  if (export == NULL)
    return;
  check_export (export);
  if (export->target == NULL)
    return;
  written = g_string_new ("x:");
  append_escaped (written, export->target);
  g_string_append (written, ",a=b");
  again = export_option_parse (written->str, NULL);
  g_assert_nonnull (again);
  g_assert_cmpstr (again->target, ==, export->target);
  g_assert_cmpstr (again->options, ==, "a=b");
}

/* As options of a backend: values of the declared types, or a reason. */
static void
parse_options (const char *name, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) values =
      roast_registry_parse_options (roast_registry_get_default (), ROAST_ROLE_BACKEND, name, text, &error);

  g_assert_true ((values == NULL) == (error != NULL));
  g_assert_true (values == NULL || g_variant_is_of_type (values, G_VARIANT_TYPE_VARDICT));
}

static void
parse_arguments (const char *text)
{
  g_autofree char *line = g_strconcat ("roast-run\n", text, NULL);
  g_auto (GStrv) arguments = g_strsplit (line, "\n", 100);
  g_autoptr (GError) error = NULL;
  g_autoptr (RunOptions) options = run_options_parse ((int) g_strv_length (arguments), arguments, &error);

  g_assert_true ((options == NULL) == (error != NULL));
  if (options == NULL)
    return;
  g_assert_cmpuint (options->backends->len, >, 0);
  g_assert_cmpuint (options->tags->len % 2, ==, 0);
  g_assert_cmpint (options->interval, >, 0);
  g_assert_true (options->help || options->version || (options->program == NULL) != (options->attach == NULL));
  for (guint i = 0; i < options->exports->len; i++)
    check_export (g_ptr_array_index (options->exports, i));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_strndup (size > 0 ? (const char *) data : "", size);

  split (text);
  parse_export (text);
  parse_options ("local", text);
  parse_options ("taskvine", text);
  parse_arguments (text);

  return 0;
}
