/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds secrets in a text: by the name before a value, by the position in a URL, or by the form of the secret
 * itself. */

#include "roast-redact-private.h"

#include <string.h>

/* A name is secret if it ends with one of these words, and the word begins the name or follows "_", "-", "." or a
 * change of case. */
static const char *const last_parts[] = {
  "pass",       "pwd",         "auth",       "authz",       "authorization", "bearer",         "cookie",
  "credential", "credentials", "sig",        "signature",   "api_key",       "access_key",     "access_key_id",
  "auth_key",   "account_key", "secret_key", "private_key", "signing_key",   "encryption_key", "jwt",
  "pw",         NULL,
};
/* A name is secret if it ends with one of these words, whatever precedes the word, as in PGPASSWORD. */
static const char *const endings[] = {
  "password",  "passwd",  "passphrase", "passcode", "secret",  "token",     "apikey", "accesskey",
  "secretkey", "sshpass", "mysql_pwd",  "dbpass",   "keypass", "storepass", NULL,
};
/* Prefixes that mark the tokens of an issuer, and the minimum length of a token including the prefix. */
static const struct
{
  const char *prefix;
  gsize length;
} token_forms[] = {
  { "AKIA", 20 },  { "ASIA", 20 },  { "ABIA", 20 },  { "ACCA", 20 },     { "AIza", 35 },        { "ghp_", 20 },
  { "gho_", 20 },  { "ghu_", 20 },  { "ghs_", 20 },  { "ghr_", 20 },     { "github_pat_", 30 }, { "glpat-", 20 },
  { "xoxa-", 15 }, { "xoxb-", 15 }, { "xoxp-", 15 }, { "xoxr-", 15 },    { "xoxs-", 15 },       { "hf_", 25 },
  { "npm_", 30 },  { "pypi-", 30 }, { "sk-", 25 },   { "sk_live_", 20 }, { "zteos64:", 20 },    { "hvs.", 24 },
};

static gboolean
is_name_char (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '-' || c == '.';
}

/* Turn "X-Api.Key" and "xApiKey" into "x_api_key". */
static char *
normalise (const char *name, gsize length)
{
  GString *text = g_string_sized_new (length + 8);

  for (gsize i = 0; i < length; i++)
    {
      if (g_ascii_isupper (name[i]) && i > 0 && g_ascii_islower (name[i - 1]))
        g_string_append_c (text, '_');
      g_string_append_c (text, g_ascii_isalnum (name[i]) ? g_ascii_tolower (name[i]) : '_');
    }

  return g_string_free (text, FALSE);
}

gboolean
roast_redact_is_secret_name (const char *name, gsize length)
{
  g_autofree char *text = NULL;

  if (length < 2 || length > 200)
    return FALSE;
  text = normalise (name, length);
  for (guint i = 0; endings[i] != NULL; i++)
    if (g_str_has_suffix (text, endings[i]))
      return TRUE;
  for (guint i = 0; last_parts[i] != NULL; i++)
    if (g_str_has_suffix (text, last_parts[i]))
      {
        gsize before = strlen (text) - strlen (last_parts[i]);

        if (before == 0 || text[before - 1] == '_')
          return TRUE;
      }

  return FALSE;
}

/* Recognise a JSON web token: base64url parts separated by dots. The first part starts like every encoded JSON
 * object. */
static gboolean
is_web_token (const char *text, gsize length)
{
  guint dots = 0;

  if (length < 30 || strncmp (text, "eyJ", 3) != 0)
    return FALSE;
  for (gsize i = 0; i < length; i++)
    dots += text[i] == '.';

  return dots >= 1;
}

static gboolean
is_token (const char *text, gsize length)
{
  if (is_web_token (text, length))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (token_forms); i++)
    if (length >= token_forms[i].length && strncmp (text, token_forms[i].prefix, strlen (token_forms[i].prefix)) == 0)
      return TRUE;

  return FALSE;
}

/* ---- the end of a value ---- */

