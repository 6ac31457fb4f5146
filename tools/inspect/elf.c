/* SPDX-License-Identifier: BSD-3-Clause */

/* The table of dynamic symbols of a shared library, read without running anything of it. */

#include "inspect.h"

#include <elf.h>
#include <link.h>
#include <string.h>

static const void *
get_range (const char *data, gsize size, guint64 offset, guint64 length)
{
  return offset <= size && length <= size - offset ? data + offset : NULL;
}

/* The compiler, the linker and sanitizers own the names that begin with an underscore. */
static gboolean
is_exported (const ElfW (Sym) * symbol, const char *name)
{
  unsigned int binding = ELF64_ST_BIND (symbol->st_info);

  return symbol->st_shndx != SHN_UNDEF && (binding == STB_GLOBAL || binding == STB_WEAK) && *name != '\0' && *name != '_';
}

static void
add_symbols (GPtrArray *names, const char *data, gsize size, const ElfW (Shdr) * table, const ElfW (Shdr) * text)
{
  const ElfW (Sym) *symbols = get_range (data, size, table->sh_offset, table->sh_size);
  const char *strings = get_range (data, size, text->sh_offset, text->sh_size);

  if (symbols == NULL || strings == NULL || text->sh_size == 0 || strings[text->sh_size - 1] != '\0')
    return;
  for (gsize i = 0; i < table->sh_size / sizeof symbols[0]; i++)
    if (symbols[i].st_name < text->sh_size && is_exported (&symbols[i], strings + symbols[i].st_name))
      g_ptr_array_add (names, g_strdup (strings + symbols[i].st_name));
}

GPtrArray *
inspect_list_exported_symbols (const char *path)
{
  g_autofree char *data = NULL;
  gsize size = 0;
  const ElfW (Ehdr) *header;
  const ElfW (Shdr) *sections;
  GPtrArray *names;

  if (path == NULL || !g_file_get_contents (path, &data, &size, NULL) || size < sizeof *header)
    return NULL;
  header = (const void *) data;
  if (memcmp (header->e_ident, ELFMAG, SELFMAG) != 0
      || header->e_ident[EI_CLASS] != (sizeof (void *) == 8 ? ELFCLASS64 : ELFCLASS32)
      || header->e_shentsize != sizeof sections[0])
    return NULL;
  sections = get_range (data, size, header->e_shoff, (guint64) header->e_shnum * sizeof sections[0]);
  if (sections == NULL)
    return NULL;
  names = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < header->e_shnum; i++)
    if (sections[i].sh_type == SHT_DYNSYM && sections[i].sh_link < header->e_shnum)
      add_symbols (names, data, size, &sections[i], &sections[sections[i].sh_link]);
  return names;
}
