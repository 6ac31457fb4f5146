/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-resources.h"

#include <math.h>
#include <string.h>

#define MAX_TIME 1e11   /* latest valid time, s since the epoch: in the year 5138 */
#define MAX_SECONDS 1e9 /* s; a longer duration is invalid: a difference of unsigned numbers wrapped around */
#define MAX_BYTES 9e15

#define NAME(text) { text, sizeof text - 1 }

/* Names of the resources in a record. The lengths are compared first, because most names differ in length. */
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

/* Take the rest of a string whose opening quotation mark was already taken. Resource names and units are short and
 * contain no escape sequences. */
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

/* Return the resource with this name; VINE_N_RESOURCES if the name is unknown. */
static guint
find (VineToken name)
{
  for (guint i = 0; i < VINE_N_RESOURCES; i++)
    if (name.length == names[i].length && memcmp (name.start, names[i].start, name.length) == 0)
      return i;

  return VINE_N_RESOURCES;
}

static inline gboolean
take_number (VineToken *rest, double *value)
{
  skip_blanks (rest);

  return vine_token_take_double (rest, value);
}

static inline gboolean
take_member (VineResources *self, VineToken *rest)
{
  VineToken name, unit;
  double value;
  guint i;

  if (!take (rest, '"') || !take_text (rest, &name) || !take (rest, ':') || !take (rest, '[') ||
      !take_number (rest, &value) || !take (rest, ',') || !take (rest, '"') || !take_text (rest, &unit) ||
      !take (rest, ']'))
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
