/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Replacements for functions newer than GLib 2.66, the oldest supported version. The build includes this header first
 * in each roast file that uses GLib (core/meson.build). The replacements are used even if GLib has the functions, so
 * that roast behaves the same with every version of GLib, and every build tests the replacements. Third-party plugins
 * do not get this header. */

#include <string.h>

#include <glib-object.h>

/* Since 2.68: g_memdup() for sizes above 4 GB. */
static inline gpointer
roast_compat_memdup2 (gconstpointer data, gsize size)
{
  return data != NULL && size > 0 ? memcpy (g_malloc (size), data, size) : NULL;
}
#undef g_memdup2
#define g_memdup2(data, size) roast_compat_memdup2 (data, size)

/* Since 2.68: replaces the first @limit occurrences of @find, or all occurrences if @limit is 0. An empty @find matches
 * nothing. Returns the number of replacements. */
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

/* Since 2.68: asserts that two string arrays are equal. */
#undef g_assert_cmpstrv
#define g_assert_cmpstrv(a, b) g_assert_true (g_strv_equal ((const char *const *) (a), (const char *const *) (b)))

/* Since 2.70: the new name of g_spawn_check_exit_status(). */
#undef g_spawn_check_wait_status
#define g_spawn_check_wait_status(status, error) g_spawn_check_exit_status (status, error)

/* Since 2.70: a type that cannot be derived from. An older GLib does not enforce this. */
#if GLIB_CHECK_VERSION(2, 70, 0)
#define ROAST_COMPAT_FINAL ((GTypeFlags) (1 << 6)) /* G_TYPE_FLAG_FINAL; GLib would warn about the name as too new */
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

/* Since 2.70 and 2.74: names for an entry that ends a list, and for a set of flags that is empty. */
#undef G_OPTION_ENTRY_NULL
#define G_OPTION_ENTRY_NULL { NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL }
#undef G_MARKUP_DEFAULT_FLAGS
#define G_MARKUP_DEFAULT_FLAGS ((GMarkupParseFlags) 0)
#undef G_TEST_SUBPROCESS_DEFAULT
#define G_TEST_SUBPROCESS_DEFAULT ((GTestSubprocessFlags) 0)
