/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-resources.h"

#include <math.h>
#include <string.h>

#define MAX_TIME 1e11   /* s since the epoch: the year 5138 */
#define MAX_SECONDS 1e9 /* longer ones are differences of unsigned numbers that wrapped around */
#define MAX_BYTES 9e15

#define NAME(text) { text "\"", sizeof text }

/* With the quotation mark at their ends. */
static const VineToken names[VINE_N_RESOURCES] = {
  [VINE_CORES] = NAME ("cores"),
  [VINE_MEMORY] = NAME ("memory"),
  [VINE_DISK] = NAME ("disk"),
  [VINE_GPUS] = NAME ("gpus"),
  [VINE_COMMIT_START] = NAME ("time_commit_start"),
  [VINE_COMMIT_END] = NAME ("time_commit_end"),
  [VINE_INPUT_SIZE] = NAME ("size_input_mgr"),
  [VINE_WORKER_START] = NAME ("time_worker_start"),
  [VINE_WORKER_END] = NAME ("time_worker_end"),
  [VINE_OUTPUT_TIME] = NAME ("time_output_mgr"),
  [VINE_OUTPUT_SIZE] = NAME ("size_output_mgr"),
  [VINE_CPU_TIME] = NAME ("cpu_time"),
  [VINE_CORES_AVG] = NAME ("cores_avg"),
  [VINE_BYTES_READ] = NAME ("bytes_read"),
  [VINE_BYTES_WRITTEN] = NAME ("bytes_written"),
};

static inline void
skip_blanks (VineToken *rest)
{
  while (rest->length > 0 && *rest->start == ' ')
    {
      rest->start++;
      rest->length--;
    }
}

static inline gboolean
take (VineToken *rest, char c)
{
  skip_blanks (rest);
  if (rest->length == 0 || *rest->start != c)
    return FALSE;
  rest->start++;
  rest->length--;

  return TRUE;
}

/* The rest of a string after its first quotation mark. Names and units need no escaping, and are short. */
static inline gboolean
take_text (VineToken *rest, VineToken *text)
{
  gsize n = 0;

  while (n < rest->length && rest->start[n] != '"')
    n++;
  if (n == 0 || n == rest->length)
    return FALSE;
  *text = (VineToken) { rest->start, n };
  *rest = (VineToken) { rest->start + n + 1, rest->length - n - 1 };

  return TRUE;
}

/* VINE_N_RESOURCES if the name is not one of these. */
static guint
find (VineToken name)
{
  for (guint i = 0; i < VINE_N_RESOURCES; i++)
    if (names[i].length == name.length + 1 && memcmp (names[i].start, name.start, name.length) == 0)
      return i;

  return VINE_N_RESOURCES;
}

/* @guess: the resource that probably comes, since records have most of them in one order */
static inline gboolean
take_name (VineToken *rest, guint guess, guint *resource)
{
  const VineToken *expected = &names[guess % VINE_N_RESOURCES];
  VineToken name;

  if (!take (rest, '"'))
    return FALSE;
  if (rest->length > expected->length && memcmp (rest->start, expected->start, expected->length) == 0)
    {
      *rest = (VineToken) { rest->start + expected->length, rest->length - expected->length };
      *resource = guess % VINE_N_RESOURCES;
      return TRUE;
    }
  if (!take_text (rest, &name))
    return FALSE;
  *resource = find (name);

  return TRUE;
}

static inline gboolean
take_number (VineToken *rest, double *value)
{
  skip_blanks (rest);

  return vine_token_take_double (rest, value);
}

/* @last: the last resource before it */
static inline gboolean
take_member (VineResources *self, VineToken *rest, guint *last)
{
  VineToken unit;
  double value;
  guint i;

  if (!take_name (rest, *last + 1, &i) || !take (rest, ':') || !take (rest, '[') || !take_number (rest, &value) ||
      !take (rest, ',') || !take (rest, '"') || !take_text (rest, &unit) || !take (rest, ']'))
    return FALSE;
  if (i == VINE_N_RESOURCES)
    return TRUE;
  self->value[i] = value;
  *last = i;

  return TRUE;
}

void
vine_resources_clear (VineResources *self)
{
  for (guint i = 0; i < VINE_N_RESOURCES; i++)
    self->value[i] = NAN;
}

gboolean
vine_resources_read (VineResources *self, VineToken *rest)
{
  guint last = VINE_N_RESOURCES - 1;

  vine_resources_clear (self);
  if (!take (rest, '{'))
    return FALSE;
  if (take (rest, '}'))
    return TRUE;
  do
    if (!take_member (self, rest, &last))
      return FALSE;
  while (take (rest, ','));

  return take (rest, '}');
}

gint64
vine_resources_time (const VineResources *self, VineResource resource)
{
  double seconds = self->value[resource];

  return seconds > 0 && seconds < MAX_TIME ? llround (seconds * G_USEC_PER_SEC) : -1;
}

gint64
vine_resources_bytes (const VineResources *self, VineResource resource)
{
  double bytes = self->value[resource] * (1 << 20);

  return bytes >= 0 && bytes < MAX_BYTES ? llround (bytes) : -1;
}

double
vine_resources_seconds (const VineResources *self, VineResource resource)
{
  double seconds = self->value[resource];

  return seconds >= 0 && seconds < MAX_SECONDS ? seconds : NAN;
}
