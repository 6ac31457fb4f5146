/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-settings-private.h"

#include <string.h>

#include "roast-fail-private.h"
#include "roast-key-file-private.h"
#include "roast-missing-private.h"
#include "roast-redact-private.h"
#include "roast-suggest-private.h"

#define GROUP_RUNS "Runs"
#define KEY_MAX_RUNS "MaxRuns"
#define KEY_MAX_SIZE "MaxSize"
#define KEY_MAX_RUN_SIZE "MaxRunSize"
#define GROUP_REDACTION "Redaction"
#define KEY_PATTERNS "Patterns"

#define MAX_FILE 65536

void
roast_settings_free (RoastSettings *self)
{
  g_strfreev (self->redact_patterns);
  g_free (self);
}

static gboolean
check_names (const char *path, const char *what, char **found, const char *const *known, GError **error)
{
  for (guint i = 0; found[i] != NULL; i++)
    {
      g_autofree char *sentence = NULL;

      if (g_strv_contains (known, found[i]))
        continue;
      sentence = roast_suggest_sentence (found[i], known, "the known names are", "no names are known");
      return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_UNKNOWN, "settings %s: unknown %s “%s”; %s",
                         path, what, found[i], sentence);
    }

  return TRUE;
}

/* Parse a number such as 200, 200k or 1.5G. Suffixes are powers of 1000. */
static gboolean
settings_parse_number (const char *text, guint64 *value)
{
  static const char units[] = "kMGT";
  char *end = NULL;
  double number = g_ascii_strtod (text, &end);
  const char *unit = *end != '\0' ? strchr (units, *end) : NULL;

  if (end == text || !(number >= 0))
    return FALSE;
  if (unit != NULL)
    {
      end++;
      for (const char *u = units; u <= unit; u++)
        number *= 1000;
    }
  if (*end != '\0' || number > 1e18)
    return FALSE;
  *value = (guint64) number;

  return TRUE;
}

static gboolean
settings_take_number (GKeyFile *file, const char *path, const char *key, guint64 *value, GError **error)
{
  g_autofree char *text = g_key_file_get_string (file, GROUP_RUNS, key, NULL);

  if (text == NULL)
    return TRUE;
  g_strstrip (text);
  if (settings_parse_number (text, value) && *value > 0)
    return TRUE;
  return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                     "settings %s: %s=%s in [" GROUP_RUNS "] must be a number above 0, such as 100, 200M or 1.5G", path,
                     key, text);
}

static gboolean
take_runs (RoastSettings *self, GKeyFile *file, const char *path, GError **error)
{
  static const char *const known[] = { KEY_MAX_RUNS, KEY_MAX_SIZE, KEY_MAX_RUN_SIZE, NULL };
  g_auto (GStrv) keys = g_key_file_get_keys (file, GROUP_RUNS, NULL, NULL);
  guint64 runs = self->max_runs;

  if (keys == NULL)
    return TRUE;
  if (!check_names (path, "key in [" GROUP_RUNS "]", keys, known, error) ||
      !settings_take_number (file, path, KEY_MAX_RUNS, &runs, error) ||
      !settings_take_number (file, path, KEY_MAX_SIZE, &self->max_size, error) ||
      !settings_take_number (file, path, KEY_MAX_RUN_SIZE, &self->max_run_size, error))
    return FALSE;
  self->max_runs = (guint) MIN (runs, G_MAXUINT);

  return TRUE;
}

static gboolean
check_pattern (const char *path, const char *pattern, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (GRegex) regex = g_regex_new (pattern, 0, 0, &local);

  if (regex != NULL)
    return TRUE;
  return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                     "settings %s: “%s” in " KEY_PATTERNS " of [" GROUP_REDACTION "] is not a regular expression: %s",
                     path, pattern, local->message);
}

static gboolean
take_redaction (RoastSettings *self, GKeyFile *file, const char *path, GError **error)
{
  static const char *const known[] = { KEY_PATTERNS, NULL };
  g_auto (GStrv) keys = g_key_file_get_keys (file, GROUP_REDACTION, NULL, NULL);

  if (keys == NULL || keys[0] == NULL)
    return TRUE;
  if (!check_names (path, "key in [" GROUP_REDACTION "]", keys, known, error))
    return FALSE;
  self->redact_patterns = g_key_file_get_string_list (file, GROUP_REDACTION, KEY_PATTERNS, NULL, error);
  if (self->redact_patterns == NULL)
    {
      g_prefix_error (error, "settings %s: ", path);
      return FALSE;
    }
  for (guint i = 0; self->redact_patterns != NULL && self->redact_patterns[i] != NULL; i++)
    if (!check_pattern (path, self->redact_patterns[i], error))
      return FALSE;

  return TRUE;
}

RoastSettings *
roast_settings_parse (const char *text, const char *path, GError **error)
{
  static const char *const known[] = { GROUP_RUNS, GROUP_REDACTION, NULL };
  g_autoptr (RoastSettings) self = g_new0 (RoastSettings, 1);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *half = NULL;
  g_auto (GStrv) groups = NULL;

  self->max_runs = 100;
  self->max_size = 1000 * 1000 * 1000;
  self->max_run_size = 200 * 1000 * 1000;
  if (text == NULL)
    return g_steal_pointer (&self);

  if (!g_key_file_load_from_data (file, text, strlen (text), G_KEY_FILE_NONE, error))
    {
      g_prefix_error (error, "settings %s: ", path);
      return NULL;
    }
  half = roast_key_file_find_half_escape (file);
  if (half != NULL)
    return roast_fail_null (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_SYNTAX,
                            "settings %s: the value of %s ends in a backslash. Write a backslash as \\\\", path, half);
  groups = g_key_file_get_groups (file, NULL);
  if (!check_names (path, "group", groups, known, error) || !take_runs (self, file, path, error) ||
      !take_redaction (self, file, path, error))
    return NULL;

  return g_steal_pointer (&self);
}

static RoastSettings *
load (GError **error)
{
  g_autofree char *path = g_build_filename (g_get_user_config_dir (), "roast", "settings", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) local = NULL;
  gsize length = 0;

  if (roast_is_missing (path))
    return roast_settings_parse (NULL, path, error);
  if (!g_file_get_contents (path, &text, &length, &local))
    return roast_fail_null (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE, "cannot read the settings: %s",
                            local->message);
  if (length > MAX_FILE || !g_utf8_validate_len (text, length, NULL))
    return roast_fail_null (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_SYNTAX,
                            "settings %s: the file must be UTF-8 text of at most %d bytes", path, MAX_FILE);

  return roast_settings_parse (text, path, error);
}

const RoastSettings *
roast_settings_get (GError **error)
{
  static GMutex lock;
  static RoastSettings *settings;
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);

  if (settings != NULL)
    return settings;
  settings = load (error);
  for (guint i = 0; settings != NULL && settings->redact_patterns != NULL && settings->redact_patterns[i] != NULL; i++)
    roast_redact_add_pattern (settings->redact_patterns[i], NULL);

  return settings;
}
