/* SPDX-License-Identifier: BSD-3-Clause */

/* roast-top shows a run in progress, which it reads from the run file. It uses only the public API of the library, so
 * an application could do the same. */

#include <stdlib.h>
#include <unistd.h>

#include "export-option.h"
#include "tool.h"
#include "top.h"

static const char usage[] = "Usage: roast-top [OPTION…] [RUN]\n"
                            "\n"
                            "Shows a run in progress: where core time goes, tasks, workers, findings.\n"
                            "roast-top reads the run file, so roast-top can start and stop at any time, on\n"
                            "any machine that sees the file. roast-top replays a run that has ended.\n"
                            "\n"
                            "RUN is “last” (the default), “last~1” for the run before, the first characters\n"
                            "of an ID, a file, or the id of a process that is measured.\n"
                            "\n"
                            "Options:\n"
                            "  -1, --once              print one screen and exit\n"
                            "  -w, --view=VIEW         first view: 1 now, 2 workers, 3 tasks, 4 longest,\n"
                            "                          5 hosts, 6 processes, 7 events\n"
                            "  -a, --at=SECONDS        show the run at this time after its start\n"
                            "  -i, --interval=SECONDS  time between updates (default: 1; longer if an update\n"
                            "                          takes long)\n"
                            "      --exit-when=WHEN    exit when the run is done, when a task has failed, or\n"
                            "                          when the run is idle: no task done for a minute\n"
                            "                          while tasks are left\n"
                            "      --color=WHEN        colours: auto, always, never\n"
                            "  -h, --help              show this help\n"
                            "      --version           show the version\n"
                            "\n"
                            "Keys: 1 to 7 choose a view, up and down select a line, Enter opens it, left and\n"
                            "right step through the run, space pauses or plays, / shows only lines with a\n"
                            "text, ? shows all keys, q quits. Without a terminal: a line per update.\n"
                            "Exit status: 0; 1 if something failed, or if the run ended before the event of\n"
                            "--exit-when. See also roast-top(1).\n";

static gboolean
wants_color (const TopOptions *options)
{
  const char *no_color = g_getenv ("NO_COLOR");

  if (g_strcmp0 (options->color, "always") == 0 || g_strcmp0 (options->color, "never") == 0)
    return g_str_equal (options->color, "always");

  return isatty (STDOUT_FILENO) && (no_color == NULL || *no_color == '\0') && top_screen_is_capable ();
}

static int
print_once (const TopOptions *options, const char *path, RoastRegistry *registry)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TopEarlier) earlier = NULL;
  g_autoptr (TopLook) look = top_look (path, registry, options->at, &error);
  g_auto (GStrv) lines = NULL;
  TopScreen screen = { 0 };
  g_autoptr (GArray) minute = top_minute_new ();

  if (look == NULL)
    return tool_fail ("roast-top", error, FALSE, EXIT_FAILURE);
  earlier = top_look_goes_on (look) ? top_earlier_find (look) : NULL;
  look->earlier = earlier;
  top_minute_add (minute, look);
  top_screen_measure (&screen);
  lines = top_view_draw (look, minute, "", options->view, screen.width, screen.height, wants_color (options));
  for (char **line = lines; *line != NULL && line - lines < screen.height - 1; line++)
    g_print ("%s\n", *line);

  return EXIT_SUCCESS;
}

int
main (int argc, char **argv)
{
  g_autoptr (TopOptions) options = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastRegistry) registry = NULL;
  g_autofree char *path = NULL;

  export_option_hold_streams ();
  tool_begin ();
  options = top_options_parse (argc, argv, &error);
  if (options == NULL)
    return tool_fail ("roast-top", error, TRUE, EXIT_FAILURE);
  if (tool_answer ("roast-top", options->version, options->help, usage))
    return EXIT_SUCCESS;
  path = top_find (options->run, &error);
  if (path == NULL)
    return tool_fail ("roast-top", error, FALSE, EXIT_FAILURE);
  registry = roast_registry_new ();

  return options->once ? print_once (options, path, registry)
                       : top_follow (options, path, registry, wants_color (options));
}
