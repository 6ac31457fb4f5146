/* SPDX-License-Identifier: BSD-3-Clause */

/* Redacts the words of a command line. A word can show that the next word is secret. */

#include "roast-redact-private.h"

#include <string.h>

/* The place of an option's value. */
typedef enum
{
  VALUE_ATTACHED, /* value in the same word as the option; without a value in the word, the program asks the user */
  VALUE_NEXT,     /* value in the next word */
  VALUE_EITHER,
} ValuePlace;

/* A rule for options whose value is a secret, although their names do not show this. Blanks separate the programs, and
 * the options, of a rule. */
typedef struct
{
  const char *programs; /* names of the programs that the rule applies to; NULL: all programs in a command line, none in
                           a script */
  const char *options;
  ValuePlace place;
  const char *separators; /* characters between a user's name and the password; NULL: the whole value is secret */
} RedactRule;

/* The program “login” also stands for the subcommand “login” of docker, oc and others. The rule is not for these
 * programs themselves, because -p is a port in their other subcommands. */
static const RedactRule rules[] = {
  { "7z 7za 7zr 7zz mariadb mariadb-admin mariadb-dump mycli mysql mysqladmin mysqlcheck mysqldump mysqlimport "
    "mysqlshow rar unrar",
    "-p", VALUE_ATTACHED, NULL },
  { "rar unrar", "-hp", VALUE_ATTACHED, NULL },
  { "wlfreerdp xfreerdp xfreerdp3", "/p:", VALUE_ATTACHED, NULL },
  { "beeline cqlsh login mongo mongodump mongoexport mongoimport mongorestore mongosh mongostat mongotop ncftp "
    "ncftpget ncftpput rdesktop sshpass twine useradd usermod",
    "-p", VALUE_EITHER, NULL },
  { "bcp ipmitool mosquitto_pub mosquitto_sub sqlcmd ssh-keygen tsql unzip zip", "-P", VALUE_EITHER, NULL },
  { "kadmin ldapadd ldapcompare ldapdelete ldapexop ldapmodify ldapmodrdn ldappasswd ldapsearch ldapwhoami", "-w",
    VALUE_EITHER, NULL },
  { "ldappasswd", "-a -s", VALUE_EITHER, NULL },
  { "openssl", "-k -K -pass -passin -passout", VALUE_NEXT, NULL },
  { "redis-cli", "-a", VALUE_NEXT, NULL },
  { "snmpbulkwalk snmpget snmpset snmpwalk", "-A -X", VALUE_EITHER, NULL },
  { "ssh-keygen", "-N", VALUE_EITHER, NULL },
  { "ab", "-A -P", VALUE_EITHER, ":" },
  { "curl", "-E -U -u --cert --proxy-user --user", VALUE_EITHER, ":" },
  { "http https xh", "-a", VALUE_EITHER, ":" },
  { "lftp", "-u", VALUE_EITHER, "," },
  { "net rpcclient smbclient smbget winexe", "-U", VALUE_EITHER, ":%" },
  { "skopeo", "--creds --dest-creds --src-creds", VALUE_EITHER, ":" },
  { NULL, "-U -u", VALUE_NEXT, ":" },
  { NULL, "--proxy-user --user", VALUE_EITHER, ":" },
};

/* Rule for an option, such as --password, whose name shows that the next word is secret. */
static const RedactRule secret_word = { NULL, "", VALUE_NEXT, NULL };

/* Programs whose login is a word USER/PASSWORD[@DATABASE]. */
static const char oracle_programs[] = "expdp impdp sqlldr sqlplus";

/* Matches a command that pipes text into a program which reads a password: group 1 is the text. */
static const char piped_pattern[] =
    "\\b(?:echo|printf)\\s+([^|;&\\n]+?)\\s*\\|\\s*"
    "(?:sudo\\s+(?:-\\w+\\s+)*-\\w*S|kinit|chpasswd|cryptsetup|[^|;&\\n]*?--password-stdin)\\b";

static GMutex patterns_lock;
static GPtrArray *patterns; /* the user's patterns, of GRegex, or NULL; guarded by patterns_lock */

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

  g_match_info_fetch_pos (match, 0, &start, &end);
  if (!g_match_info_fetch_pos (match, 1, &from, &to) || from < 0)
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

/* ---- programs and their options ---- */

static gboolean
redact_has_word (const char *words, const char *word)
{
  gsize length = strlen (word);

  for (const char *c = words; length > 0 && (c = strstr (c, word)) != NULL; c += length)
    if ((c == words || c[-1] == ' ') && (c[length] == ' ' || c[length] == '\0'))
      return TRUE;

  return FALSE;
}

