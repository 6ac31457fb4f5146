/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <cairo.h>
#include <roast/roast.h>

/* Draws the picture; a unit of cairo's is a px of the scene. */
void paint_scene (RoastScene *scene, RoastTheme theme, cairo_t *cairo);
