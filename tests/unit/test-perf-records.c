/* SPDX-License-Identifier: BSD-3-Clause */

/* How records of perf events are read and reported: rings, clocks and records that the test makes. */

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "perf-private.h"

#define MS 1000000 /* ns */
#define CHILD 0x7ffffffe
#define PAGE 4096

/* ---- what perf.c and the C library have ---- */

static struct
{
  guint64 now;          /* ns */
  gint64 all, own;      /* clocks, ns */
  guint opened, closed; /* calls */
} site;

int
fake_clock_gettime (clockid_t id, struct timespec *t)
{
  t->tv_sec = (time_t) (site.now / 1000000000);
  t->tv_nsec = (long) (site.now % 1000000000);

  return 0;
}

int64_t
perf_read_clock (int fd)
{
  return fd == 1 ? site.all : site.own;
}

int
perf_open_reads (Perf *perf)
{
  site.opened++;

  return 0;
}

void
perf_close_records (Perf *perf)
{
  site.closed++;
  perf->closed = true;
}

/* ---- rings ---- */

typedef struct
{
  Perf perf;
  PerfRing rings[2];
  GString *told; /* calls of the handler */
} Fixture;

static void
make_ring (PerfRing *ring, gsize size)
{
  ring->fd = -1;
  ring->page = g_malloc0 (PAGE + size);
  ring->page_size = PAGE;
  ring->size = size;
}

static void
set_up (Fixture *self, gconstpointer data)
{
  memset (&site, 0, sizeof site);
  site.now = 10000 * (guint64) MS;
  self->told = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (self->rings); i++)
    make_ring (&self->rings[i], 1024);
  make_ring (&self->perf.reads, 1024);
  self->perf.child = CHILD;
  self->perf.rings = self->rings;
  self->perf.n_rings = G_N_ELEMENTS (self->rings);
  self->perf.threads = 1;
  self->perf.clock_fd = 1;
  self->perf.own_fd = 2;
  self->perf.epoll_fd = epoll_create1 (EPOLL_CLOEXEC);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->rings); i++)
    g_free (self->rings[i].page);
  g_free (self->perf.reads.page);
  g_string_free (self->told, TRUE);
  close (self->perf.epoll_fd);
  free (self->perf.records.all);
  free (self->perf.pending.all);
  free (self->perf.silent.all);
}

static void
put_bytes (PerfRing *ring, gconstpointer data, gsize n)
{
  for (gsize i = 0; i < n; i++)
    ((char *) ring->page)[PAGE + (ring->page->data_head + i) % ring->size] = ((const char *) data)[i];
  ring->page->data_head += n;
}

/* At a time in ms. */
static void
put (PerfRing *ring, guint32 type, gconstpointer data, gsize n, guint64 time)
{
  struct perf_event_header header = { .type = type, .size = (guint16) (sizeof header + n + sizeof time) };

  time *= MS;
  put_bytes (ring, &header, sizeof header);
  put_bytes (ring, data, n);
  put_bytes (ring, &time, sizeof time);
}

static void
put_fork (PerfRing *ring, guint32 type, gint32 pid, gint32 ppid, gint32 tid, guint64 time)
{
  gint32 data[] = { pid, ppid, tid, 0, 0, 0 };

  put (ring, type, data, sizeof data, time);
}

static void
put_read (PerfRing *ring, gint32 pid, gint32 tid, guint64 ns, guint64 time)
{
  struct
  {
    gint32 pid, tid;
    guint64 value;
  } data = { pid, tid, ns };

  put (ring, PERF_RECORD_READ, &data, sizeof data, time);
}

static void
put_name (PerfRing *ring, gint32 pid, gint32 tid, const char *name, guint64 time)
{
  struct
  {
    gint32 pid, tid;
    char name[24];
  } data = { pid, tid, "" };

  g_strlcpy (data.name, name, sizeof data.name);
  put (ring, PERF_RECORD_COMM, &data, sizeof data, time);
}

static void
put_lost (PerfRing *ring, guint64 n, guint64 time)
{
  guint64 data[] = { 77, n };

  put (ring, PERF_RECORD_LOST, data, sizeof data, time);
}

/* ---- what is reported ---- */

