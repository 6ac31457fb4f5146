/* SPDX-License-Identifier: BSD-3-Clause */

/* What is kept of a command line has no secret. */

#include <glib.h>
#include <string.h>

#include "base/roast-redact-private.h"

#define SECRET "s3cr3t.Wörd+x"

/* Each command line has the secret once or more, and words that must stay. Words are separated by a tab. */
static const struct
{
  const char *command;
  const char *redacted;
} command_lines[] = {
  { "job\t--password=" SECRET "\t--n=5", "job\t--password=***\t--n=5" },
  { "job\t--password\t" SECRET "\t--n\t5", "job\t--password\t***\t--n\t5" },
  { "job\t-password\t" SECRET, "job\t-password\t***" },
  { "job\t--password\t-" SECRET, "job\t--password\t***" },
  { "job\t--db-password=a b&c;" SECRET, "job\t--db-password=***" },
  { "job\t--token=" SECRET, "job\t--token=***" },
  { "job\t--token\t" SECRET "\tin.root", "job\t--token\t***\tin.root" },
  { "job\t--github_token\t" SECRET, "job\t--github_token\t***" },
  { "job\t--apiKey=" SECRET, "job\t--apiKey=***" },
  { "job\t--clientSecret\t" SECRET, "job\t--clientSecret\t***" },
  { "job\t--api-key\t" SECRET, "job\t--api-key\t***" },
  { "job\t--passphrase=" SECRET, "job\t--passphrase=***" },
  { "env\tPGPASSWORD=" SECRET "\tpsql", "env\tPGPASSWORD=***\tpsql" },
  { "env\tAWS_SECRET_ACCESS_KEY=" SECRET "\taws\ts3\tls", "env\tAWS_SECRET_ACCESS_KEY=***\taws\ts3\tls" },
  { "aws\tAKIAIOSFODNN7EXAMPLE", "aws\t***" },
  { "aws\t--id=ASIAIOSFODNN7EXAMPLE/x", "aws\t--id=***" },
  { "git\tclone\thttps://ghp_"
    "0123456789abcdefghij0123456789@github.com/a/b",
    "git\tclone\thttps://***@github.com/a/b" },
  { "git\tclone\thttps://me:" SECRET "@example.org/a.git", "git\tclone\thttps://me:***@example.org/a.git" },
  { "git\tclone\thttps://me:a/b@c" SECRET "@example.org/a.git", "git\tclone\thttps://me:***@example.org/a.git" },
  { "job\t--url=postgres://me:" SECRET "@db:5432/x", "job\t--url=postgres://me:***@db:5432/x" },
  { "job\tme:" SECRET "@proxy:3128", "job\tme:***@proxy:3128" },
  { "job\t--proxy=me:" SECRET "@proxy:3128", "job\t--proxy=me:***@proxy:3128" },
  { "curl\thttps://h/p?a=1&token=" SECRET "&b=2", "curl\thttps://h/p?a=1&token=***&b=2" },
  { "curl\thttps://h/p?access_token=" SECRET "#x", "curl\thttps://h/p?access_token=***#x" },
  { "curl\thttps://h/p?X-Amz-Signature=" SECRET, "curl\thttps://h/p?X-Amz-Signature=***" },
  { "xrdcp\troot://eos//f?authz=Bearer%20" SECRET "&x=1", "xrdcp\troot://eos//f?authz=***&x=1" },
  { "xrdcp\troot://eos//f?authz=zteos64:" SECRET, "xrdcp\troot://eos//f?authz=***" },
  { "curl\t-u\tme:" SECRET "\thttp://h/", "curl\t-u\tme:***\thttp://h/" },
  { "curl\t--user\tme:" SECRET, "curl\t--user\tme:***" },
  { "curl\t--user=me:" SECRET, "curl\t--user=me:***" },
  { "curl\t-H\tAuthorization: Bearer " SECRET "\thttp://h/", "curl\t-H\tAuthorization: ***\thttp://h/" },
  { "curl\t-ume:" SECRET "\thttp://h/", "curl\t-ume:***\thttp://h/" },
  { "nice\tcurl\t-su\tme:" SECRET, "nice\tcurl\t-su\tme:***" },
  { "curl\t-H\tAuthorization:\tBearer\t" SECRET "\tx", "curl\t-H\tAuthorization:\t***\t***\tx" },
  { "job\t--authorization\tBearer\t" SECRET "\tx", "job\t--authorization\t***\t***\tx" },
  { "sh\t-c\tcurl -s -u me:" SECRET " http://h/ | cat", "sh\t-c\tcurl -s -u me:*** http://h/ | cat" },
  { "sh\t-c\tcurl -sume:" SECRET " && curl --user=me:" SECRET " x", "sh\t-c\tcurl -sume:*** && curl --user=me:*** x" },
  { "sh\t-c\tsshpass -p " SECRET " ssh h", "sh\t-c\tsshpass -p *** ssh h" },
  { "sh\t-c\tmysql -u me -p" SECRET " db", "sh\t-c\tmysql -u me -p*** db" },
  { "sh\t-c\tjob --token \\\n  " SECRET " x", "sh\t-c\tjob --token \\\n  *** x" },
  { "sh\t-c\tTOKEN+=" SECRET, "sh\t-c\tTOKEN+=***" },
  { "curl\t--header=X-Api-Key: " SECRET, "curl\t--header=X-Api-Key: ***" },
  { "curl\t-d\t{\"user\": \"me\", \"password\": \"" SECRET "\"}",
    "curl\t-d\t{\"user\": \"me\", \"password\": \"***\"}" },
  { "curl\t-d\t{\\\"password\\\":\\\"" SECRET "\\\"}", "curl\t-d\t{\\\"password\\\":\\\"***\\\"}" },
  { "sshpass\t-p\t" SECRET "\tssh\thost", "sshpass\t-p\t***\tssh\thost" },
  { "job\t--dbpass=" SECRET, "job\t--dbpass=***" },
  { "nice\topenssl\tenc\t-k\t" SECRET "\t-in\tf", "nice\topenssl\tenc\t-k\t***\t-in\tf" },
  { "openssl\trsa\t-passin\tpass:" SECRET, "openssl\trsa\t-passin\t***" },
  { "redis-cli\t-a\t" SECRET "\tget\tx", "redis-cli\t-a\t***\tget\tx" },
  { "ldapsearch\t-x\t-w\t" SECRET "\t-b\tdc=x", "ldapsearch\t-x\t-w\t***\t-b\tdc=x" },
  { "7z\tx\t-p" SECRET "\ta.7z", "7z\tx\t-p***\ta.7z" },
  { "zip\t-P\t" SECRET "\ta.zip", "zip\t-P\t***\ta.zip" },
  { "sqlplus\tuser/" SECRET "@db", "sqlplus\tuser/***@db" },
  { "sqlplus\tuser\t@scripts/a.sql", "sqlplus\tuser\t@scripts/a.sql" },
  { "login\t--pw=" SECRET, "login\t--pw=***" },
  { "login\ttoken\t" SECRET, "login\ttoken\t***" },
  { "smbclient\t-U\tuser%" SECRET "\t//h/s", "smbclient\t-U\tuser%***\t//h/s" },
  { "nice\tsmbclient\t-U\tuser%" SECRET, "nice\tsmbclient\t-U\tuser%***" },
  { "docker\tlogin\t-u\tme\t-p\t" SECRET "\treg.io", "docker\tlogin\t-u\tme\t-p\t***\treg.io" },
  { "helm\tregistry\tlogin\t-p" SECRET, "helm\tregistry\tlogin\t-p***" },
  { "nice\tmongodump\t-u\tme\t-p\t" SECRET "\tdb", "nice\tmongodump\t-u\tme\t-p\t***\tdb" },
  { "ldapsearch\t-xw\t" SECRET "\t-b\tx", "ldapsearch\t-xw\t***\t-b\tx" },
  { "ldapsearch\t-w" SECRET, "ldapsearch\t-w***" },
  { "ldappasswd\t-a\t" SECRET "\t-s\t" SECRET, "ldappasswd\t-a\t***\t-s\t***" },
  { "kadmin\t-p\tme\t-w\t" SECRET, "kadmin\t-p\tme\t-w\t***" },
  { "sqlcmd\t-U\tsa\t-P\t" SECRET, "sqlcmd\t-U\tsa\t-P\t***" },
  { "xfreerdp\t/u:me\t/p:" SECRET "\t/v:h", "xfreerdp\t/u:me\t/p:***\t/v:h" },
  { "lftp\t-u\tme," SECRET "\tftp://h", "lftp\t-u\tme,***\tftp://h" },
  { "http\t-a\tme:" SECRET "\th", "http\t-a\tme:***\th" },
  { "curl\t-sUme:" SECRET "\th", "curl\t-sUme:***\th" },
  { "curl\t--cert\ta.pem:" SECRET, "curl\t--cert\ta.pem:***" },
  { "skopeo\tcopy\t--src-creds\tme:" SECRET "\t--dest-creds=me:" SECRET,
    "skopeo\tcopy\t--src-creds\tme:***\t--dest-creds=me:***" },
  { "rar\ta\t-hp" SECRET "\tf", "rar\ta\t-hp***\tf" },
  { "keytool\t-storepass\t" SECRET "\t-keypass\t" SECRET, "keytool\t-storepass\t***\t-keypass\t***" },
  { "aws\tconfigure\tset\taws_secret_access_key\t" SECRET, "aws\tconfigure\tset\taws_secret_access_key\t***" },
  { "git\tconfig\thttp.password\t" SECRET, "git\tconfig\thttp.password\t***" },
  { "redis-cli\t-u\tredis://me:" SECRET "@h", "redis-cli\t-u\tredis://me:***@h" },
  { "vault\tlogin\thvs.0123456789abcdefghijs3cr3t", "vault\tlogin\t***" },
  { "sh\t-c\tcd /; docker login -u me -p " SECRET " reg && docker run -p 80:80 x",
    "sh\t-c\tcd /; docker login -u me -p *** reg && docker run -p 80:80 x" },
  { "sh\t-c\tldapsearch -xw '" SECRET " x' -b y", "sh\t-c\tldapsearch -xw *** -b y" },
  { "sh\t-c\t(7z a -p" SECRET " f)", "sh\t-c\t(7z a -p*** f)" },
  { "sh\t-c\tsqlplus me/" SECRET "@db", "sh\t-c\tsqlplus me/***@db" },
  { "sh\t-c\techo " SECRET " | docker login --password-stdin", "sh\t-c\techo *** | docker login --password-stdin" },
  { "sh\t-c\tprintf '" SECRET "'|sudo -kS ls", "sh\t-c\tprintf ***|sudo -kS ls" },
  { "date\t-u\t+%Y", "date\t-u\t+%Y" },
  { "/usr/bin/sshpass\t-p" SECRET "\tssh\thost", "/usr/bin/sshpass\t-p***\tssh\thost" },
  { "nice\tmysql\t-ume\t-p" SECRET "\tdb", "nice\tmysql\t-ume\t-p***\tdb" },
  { "sh\t-c\tjob --password " SECRET " --n 5", "sh\t-c\tjob --password *** --n 5" },
  { "sh\t-c\tjob --password='" SECRET " x' --n 5", "sh\t-c\tjob --password='***' --n 5" },
  { "sh\t-c\tTOKEN=a job; PASS=" SECRET " job", "sh\t-c\tTOKEN=***" },
  { "python3\t-c\tconnect (user='me', password='" SECRET "', n=5)",
    "python3\t-c\tconnect (user='me', password='***', n=5)" },
  { "python3\t-c\tos.environ['TOKEN'] = '" SECRET "'", "python3\t-c\tos.environ['TOKEN'] = '***'" },
  { "job\teyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0."
    "c2lnbmF0dXJl",
    "job\t***" },
  { "job\t-----BEGIN RSA PRIVATE KEY-----\n" SECRET "\n-----END RSA PRIVATE KEY-----",
    "job\t***-----END RSA PRIVATE KEY-----" },
};