static gboolean
is_known_program (const char *program)
{
  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    if (rules[i].programs != NULL && redact_has_word (rules[i].programs, program))
      return TRUE;

  return redact_has_word (oracle_programs, program);
}

/* Find a short option in a word that joins several short options, such as u in "-su". Return the text after the letter,
 * or NULL if the word does not have the letter. */
static const char *
find_letter (const char *word, char letter)
{
  gsize i = 1;

  if (*word != '-')
    return NULL;
  while (i < 4 && g_ascii_isalpha (word[i]) && word[i] != letter)
    i++;

  return i < 4 && word[i] == letter ? word + i + 1 : NULL;
}

/* Return whether a word contains the option. *value is set to the option's value if it is in the same word, or to NULL
 * if the value is the next word. */
static gboolean
redact_rule_has_option (const RedactRule *rule, const char *option, gsize length, const char *word, const char **value)
{
  gboolean is_long = g_str_has_prefix (option, "--");
  gboolean begins = strncmp (word, option, length) == 0;
  const char *after = NULL;

  *value = NULL;
  if (begins && word[length] == '\0')
    return rule->place != VALUE_ATTACHED;
  if (rule->place == VALUE_NEXT)
    return FALSE;
  if (begins)
    {
      *value = word + length + (is_long ? 1 : 0);
      return !is_long || (*value)[-1] == '=';
    }
  if (rule->place == VALUE_ATTACHED || is_long || (after = find_letter (word, option[1])) == NULL)
    return FALSE;
  *value = *after != '\0' ? after : NULL;

  return *value == NULL || rule->separators != NULL;
}

/* Find the rule for the option in a word. Return NULL if there is no such rule. */
static const RedactRule *
redact_find_rule (const char *program, const char *word, gboolean is_script, const char **value)
{
  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      const char *option = rules[i].options;
      gsize length;

      if (rules[i].programs == NULL ? is_script : program == NULL || !redact_has_word (rules[i].programs, program))
        continue;
      for (; *option != '\0'; option += length + strspn (option + length, " "))
        {
          length = strcspn (option, " ");
          if (redact_rule_has_option (&rules[i], option, length, word, value))
            return &rules[i];
        }
    }

  return NULL;
}

/* Redact an option's value, or only the password after a user's name. Leave numeric UID:GID and URLs unchanged. Return
 * NULL if the value has no secret. */
static char *
redact_value (const RedactRule *rule, const char *value)
{
  const char *separator = rule->separators != NULL ? strpbrk (value, rule->separators) : NULL;

  if (rule->separators == NULL)
    return g_strdup (ROAST_REDACTED);
  if (separator == NULL || g_str_has_prefix (separator, "://") || value[strspn (value, "0123456789:")] == '\0')
    return NULL;

  return g_strdup_printf ("%.*s" ROAST_REDACTED, (int) (separator + 1 - value), value);
}

/* Redact the login word of Oracle's programs. Return NULL if the word is not a login. */
static char *
redact_login (const char *program, const char *word)
{
  const char *slash = strchr (word, '/');
  const char *at = slash != NULL ? strrchr (slash, '@') : NULL;

  /* Skip words that look like a path, an option or a script. */
  if (slash == NULL || slash == word || slash[1] == '\0' || strpbrk (word, "-.=@") == word ||
      !redact_has_word (oracle_programs, program))
    return NULL;

  return g_strdup_printf ("%.*s" ROAST_REDACTED "%s", (int) (slash + 1 - word), word, at != NULL ? at : "");
}

/* State that is kept from one word of a command to the next. */
typedef struct
{
  char *program;
  const RedactRule *pending; /* rule of an option whose value is the next word; otherwise NULL */
} Command;

static void
command_clear (Command *self)
{
  g_clear_pointer (&self->program, g_free);
  self->pending = NULL;
}

/* Redact a word by the rules for its program and for the option before it. Return NULL if no rule applies. */
static char *
command_redact (Command *self, const char *word, gboolean is_script)
{
  const RedactRule *rule = g_steal_pointer (&self->pending);
  g_autofree char *redacted = NULL;
  g_autofree char *base = NULL;
  const char *value = NULL;

  if (rule != NULL)
    return redact_value (rule, word);
  rule = redact_find_rule (self->program, word, is_script, &value);
  if (rule != NULL && value == NULL)
    self->pending = rule;
  if (rule != NULL && value != NULL && (redacted = redact_value (rule, value)) != NULL)
    return g_strdup_printf ("%.*s%s", (int) (value - word), word, redacted);
  if (rule == NULL && self->program != NULL && (redacted = redact_login (self->program, word)) != NULL)
    return g_steal_pointer (&redacted);
  /* Remember the program. A known program may also come after the program that starts it: env, nice, sudo. */
  base = g_path_get_basename (word);
  if (self->program == NULL || is_known_program (base))
    {
      g_free (self->program);
      self->program = g_steal_pointer (&base);
    }

  return NULL;
}

