/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib-object.h>

#include <roast/roast-accounting.h>
#include <roast/roast-version-macros.h>

G_BEGIN_DECLS

/**
 * RoastProcessField:
 * @ROAST_PROCESS_FIELD_PID: process id
 * @ROAST_PROCESS_FIELD_UID: effective user id
 * @ROAST_PROCESS_FIELD_STARTED: start time, µs since the epoch; the kernel's resolution is 10 ms
 * @ROAST_PROCESS_FIELD_ENDED: end time, µs since the epoch
 * @ROAST_PROCESS_FIELD_COUNT: number of processes that the object stands for
 * @ROAST_PROCESS_FIELD_THREADS: number of threads
 * @ROAST_PROCESS_FIELD_STATE: the kernel's letter for the state of the process, as a character code: R, S, D, T, ...
 * @ROAST_PROCESS_FIELD_MEMORY: resident set, bytes; a shared page is counted in each process that shares it
 * @ROAST_PROCESS_FIELD_MEMORY_PSS: proportional set, bytes; a shared page is divided among the processes that share it
 * @ROAST_PROCESS_FIELD_MEMORY_PSS_AGE: time since the proportional set was read, µs; 0 if it was read for the sample;
 *   an older value is scaled by the resident set
 * @ROAST_PROCESS_FIELD_MEMORY_PEAK: highest resident set, bytes
 * @ROAST_PROCESS_FIELD_MEMORY_PEAK_BOUND: whether @ROAST_PROCESS_FIELD_MEMORY_PEAK is exact or a bound: a word of the
 *   vocabulary “bound”
 * @ROAST_PROCESS_FIELD_MEMORY_PEAK_WAITED: highest resident set of the process and of the children that it waited for,
 *   bytes
 * @ROAST_PROCESS_FIELD_CPU_USER: CPU time in user mode, µs
 * @ROAST_PROCESS_FIELD_CPU_SYSTEM: CPU time in the kernel, µs
 * @ROAST_PROCESS_FIELD_RUN_QUEUE: time that runnable threads of the process waited for a core, µs
 * @ROAST_PROCESS_FIELD_READ_CHARS: bytes that the process got from read calls
 * @ROAST_PROCESS_FIELD_WRITE_CHARS: bytes that the process passed to write calls
 * @ROAST_PROCESS_FIELD_DISK_READ: bytes fetched from storage
 * @ROAST_PROCESS_FIELD_DISK_WRITE: bytes sent to storage
 * @ROAST_PROCESS_FIELD_MINOR_FAULTS: number of page faults without I/O
 * @ROAST_PROCESS_FIELD_MAJOR_FAULTS: number of page faults with I/O
 * @ROAST_PROCESS_FIELD_VOLUNTARY_SWITCHES: number of context switches because a thread waited
 * @ROAST_PROCESS_FIELD_INVOLUNTARY_SWITCHES: number of context switches because a time slice had ended
 * @ROAST_PROCESS_FIELD_CPU_UNSPLIT: additional CPU time that cannot be divided into time in user mode and time in the
 *   kernel, µs
 * @ROAST_PROCESS_FIELD_PID_NAMESPACE: inode number of the process's pid namespace
 * @ROAST_PROCESS_FIELD_NAMESPACE_PID: process id in its pid namespace, if roast runs in another namespace
 *
 * A numeric field of a process. Resources are counted from the start of the process, without its children.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_PROCESS_FIELD_PID,
  ROAST_PROCESS_FIELD_UID,
  ROAST_PROCESS_FIELD_STARTED,
  ROAST_PROCESS_FIELD_ENDED,
  ROAST_PROCESS_FIELD_COUNT,
  ROAST_PROCESS_FIELD_THREADS,
  ROAST_PROCESS_FIELD_STATE,
  ROAST_PROCESS_FIELD_MEMORY,
  ROAST_PROCESS_FIELD_MEMORY_PSS,
  ROAST_PROCESS_FIELD_MEMORY_PSS_AGE,
  ROAST_PROCESS_FIELD_MEMORY_PEAK,
  ROAST_PROCESS_FIELD_MEMORY_PEAK_BOUND,
  ROAST_PROCESS_FIELD_MEMORY_PEAK_WAITED,
  ROAST_PROCESS_FIELD_CPU_USER,
  ROAST_PROCESS_FIELD_CPU_SYSTEM,
  ROAST_PROCESS_FIELD_RUN_QUEUE,
  ROAST_PROCESS_FIELD_READ_CHARS,
  ROAST_PROCESS_FIELD_WRITE_CHARS,
  ROAST_PROCESS_FIELD_DISK_READ,
  ROAST_PROCESS_FIELD_DISK_WRITE,
  ROAST_PROCESS_FIELD_MINOR_FAULTS,
  ROAST_PROCESS_FIELD_MAJOR_FAULTS,
  ROAST_PROCESS_FIELD_VOLUNTARY_SWITCHES,
  ROAST_PROCESS_FIELD_INVOLUNTARY_SWITCHES,
  ROAST_PROCESS_FIELD_CPU_UNSPLIT,
  ROAST_PROCESS_FIELD_PID_NAMESPACE,
  ROAST_PROCESS_FIELD_NAMESPACE_PID,
} RoastProcessField;

#define ROAST_TYPE_PROCESS (roast_process_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastProcess, roast_process, ROAST, PROCESS, GObject)

ROAST_AVAILABLE_IN_0_9
guint64 roast_process_get_id (RoastProcess *self);
ROAST_AVAILABLE_IN_0_9
guint64 roast_process_get_parent_id (RoastProcess *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_process_get_command (RoastProcess *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_process_get_command_line (RoastProcess *self);
ROAST_AVAILABLE_IN_0_9
RoastProcessOrigin roast_process_get_origin (RoastProcess *self);
ROAST_AVAILABLE_IN_0_9
gboolean roast_process_get_wait_status (RoastProcess *self, int *wait_status);
ROAST_AVAILABLE_IN_0_9
gint64 roast_process_get_field (RoastProcess *self, RoastProcessField field);

G_END_DECLS