/* Find the closing quote, or the end of the text. The quotes may themselves be escaped, as in \"a\". */
static const char *
end_of_quoted (const char *value)
{
  gboolean escaped = *value == '\\';
  char quote = escaped ? value[1] : *value;
  const char *c = value + (escaped ? 2 : 1);

  for (; *c != '\0'; c++)
    {
      if (*c == '\\' && c[1] == quote && escaped)
        return c;
      if (*c == '\\' && c[1] != '\0')
        c++;
      else if (*c == quote && !escaped)
        return c;
    }

  return c;
}

static const char *
end_of_bare (const char *value, const char *ends)
{
  const char *c = value;

  while (*c != '\0' && strchr (ends, *c) == NULL)
    c += *c == '\\' && c[1] != '\0' ? 2 : 1;

  return c;
}

static gboolean
is_quote (const char *text)
{
  return *text == '"' || *text == '\'' || *text == '`' || (*text == '\\' && (text[1] == '"' || text[1] == '\''));
}

static const char *const schemes[] = { "Bearer", "Basic", "Token", "Digest", "Negotiate", NULL };

gboolean
roast_redact_is_scheme (const char *word)
{
  for (guint i = 0; schemes[i] != NULL; i++)
    if (g_ascii_strcasecmp (word, schemes[i]) == 0)
      return TRUE;

  return FALSE;
}

/* Skip the scheme in "Bearer abc", so that both words are redacted as one value. */
static const char *
skip_scheme (const char *value)
{
  for (guint i = 0; schemes[i] != NULL; i++)
    {
      gsize n = strlen (schemes[i]);

      if (g_ascii_strncasecmp (value, schemes[i], n) == 0 && value[n] == ' ')
        return value + n + strspn (value + n, " ");
    }

  return value;
}

/* Write the replacement for a secret value, and return the text after the value. @to_end: whether the value extends to
 * the end of the text. */
static const char *
put_value (GString *out, const char *value, const char *ends, gboolean to_end)
{
  const char *end = NULL;

  if (!to_end && is_quote (value))
    {
      gsize n = *value == '\\' ? 2 : 1;

      g_string_append_len (out, value, n);
      g_string_append (out, ROAST_REDACTED);
      return end_of_quoted (value);
    }
  end = to_end ? value + strlen (value) : end_of_bare (skip_scheme (value), ends);
  if (end > value)
    g_string_append (out, ROAST_REDACTED);

  return end;
}

/* ---- names ---- */

/* Skip the separator between a name and its value: quotes, blanks, "=", ":", "=>". Return NULL if there is no
 * separator. */
static const char *
redact_text_find_value (const char *after, char *separator)
{
  const char *c = after;

  if (*c == '\\' && (c[1] == '"' || c[1] == '\''))
    c += 2;
  else if (*c == '"' || *c == '\'' || *c == ']')
    c++;
  if (c > after && *c == ']')
    c++;
  c += strspn (c, " \t");
  if (*c == '+' && c[1] == '=')
    c++;
  if ((*c != '=' && *c != ':') || strncmp (c, "://", 3) == 0)
    return NULL;
  *separator = *c;
  c += strspn (c, "=:>");

  return c + strspn (c, " \t");
}

/* Write the name at @name and its value. Redact the value if the name shows that it is a secret. Return the text after
 * the value. */
static const char *
put_name (GString *out, const char *text, const char *name)
{
  const char *after = name;
  const char *value = NULL;
  const char *word = text + strspn (text, "-");
  char separator = 0;

  while (is_name_char (*after))
    after++;
  if (is_token (name, after - name))
    {
      g_string_append (out, ROAST_REDACTED);
      return end_of_bare (after, " \t\n\"'&;,)}]#@|<>");
    }
  if (!roast_redact_is_secret_name (name, after - name))
    {
      g_string_append_len (out, name, after - name);
      return after;
    }
  value = redact_text_find_value (after, &separator);
  /* Handle an option in a script, such as "job --password abc". */
  if (value == NULL && name > text && name[-1] == '-' && (*after == ' ' || *after == '\t'))
    {
      value = after + strspn (after, " \t");
      while (strncmp (value, "\\\n", 2) == 0) /* skip a backslash and newline, which continue the line */
        value += 2 + strspn (value + 2, " \t");
      separator = ' ';
    }
  g_string_append_len (out, name, (value != NULL ? value : after) - name);
  if (value == NULL)
    return after;

  return put_value (out, value, separator == ':' ? "\"'`\n}" : " \t\n\"'`&;,)}]#|", name == word && separator != ' ');
}