static void
test_command_lines (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (command_lines); i++)
    {
      g_auto (GStrv) words = g_strsplit (command_lines[i].command, "\t", -1);
      g_auto (GStrv) redacted = roast_redact_argv ((const char *const *) words);
      g_autofree char *text = g_strjoinv ("\t", redacted);

      g_assert_cmpstr (text, ==, command_lines[i].redacted);
      g_assert_null (strstr (text, "s3cr3t"));
    }
}

/* The usual words of command lines are kept as they are. */
static void
test_kept (void)
{
  static const char *const kept[] = {
    "make\t-j8\tall",
    "python3\tanalysis.py\t--tokens=100\t--token-file=/run/secrets/token\t--passes=3\t--author=me",
    "docker\trun\t-u\t1000:1000\timage:v1@sha256:0123",
    "job\t-p\t8080\ttcp://host:8786\thttp://host:80/a@b\tme@host",
    "find\t.\t-name\t*.c\t-print",
    "root\t-l\t-b\troot://eos.example.org//store/file.root?svcClass=default",
    "sh\t-c\tfor i in 1 2 3; do echo \"$i\"; done",
    "compass=1\tbypass=2\t--key=energy\tsk-learn\tKEY:VALUE",
    "mysql\t-p\tdb",
    "docker\trun\t-p\t8080:80\t--login\timage",
    "openssl\treq\t-key\tk.pem\t-keyout\to.pem",
    "git\tconfig\tuser.name\tme\tset\t--quiet",
    "sh\t-c\techo a b | sudo -n tee f; echo 'it''s' \"x | y\" | cat; mongo-tools -p 1",
    "sh\t-c\tcurl -s http://host:80/ -o out; mkdir -p a:b; job -u 1000:1000; mysql -p db",
    "curl\t-s\t-o\tout\thttp://host:80/a\tKEY:\tvalue",
    "--\t-\t=\t:\t://\t@\t'",
  };

  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    {
      g_auto (GStrv) words = g_strsplit (kept[i], "\t", -1);
      g_auto (GStrv) redacted = roast_redact_argv ((const char *const *) words);
      g_autofree char *text = g_strjoinv ("\t", redacted);

      g_assert_cmpstr (text, ==, kept[i]);
    }
}

