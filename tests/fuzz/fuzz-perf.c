/* SPDX-License-Identifier: BSD-3-Clause */

/* Whatever is in a ring of perf records, reading it returns, stays within the ring, and leaves valid records. The first
 * two bytes are where the reader was, the rest is what was written since. */

#include <glib.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "perf-ring.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

#define SIZE 1024

static void
check (const PerfRecord *record)
{
  switch (record->type)
    {
    case PERF_RECORD_COMM:
      g_assert_nonnull (memchr (record->name, '\0', sizeof record->name));
      break;
    case PERF_RECORD_READ:
    case PERF_RECORD_LOST:
      g_assert_cmpint (record->value, >=, 0);
      break;
    default:
      g_assert_true (record->type == PERF_RECORD_FORK || record->type == PERF_RECORD_EXIT);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  struct perf_event_mmap_page *page;
  PerfRecords records = { 0 };
  PerfRing ring = { .fd = -1, .page_size = sizeof *page, .size = SIZE };
  size_t n, at;

  if (size < 2)
    return 0;
  /* Exactly so large: reading one byte further is seen. */
  page = g_malloc0 (sizeof *page + SIZE);
  ring.page = page;
  n = MIN (size - 2, SIZE);
  at = (size_t) (data[0] | data[1] << 8) / 8 * 8;
  for (size_t i = 0; i < n; i++)
    ((uint8_t *) page)[sizeof *page + (at + i) % SIZE] = data[2 + i];
  page->data_tail = at;
  page->data_head = at + n;
  perf_ring_read (&ring, &records);
  g_assert_cmpuint (page->data_tail, ==, at + n);
  perf_records_sort (&records);
  for (size_t i = 0; i < records.n; i++)
    {
      check (&records.all[i]);
      if (i > 0)
        g_assert_cmpuint (records.all[i - 1].time, <=, records.all[i].time);
    }
  perf_records_drop (&records, records.n / 2);
  free (records.all);
  g_free (page);

  return 0;
}
