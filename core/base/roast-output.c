/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast/roast-output.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixoutputstream.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "roast-fail-private.h"
#include "roast-output-file-private.h"
#include "roast-temporaries-private.h"
#include "roast-type-private.h"

/**
 * RoastOutput:
 *
 * The destination of an exporter: a stream, a file, a directory or memory.
 *
 * A file is written under a temporary name beside its destination. [method@Roast.Output.commit] moves the complete file
 * into place, so a failed report never replaces an older report. A path that is not a regular file (a device, a pipe)
 * is written to directly.
 *
 * Since: 0.9
 */
struct _RoastOutput
{
  GObject parent_instance;

  RoastOutputKind kind;
  char *name;       /* path of a file or directory as given, or display name of a stream */
  char *place;      /* absolute form of the path in @name, because the process may change its directory */
  int fd;           /* owned descriptor of a stream, or of a path that is not a regular file; -1 for other outputs */
  GPtrArray *parts; /* OutputPart: opened files or pieces of memory */
  gboolean prepared;
  gboolean waits_for_reader; /* the output is a FIFO that is not open yet */
};

typedef struct
{
  char *name;      /* name that the exporter gave the part; "" if the output has only one part */
  char *path;      /* final path of the file; NULL in memory and for streams */
  char *temporary; /* path of the temporary file, used until the commit */
  GOutputStream *stream;
  gboolean opened; /* the exporter has opened the part */
} OutputPart;

ROAST_DEFINE_TYPE (RoastOutput, roast_output)

static void
output_part_free (OutputPart *part)
{
  g_free (part->name);
  g_free (part->path);
  g_free (part->temporary);
  g_clear_object (&part->stream);
  g_free (part);
}

static void
roast_output_release (RoastOutput *self)
{
  roast_output_discard (self);
  if (self->fd >= 0)
    close (self->fd);
  g_ptr_array_unref (self->parts);
  g_free (self->name);
  g_free (self->place);
}

static void
roast_output_init (RoastOutput *self)
{
  self->fd = -1;
  self->parts = g_ptr_array_new_with_free_func ((GDestroyNotify) output_part_free);
}

static RoastOutput *
new_output (RoastOutputKind kind, const char *name)
{
  RoastOutput *self = g_object_new (ROAST_TYPE_OUTPUT, NULL);

  self->kind = kind;
  self->name = g_strdup (name);

  return self;
}

/**
 * roast_output_new_for_fd:
 * @fd: a file descriptor, which the output duplicates; the caller may close its own descriptor
 * @name: name for messages, such as "standard output"
 *
 * Creates an output to a file descriptor that is already open. The output does not close the caller's descriptor.
 *
 * Returns: (transfer full): an output to an open stream
 *
 * Since: 0.9
 */
