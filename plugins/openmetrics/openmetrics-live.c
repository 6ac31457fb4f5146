/* SPDX-License-Identifier: BSD-3-Clause */
#include "openmetrics-live.h"

#include <gio/gunixsocketaddress.h>
#include <string.h>

#include "side-module.h"

#define DEFAULT_EVERY 5 /* s; time between two updates if roast listens and the option every is not set */
#define LONGEST 86400
#define UNIX_PREFIX "unix:"

static gboolean
refuse (GError **error, const char *option, const char *value, const char *why)
{
  g_set_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE, "%s=%s: %s", option, value, why);

  return FALSE;
}

/* Parse an address such as 127.0.0.1:9101 or [::1]:9101. Reject host names, because a name may have several
 * addresses. */
static GSocketAddress *
parse_inet (const char *text)
{
  g_autoptr (GSocketConnectable) parsed = g_network_address_parse (text, 0, NULL);
  GNetworkAddress *address = parsed != NULL ? G_NETWORK_ADDRESS (parsed) : NULL;

  if (address == NULL || g_network_address_get_port (address) == 0)
    return NULL;

  return g_inet_socket_address_new_from_string (g_network_address_get_hostname (address),
                                                g_network_address_get_port (address));
}

static gboolean
is_of_this_machine (GSocketAddress *address)
{
  return !G_IS_INET_SOCKET_ADDRESS (address) ||
         g_inet_address_get_is_loopback (g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (address)));
}

static gboolean
read_token (OpenMetricsLive *self, const char *path, GError **error)
{
  g_autoptr (GError) problem = NULL;

  if (*path == '\0')
    return TRUE;
  if (!g_file_get_contents (path, &self->token, NULL, &problem))
    return refuse (error, "token-file", path, problem->message);
  g_strstrip (self->token);

  return *self->token != '\0' || refuse (error, "token-file", path, "the file has no token");
}

static gboolean
take_address (OpenMetricsLive *self, const char *text, GError **error)
{
  if (*text == '\0')
    return TRUE;
  self->name = g_strdup (text);
  if (g_str_has_prefix (text, UNIX_PREFIX) && text[strlen (UNIX_PREFIX)] != '\0')
    self->listen = g_unix_socket_address_new (text + strlen (UNIX_PREFIX));
  else
    self->listen = parse_inet (text);
  if (self->listen == NULL)
    return refuse (error, "listen", text, "must be 127.0.0.1:PORT, another address with a port, or unix:PATH");

  return self->token != NULL || is_of_this_machine (self->listen) ||
         refuse (error, "listen", text,
                 "other machines could read the metrics. Use 127.0.0.1, or require a token: token-file=FILE");
}

gboolean
open_metrics_live_configure (OpenMetricsLive *self, GVariant *options, GError **error)
{
  const char *listen = "", *token_file = "";

  g_variant_lookup (options, "every", "x", &self->every);
  g_variant_lookup (options, "listen", "&s", &listen);
  g_variant_lookup (options, "token-file", "&s", &token_file);
  if (self->every < 0 || self->every > LONGEST)
    {
      g_autofree char *value = g_strdup_printf ("%" G_GINT64_FORMAT, self->every);

      return refuse (error, "every", value,
                     "must be a number of seconds from 0 to 86400; 0 writes the file only at the end of the run");
    }

  return read_token (self, token_file, error) && take_address (self, listen, error);
}

gint64
open_metrics_live_begin (OpenMetricsLive *self)
{
  gint64 every = self->every == 0 && self->listen != NULL ? DEFAULT_EVERY : self->every;

  self->is_asked = every > 0;

  return every * G_USEC_PER_SEC;
}

static gboolean
listen_now (OpenMetricsLive *self, GError **error)
{
  g_autofree char *what = g_strconcat ("listen=", self->name, NULL);
  const SideModule module = { what, "libroast-openmetrics-listen.so", OPEN_METRICS_LISTEN_SYMBOL,
                              "roast-plugin-openmetrics-listen", "every=15 writes a file and needs no module" };

  g_autoptr (GError) problem = NULL;

  self->functions = side_module_open (&module, error);
  if (self->functions == NULL)
    return FALSE;
  self->listener = self->functions->begin (self->listen, self->token, &problem);
  if (self->listener == NULL)
    g_set_error (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT, "openmetrics cannot listen on %s: %s",
                 self->name, problem->message);

  return self->listener != NULL;
}

gboolean
open_metrics_live_serve (OpenMetricsLive *self, const char *text, GError **error)
{
  if (!self->is_asked)
    return TRUE;
  if (self->listener == NULL && !listen_now (self, error))
    return FALSE;
  self->functions->set_text (self->listener, text);

  return TRUE;
}

void
open_metrics_live_clear (OpenMetricsLive *self)
{
  if (self->listener != NULL)
    self->functions->end (self->listener);
  g_clear_object (&self->listen);
  g_free (self->name);
  g_free (self->token);
}