static void
on_forked (void *data, int32_t pid, int32_t ppid)
{
  g_string_append_printf (((Fixture *) data)->told, "fork %d<%d;", pid, ppid);
}

static void
on_exited (void *data, int32_t pid, int32_t tid, int32_t ppid)
{
  g_string_append_printf (((Fixture *) data)->told, "exit %d/%d<%d;", pid, tid, ppid);
}

static void
on_cpu (void *data, int32_t pid, int32_t tid, int64_t ns)
{
  g_string_append_printf (((Fixture *) data)->told, "cpu %d/%d=%" G_GINT64_FORMAT ";", pid, tid, ns);
}

static void
on_lost (void *data, uint64_t records)
{
  g_string_append_printf (((Fixture *) data)->told, "lost %" G_GUINT64_FORMAT ";", records);
}

static void
on_named (void *data, int32_t pid, const char *name)
{
  g_string_append_printf (((Fixture *) data)->told, "name %d=%s;", pid, name);
}

static const PerfHandler handler = { on_forked, on_exited, on_cpu, on_lost, on_named };

static void
assert_drain (Fixture *self, const char *expected)
{
  g_string_truncate (self->told, 0);
  perf_drain (&self->perf, &handler, self);
  g_assert_cmpstr (self->told->str, ==, expected);
}

static void
assert_finish (Fixture *self, const char *expected)
{
  g_string_truncate (self->told, 0);
  perf_finish (&self->perf, &handler, self);
  g_assert_cmpstr (self->told->str, ==, expected);
}

/* From all rings, by time; of equal times in the order in which they were read. What is later than the beginning of the
 * batch is for the next one. */
static void
test_order (Fixture *self, gconstpointer data)
{
  put_fork (&self->rings[0], PERF_RECORD_FORK, 11, 10, 11, 9002);
  put_name (&self->rings[0], 11, 11, "cc", 9004);
  put_fork (&self->rings[0], PERF_RECORD_EXIT, 11, 10, 11, 10001);
  put_fork (&self->rings[1], PERF_RECORD_FORK, 12, 10, 12, 9001);
  put_fork (&self->rings[1], PERF_RECORD_FORK, 13, 12, 13, 9004);
  put_fork (&self->rings[1], PERF_RECORD_FORK, 14, 12, 14, 10000);
  put_read (&self->perf.reads, 11, 11, 5, 10002);
  assert_drain (self, "fork 12<10;fork 11<10;name 11=cc;fork 13<12;fork 14<12;");
  g_assert_cmpuint (self->rings[0].page->data_tail, ==, self->rings[0].page->data_head);
  assert_drain (self, "");
  site.now += 2 * MS;
  put_fork (&self->rings[1], PERF_RECORD_FORK, 15, 12, 15, 10001);
  assert_drain (self, "exit 11/11<10;fork 15<12;cpu 11/11=5;");
  g_assert_cmpint (self->perf.told, ==, 5);
}

/* Threads count, but have no fork and no name of their own. */
static void
test_threads (Fixture *self, gconstpointer data)
{
  put_fork (&self->rings[0], PERF_RECORD_FORK, 11, 10, 11, 9001);
  put_fork (&self->rings[0], PERF_RECORD_FORK, 11, 11, 12, 9002);
  put_name (&self->rings[0], 11, 12, "worker", 9003);
  assert_drain (self, "fork 11<10;");
  g_assert_cmpuint (self->perf.clones, ==, 2);
  g_assert_cmpint (self->perf.threads, ==, 3);
  put_fork (&self->rings[0], PERF_RECORD_EXIT, 11, 10, 12, 9004);
  assert_drain (self, "exit 11/12<10;");
  g_assert_cmpint (self->perf.threads, ==, 2);
}

