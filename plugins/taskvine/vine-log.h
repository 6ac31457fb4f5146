/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>
#include <sys/stat.h>

/* A file that is read line by line while another process may still write it. */
typedef struct _VineLog VineLog;

typedef void (*VineLogFunction) (const char *line, gsize length, gpointer user_data);

typedef enum
{
  VINE_LOG_MORE,    /* there is more to read */
  VINE_LOG_END,     /* the file was read to its end */
  VINE_LOG_SHORTER, /* the file was truncated or replaced; nothing was read */
  VINE_LOG_BROKEN,  /* the file cannot be read any more */
} VineLogState;

/* Create a log that reads from @fd and takes ownership of it. */
VineLog *vine_log_new_for_fd (int fd);
VineLog *vine_log_open (const char *path, GError **error);
void vine_log_free (VineLog *self);

/* Return the first @size bytes of the file plus a NUL; NULL if they cannot be read. */
char *vine_log_dup_head (VineLog *self, gsize size);
/* Read about @bytes, and call @function for each complete line. An incomplete line is kept until the rest of it
 * arrives. */
VineLogState vine_log_read (VineLog *self, gsize bytes, VineLogFunction function, gpointer user_data);
/* Return the number of bytes that were read so far. */
guint64 vine_log_get_offset (VineLog *self);
/* Return the status of the file as from fstat (); all members are 0 if it cannot be read. */
struct stat vine_log_get_status (VineLog *self);
/* Return the length of the incomplete line at the end of what was read so far. */
gsize vine_log_get_torn (VineLog *self);
/* Return the number of lines that were skipped because they were too long. */
guint64 vine_log_get_n_long (VineLog *self);
gboolean vine_log_equal (VineLog *self, VineLog *other);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (VineLog, vine_log_free)
