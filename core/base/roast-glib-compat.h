/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* What roast uses of a GLib newer than 2.66, the oldest that it builds with. The compiler includes this first in each
 * file of roast that uses GLib (core/meson.build). A newer GLib's own functions are replaced as well, so that roast
 * does the same everywhere, and these are tested everywhere. Plugins of others do not get it. */

#include <string.h>

#include <glib-object.h>

/* Since 2.68: g_memdup() with a size that may be larger than 4 GB. */
static inline gpointer
roast_compat_memdup2 (gconstpointer data, gsize size)
{
  return data != NULL && size > 0 ? memcpy (g_malloc (size), data, size) : NULL;
}
#undef g_memdup2
#define g_memdup2(data, size) roast_compat_memdup2 (data, size)

/* Since 2.68: replaces the first @limit of a text that is not empty, or all of them (0); returns how many it replaced.
 */
static inline guint
roast_compat_string_replace (GString *string, const char *find, const char *replacement, guint limit)
{
  const gsize length = strlen (find);
  gsize at = 0;
  guint n = 0;

  while (length > 0 && (limit == 0 || n < limit))
    {
      const char *found = strstr (string->str + at, find);

      if (found == NULL)
        break;
      at = (gsize) (found - string->str);
      g_string_erase (string, (gssize) at, (gssize) length);
      g_string_insert (string, (gssize) at, replacement);
      at += strlen (replacement);
      n++;
    }

  return n;
}
#undef g_string_replace
#define g_string_replace(string, find, replacement, limit)                                                             \
  roast_compat_string_replace (string, find, replacement, limit)

/* Since 2.68: two arrays of texts are the same. */
#undef g_assert_cmpstrv
#define g_assert_cmpstrv(a, b) g_assert_true (g_strv_equal ((const char *const *) (a), (const char *const *) (b)))

/* Since 2.70: its new name. */
#undef g_spawn_check_wait_status
#define g_spawn_check_wait_status(status, error) g_spawn_check_exit_status (status, error)

/* Since 2.70: a type that cannot be derived from; before, nothing stops who tries. */
#if GLIB_CHECK_VERSION(2, 70, 0)
#define ROAST_COMPAT_FINAL ((GTypeFlags) (1 << 6)) /* G_TYPE_FLAG_FINAL, which would be refused as too new */
#else
#define ROAST_COMPAT_FINAL ((GTypeFlags) 0)
#endif
#undef G_DEFINE_FINAL_TYPE
#define G_DEFINE_FINAL_TYPE(Type, type, PARENT) G_DEFINE_TYPE_EXTENDED (Type, type, PARENT, ROAST_COMPAT_FINAL, {})
#undef G_DEFINE_FINAL_TYPE_WITH_CODE
#define G_DEFINE_FINAL_TYPE_WITH_CODE(Type, type, PARENT, code)                                                        \
  _G_DEFINE_TYPE_EXTENDED_BEGIN (Type, type, PARENT, ROAST_COMPAT_FINAL)                                               \
  {                                                                                                                    \
    code;                                                                                                              \
  }                                                                                                                    \
  _G_DEFINE_TYPE_EXTENDED_END ()

/* Since 2.70 and 2.74: names for nothing. */
#undef G_OPTION_ENTRY_NULL
#define G_OPTION_ENTRY_NULL { NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL }
#undef G_MARKUP_DEFAULT_FLAGS
#define G_MARKUP_DEFAULT_FLAGS ((GMarkupParseFlags) 0)
#undef G_TEST_SUBPROCESS_DEFAULT
#define G_TEST_SUBPROCESS_DEFAULT ((GTestSubprocessFlags) 0)