/* 50 ms after an exit its CPU time will not come: the ring has fallen silent, and is replaced. */
static void
test_silent (Fixture *self, gconstpointer data)
{
  put_fork (&self->rings[0], PERF_RECORD_EXIT, 11, 10, 11, 9960);
  put_fork (&self->rings[0], PERF_RECORD_EXIT, 12, 10, 12, 9961);
  put_fork (&self->rings[0], PERF_RECORD_EXIT, 13, 10, 13, 9962);
  put_read (&self->perf.reads, 12, 12, 30 * MS, 9963);
  assert_drain (self, "exit 11/11<10;exit 12/12<10;exit 13/13<10;cpu 12/12=30000000;");
  g_assert_cmpuint (self->perf.pending.n, ==, 2);
  g_assert_cmpuint (site.opened, ==, 0);
  site.now += 10 * MS - 1;
  assert_drain (self, "");
  g_assert_cmpuint (self->perf.pending.n, ==, 2);
  site.now += 1;
  assert_drain (self, "");
  g_assert_cmpuint (self->perf.pending.n, ==, 1);
  g_assert_cmpint (self->perf.pending.all[0].tid, ==, 13);
  g_assert_cmpuint (self->perf.silent.n, ==, 1);
  g_assert_cmpint (self->perf.silent.all[0].tid, ==, 11);
  g_assert_cmpuint (site.opened, ==, 1);

  /* At the end the rest of the sum is theirs, in equal parts: 100 ms but for 20 ms and 30 ms. */
  site.all = 100 * MS;
  site.own = 20 * MS;
  self->perf.threads = 0;
  assert_finish (self, "exit 11/11<10;cpu 11/11=25000000;exit 13/13<10;cpu 13/13=25000000;");
  g_assert_cmpuint (site.opened, ==, 2);
  assert_finish (self, "");
}

/* The rest of the sum is not theirs while threads live or records are missing, and may be nothing. */
static void
test_no_rest (Fixture *self, gconstpointer data)
{
  put_fork (&self->rings[0], PERF_RECORD_EXIT, 11, 10, 11, 9960);
  self->perf.threads = 2;
  site.all = 100 * MS;
  assert_finish (self, "exit 11/11<10;");
  g_assert_cmpuint (self->perf.silent.n, ==, 1);
  self->perf.threads = 0;
  self->perf.incomplete = true;
  assert_finish (self, "");
  self->perf.incomplete = false;
  site.own = 100 * MS;
  assert_finish (self, "");
  g_assert_cmpuint (self->perf.silent.n, ==, 0);
}

/* The child's first thread leaves no CPU time: it is not waited for. Another thread with its id is another one. */
static void
test_first_thread (Fixture *self, gconstpointer data)
{
  put_fork (&self->rings[0], PERF_RECORD_EXIT, CHILD, 10, CHILD, 9000);
  assert_drain (self, "exit 2147483646/2147483646<10;");
  g_assert_cmpuint (self->perf.pending.n + self->perf.silent.n, ==, 0);
  g_assert_true (self->perf.first_exited);
  put_fork (&self->rings[0], PERF_RECORD_EXIT, CHILD, 10, CHILD, 9990);
  assert_drain (self, "exit 2147483646/2147483646<10;");
  g_assert_cmpuint (self->perf.pending.n, ==, 1);
  g_assert_cmpint (self->perf.threads, ==, -1);
}

/* A pid that was used again: the CPU time is that of the last one. */
static void
test_same_thread (Fixture *self, gconstpointer data)
{
  put_fork (&self->rings[0], PERF_RECORD_EXIT, 11, 10, 11, 9980);
  put_fork (&self->rings[0], PERF_RECORD_EXIT, 12, 10, 12, 9981);
  put_fork (&self->rings[0], PERF_RECORD_EXIT, 11, 10, 11, 9982);
  put_fork (&self->rings[0], PERF_RECORD_EXIT, 13, 10, 13, 9983);
  put_read (&self->perf.reads, 11, 11, 7, 9984);
  put_read (&self->perf.reads, 99, 99, 7, 9985);
  assert_drain (self, "exit 11/11<10;exit 12/12<10;exit 11/11<10;exit 13/13<10;cpu 11/11=7;cpu 99/99=7;");
  g_assert_cmpuint (self->perf.pending.n, ==, 3);
  g_assert_cmpuint (self->perf.pending.all[0].time, ==, 9980 * (guint64) MS);
  g_assert_cmpint (self->perf.pending.all[1].tid, ==, 12);
  g_assert_cmpint (self->perf.pending.all[2].tid, ==, 13);
}

