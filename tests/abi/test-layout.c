/* SPDX-License-Identifier: BSD-3-Clause */

/* What is compiled into plugins: with the headers of 1.0, the present ones and those of a next minor version every field and
 * slot is in the same place. */

#include "layout.h"

static void
compare (gconstpointer data)
{
  const Layout *frozen = layout_frozen;
  const Layout *later = data;

  for (; frozen->name != NULL; frozen++, later++)
    {
      g_test_message ("%s", frozen->name);
      g_assert_cmpstr (frozen->name, ==, later->name);
      g_assert_cmpuint (frozen->offset, ==, later->offset);
      g_assert_cmpuint (frozen->size, ==, later->size);
    }
  g_assert_cmpuint ((gsize) (frozen - layout_frozen), >, 100);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/layout/present", layout_present, compare);
  g_test_add_data_func ("/layout/next", layout_next, compare);

  return g_test_run ();
}