RoastOutput *
roast_output_new_for_fd (int fd, const char *name)
{
  RoastOutput *self = NULL;

  g_return_val_if_fail (name != NULL, NULL);

  self = new_output (ROAST_OUTPUT_STREAM, name);
  self->fd = fcntl (fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

  return self;
}

/**
 * roast_output_new_for_file:
 * @path: (type filename): name of a file
 *
 * Creates an output to a file. The file is replaced only by [method@Roast.Output.commit].
 *
 * Returns: (transfer full): an output to a file
 *
 * Since: 0.9
 */
RoastOutput *
roast_output_new_for_file (const char *path)
{
  g_return_val_if_fail (path != NULL, NULL);

  return new_output (ROAST_OUTPUT_FILE, path);
}

/**
 * roast_output_new_for_directory:
 * @path: (type filename): name of a directory, which is created if it does not exist
 *
 * Creates an output of several files, for exporters with %ROAST_EXPORTER_FLAGS_DIRECTORY.
 *
 * Returns: (transfer full): an output to files in a directory
 *
 * Since: 0.9
 */
RoastOutput *
roast_output_new_for_directory (const char *path)
{
  g_return_val_if_fail (path != NULL, NULL);

  return new_output (ROAST_OUTPUT_DIRECTORY, path);
}

/**
 * roast_output_new_for_memory:
 *
 * Creates an output that keeps its content in memory, for tests and for applications that show a report.
 *
 * Returns: (transfer full): an output to memory: see [method@Roast.Output.dup_bytes]
 *
 * Since: 0.9
 */
RoastOutput *
roast_output_new_for_memory (void)
{
  return new_output (ROAST_OUTPUT_MEMORY, "memory");
}

/**
 * roast_output_get_kind:
 * @self: an output
 *
 * Gets the kind of destination.
 *
 * Returns: the kind of destination
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Output, OUTPUT, RoastOutputKind, roast_output_get_kind, ROAST_OUTPUT_MEMORY, self->kind)

/**
 * roast_output_get_name:
 * @self: an output
 *
 * Gets the name of the output, for messages.
 *
 * Returns: (transfer none): the path of the output, or its display name
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Output, OUTPUT, const char *, roast_output_get_name, NULL, self->name)

static gboolean
output_fail (RoastOutput *self, const char *what, int code, GError **error)
{
  const char *cure = roast_output_file_cure (code);

  return roast_fail (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT, "cannot %s %s: %s%s%s", what, self->name,
                     g_strerror (code), cure != NULL ? ". " : "", cure != NULL ? cure : "");
}

static OutputPart *
add_part (RoastOutput *self, const char *name, const char *path, int fd, char *temporary)
{
  OutputPart *part = g_new0 (OutputPart, 1);

  part->name = g_strdup (name);
  part->path = g_strdup (path);
  part->temporary = temporary;
  part->stream = fd >= 0 ? g_unix_output_stream_new (fd, TRUE) : NULL;
  g_ptr_array_add (self->parts, part);

  return part;
}

static int
remove_temporary (const char *path)
{
  int result = g_unlink (path);

  roast_temporaries_forget (path);

  return result;
}

static gboolean
prepare_stream (RoastOutput *self, GError **error)
{
  int flags = self->fd >= 0 ? fcntl (self->fd, F_GETFL) : -1;

  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY ? TRUE : output_fail (self, "write to", EBADF, error);
}

static gboolean
prepare_file (RoastOutput *self, GError **error)
{
  g_autofree char *target = roast_output_file_follow (self->place);
  g_autofree char *directory = NULL;
  char *temporary = NULL;
  int fd = -1;

  if (roast_output_file_is_direct (target))
    {
      self->fd = roast_output_file_open_direct (target);
      /* A FIFO that has no reader yet cannot be opened. Do not fail, because a reader may open the FIFO before there is
       * something to write. */
      self->waits_for_reader = self->fd < 0 && errno == ENXIO;
      return self->fd >= 0 || self->waits_for_reader ? TRUE : output_fail (self, "write", errno, error);
    }
  fd = roast_output_file_open_temporary (target, &temporary);
  if (fd < 0)
    return output_fail (self, "write", errno, error);
  add_part (self, "", target, fd, temporary);
  directory = g_path_get_dirname (target);
  roast_temporaries_remove_stale_files (directory);

  return TRUE;
}

/* Create a probe file, the only reliable test that the directory is writable. */
static gboolean
prepare_directory (RoastOutput *self, GError **error)
{
  g_autofree char *probe = g_build_filename (self->place, "roast", NULL);
  g_autofree char *temporary = NULL;
  int fd = -1;

  if (g_mkdir_with_parents (self->place, 0777) < 0)
    return output_fail (self, "create the directory", errno, error);
  fd = roast_output_file_open_temporary (probe, &temporary);
  if (fd < 0)
    return output_fail (self, "write in", errno, error);
  close (fd);
  remove_temporary (temporary);
  roast_temporaries_remove_stale_files (self->place);

  return TRUE;
}

/**
 * roast_output_prepare:
 * @self: an output
 * @error: return location for an error
 *
 * Opens the destination before there is anything to write, so that errors are reported early. Without a call
 * of this function, the first [method@Roast.Output.open] opens the destination.
 *
 * Returns: %TRUE on success; %FALSE with %ROAST_EXPORT_ERROR_OUTPUT
 *
 * Since: 0.9
 */
gboolean
roast_output_prepare (RoastOutput *self, GError **error)
{
  gboolean ok = TRUE;

  g_return_val_if_fail (ROAST_IS_OUTPUT (self), FALSE);

  if (self->prepared)
    return TRUE;
  if (self->place == NULL && (self->kind == ROAST_OUTPUT_FILE || self->kind == ROAST_OUTPUT_DIRECTORY))
    self->place = roast_output_file_dup_absolute (self->name);
  if (self->kind == ROAST_OUTPUT_STREAM)
    ok = prepare_stream (self, error);
  else if (self->kind == ROAST_OUTPUT_FILE)
    ok = prepare_file (self, error);
  else if (self->kind == ROAST_OUTPUT_DIRECTORY)
    ok = prepare_directory (self, error);
  self->prepared = ok;

  return ok;
}

