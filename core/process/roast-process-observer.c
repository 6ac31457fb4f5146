/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast/roast-process-observer.h"

/**
 * RoastProcessObserver:
 *
 * Hears what the supervisor says of a process tree.
 *
 * A backend that wants to map processes to its own model implements it and adds itself to the
 * [class@Roast.LaunchContext]. The records that it gets are valid during the call only.
 *
 * Since: 0.9
 */
G_DEFINE_INTERFACE (RoastProcessObserver, roast_process_observer, G_TYPE_OBJECT)

static void
roast_process_observer_default_init (RoastProcessObserverInterface *iface)
{
}

/**
 * roast_process_observer_tree_started:
 * @self: an observer
 * @info: what is known of the tree
 *
 * Tells that the following of a tree begins.
 *
 * Since: 0.9
 */
void
roast_process_observer_tree_started (RoastProcessObserver *self, const RoastTreeInfo *info)
{
  RoastProcessObserverInterface *iface;

  g_return_if_fail (ROAST_IS_PROCESS_OBSERVER (self));
  g_return_if_fail (info != NULL);

  iface = ROAST_PROCESS_OBSERVER_GET_IFACE (self);
  if (iface->tree_started != NULL)
    iface->tree_started (self, info);
}

/**
 * roast_process_observer_process_started:
 * @self: an observer
 * @process: the process
 * @command_line: (nullable): its arguments, quoted as a shell wants them, in UTF-8
 *
 * Tells that a process was seen for the first time, or that it got another name by exec.
 *
 * Since: 0.9
 */
void
roast_process_observer_process_started (RoastProcessObserver *self, const RoastProcess *process,
                                        const char *command_line)
{
  RoastProcessObserverInterface *iface;

  g_return_if_fail (ROAST_IS_PROCESS_OBSERVER (self));
  g_return_if_fail (process != NULL);

  iface = ROAST_PROCESS_OBSERVER_GET_IFACE (self);
  if (iface->process_started != NULL)
    iface->process_started (self, process, command_line);
}

/**
 * roast_process_observer_sampled: (skip)
 * @self: an observer
 * @tree: the whole tree
 * @samples: (array length=n_samples): the processes that changed since their last sample
 * @n_samples: how many
 *
 * Tells what a sample of the tree found.
 *
 * Since: 0.9
 */
void
roast_process_observer_sampled (RoastProcessObserver *self, const RoastTreeSample *tree,
                                const RoastProcessSample *samples, guint n_samples)
{
  RoastProcessObserverInterface *iface;

  g_return_if_fail (ROAST_IS_PROCESS_OBSERVER (self));
  g_return_if_fail (tree != NULL);
  g_return_if_fail (samples != NULL || n_samples == 0);

  iface = ROAST_PROCESS_OBSERVER_GET_IFACE (self);
  if (iface->sampled != NULL)
    iface->sampled (self, tree, samples, n_samples);
}

/**
 * roast_process_observer_process_ended:
 * @self: an observer
 * @end: the final numbers
 *
 * Tells that a process ended, or that a row that stands for several is final.
 *
 * Since: 0.9
 */
void
roast_process_observer_process_ended (RoastProcessObserver *self, const RoastProcessEnd *end)
{
  RoastProcessObserverInterface *iface;

  g_return_if_fail (ROAST_IS_PROCESS_OBSERVER (self));
  g_return_if_fail (end != NULL);

  iface = ROAST_PROCESS_OBSERVER_GET_IFACE (self);
  if (iface->process_ended != NULL)
    iface->process_ended (self, end);
}

/**
 * roast_process_observer_noted:
 * @self: an observer
 * @time: when, µs since the epoch
 * @severity: how much it matters
 * @kind: what kind of note
 * @message: the note, for a person
 *
 * Tells something that a reader of the numbers must know.
 *
 * Since: 0.9
 */
void
roast_process_observer_noted (RoastProcessObserver *self, gint64 time, RoastSeverity severity, const char *kind,
                              const char *message)
{
  RoastProcessObserverInterface *iface;

  g_return_if_fail (ROAST_IS_PROCESS_OBSERVER (self));
  g_return_if_fail (kind != NULL);
  g_return_if_fail (message != NULL);

  iface = ROAST_PROCESS_OBSERVER_GET_IFACE (self);
  if (iface->noted != NULL)
    iface->noted (self, time, severity, kind, message);
}

/**
 * roast_process_observer_tree_ended:
 * @self: an observer
 * @end: what is known of the tree
 *
 * Tells that nothing more comes.
 *
 * Since: 0.9
 */
void
roast_process_observer_tree_ended (RoastProcessObserver *self, const RoastTreeEnd *end)
{
  RoastProcessObserverInterface *iface;

  g_return_if_fail (ROAST_IS_PROCESS_OBSERVER (self));
  g_return_if_fail (end != NULL);

  iface = ROAST_PROCESS_OBSERVER_GET_IFACE (self);
  if (iface->tree_ended != NULL)
    iface->tree_ended (self, end);
}
