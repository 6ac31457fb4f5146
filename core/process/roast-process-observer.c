/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast/roast-process-observer.h"

/**
 * RoastProcessObserver:
 *
 * Receives notifications of events in a process tree.
 *
 * A backend that turns processes into rows of its own implements this interface and adds itself to the
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

/* Call a vfunc if it is implemented. */
#define NOTIFY(self, slot, ...)                                                                                        \
  G_STMT_START                                                                                                         \
  {                                                                                                                    \
    RoastProcessObserverInterface *iface = ROAST_PROCESS_OBSERVER_GET_IFACE (self);                                    \
                                                                                                                       \
    if (iface->slot != NULL)                                                                                           \
      iface->slot (self, __VA_ARGS__);                                                                                 \
  }                                                                                                                    \
  G_STMT_END

/**
 * roast_process_observer_tree_started:
 * @self: an observer
 * @tree: the tree, with the fields that are known at the start
 *
 * Notifies the observer that the launcher begins to follow a tree.
 *
 * Since: 0.9
 */
void
roast_process_observer_tree_started (RoastProcessObserver *self, RoastProcessTree *tree)
{
  g_return_if_fail (ROAST_IS_PROCESS_OBSERVER (self));
  g_return_if_fail (ROAST_IS_PROCESS_TREE (tree));

  NOTIFY (self, tree_started, tree);
}

/**
 * roast_process_observer_process_started:
 * @self: an observer
 * @process: the process
 *
 * Notifies the observer that a process was seen for the first time, or that it has a new name after an exec.
 *
 * Since: 0.9
 */
void
roast_process_observer_process_started (RoastProcessObserver *self, RoastProcess *process)
{
  g_return_if_fail (ROAST_IS_PROCESS_OBSERVER (self));
  g_return_if_fail (ROAST_IS_PROCESS (process));

  NOTIFY (self, process_started, process);
}

/**
 * roast_process_observer_sampled:
 * @self: an observer
 * @tree: the tree, with the numbers of this sample
 * @changed: (element-type RoastProcess): the processes that changed since their last sample, without zombies; the array
 *   is valid during the call only
 *
 * Notifies the observer of a sample of the tree.
 *
 * Since: 0.9
 */
void
roast_process_observer_sampled (RoastProcessObserver *self, RoastProcessTree *tree, GPtrArray *changed)
{
  g_return_if_fail (ROAST_IS_PROCESS_OBSERVER (self));
  g_return_if_fail (ROAST_IS_PROCESS_TREE (tree));
  g_return_if_fail (changed != NULL);

  NOTIFY (self, sampled, tree, changed);
}

/**
 * roast_process_observer_process_ended:
 * @self: an observer
 * @process: the process, with its final numbers
 *
 * Notifies the observer that a process ended, or that the launcher no longer follows it. A process with the id 0 stands
 * for several processes.
 *
 * Since: 0.9
 */
void
roast_process_observer_process_ended (RoastProcessObserver *self, RoastProcess *process)
{
  g_return_if_fail (ROAST_IS_PROCESS_OBSERVER (self));
  g_return_if_fail (ROAST_IS_PROCESS (process));

  NOTIFY (self, process_ended, process);
}

/**
 * roast_process_observer_noted:
 * @self: an observer
 * @time: time of the event, in µs since the epoch
 * @severity: severity of the event
 * @kind: kind of event, for programs
 * @message: description of the event, for human readers
 *
 * Notifies the observer of an event that affects how to read the numbers.
 *
 * Since: 0.9
 */
void
roast_process_observer_noted (RoastProcessObserver *self, gint64 time, RoastSeverity severity, const char *kind,
                              const char *message)
{
  g_return_if_fail (ROAST_IS_PROCESS_OBSERVER (self));
  g_return_if_fail (kind != NULL);
  g_return_if_fail (message != NULL);

  NOTIFY (self, noted, time, severity, kind, message);
}

/**
 * roast_process_observer_tree_ended:
 * @self: an observer
 * @tree: the tree, with its final numbers
 *
 * Notifies the observer that the launcher no longer follows the tree. No further notification follows.
 *
 * Since: 0.9
 */
void
roast_process_observer_tree_ended (RoastProcessObserver *self, RoastProcessTree *tree)
{
  g_return_if_fail (ROAST_IS_PROCESS_OBSERVER (self));
  g_return_if_fail (ROAST_IS_PROCESS_TREE (tree));

  NOTIFY (self, tree_ended, tree);
}
