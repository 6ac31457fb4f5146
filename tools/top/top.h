/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "report-run.h"

typedef enum
{
  TOP_UNTIL_QUIT,
  TOP_UNTIL_DONE,   /* the run has ended */
  TOP_UNTIL_FAILED, /* a task failed */
  TOP_UNTIL_IDLE,   /* no task ended in the last minute, although tasks are left */
} TopUntil;

typedef struct
{
  char *run; /* name of the run; NULL: the last run */
  double interval;
  int view; /* number of the view; 1 for the first */
  TopUntil until;
  double at; /* time at which a replay begins, s after the start of the run; NaN: show the present */
  gboolean once, help, version;
  char *color;
} TopOptions;

/* Parses the command line. Returns NULL on error. */
TopOptions *top_options_parse (int argc, char **argv, GError **error);
void top_options_free (TopOptions *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TopOptions, top_options_free)

/* ---- top-look.c ---- */

typedef struct _TopEarlier TopEarlier;

/* Tasks of a category. */
typedef struct
{
  char *name;
  double done, failed, running, waiting; /* number of tasks, as the report counts them */
  double timed;                          /* number of attempts that were done and whose time is known, */
  double busy, longest;                  /* their time in sum, and the longest of their times, s */
  double recent;                         /* number of these attempts that ended in the last minute */
  double first;                          /* when the first attempt started, µs since the epoch; NaN if unknown */
  double misfits;                        /* number of tasks that request more than any worker has */
} TopCategory;

/* The state of a run, as it was known at one time. */
typedef struct
{
  RoastRegistry *registry; /* registry of plugins; not owned */
  ReportRun *run;
  RoastSession *session; /* session that made the report */
  RoastRecordingSnapshot *snapshot;
  RoastReport *report;
  RoastRunFileState state;
  const TopEarlier *earlier; /* earlier run of the same command, or NULL; not owned */
  gint64 started;            /* start of the run, µs since the epoch; -1 if unknown */
  gboolean is_past;          /* TRUE if a replay shows what was known at an earlier time */
  double length;             /* time from the start of the recording until the end of the data, s; 0 if unknown */
  double elapsed;            /* elapsed time of the program until the end of the data, s */
  const char *opened;        /* line of a view that the user has opened, or NULL; not owned */
  GArray *categories;        /* elements are TopCategory; NULL if the run has ended */
  double cpu;                /* CPU time that this look took, s */
  gint64 reach;              /* time until which the file contains data, µs since the epoch */
} TopLook;

/* Takes the last sample of the worker at index @place of @workers. */
typedef void (*TopTakeSample) (GArray *workers, guint place, RoastTableReader *sample);
/* Calls @take for each worker that has samples. @places: maps a worker of the run model to its index in @workers; other
 * workers are skipped */
void top_look_take_samples (const TopLook *self, GHashTable *places, GArray *workers, TopTakeSample take);

/* Finds a run file. @name: name of a run as in roast-report, or ID of a process that a growing run measures */
char *top_find (const char *name, GError **error);
/* Looks at the run as it was known @at seconds after its start. If @at is NaN, looks at the present. */
TopLook *top_look (const char *path, RoastRegistry *registry, double at, GError **error);
void top_look_free (TopLook *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TopLook, top_look_free)

/* Returns the value of a metric, or NaN if it is not available. */
double top_look_get (const TopLook *self, const char *metric);

/* Returns whether the run was in progress at the time of the look. */
gboolean top_look_goes_on (const TopLook *self);

/* ---- top-earlier.c ---- */

/* Returns the newest complete run that had the same command, had tasks, and began before this run; NULL if there is
 * none. */
TopEarlier *top_earlier_find (const TopLook *look);
void top_earlier_free (TopEarlier *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TopEarlier, top_earlier_free)
/* Describes the remaining time of a run that has done @done tasks after @elapsed seconds, none of them in the last
 * @quiet seconds. Returns NULL if no estimate is possible, for example because the earlier run had fewer tasks. */
char *top_earlier_describe (const TopEarlier *self, double done, double elapsed, double quiet);

/* ---- top-replay.c ---- */

/* Makes a recording that contains the part of @whole that was known at @moment. @started: start of the run; both times
 * are in µs since the epoch */
RoastRecording *top_replay_cut (RoastRecording *whole, gint64 started, gint64 moment, GError **error);

/* ---- top-workers.c ---- */

/* Appends a letter for each worker of an executor. Returns FALSE if the run has ended. */
gboolean top_workers_append_grid (const TopLook *look, int width, gboolean color, GPtrArray *lines);
void top_workers_append_hosts (const TopLook *look, int width, GPtrArray *lines);
/* Returns a formatted number, or “-” if it is NaN. */
char *top_describe_number (double value, const char *format);