/* ---- texts ---- */

static char *
redact_piped (const char *text)
{
  static GRegex *regex;
  char *result = NULL;

  if (strchr (text, '|') == NULL)
    return g_strdup (text);
  if (g_once_init_enter (&regex))
    g_once_init_leave (&regex, g_regex_new (piped_pattern, 0, 0, NULL));
  result = g_regex_replace_eval (regex, text, -1, 0, 0, replace_match, NULL, NULL);

  return result != NULL ? result : g_strdup (ROAST_REDACTED);
}

/* Return the length of the next word of a script. */
static gsize
measure_word (const char *word)
{
  const char *c = word + strcspn (word, " \t\n;|&()'\"");

  while (*c == '\'' || *c == '"')
    {
      const char *quote = strchr (c + 1, *c);

      c = quote != NULL ? quote + 1 : c + strlen (c);
      c += strcspn (c, " \t\n;|&()'\"");
    }

  return (gsize) (c - word);
}

/* Redact the options of programs in a script. Takes ownership of the text. */
static char *
redact_script (char *text)
{
  g_autofree char *before = text;
  g_autofree char *script = NULL;
  g_autoptr (GString) out = NULL;
  Command command = { NULL, NULL };

  if (strpbrk (text, " \t") == NULL)
    return g_steal_pointer (&before);
  script = redact_piped (before);
  out = g_string_sized_new (strlen (script) + 8);
  for (const char *c = script; *c != '\0';)
    {
      gsize between = strspn (c, " \t\n;|&()");
      gsize length = measure_word (c + between);
      g_autofree char *word = g_strndup (c + between, length);
      g_autofree char *redacted = NULL;

      if (strcspn (c, ";|&()\n") < between)
        command_clear (&command);
      if (length > 0)
        redacted = command_redact (&command, word, TRUE);
      g_string_append_len (out, c, between);
      g_string_append (out, redacted != NULL ? redacted : word);
      c += between + length;
    }
  command_clear (&command);

  return g_string_free (g_steal_pointer (&out), FALSE);
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
  redacted_query = roast_redact_text (query); /* the leading "?" shows that "&" ends a secret */
  result = g_strdup_printf ("%s%.*s%s", redacted_authority, (int) (query - path), path, redacted_query);

  return g_str_equal (result, name) ? NULL : g_steal_pointer (&result);
}

/* ---- command lines ---- */

/* Return whether @word is a name that makes the next word secret. @before: the word before @word, or NULL. */
static gboolean
announces_secret (const char *before, const char *word)
{
  gsize length = strlen (word);

  /* In a header without quotes, such as "Authorization: abc", the value is the next word. */
  if (length > 1 && word[length - 1] == ':' && roast_redact_is_secret_name (word, length - 1))
    return TRUE;
  if (g_str_equal (word, "token") || g_str_equal (word, "password"))
    return TRUE;
  /* A name without dashes makes the next word secret only in commands such as aws configure set NAME VALUE and git
   * config NAME VALUE. */
  if (*word != '-' && (before == NULL || !redact_has_word ("config set", before)))
    return FALSE;
  word += strspn (word, "-");

  return strchr (word, '=') == NULL && roast_redact_is_secret_name (word, strlen (word));
}

char **
roast_redact_argv (const char *const *argv)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  Command command = { NULL, NULL };

  for (guint i = 0; argv[i] != NULL; i++)
    {
      gboolean is_secret = command.pending != NULL && command.pending->separators == NULL;
      char *redacted = NULL;

      if (is_secret && g_str_equal (argv[i], "--"))
        command.pending = NULL;
      redacted = command_redact (&command, argv[i], FALSE);
      g_ptr_array_add (words, redacted != NULL ? redacted : roast_redact_text (argv[i]));
      /* If a scheme such as “Bearer” was redacted, the secret is the next word. */
      if (command.pending == NULL &&
          (is_secret ? roast_redact_is_scheme (argv[i]) : announces_secret (i > 0 ? argv[i - 1] : NULL, argv[i])))
        command.pending = &secret_word;
    }
  command_clear (&command);
  g_ptr_array_add (words, NULL);

  return (char **) g_ptr_array_free (g_steal_pointer (&words), FALSE);
}
