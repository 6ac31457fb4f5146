/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "report-run.h"

G_BEGIN_DECLS

typedef enum
{
  TOP_UNTIL_QUIT,
  TOP_UNTIL_DONE,   /* the run has ended */
  TOP_UNTIL_FAILED, /* a task failed */
  TOP_UNTIL_IDLE,   /* no task ended in the last minute, though some are left */
} TopUntil;

typedef struct
{
  char *run; /* NULL: the last */
  double interval;
  int view; /* from 1 */
  TopUntil until;
  gboolean once, help, version;
  char *color;
} TopOptions;

/* NULL on error. */
TopOptions *top_options_parse (int argc, char **argv, GError **error);
void top_options_free (TopOptions *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TopOptions, top_options_free)

/* ---- top-look.c ---- */

/* What a run is known to have done at one time. */
typedef struct
{
  RoastRegistry *registry; /* not owned */
  ReportRun *run;
  RoastSession *session; /* with the report */
  RoastRecordingSnapshot *snapshot;
  RoastReport *report;
  RoastRunFileState state;
  double elapsed; /* s, as far as the data reach */
  double cpu;     /* s that the look took */
  gint64 reach;   /* µs; until then data are there */
} TopLook;

/* The file of a run: a name that roast-report takes, or the id of a process that a growing run measures. */
char *top_find (const char *name, GError **error);
TopLook *top_look (const char *path, RoastRegistry *registry, GError **error);
void top_look_free (TopLook *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TopLook, top_look_free)

/* NaN if it is not available. */
double top_look_get (const TopLook *self, const char *metric);

/* ---- top-minute.c ---- */

/* Where core time went between two looks: looks of the last minute are kept. */
typedef struct
{
  GArray *kept; /* of TopMoment */
} TopMinute;

void top_minute_init (TopMinute *self);
void top_minute_clear (TopMinute *self);
void top_minute_add (TopMinute *self, const TopLook *look);
/* "last 60 s: tasks: computing 62 %, idle: no task ready 18 %"; of the whole run if there is no earlier look. */
char *top_minute_describe (TopMinute *self, const TopLook *look);

/* Tasks, what is left of them and how long that takes, workers, rates. */
char *top_describe_progress (const TopLook *look);
/* How it stands: "running for 12 s", "ended after 2 min, exit status 1". */
char *top_describe_state (const TopLook *look);
gboolean top_is_idle (const TopLook *look);

/* ---- top-view.c ---- */

#define TOP_N_VIEWS 6
#define TOP_N_FIXED 3 /* first lines of each view, which do not scroll */

const char *top_view_get_name (int view);
/* @filter: the text that lines must have; NULL if none must */
char *top_view_make_keys (int view, const char *filter, int width);
/* Lines of a view, as wide and as many as the screen has. */
char **top_view_draw (TopLook *look, TopMinute *minute, int view, int width, int height, gboolean color);

/* ---- top-screen.c ---- */

/* A terminal, of which only lines that changed are written. */
typedef struct
{
  int width, height;
  char **lines; /* that it shows */
} TopScreen;

gboolean top_screen_begin (TopScreen *self);
void top_screen_end (TopScreen *self);
void top_screen_measure (TopScreen *self);
void top_screen_show (TopScreen *self, char **lines);

/* ---- top-follow.c ---- */

/* Shows the run until it has ended, or what the options wait for has happened. Returns the exit status. */
int top_follow (TopOptions *options, const char *path, RoastRegistry *registry, gboolean color);

G_END_DECLS
