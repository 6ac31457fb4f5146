/* SPDX-License-Identifier: BSD-3-Clause */

/* Checks whether processes of other users are visible, and which certificates are trusted. */

#include "doctor.h"

#include <gio/gio.h>
#include <unistd.h>

/* Checks process 1, because it always exists, and belongs to another user unless the user is root. */
static void
check_proc (Doctor *doctor)
{
  g_autofree char *text = NULL;
  g_autofree char *self = g_file_read_link ("/proc/self", NULL);

  if (self != NULL && g_ascii_strtoll (self, NULL, 10) != getpid ())
    doctor_add_broken (doctor, "processes", g_strdup ("/proc shows another PID namespace"),
                       "CPU time, memory and I/O of processes cannot be measured",
                       g_strdup ("mount /proc for this namespace: unshare --mount-proc, or mount -t proc proc /proc"));
  else if (access ("/proc/self/stat", R_OK) != 0)
    doctor_add_broken (doctor, "processes", g_strdup ("/proc is not mounted"),
                       "CPU time, memory and I/O of processes cannot be measured",
                       g_strdup ("run “mount -t proc proc /proc”, or ask the maker of the container to mount /proc"));
  else if (g_file_get_contents ("/proc/1/stat", &text, NULL, NULL))
    doctor_add (doctor, "processes", g_strdup ("processes of other users are visible; --attach measures your own"));
  else
    doctor_add_missing (doctor, "processes",
                        g_strdup ("processes of other users are hidden (/proc is mounted with hidepid)"),
                        "none for your own programs; sudo and setuid programs in a tree cannot be measured",
                        g_strdup ("ask the administrator to run “mount -o remount,hidepid=0 /proc”. Or ask to join the "
                                  "group that the option gid= of /proc names"));
}

static void
check_ptrace (Doctor *doctor)
{
  g_autofree char *text = NULL;

  if (!g_file_get_contents ("/proc/sys/kernel/yama/ptrace_scope", &text, NULL, NULL))
    doctor_add (doctor, "ptrace scope", g_strdup ("not restricted; roast does not trace processes"));
  else
    doctor_add (doctor, "ptrace scope",
                g_strdup_printf ("%s; this value does not matter, because roast does not trace processes",
                                 g_strstrip (text)));
}

/* Checks whether there are TLS and certificates, because roast needs both to read the page of a scheduler over
 * https. */
static void
check_certificates (Doctor *doctor)
{
  GTlsBackend *backend = g_tls_backend_get_default ();

  if (!g_tls_backend_supports_tls (backend))
    doctor_add_missing (doctor, "TLS", g_strdup ("GLib has no TLS module"), "--attach=https://... does not work",
                        g_strdup ("use roast-attach, which needs no TLS module. Or install the package glib-networking "
                                  "(this does not help a wheel)"));
  else if (access ("/etc/ssl/certs/ca-certificates.crt", R_OK) != 0 &&
           access ("/etc/pki/tls/certs/ca-bundle.crt", R_OK) != 0)
    doctor_add_missing (doctor, "TLS", g_strdup ("no CA certificates were found"),
                        "--attach=https://... trusts no scheduler",
                        g_strdup ("install the package ca-certificates, or give ca-file=FILE"));
  else
    doctor_add (doctor, "TLS", g_strdup ("available, with CA certificates"));
}

void
doctor_system (Doctor *doctor)
{
  check_proc (doctor);
  check_ptrace (doctor);
  check_certificates (doctor);
}
