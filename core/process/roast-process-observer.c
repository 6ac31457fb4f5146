/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast/roast-process-observer.h"

/**
 * RoastProcessObserver:
 *
 * Receives notifications of events in a process tree.
 *
 * A backend that writes its own rows about processes implements this interface and adds itself to the
 * [class@Roast.LaunchContext]:
 *
 * ```python
 * class Biggest(GObject.Object, Roast.ProcessObserver):
 *     peak = 0
 *
 *     def do_sampled(self, tree, changed):
 *         self.peak = max(self.peak, tree.get_field(Roast.ProcessTreeField.MEMORY))
 *
 * context = Roast.LaunchContext.new(["sort", "big.txt"])
 * context.add_observer(Biggest())
 * ```
 *
 * Since: 0.9
 */
G_DEFINE_INTERFACE (RoastProcessObserver, roast_process_observer, G_TYPE_OBJECT)

static void
roast_process_observer_default_init (RoastProcessObserverInterface *iface)
{
}

/**
 * RoastProcessObserverInterface::sampled:
 * @self: an observer
 * @tree: the tree, with the numbers of this sample
 * @changed: (element-type RoastProcess): the processes that changed since their last sample, without zombies; the array
 *   is valid during the call only
 *
 * The tree was sampled.
 *
 * Since: 0.9
 */

/**
 * RoastProcessObserverInterface::noted:
 * @self: an observer
 * @time: time of the event, in µs since the epoch
 * @severity: severity of the event
 * @kind: kind of event, for programs
 * @message: description of the event, for human readers
 *
 * An event happened that affects the meaning of the numbers.
 *
 * Since: 0.9
 */

/**
 * RoastProcessObserverInterface::tree_started:
 * @self: an observer
 * @tree: the tree
 *
 * The program has started to run.
 *
 * Since: 0.9
 */

/**
 * RoastProcessObserverInterface::process_started:
 * @self: an observer
 * @process: the process
 *
 * A process was seen for the first time, or has a new name after an exec.
 *
 * Since: 0.9
 */

/**
 * RoastProcessObserverInterface::process_ended:
 * @self: an observer
 * @process: the process, with its last numbers
 *
 * A process ended. If @process stands for several processes, the sum of their numbers is final.
 *
 * Since: 0.9
 */

/**
 * RoastProcessObserverInterface::tree_ended:
 * @self: an observer
 * @tree: the tree, with its last numbers
 *
 * The launcher no longer follows the tree. No more calls follow.
 *
 * Since: 0.9
 */
