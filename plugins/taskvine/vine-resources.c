/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-resources.h"

#include <math.h>
#include <string.h>

#define MAX_TIME 1e11   /* s since the epoch: the year 5138 */
#define MAX_SECONDS 1e9 /* longer ones are differences of unsigned numbers that wrapped around */
#define MAX_BYTES 9e15

#define NAME(text) { text, sizeof text - 1 }

static const VineToken names[VINE_N_RESOURCES] = {
  [VINE_CORES] = NAME ("cores"),
  [VINE_MEMORY] = NAME ("memory"),
  [VINE_DISK] = NAME ("disk"),
  [VINE_GPUS] = NAME ("gpus"),
  [VINE_COMMIT_START] = NAME ("time_commit_start"),
  [VINE_COMMIT_END] = NAME ("time_commit_end"),
  [VINE_INPUT_TIME] = NAME ("time_input_mgr"),
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

/* VINE_N_RESOURCES if the name is not one of these. */
static guint
find (VineToken name)
{
  for (guint i = 0; i < VINE_N_RESOURCES; i++)
    if (names[i].length == name.length && memcmp (names[i].start, name.start, name.length) == 0)
      return i;

  return VINE_N_RESOURCES;
}

static void
skip_blanks (VineToken *rest)
{
  while (rest->length > 0 && *rest->start == ' ')
    {
      rest->start++;
      rest->length--;
    }
}

static gboolean
take (VineToken *rest, char c)
{
  skip_blanks (rest);
  if (rest->length == 0 || *rest->start != c)
    return FALSE;
  rest->start++;
  rest->length--;

  return TRUE;
}

/* Names and units need no escaping. */
static gboolean
take_string (VineToken *rest, VineToken *string)
{
  const char *end;

  if (!take (rest, '"'))
    return FALSE;
  end = memchr (rest->start, '"', rest->length);
  if (end == NULL || end == rest->start)
    return FALSE;
  *string = (VineToken) { rest->start, (gsize) (end - rest->start) };
  rest->length -= string->length + 1;
  rest->start = end + 1;

  return TRUE;
}

static gboolean
is_of_number (char c)
{
  return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
}

static gboolean
take_number (VineToken *rest, double *value)
{
  gsize n = 0;
  VineToken number;

  skip_blanks (rest);
  while (n < rest->length && is_of_number (rest->start[n]))
    n++;
  number = (VineToken) { rest->start, n };
  rest->start += n;
  rest->length -= n;

  return vine_token_to_double (number, value);
}

static gboolean
take_member (VineResources *self, VineToken *rest)
{
  VineToken name, unit;
  double value;
  guint i;

  if (!take_string (rest, &name) || !take (rest, ':') || !take (rest, '[') || !take_number (rest, &value) ||
      !take (rest, ',') || !take_string (rest, &unit) || !take (rest, ']'))
    return FALSE;
  i = find (name);
  if (i < VINE_N_RESOURCES)
    self->value[i] = value;

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
  vine_resources_clear (self);
  if (!take (rest, '{'))
    return FALSE;
  if (take (rest, '}'))
    return TRUE;
  do
    if (!take_member (self, rest))
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