/* The ring of CPU times has nothing else, and what it lost is noticed otherwise. */
static void
test_reads_only (Fixture *self, gconstpointer data)
{
  put_fork (&self->perf.reads, PERF_RECORD_FORK, 11, 10, 11, 9001);
  put_lost (&self->perf.reads, 5, 9002);
  put_read (&self->perf.reads, 11, 11, G_GUINT64_CONSTANT (1) << 57, 9003);
  put_read (&self->perf.reads, 11, 11, G_GUINT64_CONSTANT (1) << 56, 9004);
  assert_drain (self, "cpu 11/11=72057594037927936;");
  g_assert_false (self->perf.incomplete);
}

/* Lost records of the others are reported. */
static void
test_lost (Fixture *self, gconstpointer data)
{
  put_lost (&self->rings[0], 5, 9002);
  put_lost (&self->rings[0], G_GUINT64_CONSTANT (1) << 40, 9003);
  put_lost (&self->rings[0], G_MAXUINT32, 9004);
  assert_drain (self, "lost 5;lost 4294967295;lost 4294967295;");
  g_assert_true (self->perf.incomplete);
  self->perf.incomplete = false;
  put_read (&self->rings[0], 11, 11, (G_GUINT64_CONSTANT (1) << 56) + 1, 9004);
  assert_drain (self, "lost 1;");
  g_assert_true (self->perf.incomplete);
  assert_drain (self, "");
}

