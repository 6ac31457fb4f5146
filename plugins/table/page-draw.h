/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "page/page.h"
#include "text-renderer.h"

/* Sets how many items each section shows, so that the page has at most @lines lines. If @lines is 0, all items are
 * shown. */
void page_fit (GPtrArray *sections, const TextRenderer *renderer, guint lines);
void page_draw (GPtrArray *sections, TextRenderer *renderer);
void page_draw_section (PageSection *section, TextRenderer *renderer);
