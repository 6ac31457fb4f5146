/* SPDX-License-Identifier: BSD-3-Clause */
#include "roastcoffea-words.h"

#include <stdio.h>
#include <time.h>

const RoastcoffeaWord roastcoffea_chunk_numbers[] = {
  { "mem_delta_mb", ROAST_CHUNKS_MEMORY, ROASTCOFFEA_MIB },
  { "mem_before_mb", ROAST_CHUNKS_MEMORY_START, ROASTCOFFEA_MIB },
  { "mem_after_mb", ROAST_CHUNKS_MEMORY_END, ROASTCOFFEA_MIB },
  { "bytes_read", ROAST_CHUNKS_BYTES_READ, 1 },
  { "num_events", ROAST_CHUNKS_EVENTS, 1 },
  { "entry_start", ROAST_CHUNKS_ENTRY_START, 1 },
  { "entry_stop", ROAST_CHUNKS_ENTRY_STOP, 1 },
  { "num_branches_accessed", ROAST_CHUNKS_BRANCHES_READ, 1 },
};

const RoastcoffeaWord roastcoffea_section_kinds[] = {
  { "timing", ROAST_SECTION_KIND_TIME, 1 },
  { "memory", ROAST_SECTION_KIND_MEMORY, ROASTCOFFEA_MIB },
  { "bytes", ROAST_SECTION_KIND_BYTES, 1 },
};

const RoastcoffeaWord roastcoffea_contexts[] = {
  { "execute", ROAST_CONTEXT_EXECUTE, 1 }, { "gather-dep", ROAST_CONTEXT_FETCH, 1 },
  { "get-data", ROAST_CONTEXT_SERVE, 1 },  { "memory-monitor", ROAST_CONTEXT_MEMORY, 1 },
  { "p2p", ROAST_CONTEXT_SHUFFLE, 1 },
};

const RoastcoffeaWord roastcoffea_series[] = {
  [ROASTCOFFEA_MEMORY] = { "worker_memory", ROAST_WORKER_SAMPLES_MEMORY, 1 },
  [ROASTCOFFEA_MEMORY_LIMIT] = { "worker_memory_limit", ROAST_WORKER_SAMPLES_TIME, 1 },
  [ROASTCOFFEA_ACTIVE_TASKS] = { "worker_active_tasks", ROAST_WORKER_SAMPLES_ACTIVE_TASKS, 1 },
  [ROASTCOFFEA_CORES] = { "worker_cores", ROAST_WORKER_SAMPLES_TIME, 1 },
  [ROASTCOFFEA_NBYTES] = { "worker_nbytes", ROAST_WORKER_SAMPLES_NBYTES, 1 },
  [ROASTCOFFEA_OCCUPANCY] = { "worker_occupancy", ROAST_WORKER_SAMPLES_OCCUPANCY, 1 },
  [ROASTCOFFEA_EXECUTING] = { "worker_executing", ROAST_WORKER_SAMPLES_EXECUTING_TASKS, 1 },
  [ROASTCOFFEA_LAST_SEEN] = { "worker_last_seen", ROAST_WORKER_SAMPLES_LAST_SEEN, G_USEC_PER_SEC },
  [ROASTCOFFEA_CPU] = { "worker_cpu", ROAST_WORKER_SAMPLES_CPU_PERCENT, 1 },
};

/* Reads a time zone such as "+02:00"; empty means UTC. */
static gboolean
read_zone (const char *text, gint64 *zone)
{
  int hours = 0, minutes = 0, end = 0;

  *zone = 0;
  if (*text == '\0')
    return TRUE;
  if ((*text != '+' && *text != '-') || sscanf (text + 1, "%2d:%2d%n", &hours, &minutes, &end) != 2 ||
      text[1 + end] != '\0' || hours < 0 || hours > 24 || minutes < 0 || minutes > 59)
    return FALSE;
  *zone = (hours * 60 + minutes) * (*text == '+' ? 60 : -60) * G_USEC_PER_SEC;

  return TRUE;
}

gboolean
roastcoffea_parse_time (const char *text, gint64 *time)
{
  struct tm tm = { 0 };
  gint64 fraction = 0, zone;
  char separator;
  int n = 0;

  if (sscanf (text, "%4d-%2d-%2d%c%2d:%2d:%2d%n", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &separator, &tm.tm_hour,
              &tm.tm_min, &tm.tm_sec, &n) != 7 ||
      (separator != 'T' && separator != ' ') || tm.tm_mon < 1 || tm.tm_mon > 12 || tm.tm_mday < 1 || tm.tm_mday > 31 ||
      tm.tm_hour < 0 || tm.tm_hour > 23 || tm.tm_min < 0 || tm.tm_min > 59 || tm.tm_sec < 0 || tm.tm_sec > 60)
    return FALSE;
  text += n;
  if (*text == '.')
    {
      if (!g_ascii_isdigit (*++text))
        return FALSE;
      for (gint64 scale = G_USEC_PER_SEC / 10; g_ascii_isdigit (*text) && scale > 0; text++, scale /= 10)
        fraction += (*text - '0') * scale;
    }
  if (!read_zone (text, &zone))
    return FALSE;
  tm.tm_year -= 1900;
  tm.tm_mon--;
  *time = timegm (&tm) * G_USEC_PER_SEC + fraction - zone;

  return *time >= 0;
}

void
roastcoffea_format_time (gint64 time, char *to)
{
  time_t seconds = (time_t) (time / G_USEC_PER_SEC);
  char whole[ROASTCOFFEA_TIME_SIZE];
  struct tm tm;

  gmtime_r (&seconds, &tm);
  strftime (whole, sizeof whole, "%Y-%m-%dT%H:%M:%S", &tm);
  g_snprintf (to, ROASTCOFFEA_TIME_SIZE, "%s.%06d", whole, (int) (time % G_USEC_PER_SEC));
}
