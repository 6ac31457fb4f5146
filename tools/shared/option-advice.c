/* SPDX-License-Identifier: BSD-3-Clause */
#include "option-advice.h"

#include <string.h>

#include "core/base/roast-fail-private.h"
#include "core/base/roast-suggest-private.h"

static GPtrArray *
option_advice_list_names (const GOptionEntry *entries)
{
  GPtrArray *names = g_ptr_array_new ();

  for (; entries->long_name != NULL; entries++)
    if (*entries->long_name != '\0') /* skip the empty name, which stands for non-option arguments */
      g_ptr_array_add (names, (gpointer) entries->long_name);
  g_ptr_array_add (names, (gpointer) "help");
  g_ptr_array_add (names, NULL);

  return names;
}

/* Finds the unknown option: the argument with which the error message ends. Do not compare the beginning of the
 * message, because it may be translated. */
static const char *
find_culprit (const GError *error, const char *const *arguments)
{
  for (guint i = 1; arguments[i] != NULL && !g_str_equal (arguments[i], "--"); i++)
    if (g_str_has_prefix (arguments[i], "--") && g_str_has_suffix (error->message, arguments[i]))
      return arguments[i] + 2;

  return NULL;
}

void
option_advice_add (GError *error, const char *const *arguments, const GOptionEntry *entries)
{
  g_autoptr (GPtrArray) names = option_advice_list_names (entries);
  g_autofree char *name = NULL;
  g_autofree char *message = NULL;
  const char *culprit = NULL;
  const char *near = NULL;

  if (!g_error_matches (error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION))
    return;
  culprit = find_culprit (error, arguments);
  if (culprit == NULL)
    return;
  name = g_strndup (culprit, strcspn (culprit, "="));
  near = roast_suggest (name, (const char *const *) names->pdata);
  if (near == NULL)
    return;
  message = g_steal_pointer (&error->message);
  error->message = g_strdup_printf ("%s. Did you mean --%s?", message, near);
}

/* Rejects a value for an option that takes no value, such as --quiet=yes, because GLib would ignore the value. */
gboolean
option_advice_refuse_values (const char *const *arguments, const GOptionEntry *entries, GError **error)
{
  for (guint i = 1; arguments[i] != NULL && !g_str_equal (arguments[i], "--"); i++)
    for (const GOptionEntry *entry = entries; entry->long_name != NULL; entry++)
      {
        gsize length = strlen (entry->long_name);

        if (entry->arg == G_OPTION_ARG_NONE && g_str_has_prefix (arguments[i], "--") &&
            strncmp (arguments[i] + 2, entry->long_name, length) == 0 && arguments[i][2 + length] == '=')
          return roast_fail (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s: --%s takes no value", arguments[i],
                             entry->long_name);
      }

  return TRUE;
}

static gboolean
takes_value (const GOptionEntry *entry)
{
  return entry->arg != G_OPTION_ARG_NONE && (entry->flags & (G_OPTION_FLAG_NO_ARG | G_OPTION_FLAG_OPTIONAL_ARG)) == 0;
}

/* Cuts the value off an argument such as -w5 or -1w5. Returns NULL if the argument contains no value. @needs_value: set
 * to whether the next argument is the value */
static char *
cut_value (char *argument, const GOptionEntry *entries, gboolean *needs_value)
{
  gboolean is_long = g_str_has_prefix (argument, "--");

  for (char *c = argument + 1; *c != '\0'; c++)
    {
      const GOptionEntry *entry = entries;
      char *value = c + 1;

      while (entry->long_name != NULL && !(is_long ? g_str_equal (value, entry->long_name) : *c == entry->short_name))
        entry++;
      *needs_value = entry->long_name != NULL && takes_value (entry) && (is_long || *value == '\0');
      if (is_long || *needs_value || entry->long_name == NULL)
        return NULL;
      if (takes_value (entry))
        {
          char *cut = g_strdup (value);

          *value = '\0';
          return cut;
        }
    }

  return NULL;
}

/* Makes the values of short options arguments of their own, because GLib would take the next argument as the value.
 * @has_command: the first argument that is not an option begins a command, whose options are not ours */
static void
detach_values (char ***arguments, const GOptionEntry *entries, gboolean has_command)
{
  GPtrArray *words = g_ptr_array_new ();
  gboolean needs_value = TRUE; /* the first argument is the name of the program */
  gboolean is_over = FALSE;

  for (char **word = *arguments; *word != NULL; word++)
    {
      char *value = NULL;

      is_over = is_over || (!needs_value && (g_str_equal (*word, "--") || (has_command && **word != '-')));
      if (!is_over && !needs_value && **word == '-')
        value = cut_value (*word, entries, &needs_value);
      else
        needs_value = FALSE;
      g_ptr_array_add (words, *word);
      if (value != NULL)
        g_ptr_array_add (words, value);
    }
  g_ptr_array_add (words, NULL);
  g_free (*arguments);
  *arguments = (char **) g_ptr_array_free (words, FALSE);
}

gboolean
option_advice_parse (GOptionContext *context, char ***arguments, const GOptionEntry *entries, gpointer data,
                     GError **error)
{
  GOptionGroup *group = g_option_group_new ("main", NULL, NULL, data, NULL);
  g_auto (GStrv) given = g_strdupv (*arguments);
  g_autoptr (GError) wrong = NULL;

  g_option_group_add_entries (group, entries);
  g_option_context_set_main_group (context, group);
  g_option_context_set_help_enabled (context, FALSE);
  /* With strict POSIX parsing, skip the check, because the arguments may contain options of the command to run. */
  if (!g_option_context_get_strict_posix (context) &&
      !option_advice_refuse_values ((const char *const *) given, entries, error))
    return FALSE;
  detach_values (arguments, entries, g_option_context_get_strict_posix (context));
  if (g_option_context_parse_strv (context, arguments, &wrong))
    return TRUE;
  option_advice_add (wrong, (const char *const *) given, entries);
  g_propagate_error (error, g_steal_pointer (&wrong));

  return FALSE;
}
