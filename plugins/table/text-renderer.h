/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "page/page.h"
#include "text-width.h"

#define BOLD "\033[1m"
#define DIM "\033[2m"
#define RED "\033[31m"
#define GREEN "\033[32m"
#define YELLOW "\033[33m"
#define PLAIN "\033[0m"

/* A page of text, and the settings for displaying it. */
typedef struct
{
  GString *text;
  const PageSource *source;
  gsize width; /* in terminal columns */
  gboolean colors;
  gboolean ascii;  /* the locale supports only ASCII */
  gboolean detail; /* option “detail”: everything is shown */
  guint64 rows;    /* maximum number of rows per table; 0: all rows */
} TextRenderer;

const char *text_renderer_style (const TextRenderer *page, const char *sequence);
/* Escapes control characters of untrusted text, because they must not reach the terminal. */
char *text_renderer_printable (const TextRenderer *page, const char *text);
/* These functions append a heading, a line, or a paragraph that begins with @first and has a hanging indent. */
void text_renderer_heading (TextRenderer *page, const char *text);
void text_renderer_wrapped_heading (TextRenderer *page, const char *text);
void text_renderer_line (TextRenderer *page, const char *sequence, const char *text);
void text_renderer_paragraph (TextRenderer *page, const char *sequence, const char *first, const char *text);

/* Appends spaces until the line has the width @width. */
void text_pad (GString *line, gsize width);
char *text_cut (const TextRenderer *page, const char *text, gsize width);
/* Shortens the text to @width terminal columns. A sentence loses its end. A name loses its middle, because similar
 * names often differ at their ends. */
char *text_shorten (const TextRenderer *page, const char *text, gsize width);
char **text_wrap (const char *text, gsize width);

void text_renderer_put_head (TextRenderer *page);
void text_renderer_put_metrics (TextRenderer *page, RoastReport *report);
void text_renderer_put_tables (TextRenderer *page);
void text_renderer_put_table (TextRenderer *page, RoastTableReader *table);
/* Puts the tables of the recording that plugins declare, or to which plugins have added columns. */
void text_renderer_put_added_tables (TextRenderer *page);
/* Puts the notes and all events. */
void text_renderer_put_notes (TextRenderer *page, RoastRecordingSnapshot *recording, RoastReport *report);