static OutputPart *
find_part (RoastOutput *self, const char *name)
{
  for (guint i = 0; i < self->parts->len; i++)
    {
      OutputPart *part = g_ptr_array_index (self->parts, i);

      if (g_str_equal (part->name, name))
        return part;
    }

  return NULL;
}

static GOutputStream *
output_refuse (RoastOutput *self, const char *name, const char *why, GError **error)
{
  return roast_fail_null (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT,
                          "cannot write “%s” in %s: %s (a bug in the exporter)", name, self->name, why);
}

static GOutputStream *
hand_out (OutputPart *part)
{
  part->opened = TRUE;

  return g_object_ref (part->stream);
}

static GOutputStream *
open_in_directory (RoastOutput *self, const char *name, GError **error)
{
  g_autofree char *path = g_build_filename (self->place, name, NULL);
  char *temporary = NULL;
  int fd = -1;

  if (*name == '\0' || *name == '.' || strchr (name, '/') != NULL)
    return output_refuse (self, name, "the name is not a plain file name", error);
  if (find_part (self, name) != NULL)
    return output_refuse (self, name, "the exporter has already opened a file with this name", error);
  fd = roast_output_file_open_temporary (path, &temporary);
  if (fd < 0)
    {
      output_fail (self, "write in", errno, error);
      return NULL;
    }

  return hand_out (add_part (self, name, path, fd, temporary));
}

static GOutputStream *
open_in_memory (RoastOutput *self, const char *name)
{
  OutputPart *part = find_part (self, name);

  if (part != NULL)
    g_ptr_array_remove (self->parts, part);
  part = add_part (self, name, NULL, -1, NULL);
  part->stream = g_memory_output_stream_new_resizable ();

  return hand_out (part);
}

static gboolean
open_for_reader (RoastOutput *self, GError **error)
{
  g_autofree char *target = roast_output_file_follow (self->place);

  self->fd = roast_output_file_open_direct (target);
  self->waits_for_reader = self->fd < 0;

  return self->fd >= 0 ? TRUE : output_fail (self, "write", errno, error);
}

/* Open a stream or a file, which, unlike a directory or memory, has only one part. */
static GOutputStream *
open_only (RoastOutput *self, GError **error)
{
  OutputPart *part = find_part (self, "");

  if (self->waits_for_reader && !open_for_reader (self, error))
    return NULL;
  if (self->fd >= 0)
    return g_unix_output_stream_new (self->fd, FALSE);
  if (part == NULL || part->opened)
    return roast_fail_null (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT, "%s has already been written",
                            self->name);

  return hand_out (part);
}

/**
 * roast_output_open:
 * @self: an output
 * @name: (nullable): name of a file in a directory, or of a piece of memory; ignored for streams and files
 * @error: return location for an error
 *
 * Opens a stream to write to. The caller closes the stream.
 *
 * Returns: (transfer full): a stream, or %NULL with %ROAST_EXPORT_ERROR_OUTPUT
 *
 * Since: 0.9
 */
GOutputStream *
roast_output_open (RoastOutput *self, const char *name, GError **error)
{
  g_return_val_if_fail (ROAST_IS_OUTPUT (self), NULL);

  if (!roast_output_prepare (self, error))
    return NULL;

  switch (self->kind)
    {
    case ROAST_OUTPUT_DIRECTORY:
      return open_in_directory (self, name != NULL ? name : "", error);
    case ROAST_OUTPUT_MEMORY:
      return open_in_memory (self, name != NULL ? name : "");
    case ROAST_OUTPUT_STREAM:
    case ROAST_OUTPUT_FILE:
    default:
      return open_only (self, error);
    }
}

/* Close all files before the commit and check the results, because the system may report a write error only on
 * close. */
static gboolean
close_all (RoastOutput *self, GError **error)
{
  for (guint i = 0; i < self->parts->len; i++)
    {
      OutputPart *part = g_ptr_array_index (self->parts, i);
      g_autoptr (GError) local = NULL;

      if (g_output_stream_close (part->stream, NULL, &local))
        continue;
      return roast_fail (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT, "cannot write %s: %s",
                         self->kind == ROAST_OUTPUT_FILE ? self->name : part->path, local->message);
    }
  if (self->kind == ROAST_OUTPUT_FILE && self->fd >= 0)
    {
      int fd = self->fd;

      self->fd = -1;
      /* Linux closes the descriptor even if close () fails with EINTR. */
      if (close (fd) < 0 && errno != EINTR)
        return output_fail (self, "write", errno, error);
    }

  return TRUE;
}

