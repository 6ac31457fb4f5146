/* SPDX-License-Identifier: BSD-3-Clause */

/* The CPU time of roast-run to read the lines of a scheduler, per second of the run: bench-lines FILE SECONDS */

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "../../../plugins/dask/dask-scheduler.h"

static double
get_cpu (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);

  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / G_USEC_PER_SEC;
}

int
main (int argc, char **argv)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastWireReader) reader = roast_wire_reader_new (65536, 16);
  g_autoptr (FrameworkTasks) roles = framework_tasks_new (recording, NULL, NULL, 0);
  g_autoptr (DaskScheduler) scheduler = dask_scheduler_new (recording, reader, roles, G_MAXUINT64);
  g_autofree char *content = NULL;
  g_auto (GStrv) lines = NULL;
  double before, after;

  if (argc != 3 || !g_file_get_contents (argv[1], &content, NULL, NULL))
    return 2;
  lines = g_strsplit (content, "\n", -1);
  before = get_cpu ();
  for (guint i = 0; lines[i] != NULL && *lines[i] != '\0'; i++)
    if (!roast_wire_reader_read (reader, lines[i], strlen (lines[i]), NULL) ||
        !dask_scheduler_take_line (scheduler, NULL))
      return 1;
  after = get_cpu ();
  g_print ("%.3f %%\n", 100 * (after - before) / atof (argv[2]));

  return 0;
}