/* Names of files keep their paths: only what is around them may be a secret. */
static void
test_files (void)
{
  static const struct
  {
    const char *name;
    const char *redacted; /* NULL: as it is */
  } files[] = {
    { "http://h:80/A1.root?authz=Bearer%20" SECRET, "http://h:80/A1.root?authz=***" },
    { "http://h/A1.root?svcClass=x&access_token=" SECRET "&a=1", "http://h/A1.root?svcClass=x&access_token=***&a=1" },
    { "https://s3/b/a.root?X-Amz-Credential=" SECRET "/x&X-Amz-Signature=" SECRET,
      "https://s3/b/a.root?X-Amz-Credential=***&X-Amz-Signature=***" },
    { "https://b/a.root?sv=1&sig=" SECRET "#n", "https://b/a.root?sv=1&sig=***#n" },
    { "root://me:" SECRET "@eos//store/sig=1/a.root", "root://me:***@eos//store/sig=1/a.root" },
    { "simplecache::https://h/a.root?token=" SECRET, "simplecache::https://h/a.root?token=***" },
    { "root://eos.cern.ch:1094//store/token=1/sig=2/a.root", NULL },
    { "root://eos//store/a@b.root?svcClass=default", NULL },
    { "/data/token=" SECRET "/a.root?authz=" SECRET, NULL },
    { "a.root", NULL },
    { "://", NULL },
    { "", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *redacted = roast_redact_file (files[i].name);

      g_assert_cmpstr (redacted, ==, files[i].redacted);
    }
}

static void
test_patterns (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *with_group = NULL;
  g_autofree char *without_group = NULL;
  g_autofree char *after = NULL;

  g_assert_true (roast_redact_add_pattern ("account-(\\d+)", &error));
  g_assert_no_error (error);
  g_assert_true (roast_redact_add_pattern ("internal[a-z]*", &error));
  g_assert_no_error (error);
  with_group = roast_redact_text ("--for=account-4711,account-1");
  g_assert_cmpstr (with_group, ==, "--for=account-***,account-***");
  without_group = roast_redact_text ("host internalname here");
  g_assert_cmpstr (without_group, ==, "host *** here");
  g_assert_false (roast_redact_add_pattern ("(", &error));
  g_assert_error (error, G_REGEX_ERROR, G_REGEX_ERROR_UNMATCHED_PARENTHESIS);

  roast_redact_remove_patterns ();
  after = roast_redact_text ("internal");
  g_assert_cmpstr (after, ==, "internal");
}

/* Whatever surrounds it, the value of a secret option or parameter is gone. */
static void
test_random (void)
{
  static const char *const before[] = { "--password=",    "x?token=",    "TOKEN=", "a://u:",
                                        "{\"secret\":\"", "-H Cookie: ", "" };
  static const char *const pieces[] = { "s3cr3t", ",", "&",  "'", "\"", "\\",  " ",       "@",
                                        ":",      "=", "--", "ü", "/",  "://", "password" };

  for (guint i = 0; i < 3000; i++)
    {
      g_autoptr (GString) text = g_string_new (before[g_test_rand_int_range (0, G_N_ELEMENTS (before))]);
      g_autofree char *redacted = NULL;
      gboolean option = g_str_has_prefix (text->str, "--password=");

      for (guint n = g_test_rand_int_range (0, 12); n > 0; n--)
        g_string_append (text, pieces[g_test_rand_int_range (0, G_N_ELEMENTS (pieces))]);
      redacted = roast_redact_text (text->str);
      g_assert_true (g_utf8_validate (redacted, -1, NULL));
      if (option)
        g_assert_null (strstr (redacted, "s3cr3t"));
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/redact/command-lines", test_command_lines);
  g_test_add_func ("/redact/kept", test_kept);
  g_test_add_func ("/redact/files", test_files);
  g_test_add_func ("/redact/patterns", test_patterns);
  g_test_add_func ("/redact/random", test_random);

  return g_test_run ();
}
