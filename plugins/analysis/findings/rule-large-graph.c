/* SPDX-License-Identifier: BSD-3-Clause */

/* Data that travels with the graph: the program packs it, the executor unpacks it, and no task is ready meanwhile. */

#include "findings.h"

#define LARGE 50e6      /* B of all graphs */
#define MUCH 0.15       /* of the core time */
#define SPEED 50e6      /* B/s, packed, sent and unpacked */
#define PART_OF_IT 0.25 /* of the time without a ready task, that this takes at that speed */
#define MUCH_OF_IT 0.4  /* of that and of the time in which tasks waited */
#define SOME 0.05       /* of the core time */

typedef struct
{
  double graphs, bytes;
} Graphs;

static Graphs
read_graphs (Findings *self)
{
  g_autoptr (RoastTableReader) graphs =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_GRAPHS, roast_graphs_columns, NULL);
  Graphs sum = { 0, 0 };

  while (roast_table_reader_next (graphs))
    {
      sum.graphs += (double) roast_table_reader_get_int64 (graphs, ROAST_GRAPHS_GRAPHS, 0);
      sum.bytes += (double) roast_table_reader_get_int64 (graphs, ROAST_GRAPHS_BYTES, 0);
    }

  return sum;
}

void
rule_large_graph (Findings *self)
{
  Graphs graphs = read_graphs (self);
  /* After the last task nothing is sent. */
  double idle = findings_get_share (self, ROAST_CORE_PART_IDLE_NO_WORK, ROAST_CORE_PART_IDLE_NO_WORK,
                                    ROAST_STRETCH_STARTUP, ROAST_STRETCH_TAIL);
  double seconds = idle * self->offered / fmax (self->workers.cores, 1);
  /* The executor sends each task what it needs of that. */
  double waiting = findings_get_not_assigned (self);
  double all = (idle + waiting) * self->offered / fmax (self->workers.cores, 1);
  g_autofree char *bytes = findings_bytes (graphs.bytes);
  g_autofree char *each = NULL;
  g_autofree char *waited = NULL;
  RoastFinding *finding;

  if (graphs.graphs == 0)
    {
      findings_not_apply (self, "no executor reported task graphs");
      return;
    }
  if (graphs.bytes < LARGE || idle < MUCH || graphs.bytes / SPEED < PART_OF_IT * seconds || self->tasks.n_attempts == 0)
    {
      findings_be_silent (self,
                          "%.0f task graphs of %s in all were sent, and for %.0f %% of the core time no task was ready",
                          graphs.graphs, bytes, 100 * idle);
      return;
    }
  if (waiting < SOME || graphs.bytes / SPEED < MUCH_OF_IT * all)
    waiting = 0;
  waited = waiting > 0 ? g_strdup_printf (", and for %.0f %% tasks were ready and had not started", 100 * waiting)
                       : g_strdup ("");
  each = findings_bytes (graphs.bytes / (double) self->tasks.n_attempts);
  finding =
      findings_new (self, ROAST_FINDING_SEVERITY_WARNING, idle + waiting,
                    "The program sent %s in %.0f task graph%s, %s for each task, and for %.0f %% of the core time no "
                    "task was ready%s.",
                    bytes, graphs.graphs, graphs.graphs == 1 ? "" : "s", each, 100 * idle, waited);
  roast_finding_add_number (finding, "graphs", graphs.graphs, NULL);
  roast_finding_add_number (finding, "graph_bytes", graphs.bytes, "B");
  findings_add (self, finding,
                "Keep large data out of graphs and arguments: read it in the tasks, or send it to the workers once "
                "(client.scatter ()).");
}
