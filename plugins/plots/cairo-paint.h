/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <cairo.h>
#include <roast/roast.h>

/* Paints a scene with @cairo, whose user-space unit is one px of the scene. */
void paint_scene (RoastScene *scene, RoastTheme theme, cairo_t *cairo);
