/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "page/page.h"

#define BOLD "\033[1m"
#define DIM "\033[2m"
#define RED "\033[31m"
#define GREEN "\033[32m"
#define YELLOW "\033[33m"
#define PLAIN "\033[0m"

/* A page of text, and how it is shown. */
typedef struct
{
  GString *text;
  const PageSource *source;
  gsize width; /* in columns of the terminal */
  gboolean colors;
  gboolean ascii;  /* the locale has no other characters */
  gboolean detail; /* whether to show everything */
  guint64 rows;    /* of each table; 0: all */
} TextRenderer;

const char *text_renderer_style (const TextRenderer *page, const char *sequence);
/* Text from outside without control characters, which would reach the terminal. */
char *text_renderer_printable (const TextRenderer *page, const char *text);
/* A heading, a line, a paragraph with a hanging indent below @first. */
void text_renderer_heading (TextRenderer *page, const char *text);
void text_renderer_wrapped_heading (TextRenderer *page, const char *text);
void text_renderer_line (TextRenderer *page, const char *sequence, const char *text);
void text_renderer_paragraph (TextRenderer *page, const char *sequence, const char *first, const char *text);

/* In columns of a terminal. */
gsize text_width (const char *text);
/* Blanks up to a width. */
void text_pad (GString *line, gsize width);
char *text_cut (const TextRenderer *page, const char *text, gsize width);
/* A sentence loses its end; a name its middle, since names that begin alike differ at their ends. */
char *text_shorten (const TextRenderer *page, const char *text, gsize width);
char **text_wrap (const char *text, gsize width);

void text_renderer_put_head (TextRenderer *page);
void text_renderer_put_metrics (TextRenderer *page, RoastReport *report);
void text_renderer_put_tables (TextRenderer *page);
void text_renderer_put_table (TextRenderer *page, RoastTableReader *table);
/* Recorded tables that plugins declared or added columns to. */
void text_renderer_put_added_tables (TextRenderer *page);
/* With everything that an event reports. */
void text_renderer_put_notes (TextRenderer *page, RoastRecordingSnapshot *recording, RoastReport *report);
