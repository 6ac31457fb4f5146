/* SPDX-License-Identifier: BSD-3-Clause */

/* Detect categories whose tasks take longer if more of them run at once. Fit their median time d to the number of slots
 * N: d ~ N^b. The fit needs runs on two numbers of slots. */

#include "compare.h"

#include <math.h>

#define OTHER_SLOTS 1.4 /* smallest ratio of two slot numbers at which a growth of task times is visible */
#define DEPENDS 0.2     /* smallest exponent b that is reported; task times grow as slots^b */
#define CONTENDED 0.15  /* smallest increase of contention (waiting for cores / runnable thread time) to report */

/* Return the verdict on a category. Return NULL if chance may explain why its times differ between the runs. */
static const Verdict *
find_verdict (Compare *self, const char *category)
{
  FOR_EACH (const Verdict, verdict, self->verdicts)
    if (verdict->measure->kind == ROAST_COMPARED_KIND_SECONDS && g_str_equal (verdict->measure->name, category) &&
        (verdict->verdict == ROAST_VERDICT_WORSE || verdict->verdict == ROAST_VERDICT_BETTER))
      return verdict;

  return NULL;
}

static void
say (Compare *self, const char *category, const double *slots, double ratio, gboolean waits_for_cores)
{
  int more = slots[NEW] > slots[REFERENCE] ? NEW : REFERENCE;
  g_autofree char *text =
      g_strdup_printf ("Each “%s” task took %.2f times as long on %.4g slots as on %.4g slots%s.", category, ratio,
                       slots[more], slots[more == NEW ? REFERENCE : NEW],
                       waits_for_cores ? ": the tasks waited for cores" : ": the tasks share a resource");
  g_autoptr (RoastFinding) finding = roast_finding_new ("compare-sharing", ROAST_FINDING_SEVERITY_WARNING, text);

  roast_finding_add_number (finding, "ratio", ratio, NULL);
  roast_finding_set_advice (
      finding,
      waits_for_cores
          ? "Use at most as many slots as there are cores: more slots do not make these tasks faster."
          : "Check which resource the slots share, such as a file server, a disk, the network or memory. More slots "
            "help less than “roast-report whatif” predicts, because the prediction ignores shared resources.");
  roast_report_add_finding (self->report, finding);
}

void
compare_say_sharing (Compare *self)
{
  double slots[N_SIDES], contention[N_SIDES];
  double times;
  int more, fewer;

  for (int i = 0; i < N_SIDES; i++)
    {
      slots[i] = compare_find_median (self, ROAST_COMPARED_KIND_METRIC, "slots", i);
      contention[i] = compare_find_median (self, ROAST_COMPARED_KIND_METRIC, "contention", i);
    }
  more = slots[NEW] > slots[REFERENCE] ? NEW : REFERENCE;
  fewer = more == NEW ? REFERENCE : NEW;
  times = slots[more] / slots[fewer];
  if (!(times >= OTHER_SLOTS))
    return;
  FOR_EACH_POINTER (const Measure, measure, self->measures)
    {
      gboolean waits = contention[more] - contention[fewer] > CONTENDED;
      double ratio;

      if (measure->kind != ROAST_COMPARED_KIND_MEDIAN || (!waits && find_verdict (self, measure->name) == NULL))
        continue;
      ratio = compare_get_median (measure->values[more]) / compare_get_median (measure->values[fewer]);
      if (log (ratio) > DEPENDS * log (times))
        say (self, measure->name, slots, ratio, waits);
    }
}
