/* SPDX-License-Identifier: BSD-3-Clause */

/* Symbols of shared libraries that no linker makes. */

#include <elf.h>
#include <link.h>
#include <string.h>

#include "inspect.h"

#define ODD 1 /* where the tables begin: no address of their type */

enum
{
  TEXT,
  FIRST,
  N_SECTIONS = 100
};

typedef struct
{
  char strings[16];
  ElfW (Sym) symbols[2];
  ElfW (Shdr) sections[N_SECTIONS];
} Tables;

/* Many sections that are all the same table of symbols. */
static GByteArray *
make_library (void)
{
  ElfW (Ehdr) header = { .e_ident = ELFMAG, .e_shentsize = sizeof (ElfW (Shdr)), .e_shnum = N_SECTIONS };
  g_autofree Tables *tables = g_new0 (Tables, 1);
  const ElfW (Off) start = sizeof header + ODD;
  GByteArray *library = g_byte_array_new ();

  header.e_ident[EI_CLASS] = sizeof (void *) == 8 ? ELFCLASS64 : ELFCLASS32;
  header.e_shoff = start + offsetof (Tables, sections);
  memcpy (tables->strings, "\0defined\0needed", sizeof tables->strings);
  tables->symbols[0] = (ElfW (Sym)) { .st_name = 1, .st_info = STB_GLOBAL << 4, .st_shndx = 1 };
  tables->symbols[1] = (ElfW (Sym)) { .st_name = 9, .st_info = STB_GLOBAL << 4, .st_shndx = SHN_UNDEF };
  tables->sections[TEXT] =
      (ElfW (Shdr)) { .sh_type = SHT_STRTAB, .sh_offset = start, .sh_size = sizeof tables->strings };
  for (guint i = FIRST; i < N_SECTIONS; i++)
    tables->sections[i] = (ElfW (Shdr)) { .sh_type = SHT_DYNSYM,
                                          .sh_link = TEXT,
                                          .sh_offset = start + offsetof (Tables, symbols),
                                          .sh_size = sizeof tables->symbols };
  g_byte_array_append (library, (const guint8 *) &header, sizeof header);
  g_byte_array_append (library, (const guint8 *) "", ODD);
  g_byte_array_append (library, (const guint8 *) tables, sizeof *tables);

  return library;
}

static void
check (GPtrArray *names, const char *name)
{
  g_assert_nonnull (names);
  g_assert_cmpuint (names->len, ==, 1);
  g_assert_cmpstr (g_ptr_array_index (names, 0), ==, name);
  g_ptr_array_unref (names);
}

static void
test_once (void)
{
  g_autoptr (GByteArray) library = make_library ();

  check (inspect_elf_list_exported ((const char *) library->data, library->len), "defined");
  check (inspect_elf_list_needed ((const char *) library->data, library->len), "needed");
}

static void
test_cut (void)
{
  g_autoptr (GByteArray) library = make_library ();

  for (guint length = 0; length < library->len; length++)
    g_assert_null (inspect_elf_list_exported ((const char *) library->data, length));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/elf/once", test_once);
  g_test_add_func ("/elf/cut", test_cut);

  return g_test_run ();
}
