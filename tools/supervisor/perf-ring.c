/* SPDX-License-Identifier: BSD-3-Clause */

#include "perf-ring.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LARGEST 128                            /* bytes; maximum size of a valid record */
#define PERF_RING_LONGEST (UINT64_C (1) << 56) /* ns, 2.3 years; longer CPU times are invalid */

int
perf_ring_map (PerfRing *ring, int fd, size_t pages)
{
  void *page;

  ring->page_size = (size_t) sysconf (_SC_PAGESIZE);
  ring->size = pages * ring->page_size;
  page = mmap (NULL, ring->size + ring->page_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (page == MAP_FAILED)
    return errno;
  ring->fd = fd;
  ring->page = page;

  return 0;
}

void
perf_ring_close (PerfRing *ring)
{
  munmap (ring->page, ring->size + ring->page_size);
  close (ring->fd);
}

static PerfRecord *
add_record (PerfRecords *self)
{
  if (self->n == self->capacity)
    {
      size_t capacity = self->capacity != 0 ? self->capacity * 2 : 256;
      PerfRecord *all = realloc (self->all, capacity * sizeof *all);

      if (all == NULL)
        return NULL;
      self->all = all;
      self->capacity = capacity;
    }
  memset (&self->all[self->n], 0, sizeof *self->all);
  self->all[self->n].order = self->n;

  return &self->all[self->n++];
}

/* Decodes a record, whose layout perf_event_open(2) describes. The time is the last field of each record, because the
 * event has sample_id_all. */
static bool
decode (PerfRecord *record, const struct perf_event_header *header, const char *data)
{
  uint32_t word[4];
  uint64_t value[2];
  size_t room = header->size - sizeof *header - sizeof record->time;

  if (room < sizeof word)
    return false;
  record->type = header->type;
  memcpy (&record->time, data + header->size - sizeof record->time, sizeof record->time);
  data += sizeof *header;
  memcpy (word, data, sizeof word);
  memcpy (value, data, sizeof value);
  record->pid = (int32_t) word[0];
  switch (header->type)
    {
    case PERF_RECORD_FORK:
    case PERF_RECORD_EXIT: /* pid, ppid, tid, ptid, time */
      record->ppid = (int32_t) word[1];
      record->tid = (int32_t) word[2];
      return true;
    case PERF_RECORD_COMM: /* pid, tid, and name; the name is NUL-terminated and padded to a multiple of 8 bytes */
      record->tid = (int32_t) word[1];
      room -= 2 * sizeof *word;
      memcpy (record->name, data + 2 * sizeof *word, room < sizeof record->name ? room : sizeof record->name - 1);
      return true;
    case PERF_RECORD_READ: /* pid, tid, value */
      record->tid = (int32_t) word[1];
      record->value = (int64_t) value[1];
      return value[1] <= PERF_RING_LONGEST;
    case PERF_RECORD_LOST: /* id, lost */
      record->value = value[1] <= UINT32_MAX ? (int64_t) value[1] : UINT32_MAX;
      return true;
    default:
      return false;
    }
}

static void
perf_ring_take (PerfRecords *records, const struct perf_event_header *header, const char *data)
{
  PerfRecord *record = add_record (records);

  if (record == NULL)
    records->lost++;
  else if (!decode (record, header, data))
    {
      records->n--;
      records->lost++;
    }
}

void
perf_ring_read (PerfRing *ring, PerfRecords *records)
{
  const char *data = (const char *) ring->page + ring->page_size;
  uint64_t head = __atomic_load_n (&ring->page->data_head, __ATOMIC_ACQUIRE);
  uint64_t tail = ring->page->data_tail;

  if (head <= tail)
    return;
  /* The ring may be full and have lost records. Count them now, because the kernel writes a LOST record only before the
   * next record that fits. */
  if (head - tail > ring->size - LARGEST)
    records->lost++;
  while (tail < head)
    {
      struct perf_event_header header;
      char copy[LARGEST];
      size_t at = tail % ring->size;
      size_t first;

      memcpy (&header, data + at, sizeof header); /* a header never wraps around the end of the ring, because records
                                                     are aligned to 8 bytes */
      if (header.size < sizeof header + sizeof (uint64_t) || header.size > sizeof copy || header.size % 8 != 0)
        {
          records->lost++;
          break;
        }
      first = ring->size - at < header.size ? ring->size - at : header.size;
      memcpy (copy, data + at, first);
      memcpy (copy + first, data, header.size - first);
      perf_ring_take (records, &header, copy);
      tail += header.size;
    }
  __atomic_store_n (&ring->page->data_tail, head, __ATOMIC_RELEASE);
}

static int
perf_ring_compare (const void *a, const void *b)
{
  const PerfRecord *x = a, *y = b;

  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;

  return x->order < y->order ? -1 : x->order > y->order;
}

void
perf_records_sort (PerfRecords *records)
{
  if (records->n > 1)
    qsort (records->all, records->n, sizeof *records->all, perf_ring_compare);
}

void
perf_records_drop (PerfRecords *records, size_t n)
{
  if (n == 0)
    return;
  records->n -= n;
  memmove (records->all, records->all + n, records->n * sizeof *records->all);
}