/* A record that is too short for its kind, or of an unknown kind, is a lost one; those around it are not. */
static void
test_short_records (Fixture *self, gconstpointer data)
{
  static const struct
  {
    guint32 type;
    gsize least;
    const char *told;
  } kinds[] = {
    { PERF_RECORD_FORK, 16, "fork 1<2;" },
    { PERF_RECORD_EXIT, 16, "exit 1/3<2;" },
    { PERF_RECORD_READ, 16, "cpu 1/2=3;" },
    { PERF_RECORD_LOST, 16, "lost 3;" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      gint32 words[] = { 1, 2, 3, 0 };
      g_autofree char *expected = g_strconcat ("lost 1;", kinds[i].told, NULL);

      if (kinds[i].type == PERF_RECORD_FORK || kinds[i].type == PERF_RECORD_EXIT)
        words[2] = 3;
      put (&self->rings[0], kinds[i].type, words, kinds[i].least - 8, 9000);
      put (&self->rings[0], kinds[i].type, words, kinds[i].least, 9000);
      assert_drain (self, expected);
    }
  put (&self->rings[0], PERF_RECORD_MMAP, "12345678", 8, 9000);
  put_fork (&self->rings[0], PERF_RECORD_FORK, 11, 10, 11, 9001);
  assert_drain (self, "lost 1;fork 11<10;");
}

/* The kernel pads names to 8 bytes and keeps 15 characters; here is a longer one, and one without any room. */
static void
test_names (Fixture *self, gconstpointer data)
{
  struct
  {
    gint32 pid, tid;
    char name[8];
  } name = { 11, 11, "gcc" };
  struct
  {
    gint32 pid, tid;
    char name[16];
  } full = { 14, 14, "" };

  memcpy (full.name, "abcdefghijklmnop", sizeof full.name);

  put (&self->rings[0], PERF_RECORD_COMM, &name, sizeof name, 9000);
  put (&self->rings[0], PERF_RECORD_COMM, &name, 8, 9000);
  put_name (&self->rings[0], 12, 12, "a-name-that-is-too-long", 9001);
  put_name (&self->rings[0], 13, 13, "fifteen-letters", 9002);
  /* Without a NUL: the time follows. */
  memcpy (name.name, "abcdefgh", sizeof name.name);
  put (&self->rings[0], PERF_RECORD_COMM, &name, sizeof name, 9002);
  /* Exactly as long as there is room. */
  put (&self->rings[0], PERF_RECORD_COMM, &full, sizeof full, 9003);
  assert_drain (self, "lost 1;name 11=gcc;name 12=a-name-that-is-;name 13=fifteen-letters;name 11=abcdefgh;name "
                      "14=abcdefghijklmno;");
}

/* A header that cannot be one ends the reading: where the next record begins is unknown. */
static void
test_broken_header (Fixture *self, gconstpointer data)
{
  static const guint16 sizes[] = { 0, 8, 20, 136 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      struct perf_event_header header = { .type = PERF_RECORD_FORK, .size = sizes[i] };
      guint64 nothing[20] = { 0 };

      put_fork (&self->rings[0], PERF_RECORD_FORK, 11, 10, 11, 9000);
      put_bytes (&self->rings[0], &header, sizeof header);
      put_bytes (&self->rings[0], nothing, 32);
      put_fork (&self->rings[0], PERF_RECORD_FORK, 12, 10, 12, 9000);
      assert_drain (self, "lost 1;fork 11<10;");
      g_assert_cmpuint (self->rings[0].page->data_tail, ==, self->rings[0].page->data_head);
    }
}

/* The largest record that is read, and the least. */
static void
test_sizes (Fixture *self, gconstpointer data)
{
  char large[112] = { 0 };
  gint32 words[] = { 11, 10 };

  memcpy (large, words, sizeof words);
  put (&self->rings[0], PERF_RECORD_FORK, large, sizeof large, 9000);
  put (&self->rings[0], PERF_RECORD_FORK, NULL, 0, 9001);
  put_fork (&self->rings[0], PERF_RECORD_FORK, 12, 10, 12, 9002);
  assert_drain (self, "lost 1;fork 11<10;fork 12<10;");
}

/* A ring is full when the next record may not fit: that is a loss, since the kernel reports it later. */
static void
test_full (Fixture *self, gconstpointer data)
{
  PerfRing *ring = &self->rings[0];

  /* 22 of 40 bytes, and one of 16: 896 bytes, which leaves 128. */
  for (gint32 i = 0; i < 22; i++)
    put_fork (ring, PERF_RECORD_FORK, 100 + i, 10, 100 + i, 9000);
  put (ring, PERF_RECORD_MMAP, NULL, 0, 9000);
  g_assert_cmpuint (ring->page->data_head, ==, 896);
  g_string_truncate (self->told, 0);
  perf_drain (&self->perf, &handler, self);
  g_assert_true (g_str_has_prefix (self->told->str, "lost 1;fork 100<10;"));
  g_assert_true (g_str_has_suffix (self->told->str, "fork 121<10;"));
  g_assert_cmpuint (self->perf.clones, ==, 22);
  /* The same, and 8 bytes more. It goes on at the begin of the ring. */
  for (gint32 i = 0; i < 22; i++)
    put_fork (ring, PERF_RECORD_FORK, 200 + i, 10, 200 + i, 9000);
  put (ring, PERF_RECORD_MMAP, "12345678", 8, 9000);
  g_string_truncate (self->told, 0);
  perf_drain (&self->perf, &handler, self);
  g_assert_true (g_str_has_prefix (self->told->str, "lost 2;fork 200<10;"));
  g_assert_true (g_str_has_suffix (self->told->str, "fork 220<10;fork 221<10;"));
  g_assert_cmpuint (self->perf.clones, ==, 44);
}

/* More records, and more exits without a CPU time, than there is memory for at first. */
static void
test_many (Fixture *self, gconstpointer data)
{
  for (gint32 i = 0; i < 600; i++)
    {
      if (i % 20 == 0)
        perf_ring_read (&self->rings[0], &self->perf.records);
      put_fork (&self->rings[0], PERF_RECORD_EXIT, 1000 + i, 10, 1000 + i, 9999);
    }
  g_string_truncate (self->told, 0);
  perf_drain (&self->perf, &handler, self);
  g_assert_true (g_str_has_prefix (self->told->str, "exit 1000/1000<10;exit 1001/1001<10;"));
  g_assert_true (g_str_has_suffix (self->told->str, "exit 1598/1598<10;exit 1599/1599<10;"));
  g_assert_cmpuint (self->perf.pending.n, ==, 600);
  for (gint32 i = 0; i < 600; i++)
    g_assert_cmpint (self->perf.pending.all[i].tid, ==, 1000 + i);
  g_assert_cmpuint (self->perf.records.n, ==, 0);
  site.now += 100 * MS;
  assert_drain (self, "");
  g_assert_cmpuint (self->perf.silent.n, ==, 600);
  g_assert_cmpint (self->perf.silent.all[599].tid, ==, 1599);
}

/* Descriptors of events that have ended are no longer polled. If the program lives, records are missing. */
static void
check_ended (Fixture *self, pid_t child, const char *expected)
{
  struct epoll_event event = { .events = EPOLLIN };
  int fds[20][2];

  self->perf.child = child;
  for (guint i = 0; i < G_N_ELEMENTS (fds); i++)
    {
      g_assert_cmpint (pipe (fds[i]), ==, 0);
      event.data.fd = fds[i][0];
      g_assert_cmpint (epoll_ctl (self->perf.epoll_fd, EPOLL_CTL_ADD, fds[i][0], &event), ==, 0);
      close (fds[i][1]);
    }
  assert_drain (self, expected);
  g_assert_cmpint (epoll_wait (self->perf.epoll_fd, &event, 1, 0), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (fds); i++)
    close (fds[i][0]);
}

static void
test_ended (Fixture *self, gconstpointer data)
{
  int fds[2];
  struct epoll_event event = { .events = EPOLLIN };

  check_ended (self, CHILD, "");
  g_assert_false (self->perf.incomplete);
  check_ended (self, getpid (), "lost 1;");
  g_assert_true (self->perf.incomplete);
  /* One that only has records goes on. */
  g_assert_cmpint (pipe (fds), ==, 0);
  event.data.fd = fds[0];
  g_assert_cmpint (epoll_ctl (self->perf.epoll_fd, EPOLL_CTL_ADD, fds[0], &event), ==, 0);
  g_assert_cmpint (write (fds[1], "x", 1), ==, 1);
  assert_drain (self, "");
  g_assert_cmpint (epoll_wait (self->perf.epoll_fd, &event, 1, 0), ==, 1);
  close (fds[0]);
  close (fds[1]);
}

/* In 250 ms the program started some processes, and used CPU time: each of three events costs 4 us for each process,
 * which must not be more than a tenth. */
static void
check_cost (Fixture *self, guint clones, gint64 used, gboolean closes)
{
  guint closed = site.closed;

  self->perf.closed = false;
  site.now += 250 * MS;
  assert_drain (self, "");
  g_assert_false (self->perf.closed);
  self->perf.clones += clones;
  site.all += used;
  site.now += 250 * MS - 1;
  assert_drain (self, "");
  site.now += 1;
  assert_drain (self, closes ? "lost 1;" : "");
  g_assert_cmpuint (site.closed, ==, closed + closes);
}

static void
test_cost (Fixture *self, gconstpointer data)
{
  /* 500 x 3 x 4 us = 6 ms, of 60 ms. */
  check_cost (self, 500, 60 * MS, FALSE);
  check_cost (self, 500, 60 * MS - 10, TRUE);
  check_cost (self, 499, 0, FALSE);
  check_cost (self, 1000, 120 * MS, FALSE);
  check_cost (self, 1000, 119 * MS, TRUE);
  /* Then nothing more is read. */
  put_fork (&self->rings[0], PERF_RECORD_FORK, 11, 10, 11, 9001);
  assert_drain (self, "");
  g_assert_cmpuint (self->rings[0].page->data_tail, ==, 0);
}

/* What was before the first look is not of a window. */
static void
test_first_window (Fixture *self, gconstpointer data)
{
  self->perf.clones = 100000;
  assert_drain (self, "");
  g_assert_false (self->perf.closed);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/perf-records/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("order", test_order);
  ADD ("threads", test_threads);
  ADD ("silent", test_silent);
  ADD ("no-rest", test_no_rest);
  ADD ("first-thread", test_first_thread);
  ADD ("same-thread", test_same_thread);
  ADD ("reads-only", test_reads_only);
  ADD ("lost", test_lost);
  ADD ("short-records", test_short_records);
  ADD ("names", test_names);
  ADD ("broken-header", test_broken_header);
  ADD ("sizes", test_sizes);
  ADD ("full", test_full);
  ADD ("many", test_many);
  ADD ("ended", test_ended);
  ADD ("cost", test_cost);
  ADD ("first-window", test_first_window);

  return g_test_run ();
}
