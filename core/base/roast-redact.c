/* SPDX-License-Identifier: BSD-3-Clause */

/* Redacts the words of a command line by what each word says about the next. */

#include "roast-redact-private.h"

#include <string.h>

typedef enum
{
  WORD_PLAIN,
  WORD_SECRET, /* the value of an option such as --password */
  WORD_USER,   /* the value of an option such as curl's -u: NAME:PASSWORD */
} WordKind;

/* Programs whose -p option takes a password. */
static const char *const short_password_programs[] = { "7z",           "7za",   "7zr",        "7zz",       "mariadb",
                                                       "mariadb-dump", "mysql", "mysqladmin", "mysqldump", "rar",
                                                       "sshpass",      "unrar", NULL };

/* Programs whose user argument contains a password. */
static const char *const user_programs[] = { "curl", "smbclient", NULL };

/* Programs that log in with USER/PASSWORD[@DATABASE]. */
static const char *const oracle_programs[] = { "expdp", "impdp", "sqlldr", "sqlplus", NULL };

/* Options followed by a password that their name does not reveal. */
static const struct
{
  const char *program, *option;
} password_options[] = {
  { "sshpass", "-p" },      { "openssl", "-k" },       { "openssl", "-K" },    { "openssl", "-pass" },
  { "openssl", "-passin" }, { "openssl", "-passout" }, { "redis-cli", "-a" },  { "ldapadd", "-w" },
  { "ldapdelete", "-w" },   { "ldapmodify", "-w" },    { "ldappasswd", "-w" }, { "ldapsearch", "-w" },
  { "ldapwhoami", "-w" },   { "zip", "-P" },           { "unzip", "-P" },
};

/* The same kinds of password in a script. */
static const char script_pattern[] =
    "\\bsshpass\\s+-p\\s*(\\S+)|"
    "\\b(?:mariadb(?:-dump)?|mysql(?:admin|dump)?)\\b[^|;&\\n]*?\\s-p(\\S+)|"
    "\\bcurl\\b[^|;&\\n]*?\\s(?:-[a-zA-Z]*u\\s*|--(?:proxy-)?user[=\\s]\\s*)([^\\s:]+:\\S+)";

static GMutex patterns_lock;
static GPtrArray *patterns; /* of GRegex, guarded by patterns_lock; NULL if there are none */

gboolean
roast_redact_add_pattern (const char *pattern, GError **error)
{
  GRegex *regex = g_regex_new (pattern, 0, 0, error);

  if (regex == NULL)
    return FALSE;
  g_mutex_lock (&patterns_lock);
  if (patterns == NULL)
    patterns = g_ptr_array_new_with_free_func ((GDestroyNotify) g_regex_unref);
  g_ptr_array_add (patterns, regex);
  g_mutex_unlock (&patterns_lock);

  return TRUE;
}

void
roast_redact_remove_patterns (void)
{
  g_mutex_lock (&patterns_lock);
  g_clear_pointer (&patterns, g_ptr_array_unref);
  g_mutex_unlock (&patterns_lock);
}

static gboolean
replace_match (const GMatchInfo *match, GString *out, gpointer data)
{
  int start = 0, end = 0, from = 0, to = 0;
  int group = g_match_info_get_match_count (match) - 1; /* the last group that matched, for alternatives */

  g_match_info_fetch_pos (match, 0, &start, &end);
  if (group < 1 || !g_match_info_fetch_pos (match, data != NULL ? group : 1, &from, &to) || from < 0)
    {
      from = start;
      to = end;
    }
  g_string_append_len (out, g_match_info_get_string (match) + start, from - start);
  g_string_append (out, ROAST_REDACTED);
  g_string_append_len (out, g_match_info_get_string (match) + to, end - to);

  return FALSE;
}

/* Apply the user's patterns. If a match takes too long, redact the whole text. Takes ownership of the text. */
static char *
apply_patterns (char *text)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&patterns_lock);

  for (guint i = 0; patterns != NULL && i < patterns->len; i++)
    {
      g_autofree char *before = text;

      text = g_regex_replace_eval (g_ptr_array_index (patterns, i), before, -1, 0, 0, replace_match, NULL, NULL);
      if (text == NULL)
        return g_strdup (ROAST_REDACTED);
    }

  return text;
}

/* Takes ownership of the text. */
static char *
redact_script (char *text)
{
  static GRegex *regex;
  g_autofree char *before = text;

  if (strpbrk (text, " \t") == NULL)
    return g_steal_pointer (&before);
  if (g_once_init_enter (&regex))
    g_once_init_leave (&regex, g_regex_new (script_pattern, G_REGEX_OPTIMIZE, 0, NULL));
  text = g_regex_replace_eval (regex, before, -1, 0, 0, replace_match, regex, NULL);

  return text != NULL ? text : g_strdup (ROAST_REDACTED);
}

char *
roast_redact_text (const char *text)
{
  return apply_patterns (redact_script (roast_redact_by_form (text)));
}

char *
roast_redact_file (const char *name)
{
  const char *scheme = strstr (name, "://");
  const char *path = NULL;
  const char *query = NULL;
  g_autofree char *authority = NULL;
  g_autofree char *redacted_authority = NULL;
  g_autofree char *redacted_query = NULL;
  g_autofree char *result = NULL;

  if (scheme == NULL)
    return NULL;
  path = scheme + 3 + strcspn (scheme + 3, "/?#");
  query = path + strcspn (path, "?#");
  if (*query == '\0' && memchr (scheme, '@', path - scheme) == NULL)
    return NULL;
  authority = g_strndup (name, path - name);
  redacted_authority = roast_redact_text (authority);
  redacted_query = roast_redact_text (query); /* starts at "?", so that a value ends with its parameter */
  result = g_strdup_printf ("%s%.*s%s", redacted_authority, (int) (query - path), path, redacted_query);

  return g_str_equal (result, name) ? NULL : g_steal_pointer (&result);
}

