/* SPDX-License-Identifier: BSD-3-Clause */

/* The table of dynamic symbols of a shared library, read without running any of its code. */

#include "inspect.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>

static const void *
get_range (const char *data, gsize size, guint64 offset, guint64 length)
{
  return offset <= size && length <= size - offset ? data + offset : NULL;
}

typedef gboolean (*IsWanted) (const ElfW (Sym) * symbol, const char *name);

/* A symbol that another library must define. */
static gboolean
is_needed (const ElfW (Sym) * symbol, const char *name)
{
  return symbol->st_shndx == SHN_UNDEF && ELF64_ST_BIND (symbol->st_info) == STB_GLOBAL && *name != '\0';
}

/* Names with a leading underscore belong to the compiler, the linker and sanitizers. */
static gboolean
is_exported (const ElfW (Sym) * symbol, const char *name)
{
  unsigned int binding = ELF64_ST_BIND (symbol->st_info);

  return symbol->st_shndx != SHN_UNDEF && (binding == STB_GLOBAL || binding == STB_WEAK) && *name != '\0' &&
         *name != '_';
}

/* Tables may lie anywhere in the file, also where their type must not be read directly. */
static void
add_symbols (GPtrArray *names, IsWanted is_wanted, const char *data, gsize size, const ElfW (Shdr) * table,
             const ElfW (Shdr) * text)
{
  const char *symbols = get_range (data, size, table->sh_offset, table->sh_size);
  const char *strings = get_range (data, size, text->sh_offset, text->sh_size);
  ElfW (Sym) symbol;

  if (symbols == NULL || strings == NULL || text->sh_size == 0 || strings[text->sh_size - 1] != '\0')
    return;
  for (gsize i = 0; i < table->sh_size / sizeof symbol; i++)
    {
      memcpy (&symbol, symbols + i * sizeof symbol, sizeof symbol);
      if (symbol.st_name < text->sh_size && is_wanted (&symbol, strings + symbol.st_name))
        g_ptr_array_add (names, g_strdup (strings + symbol.st_name));
    }
}

static GPtrArray *
list_symbols (const char *data, gsize size, IsWanted is_wanted)
{
  ElfW (Ehdr) header;
  ElfW (Shdr) section, text;
  const char *sections;
  GPtrArray *names;

  if (size < sizeof header)
    return NULL;
  memcpy (&header, data, sizeof header);
  if (memcmp (header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != (sizeof (void *) == 8 ? ELFCLASS64 : ELFCLASS32) ||
      header.e_shentsize != sizeof section)
    return NULL;
  sections = get_range (data, size, header.e_shoff, (guint64) header.e_shnum * sizeof section);
  if (sections == NULL)
    return NULL;
  names = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < header.e_shnum; i++)
    {
      memcpy (&section, sections + i * sizeof section, sizeof section);
      if (section.sh_type != SHT_DYNSYM || section.sh_link >= header.e_shnum)
        continue;
      memcpy (&text, sections + section.sh_link * sizeof text, sizeof text);
      add_symbols (names, is_wanted, data, size, &section, &text);
      /* A file has one at most. Thousands of sections that name the same bytes would fill the memory. */
      break;
    }
  return names;
}

GPtrArray *
inspect_elf_list_exported (const char *data, gsize size)
{
  return list_symbols (data, size, is_exported);
}

GPtrArray *
inspect_elf_list_needed (const char *data, gsize size)
{
  return list_symbols (data, size, is_needed);
}

static GPtrArray *
list_symbols_of_file (const char *path, IsWanted is_wanted)
{
  g_autofree char *data = NULL;
  gsize size = 0;

  return path != NULL && g_file_get_contents (path, &data, &size, NULL) ? list_symbols (data, size, is_wanted) : NULL;
}

GPtrArray *
inspect_list_exported_symbols (const char *path)
{
  return list_symbols_of_file (path, is_exported);
}

GPtrArray *
inspect_list_missing_symbols (const char *path)
{
  /* Lazily, so that it opens although functions are missing. Other problems show when it is really opened. */
  void *handle = path != NULL ? dlopen (path, RTLD_LAZY | RTLD_LOCAL) : NULL;
  GPtrArray *needed = handle != NULL ? list_symbols_of_file (path, is_needed) : NULL;

  for (guint i = 0; needed != NULL && i < needed->len;)
    {
      if (dlsym (handle, g_ptr_array_index (needed, i)) != NULL)
        g_ptr_array_remove_index (needed, i);
      else
        i++;
    }
  return needed;
}
