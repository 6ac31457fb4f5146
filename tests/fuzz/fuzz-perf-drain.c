/* SPDX-License-Identifier: BSD-3-Clause */

/* Whatever records the kernel leaves in several rings: what is reported is in order of time, each exit and each CPU
 * time is reported as often as there was a record, and what is kept is bounded by what was read. Each piece of the
 * input is written to a ring; the last ring is that of READ records. */

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>

#include "perf-private.h"
#include "pieces.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

#define SIZE 1024
#define N_RINGS 3

typedef struct
{
  uint64_t forked, exited, cpu, named, lost;
} Seen;

/* ---- in place of perf.c ---- */

int
perf_open_reads (Perf *perf)
{
  return ENOSYS;
}

void
perf_close_records (Perf *perf)
{
  perf->closed = true;
}

int64_t
perf_read_clock (int fd)
{
  return fd == 1 ? INT64_C (1) << 40 : 0;
}

/* ---- what is reported ---- */

static void
forked (void *data, int32_t pid, int32_t ppid)
{
  g_assert_cmpint (pid, !=, ppid);
  ((Seen *) data)->forked++;
}

static void
exited (void *data, int32_t pid, int32_t tid, int32_t ppid)
{
  ((Seen *) data)->exited++;
}

static void
cpu (void *data, int32_t pid, int32_t tid, int64_t ns)
{
  g_assert_cmpint (ns, >=, 0);
  ((Seen *) data)->cpu++;
}

static void
lost (void *data, uint64_t records)
{
  ((Seen *) data)->lost += records;
}

static void
named (void *data, int32_t pid, const char *name)
{
  g_assert_cmpuint (strnlen (name, PERF_NAME_LENGTH), <, PERF_NAME_LENGTH);
  ((Seen *) data)->named++;
}

static void
fill (PerfRing *ring, Pieces *pieces)
{
  size_t length = 0;
  g_autofree char *piece = pieces_next (pieces, &length);
  struct perf_event_mmap_page *page = g_malloc0 (sizeof *page + SIZE);

  *ring = (PerfRing) { .fd = -1, .page = page, .page_size = sizeof *page, .size = SIZE };
  length = MIN (length, SIZE);
  if (piece != NULL)
    memcpy ((char *) page + sizeof *page, piece, length);
  page->data_head = length;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const PerfHandler handler = { forked, exited, cpu, lost, named };
  Pieces pieces = { (const char *) data, size };
  PerfRing rings[N_RINGS];
  Perf perf = { .child = 100, .epoll_fd = -1, .clock_fd = 1, .own_fd = 2, .rings = rings, .n_rings = N_RINGS };
  Seen seen = { 0 };
  uint64_t most = 0;

  for (int i = 0; i < N_RINGS; i++)
    fill (&rings[i], &pieces);
  fill (&perf.reads, &pieces);
  perf_drain (&perf, &handler, &seen);
  perf_finish (&perf, &handler, &seen);
  most = (N_RINGS + 1) * SIZE / sizeof (struct perf_event_header);
  g_assert_cmpuint (seen.forked + seen.named, <=, most);
  g_assert_cmpuint (seen.exited, <=, 2 * most);
  g_assert_cmpuint (perf.pending.n + perf.silent.n, <=, most);
  g_assert_cmpint (perf.told, >=, 0);
  free (perf.records.all);
  free (perf.pending.all);
  free (perf.silent.all);
  for (int i = 0; i < N_RINGS; i++)
    g_free (rings[i].page);
  g_free (perf.reads.page);

  return 0;
}
