/* SPDX-License-Identifier: BSD-3-Clause */
#include "process-peak.h"

void
process_peak_add (ProcessPeak *self, RoastTableReader *processes)
{
  gint64 peak = roast_table_reader_get_int64 (processes, ROAST_PROCESSES_MEMORY_PEAK, -1);
  int bound = roast_table_reader_get_word (processes, ROAST_PROCESSES_MEMORY_PEAK_BOUND);

  self->least = MAX (self->least, bound != ROAST_BOUND_AT_MOST ? peak : -1);
  self->most =
      MAX (self->most, peak >= 0 && (bound == ROAST_BOUND_EXACT || bound == ROAST_BOUND_AT_MOST) ? peak : G_MAXINT64);
}

gboolean
process_peak_get (const ProcessPeak *self, gint64 *peak, guint *bound)
{
  *peak = self->most < G_MAXINT64 ? self->most : self->least;
  *bound = self->least == self->most ? ROAST_BOUND_EXACT
           : *peak == self->most     ? ROAST_BOUND_AT_MOST
                                     : ROAST_BOUND_AT_LEAST;

  return *peak >= 0;
}
