/* SPDX-License-Identifier: BSD-3-Clause */

/* Any bytes as a shared library: its symbols are listed, none longer than the file and no more than fit in it; or it is
 * refused. The seeds lack the magic number, which is put before them: no binary is among the sources. */

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

static void
list (const char *data, size_t size)
{
  check (inspect_elf_list_exported (data, size), size);
  check (inspect_elf_list_needed (data, size), size);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const char magic[] = { 0x7f, 'E', 'L', 'F' };
  g_autofree char *file = g_malloc (sizeof magic + size);

  memcpy (file, magic, sizeof magic);
  if (size > 0)
    memcpy (file + sizeof magic, data, size);
  list (file, sizeof magic + size);
  list ((const char *) data, size);

  return 0;
}