/* Recognise -pPASSWORD, which no name marks as a secret. */
static gboolean
is_short_password (const char *program, const char *word)
{
  return strncmp (word, "-p", 2) == 0 && word[2] != '\0' && g_strv_contains (short_password_programs, program);
}

/* @option: NULL for any option of the program */
static gboolean
has_password_option (const char *program, const char *option)
{
  for (guint i = 0; i < G_N_ELEMENTS (password_options); i++)
    if (g_str_equal (password_options[i].program, program) &&
        (option == NULL || g_str_equal (password_options[i].option, option)))
      return TRUE;

  return FALSE;
}

/* Recognise short options that end with u, as in "curl -su NAME:PASSWORD". */
static gboolean
is_curl_user (const char *program, const char *word)
{
  gsize letters = strspn (word + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");

  return g_str_equal (program, "curl") && word[1] != '-' && word[letters + 1] == '\0' && word[letters] == 'u';
}

static WordKind
kind_of_next (const char *program, const char *word)
{
  static const char *const users[] = { "--proxy-user", "--user", "-U", "-u", NULL };

  gsize length = strlen (word);

  /* A header without quotes: its value is the next word. */
  if (length > 1 && word[length - 1] == ':' && roast_redact_is_secret_name (word, length - 1))
    return WORD_SECRET;
  if (g_str_equal (word, "token") || g_str_equal (word, "password"))
    return WORD_SECRET;
  if (*word != '-')
    return WORD_PLAIN;
  if (g_strv_contains (users, word) || is_curl_user (program, word))
    return WORD_USER;
  /* Do not treat the word after mysql's -p as a password: a lone -p makes mysql ask for it. */
  if (has_password_option (program, word))
    return WORD_SECRET;
  word += strspn (word, "-");
  if (*word != '\0' && strchr (word, '=') == NULL && roast_redact_is_secret_name (word, strlen (word)))
    return WORD_SECRET;

  return WORD_PLAIN;
}

/* Redact NAME:PASSWORD or smbclient's NAME%PASSWORD, but not numeric UID:GID. */
static char *
redact_user (const char *program, const char *word)
{
  const char *separator = strpbrk (word, g_str_equal (program, "smbclient") ? ":%" : ":");

  if (separator == NULL || word[strspn (word, "0123456789:")] == '\0')
    return roast_redact_text (word);

  return g_strdup_printf ("%.*s" ROAST_REDACTED, (int) (separator + 1 - word), word);
}

/* Redact the login word of Oracle's programs. Return NULL if the word is not a login. */
static char *
redact_login (const char *program, const char *word)
{
  const char *slash = strchr (word, '/');
  const char *at = slash != NULL ? strrchr (slash, '@') : NULL;

  /* Skip words that look like a path, an option or a script. */
  if (slash == NULL || slash == word || slash[1] == '\0' || strpbrk (word, "-.=@") == word ||
      !g_strv_contains (oracle_programs, program))
    return NULL;

  return g_strdup_printf ("%.*s" ROAST_REDACTED "%s", (int) (slash + 1 - word), word, at != NULL ? at : "");
}

static char *
redact_word (const char *program, const char *word, WordKind kind)
{
  const char *equals = strchr (word, '=');
  char *login = NULL;

  if (kind == WORD_SECRET && !g_str_equal (word, "--"))
    return g_strdup (ROAST_REDACTED);
  if (kind == WORD_USER)
    return redact_user (program, word);
  if (g_str_equal (program, "curl") && strncmp (word, "-u", 2) == 0 && word[2] != '\0')
    {
      g_autofree char *value = redact_user (program, word + 2);

      return g_strconcat ("-u", value, NULL);
    }
  if (is_short_password (program, word))
    return g_strdup ("-p" ROAST_REDACTED);
  if ((login = redact_login (program, word)) != NULL)
    return login;
  if (g_str_has_prefix (word, "--user=") || g_str_has_prefix (word, "--proxy-user="))
    {
      g_autofree char *value = redact_user (program, equals + 1);

      return g_strdup_printf ("%.*s%s", (int) (equals + 1 - word), word, value);
    }

  return roast_redact_text (word);
}

char **
roast_redact_argv (const char *const *argv)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *program = g_strdup ("");
  WordKind kind = WORD_PLAIN;

  for (guint i = 0; argv[i] != NULL; i++)
    {
      g_autofree char *base = g_path_get_basename (argv[i]);

      g_ptr_array_add (words, redact_word (program, argv[i], kind));
      /* After a scheme such as “Bearer” the secret is the next word. */
      if (kind != WORD_SECRET || g_str_equal (argv[i], "--"))
        kind = kind_of_next (program, argv[i]);
      else if (!roast_redact_is_scheme (argv[i]))
        kind = WORD_PLAIN;
      /* The first program may start another one: env, nice, sudo. */
      if (i == 0 || g_strv_contains (short_password_programs, base) || g_strv_contains (user_programs, base) ||
          g_strv_contains (oracle_programs, base) || has_password_option (base, NULL))
        {
          g_free (program);
          program = g_steal_pointer (&base);
        }
    }
  g_ptr_array_add (words, NULL);

  return (char **) g_ptr_array_free (g_steal_pointer (&words), FALSE);
}
