/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-checksum-private.h"

#include <string.h>

#define HEADER_RESERVED 20 /* where a file's header has the number of bytes that are left free */
#define FACTOR G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)
#define MARK G_GUINT64_CONSTANT (0x01c5) /* the last two bytes, so that no checksum is 0 */
#define MARK_BITS 0xffff

/* Each step is reversible, so that a page with one wrong word never has the right state in the end. */
static guint64
sum (const guint8 *page, guint64 number)
{
  guint64 state = (number + 1) * FACTOR;

  for (gsize at = 0; at < ROAST_STORE_USED; at += sizeof state)
    {
      guint64 word;

      memcpy (&word, page + at, sizeof word);
      state = (state ^ GUINT64_FROM_LE (word)) * FACTOR;
      state ^= state >> 29;
    }

  return (state & ~(guint64) MARK_BITS) | MARK;
}

static guint64
get (const guint8 *page)
{
  guint64 stored;

  memcpy (&stored, page + ROAST_STORE_USED, sizeof stored);

  return GUINT64_FROM_BE (stored);
}

gboolean
roast_page_starts_file (const guint8 *page)
{
  /* The second one finds a header of which that byte is damaged. */
  return page[HEADER_RESERVED] == ROAST_STORE_RESERVED || (get (page) & MARK_BITS) == MARK;
}

void
roast_page_sum (guint8 *page, guint64 number)
{
  guint64 stored = GUINT64_TO_BE (sum (page, number));

  memcpy (page + ROAST_STORE_USED, &stored, sizeof stored);
}

RoastPageState
roast_page_check (const guint8 *page, guint64 number)
{
  guint64 stored = get (page);

  if (stored == 0)
    return ROAST_PAGE_UNKNOWN;

  return stored == sum (page, number) ? ROAST_PAGE_SOUND : ROAST_PAGE_DAMAGED;
}
