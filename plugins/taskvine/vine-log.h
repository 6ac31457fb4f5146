/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A file that somebody may still write to, read line by line. */
typedef struct _VineLog VineLog;

typedef void (*VineLogFunction) (const char *line, gsize length, gpointer user_data);

typedef enum
{
  VINE_LOG_MORE,    /* not all that is there was read */
  VINE_LOG_END,     /* all that is there was */
  VINE_LOG_SHORTER, /* it was cut, or written anew: nothing was read */
  VINE_LOG_BROKEN,  /* it cannot be read any more */
} VineLogState;

/* Takes @fd. */
VineLog *vine_log_new_for_fd (int fd);
VineLog *vine_log_open (const char *path, GError **error);
void vine_log_free (VineLog *self);

/* Calls a function for each whole line of at most @bytes. What follows the last end of a line waits for more. */
VineLogState vine_log_read (VineLog *self, gsize bytes, VineLogFunction function, gpointer user_data);
/* What follows the last end of a line, which nobody will end. */
gsize vine_log_get_torn (VineLog *self);
/* Lines that are too long for any record. */
guint64 vine_log_get_n_long (VineLog *self);
gboolean vine_log_is_deleted (VineLog *self);
/* Seconds since it was written to; negative if that is not known. */
double vine_log_get_age (VineLog *self);
/* Tells whether both are the same file. */
gboolean vine_log_is_same (VineLog *self, guint64 device, guint64 inode);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (VineLog, vine_log_free)

G_END_DECLS