/* Returns text that takes exactly @width columns. */
char *top_pad (const char *text, int width);

/* ---- top-tasks.c ---- */

/* Returns the categories of the run's tasks, as an array of TopCategory. */
GArray *top_categories_read (const TopLook *look);
/* These functions append a line for each category, or for each of the tasks that have run longest. They return FALSE if
 * there is none, or if the run has ended. */
gboolean top_tasks_append_categories (const TopLook *look, int width, GPtrArray *lines);
gboolean top_tasks_append_longest (const TopLook *look, int width, int height, GPtrArray *lines);

/* ---- top-details.c ---- */

/* Appends the rows of all tables about the thing that @line, a line of a view, names. */
void top_details_append (const TopLook *look, const char *line, int width, GPtrArray *lines);

/* ---- top-processes.c ---- */

/* Appends a line for each process that runs. Returns FALSE if none is known, or if the run has ended. */
gboolean top_processes_append (const TopLook *look, int width, GPtrArray *lines);

/* ---- top-minute.c ---- */

/* Core time of each part at each look of the last minute. */
typedef GArray TopMinute;

TopMinute *top_minute_new (void);
void top_minute_add (TopMinute *self, const TopLook *look);
/* Describes where core time went, for example "core time of the last 60 s: tasks: computing 62 % · idle: no task ready
 * 18 %". If there was no earlier look, describes the whole run. */
char *top_minute_describe (TopMinute *self, const TopLook *look);

/* Describes the number of tasks, how many are left and how long they will take, the workers, and the rates. */
char *top_describe_progress (const TopLook *look);
/* Describes a time as a range, for example "1.20 s to 3.40 s". Widens the range, because its ends were computed from a
 * sample of @n tasks. */
char *top_describe_range (double shortest, double longest, double n);
/* Describes the state of the run, for example "running for 12 s" or "ended after 2 min, exit status 1". */
char *top_describe_state (const TopLook *look);
gboolean top_is_idle (const TopLook *look);

/* ---- top-view.c ---- */

enum
{
  TOP_VIEW_NOW = 1,
  TOP_VIEW_WORKERS,
  TOP_VIEW_TASKS,
  TOP_VIEW_LONGEST,
  TOP_VIEW_HOSTS,
  TOP_VIEW_PROCESSES,
  TOP_VIEW_EVENTS,
  TOP_VIEW_WORKER_LIST, /* opened by the key Enter */
  TOP_VIEW_KEYS,        /* opened by the key ? */
  TOP_VIEW_DETAILS,     /* opened by the key Enter on a line */
};

#define TOP_N_VIEWS 7 /* number of views that are opened by a digit */
#define TOP_N_FIXED 3 /* number of lines at the top of each view that do not scroll */

/* Returns the number of the view with this name or number; 0 if there is none. */
int top_view_find (const char *name);
/* Returns the line that lists the keys. @filter: text that shown lines must contain; NULL if there is no filter */
char *top_view_make_keys (int view, const char *filter, int width);
/* Returns the mark of a cut. */
const char *top_get_cut (void);
/* Returns a line of a view without colors. */
char *top_view_strip (const char *line);
/* Returns a line of a view in reverse video, so that the user sees that it is selected. */
char *top_view_select (const char *line, int width);
/* Cuts text to a number of terminal columns, and marks the cut. Replaces control characters, because text from the run
 * must not control the terminal. */
char *top_fit (const char *text, int width);
/* Draws the lines of a view, so that they fit the size of the screen. @note: text that follows the state of the run */
char **top_view_draw (TopLook *look, TopMinute *minute, const char *note, int view, int width, int height,
                      gboolean color);

/* ---- top-screen.c ---- */

/* A terminal. The lines that it shows are remembered, so that only changed lines are written. */
typedef struct
{
  int width, height;
  char **lines; /* lines on the terminal */
} TopScreen;

/* Returns whether the terminal understands control sequences. */
gboolean top_screen_is_capable (void);
gboolean top_screen_begin (TopScreen *self);
void top_screen_end (TopScreen *self);
void top_screen_measure (TopScreen *self);
void top_screen_show (TopScreen *self, char **lines);

/* ---- top-follow.c ---- */

/* Shows the run until the user quits, or until the event in @options has happened. If the output is not a terminal,
 * also stops when the run has ended. Returns the exit status. */
int top_follow (TopOptions *options, const char *path, RoastRegistry *registry, gboolean color);
