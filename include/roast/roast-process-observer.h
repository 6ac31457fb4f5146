/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib-object.h>

#include <roast/roast-process-tree.h>
#include <roast/roast-recording.h>

G_BEGIN_DECLS

#define ROAST_TYPE_PROCESS_OBSERVER (roast_process_observer_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_INTERFACE (RoastProcessObserver, roast_process_observer, ROAST, PROCESS_OBSERVER, GObject)

/**
 * RoastProcessObserverInterface:
 * @g_iface: the parent
 * @tree_started: the launcher begins to follow a tree
 * @process_started: a process was seen for the first time, or has a new name after an exec
 * @sampled: the tree was sampled
 * @process_ended: a process ended; if the object stands for several processes, the sum of their numbers is final
 * @noted: an event happened that affects the meaning of the numbers
 * @tree_ended: the launcher no longer follows the tree; no more calls follow
 *
 * The methods are called in the order of events, in the main context of the launcher. All methods are optional.
 *
 * Since: 0.9
 */
struct _RoastProcessObserverInterface
{
  GTypeInterface g_iface;

  void (*tree_started) (RoastProcessObserver *self, RoastProcessTree *tree);
  void (*process_started) (RoastProcessObserver *self, RoastProcess *process);
  void (*sampled) (RoastProcessObserver *self, RoastProcessTree *tree, GPtrArray *changed);
  void (*process_ended) (RoastProcessObserver *self, RoastProcess *process);
  void (*noted) (RoastProcessObserver *self, gint64 time, RoastSeverity severity, const char *kind,
                 const char *message);
  void (*tree_ended) (RoastProcessObserver *self, RoastProcessTree *tree);

  /*< private >*/
  gpointer _reserved[8];
};

G_END_DECLS
