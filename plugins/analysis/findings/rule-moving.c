/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds runs that are limited by transfers of data: inputs that are sent to workers, or results that are fetched. */

#include "findings.h"
#include "task-lifecycle-tables.h"

#define MOVING_MUCH 0.15 /* report only if data transfers took at least this share of the core time */
#define MOVING_MOST 0.5  /* minimum share that counts as most of the executor's time */
#define MOVING_SLOW 10e6 /* minimum B per second of fetching; slower fetching shows that workers waited for cores */

typedef struct
{
  double send, receive; /* shares of the executor's time in which the executor sent or received data */
} Parts;

static double
moving_get_sum (Findings *self, const char *formula)
{
  return fmax (findings_evaluate (self, formula), 0);
}

/* Returns whether attempts waited longer between the delivery of their inputs and their start than the delivery
 * took. */
static gboolean
is_at_workers (Findings *self)
{
  return moving_get_sum (self, "sum (total over per_phase where phase = 'stage-in')") >
         moving_get_sum (self, "sum (total over per_phase where phase = input)");
}

/* Returns whether fetching took long because the machine was busy: workers fetched so little that they must have waited
 * for cores rather than for data. */
static gboolean
is_late_only (Findings *self)
{
  double bytes =
      moving_get_sum (self, "sum (value over per_activity where context = serve and unit = bytes and known (value))");

  return findings_has_spoken (self, "starved") && bytes > 0 && bytes < MOVING_SLOW * self->activities.fetching;
}

static void
moving_speak (Findings *self, double share, double in, double out, const Parts *parts)
{
  gboolean is_in = in + parts->send >= out + parts->receive;
  double bytes = findings_get_metric (self, is_in ? "transfer_in_bytes" : "transfer_out_bytes");
  double rate = findings_get_metric (self, is_in ? "transfer_in_rate" : "transfer_out_rate");
  double own = is_in ? parts->send : parts->receive;
  double fetching = self->activities.fetching;
  gboolean is_fetched = is_in && fetching > 0 && !(own > 0);
  FindingsLock lock = { 0 };
  gboolean is_locked = is_fetched && findings_find_lock (self, &lock);
  const char *blocked = is_locked ? findings_describe_lock (self, &lock) : NULL;
  const char *unanswered = is_locked ? findings_text (self, " While workers waited, %s.", blocked) : "";
  gboolean is_staged = is_in && !is_fetched && own < MOVING_MOST && is_at_workers (self);
  const char *size = isnan (bytes) ? NULL : findings_bytes (self, bytes);
  const char *speed = isnan (rate) ? NULL : findings_number (self, rate, "bytes-rate");
  const char *moved =
      size == NULL || speed == NULL ? "" : findings_text (self, " The executor moved %s at %s.", size, speed);
  const char *spent =
      own > 0 ? findings_text (self, ", and the executor spent %.0f %% of its own time on moving data", 100 * own) : "";
  RoastFinding *finding = findings_new (
      self, ROAST_FINDING_SEVERITY_WARNING, share,
      is_fetched  ? "%.0f %% of the core time was spent waiting for workers to fetch inputs from each other%s.%s%s"
      : is_staged ? "%.0f %% of the core time was spent waiting for workers to fetch or unpack inputs, or to start "
                    "tasks for another reason, after the executor had sent all its files%s.%s%s"
      : is_in     ? "%.0f %% of the core time was spent waiting for the executor to send inputs to "
                    "workers%s.%s%s"
                  : "%.0f %% of the core time was spent waiting for results to be fetched from "
                    "workers%s.%s%s",
      100 * share, spent, moved, unanswered);

  roast_finding_add_text (finding, "direction", is_in ? "in" : "out");
  roast_finding_add_number (finding, "moving_in", in, "ratio");
  roast_finding_add_number (finding, "moving_out", out, "ratio");
  roast_finding_add_number (finding, "executor_sends", parts->send, "ratio");
  roast_finding_add_number (finding, "executor_receives", parts->receive, "ratio");
  roast_finding_add_number (finding, "bytes_moved", bytes, "B");
  roast_finding_add_number (finding, "rate", rate, "B/s");
  if (is_fetched)
    roast_finding_add_number (finding, "fetching", fetching, "s");
  findings_add_lock (finding, &lock);
  findings_add (self, finding, "%s",
                is_locked    ? lock.advice
                : is_fetched ? "Pass less data between tasks, or use a few large workers that share the data."
                : is_staged  ? "Keep these inputs in worker caches, fetch these inputs from a nearer place, or fetch "
                               "fewer inputs. If tasks have no such inputs, find out what stopped or delayed workers."
                : is_in      ? "Let workers fetch and cache inputs themselves, or send less data to each task."
                             : "Keep results on the workers, merge them there, or return less from each task.");
}

static void
speak_of_shuffle (Findings *self, double share)
{
  RoastFinding *finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, share,
                                        "%.0f %% of the core time was free while workers shuffled data between tasks. "
                                        "Outside tasks, workers spent %s on shuffling, such as on sending and writing.",
                                        100 * share, findings_duration (self, self->activities.shuffling));

  roast_finding_add_number (finding, "shuffling", self->activities.shuffling, "s");
  findings_add (self, finding,
                "Shuffle less data, less often: select rows and columns first, join with small tables without a "
                "shuffle, or keep the data partitioned by the key.");
}

void
rule_moving (Findings *self)
{
  double in = findings_get_part (self, ROAST_CORE_PART_MOVE_IN);
  double out = findings_get_part (self, ROAST_CORE_PART_MOVE_OUT);
  double waiting = findings_get_part (self, ROAST_CORE_PART_IDLE_EXECUTOR) +
                   findings_get_part (self, ROAST_CORE_PART_IDLE_UNDETERMINED) +
                   findings_get_part (self, ROAST_CORE_PART_IDLE_INPUTS);
  double elsewhere = findings_get_metric (self, "executor_application_ratio");
  gboolean is_elsewhere = elsewhere >= MOVING_MOST;
  Parts parts = { moving_get_sum (self, "sum (share over executor_time where part = send)"),
                  moving_get_sum (self, "sum (share over executor_time where part = receive)") };
  double shuffled = findings_get_shuffled (self);
  /* Ignore the time of fetching results if the program was busy elsewhere, because the results then waited for the
   * program. */
  double moving_out = is_elsewhere ? 0 : out;
  double share = in + moving_out;

  /* Add the time in which tasks waited: while the executor sends data to one worker, the other workers wait. */
  if (parts.send + parts.receive >= MOVING_MOST)
    share += waiting;
  if (findings_has_spoken (self, "short-tasks") && parts.send + parts.receive < MOVING_MOST)
    findings_be_silent (self, "tasks are so short that moving their data takes long in comparison: see the finding "
                              "short-tasks");
  else if (shuffled >= fmax (MOVING_MUCH, share))
    speak_of_shuffle (self, shuffled);
  else if (share >= MOVING_MUCH && in >= moving_out && is_late_only (self))
    findings_be_silent (self,
                        "workers waited for inputs for %.0f %% of the core time, but fetched little, on a machine "
                        "whose cores were all busy: see the finding “starved”",
                        100 * in);
  else if (share >= MOVING_MUCH)
    moving_speak (self, share, in, moving_out, &parts);
  else if (in + out >= MOVING_MUCH && is_elsewhere)
    findings_be_silent (self,
                        "slots waited for a program that did something else for %.0f %% of the time: see the finding "
                        "executor",
                        100 * elsewhere);
  else
    findings_be_silent (self, "slots waited for data for %.1f %% of the core time", 100 * (in + out));
}
