/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#if !defined(__ROAST_INSIDE__) && !defined(ROAST_COMPILATION)
#error "Only <roast/roast.h> can be included directly."
#endif

#include <glib-object.h>

#include <roast/roast-process-record.h>
#include <roast/roast-recording.h>

G_BEGIN_DECLS

#define ROAST_TYPE_PROCESS_OBSERVER (roast_process_observer_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_INTERFACE (RoastProcessObserver, roast_process_observer, ROAST, PROCESS_OBSERVER, GObject)

/**
 * RoastProcessObserverInterface:
 * @g_iface: the parent
 * @tree_started: the following begins
 * @process_started: a process was seen for the first time, or got another name by exec
 * @sampled: the tree was sampled
 * @process_ended: a process ended, or a row that stands for several is final
 * @noted: something a reader of the numbers must know
 * @tree_ended: nothing more comes
 *
 * Hears what the supervisor says of a process tree, in the order of its happening, in the main context of the
 * launcher. All are optional.
 *
 * Since: 0.9
 */
struct _RoastProcessObserverInterface
{
  GTypeInterface g_iface;

  void (*tree_started) (RoastProcessObserver *self, const RoastTreeInfo *info);
  void (*process_started) (RoastProcessObserver *self, const RoastProcess *process, const char *command_line);
  void (*sampled) (RoastProcessObserver *self, const RoastTreeSample *tree, const RoastProcessSample *samples,
                   guint n_samples);
  void (*process_ended) (RoastProcessObserver *self, const RoastProcessEnd *end);
  void (*noted) (RoastProcessObserver *self, gint64 time, RoastSeverity severity, const char *kind,
                 const char *message);
  void (*tree_ended) (RoastProcessObserver *self, const RoastTreeEnd *end);

  /*< private >*/
  gpointer _reserved[8];
};

ROAST_AVAILABLE_IN_0_9
void roast_process_observer_tree_started (RoastProcessObserver *self, const RoastTreeInfo *info);
ROAST_AVAILABLE_IN_0_9
void roast_process_observer_process_started (RoastProcessObserver *self, const RoastProcess *process,
                                             const char *command_line);
ROAST_AVAILABLE_IN_0_9
void roast_process_observer_sampled (RoastProcessObserver *self, const RoastTreeSample *tree,
                                     const RoastProcessSample *samples, guint n_samples);
ROAST_AVAILABLE_IN_0_9
void roast_process_observer_process_ended (RoastProcessObserver *self, const RoastProcessEnd *end);
ROAST_AVAILABLE_IN_0_9
void roast_process_observer_noted (RoastProcessObserver *self, gint64 time, RoastSeverity severity, const char *kind,
                                   const char *message);
ROAST_AVAILABLE_IN_0_9
void roast_process_observer_tree_ended (RoastProcessObserver *self, const RoastTreeEnd *end);

G_END_DECLS