/* ---- URLs ---- */

/* Find the @ that ends NAME:PASSWORD@ at the start of an authority. Return NULL if there is no such @. */
static const char *
find_user_end (const char *user)
{
  gsize authority = strcspn (user, "/?# \t\n\"'<>");
  gsize all = strcspn (user, " \t\n\"'<>");
  const char *colon = memchr (user, ':', authority);
  const char *at = memrchr (user, '@', authority);

  if (at != NULL)
    return at;
  /* A "/" that is not escaped may be part of a password, unless the text between the colon and the "/" is a number,
   * which must be a port. */
  if (colon == NULL || strspn (colon + 1, "0123456789") == (gsize) (user + authority - colon - 1))
    return NULL;

  return memrchr (user, '@', all);
}

/* Redact the password at the start of an authority, after "://". Keep the user's name, unless it may be a token. */
static const char *
put_user (GString *out, const char *user)
{
  const char *at = find_user_end (user);
  const char *colon = NULL;

  if (at == NULL)
    return user;
  colon = memchr (user, ':', at - user);
  if (colon != NULL && !is_token (user, colon - user))
    g_string_append_len (out, user, colon + 1 - user);
  else if (colon == NULL && at - user < 20)
    {
      g_string_append_len (out, user, at - user);
      return at;
    }
  g_string_append (out, ROAST_REDACTED);

  return at;
}

/* Redact user:password@host without a URL scheme, if it is the whole text or an option's value. Leave references to
 * container images, such as image:tag@sha256:…, unchanged. */
static const char *
put_bare_user (GString *out, const char *text)
{
  gsize name = strspn (text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.%+-");
  const char *at = text[name] == ':' ? strrchr (text + name, '@') : NULL;

  if (name == 0 || at == NULL || at == text + name + 1 || strncmp (at, "@sha256:", 8) == 0 ||
      memchr (text + name, '/', at - text - name) != NULL || strpbrk (text, " \t\n") != NULL)
    return text;
  g_string_append_len (out, text, name + 1);
  g_string_append (out, ROAST_REDACTED);

  return at;
}

static const char *
put_private_key (GString *out, const char *text)
{
  const char *end = strstr (text, "-----END");

  g_string_append (out, ROAST_REDACTED);

  return end != NULL ? end : text + strlen (text);
}

static gboolean
begins_private_key (const char *text)
{
  const char *end = NULL;

  if (strncmp (text, "-----BEGIN ", 11) != 0)
    return FALSE;
  end = strstr (text + 11, "-----");

  return end != NULL && end - text > 15 && strncmp (end - 4, " KEY", 4) == 0 && strncmp (text + 11, "PUBLIC", 6) != 0;
}

char *
roast_redact_by_form (const char *text)
{
  GString *out = g_string_sized_new (strlen (text) + 8);
  const char *c = text;

  if (*text != '-')
    c = put_bare_user (out, text);
  while (*c != '\0')
    {
      if (begins_private_key (c))
        c = put_private_key (out, c);
      else if (*c == '-')
        g_string_append_c (out, *c++);
      else if (is_name_char (*c))
        c = put_name (out, text, c);
      else if (strncmp (c, "://", 3) == 0)
        {
          g_string_append_len (out, c, 3);
          c = put_user (out, c + 3);
        }
      else if (*c == '=' && memchr (text, '=', c + 1 - text) == c)
        {
          g_string_append_c (out, *c++);
          c = put_bare_user (out, c);
        }
      else
        g_string_append_c (out, *c++);
    }

  return g_string_free (out, FALSE);
}
