/* SPDX-License-Identifier: BSD-3-Clause */

/* Named sections of the program: the table per_section. */

#include <math.h>

#include "coverage.h"
#include "group-element.h"
#include "workload-tables.h"
#include "workload.h"

typedef struct
{
  const char *name, *kind;
  gint64 count;
  double sum, min, max;
} Section;

static void
write_sections (GArray *sections, gboolean complete, RoastReport *report)
{
  g_autoptr (RoastTableWriter) table = roast_per_section_write (report);

  FOR_EACH (const Section, section, sections)
    {
      if (section->count == 0)
        continue;
      roast_table_writer_set_string (table, ROAST_PER_SECTION_SECTION, section->name);
      roast_table_writer_set_string (table, ROAST_PER_SECTION_KIND, section->kind);
      roast_table_writer_set_int64 (table, ROAST_PER_SECTION_COUNT, section->count);
      roast_table_writer_set_double (table, ROAST_PER_SECTION_TOTAL, section->sum);
      roast_table_writer_set_double (table, ROAST_PER_SECTION_MEAN, section->sum / (double) section->count);
      roast_table_writer_set_double (table, ROAST_PER_SECTION_MIN, section->min);
      roast_table_writer_set_double (table, ROAST_PER_SECTION_MAX, section->max);
      roast_table_writer_set_word (table, ROAST_PER_SECTION_COUNT_BOUND,
                                   complete ? ROAST_BOUND_EXACT : ROAST_BOUND_AT_LEAST);
      roast_table_writer_end (table, NULL);
    }
}

static Section *
find_section (GArray *sections, const char *name, const char *kind)
{
  Section section = { .name = name, .kind = kind };

  for (guint i = 0; i < sections->len; i++)
    if (g_strcmp0 (g_array_index (sections, Section, i).name, name) == 0 &&
        g_strcmp0 (g_array_index (sections, Section, i).kind, kind) == 0)
      return &g_array_index (sections, Section, i);
  g_array_append_val (sections, section);

  return &g_array_index (sections, Section, sections->len - 1);
}

/* Add the sums of sections beyond the quota of a program, which are missing from the table sections. Return FALSE if
 * the program dropped sections. A linear search of @sections is fast enough, because a program uses few names. */
static gboolean
add_sums (GArray *sections, RoastTableReader *sums)
{
  gboolean complete = TRUE;

  while (roast_table_reader_next (sums))
    {
      double least = roast_table_reader_get_double (sums, ROAST_PROGRAM_SUMS_LEAST);
      double most = roast_table_reader_get_double (sums, ROAST_PROGRAM_SUMS_MOST);
      Section *section = NULL;

      if (g_strcmp0 (roast_table_reader_get_string (sums, ROAST_PROGRAM_SUMS_TABLE), ROAST_TABLE_SECTIONS) != 0)
        continue;
      complete &= !roast_table_reader_has (sums, ROAST_PROGRAM_SUMS_DROPPED);
      if (isnan (least))
        continue;
      section = find_section (sections, roast_table_reader_get_string (sums, ROAST_PROGRAM_SUMS_SECTION),
                              roast_table_reader_get_string (sums, ROAST_PROGRAM_SUMS_KIND));
      section->min = section->count == 0 ? least : fmin (section->min, least);
      section->max = section->count == 0 ? most : fmax (section->max, most);
      section->sum += roast_table_reader_get_double (sums, ROAST_PROGRAM_SUMS_VALUE);
      section->count += roast_table_reader_get_int64 (sums, ROAST_PROGRAM_SUMS_VALUES, 0);
    }

  return complete;
}

static void
collect_sections (GArray *sections, RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) table = roast_sections_read (recording);

  GROUP_BY (table, ROAST_SECTIONS_NAME, ROAST_SECTIONS_KIND);
  while (roast_table_reader_next (table))
    {
      double value = roast_table_reader_get_double (table, ROAST_SECTIONS_VALUE);
      Section *section = NULL;

      if (isnan (value))
        continue;
      section = group_element (sections, table);
      if (section->count == 0)
        {
          section->name = roast_table_reader_get_string (table, ROAST_SECTIONS_NAME);
          section->kind = roast_table_reader_get_string (table, ROAST_SECTIONS_KIND);
          section->min = section->max = value;
        }
      section->min = MIN (section->min, value);
      section->max = MAX (section->max, value);
      section->sum += value;
      section->count++;
    }
}

void
workload_add_sections (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (GArray) sections = g_array_new (FALSE, FALSE, sizeof (Section));
  g_autoptr (RoastTableReader) sums = roast_program_sums_read (recording);
  g_autoptr (GPtrArray) gaps = coverage_list (recording, ROAST_TABLE_SECTIONS, NULL);
  gboolean complete;

  collect_sections (sections, recording);
  complete = add_sums (sections, sums) && gaps->len == 0;

  if (sections->len > 0)
    write_sections (sections, complete, report);
}