/**
 * roast_output_commit:
 * @self: an output
 * @error: return location for an error
 *
 * Moves all written files into place. A file that was never opened stays unchanged.
 *
 * Returns: %TRUE on success; %FALSE with %ROAST_EXPORT_ERROR_OUTPUT if a file could not be completed, in which case its
 * previous version stays in place
 *
 * Since: 0.9
 */
gboolean
roast_output_commit (RoastOutput *self, GError **error)
{
  g_return_val_if_fail (ROAST_IS_OUTPUT (self), FALSE);

  if (self->kind == ROAST_OUTPUT_MEMORY)
    return TRUE;
  if (!close_all (self, error))
    return FALSE;

  while (self->parts->len > 0)
    {
      OutputPart *part = g_ptr_array_index (self->parts, 0);

      if ((part->opened ? g_rename (part->temporary, part->path) : remove_temporary (part->temporary)) < 0)
        return output_fail (self, "move into place", errno, error);
      roast_temporaries_forget (part->temporary);
      g_ptr_array_remove_index (self->parts, 0);
    }

  return TRUE;
}

/**
 * roast_output_discard:
 * @self: an output
 *
 * Discards all content that was written and not committed.
 *
 * Since: 0.9
 */
void
roast_output_discard (RoastOutput *self)
{
  g_return_if_fail (ROAST_IS_OUTPUT (self));

  for (guint i = 0; i < self->parts->len; i++)
    {
      OutputPart *part = g_ptr_array_index (self->parts, i);

      if (part->temporary != NULL)
        remove_temporary (part->temporary);
    }
  g_ptr_array_set_size (self->parts, 0);
  if (self->kind == ROAST_OUTPUT_FILE && self->fd >= 0)
    {
      close (self->fd);
      self->fd = -1;
    }
  self->waits_for_reader = FALSE;
  if (self->kind != ROAST_OUTPUT_STREAM)
    self->prepared = FALSE;
}

/**
 * roast_output_is_terminal:
 * @self: an output
 * @columns: (out) (optional): width of the terminal in characters; 0 if the width is not known
 *
 * Checks whether the output is a terminal, and gets its width.
 *
 * Returns: whether the output is a terminal
 *
 * Since: 0.9
 */
gboolean
roast_output_is_terminal (RoastOutput *self, guint *columns)
{
  struct winsize size = { 0 };
  gboolean is_terminal = FALSE;

  g_return_val_if_fail (ROAST_IS_OUTPUT (self), FALSE);

  is_terminal = self->fd >= 0 && isatty (self->fd);
  if (is_terminal && ioctl (self->fd, TIOCGWINSZ, &size) < 0)
    size.ws_col = 0;
  if (columns != NULL)
    *columns = size.ws_col;

  return is_terminal;
}

/**
 * roast_output_dup_bytes:
 * @self: an output to memory
 * @name: (nullable): name of the piece
 *
 * Gets the content that was written to memory.
 *
 * Returns: (transfer full) (nullable): the content, complete once its stream is closed; %NULL if no piece has that name
 *
 * Since: 0.9
 */
GBytes *
roast_output_dup_bytes (RoastOutput *self, const char *name)
{
  OutputPart *part = NULL;
  GMemoryOutputStream *stream = NULL;

  g_return_val_if_fail (ROAST_IS_OUTPUT (self), NULL);
  g_return_val_if_fail (self->kind == ROAST_OUTPUT_MEMORY, NULL);

  part = find_part (self, name != NULL ? name : "");
  if (part == NULL)
    return NULL;
  stream = G_MEMORY_OUTPUT_STREAM (part->stream);

  return g_bytes_new (g_memory_output_stream_get_data (stream), g_memory_output_stream_get_data_size (stream));
}

/**
 * roast_output_dup_names:
 * @self: an output
 *
 * Lists the written files or pieces of memory.
 *
 * Returns: (transfer full): names of the parts that have been opened and not committed
 *
 * Since: 0.9
 */
char **
roast_output_dup_names (RoastOutput *self)
{
  char **names = NULL;

  g_return_val_if_fail (ROAST_IS_OUTPUT (self), NULL);

  names = g_new0 (char *, self->parts->len + 1);
  for (guint i = 0; i < self->parts->len; i++)
    names[i] = g_strdup (((OutputPart *) g_ptr_array_index (self->parts, i))->name);

  return names;
}
