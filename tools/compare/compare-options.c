/* SPDX-License-Identifier: BSD-3-Clause */

#include "compare.h"
#include "export-option.h"
#include "option-advice.h"

#define AGAINST "--against"
#define MOST_TRIALS 1000
#define NO_TRIALS (-1)

void
compare_options_free (CompareOptions *self)
{
  g_strfreev (self->runs);
  g_strfreev (self->reference);
  g_free (self->directory);
  g_clear_pointer (&self->exports, g_ptr_array_unref);
  g_free (self->color);
  g_free (self);
}

static gboolean
on_export (const char *name, const char *value, gpointer data, GError **error)
{
  CompareOptions *self = data;

  return export_option_append (self->exports, value, error);
}

/* Splits the arguments at --against. Puts the name of the program before each of the two parts, because GOption expects
 * it there. */
static gboolean
split (int argc, char **argv, GPtrArray *before, GPtrArray *after)
{
  gboolean found = FALSE;

  g_ptr_array_add (after, g_strdup (argv[0]));
  for (int i = 0; i < argc; i++)
    {
      if (i > 0 && !found && g_str_equal (argv[i], AGAINST))
        found = TRUE;
      else
        g_ptr_array_add (found ? after : before, g_strdup (argv[i]));
    }
  g_ptr_array_add (before, NULL);
  g_ptr_array_add (after, NULL);

  return found;
}

/* Copies the arguments after the name of the program, without a “--” before them. */
static char **
dup_rest (char **arguments)
{
  char **rest = arguments + 1;

  return g_strdupv (*rest != NULL && g_str_equal (*rest, "--") ? rest + 1 : rest);
}

static gboolean
check (CompareOptions *self, gboolean has_against, GError **error)
{
  if (self->help || self->version)
    return TRUE;
  if (self->trials != NO_TRIALS && (self->trials < 1 || self->trials > MOST_TRIALS))
    g_set_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE, "--runs=%d must be from 1 to %d", self->trials,
                 MOST_TRIALS);
  else if (self->scaling && (has_against || self->trials != NO_TRIALS || *self->runs == NULL))
    g_set_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_SYNTAX,
                 "--scaling compares runs on different numbers of slots, without --against or --runs: use "
                 "roast-compare --scaling RUN…");
  else if (self->scaling)
    return export_option_check_color (self->color, error);
  else if (!has_against || *self->runs == NULL || *self->reference == NULL)
    g_set_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_SYNTAX,
                 "no runs to compare are given: use roast-compare RUN… --against RUN…, or roast-compare --runs=6 -- "
                 "COMMAND --against COMMAND");
  else if (self->directory != NULL && self->trials == NO_TRIALS)
    g_set_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_SYNTAX, "--keep can be used only with --runs");
  else
    return export_option_check_color (self->color, error);

  return FALSE;
}

/* @is_strict: stop at the first word that is not an option */
static gboolean
parse (char ***arguments, gboolean is_strict, const GOptionEntry *entries, CompareOptions *self, GError **error)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);

  g_option_context_set_strict_posix (context, is_strict);

  return option_advice_parse (context, arguments, entries, self, error);
}

CompareOptions *
compare_options_parse (int argc, char **argv, GError **error)
{
  g_autoptr (CompareOptions) self = g_new0 (CompareOptions, 1);
  g_autoptr (GPtrArray) before = g_ptr_array_new ();
  g_autoptr (GPtrArray) after = g_ptr_array_new ();
  gboolean has_against = split (argc, argv, before, after);
  g_auto (GStrv) first = (char **) g_ptr_array_free (g_steal_pointer (&before), FALSE);
  g_auto (GStrv) second = (char **) g_ptr_array_free (g_steal_pointer (&after), FALSE);
  const GOptionEntry entries[] = {
    { "runs", 'n', 0, G_OPTION_ARG_INT, &self->trials, NULL, NULL },
    { "scaling", 0, 0, G_OPTION_ARG_NONE, &self->scaling, NULL, NULL },
    { "keep", 0, 0, G_OPTION_ARG_FILENAME, &self->directory, NULL, NULL },
    { "export", 'e', 0, G_OPTION_ARG_CALLBACK, on_export, NULL, NULL },
    { "color", 0, 0, G_OPTION_ARG_STRING, &self->color, NULL, NULL },
    { "help", 'h', 0, G_OPTION_ARG_NONE, &self->help, NULL, NULL },
    { "version", 0, 0, G_OPTION_ARG_NONE, &self->version, NULL, NULL },
    { NULL },
  };

  self->trials = NO_TRIALS;
  self->exports = g_ptr_array_new_with_free_func ((GDestroyNotify) export_option_free);
  if (!parse (&first, TRUE, entries, self, error))
    return NULL;
  /* If the other words are names of runs, also take options that come after them. If they are commands, such options
   * belong to the command. */
  if (self->trials == NO_TRIALS &&
      (!parse (&first, FALSE, entries, self, error) || !parse (&second, FALSE, entries, self, error)))
    return NULL;
  self->runs = dup_rest (first);
  self->reference = dup_rest (second);

  return check (self, has_against, error) ? g_steal_pointer (&self) : NULL;
}
