/* SPDX-License-Identifier: BSD-3-Clause */

/* Any bytes as a shared library: its symbols are listed, none longer than the file and no more than fit in it; or it is
 * refused. */

#include <stdint.h>
#include <string.h>

#include "inspect.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

#define LEAST_SYMBOL 16 /* bytes, also of 32-bit machines */

static void
check (GPtrArray *names, size_t size)
{
  if (names == NULL)
    return;
  g_assert_cmpuint (names->len, <=, size / LEAST_SYMBOL);
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);

      g_assert_cmpuint (strlen (name), >, 0);
      g_assert_cmpuint (strlen (name), <, size);
    }
  g_ptr_array_unref (names);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  check (inspect_elf_list_exported ((const char *) data, size), size);
  check (inspect_elf_list_needed ((const char *) data, size), size);

  return 0;
}
