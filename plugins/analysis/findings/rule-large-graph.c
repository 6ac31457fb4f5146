/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds task graphs that contain large data. While the program packs a graph and the executor unpacks it, no task is
 * ready. */

#include "findings.h"

#define LARGE 50e6            /* report only if all graphs together have at least this size, B */
#define LARGE_GRAPH_MUCH 0.15 /* report only if free cores had no ready task for this share of the core time */
#define SPEED 50e6            /* assumed speed of packing, sending and unpacking a graph, B/s */
#define PART_OF_IT 0.25       /* report only if graphs at SPEED take this share of the time without a ready task */
#define MUCH_OF_IT 0.4 /* count time while ready tasks waited only if graphs at SPEED take this share of free time */
#define LARGE_GRAPH_SOME 0.05 /* count time while ready tasks waited only from this share of the core time on */

void
rule_large_graph (Findings *self)
{
  double graphs = findings_evaluate (self, "sum (graphs over graphs)");
  double sent = findings_evaluate (self, "sum (bytes over graphs)");
  /* Leave out the time after the last task, because no graph is sent then. */
  double idle = findings_get_share (self, ROAST_CORE_PART_IDLE_NO_WORK, ROAST_CORE_PART_IDLE_NO_WORK,
                                    ROAST_STRETCH_STARTUP, ROAST_STRETCH_TAIL);
  double seconds = idle * self->offered / fmax (self->workers.cores, 1);
  /* Ready tasks also wait while the executor sends each task its part of the data. */
  double waiting = findings_get_not_assigned (self);
  double all = (idle + waiting) * self->offered / fmax (self->workers.cores, 1);
  const char *bytes = findings_bytes (self, sent);
  const char *each = NULL;
  const char *waited = NULL;
  RoastFinding *finding;

  if (!(graphs > 0))
    {
      findings_not_apply (self, "no executor reported task graphs");
      return;
    }
  if (sent < LARGE || idle < LARGE_GRAPH_MUCH || sent / SPEED < PART_OF_IT * seconds || self->tasks.n_attempts == 0)
    {
      findings_be_silent (self,
                          "%.0f task graphs were sent (%s in total), and no task was ready for %.0f %% of the core "
                          "time",
                          graphs, bytes, 100 * idle);
      return;
    }
  if (waiting < LARGE_GRAPH_SOME || sent / SPEED < MUCH_OF_IT * all)
    waiting = 0;
  waited = waiting > 0
               ? findings_text (self, ", and for another %.0f %% tasks were ready but had not started", 100 * waiting)
               : "";
  each = findings_bytes (self, sent / (double) self->tasks.n_attempts);
  finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, idle + waiting,
                          "The program sent %s in %.0f task graph%s (%s per task), and no task was ready for %.0f %% "
                          "of the core time%s.",
                          bytes, graphs, graphs == 1 ? "" : "s", each, 100 * idle, waited);
  roast_finding_add_number (finding, "graphs", graphs, NULL);
  roast_finding_add_number (finding, "graph_bytes", sent, "B");
  findings_add (self, finding,
                "Keep large data out of graphs and arguments: read the data inside the tasks. If many tasks use the "
                "same "
                "data, send these to the workers once (client.scatter ()).");
}
