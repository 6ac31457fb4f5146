/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast/roast-theme.h"

#include "roast-theme-private.h"

#define N_HUES 8
#define N_THEMES 2
#define N_ROLES (ROAST_SCENE_ROLE_NOTE + 1)

typedef struct
{
  guint32 roles[N_ROLES]; /* colours of all roles except series and bands, which have one of the hues */
  guint32 hues[N_HUES];
} Colours;

/* The hues of Okabe and Ito for colour-blind readers, with these changes. In the light theme, brown replaces yellow,
 * which is hard to see on white. In the dark theme, dark hues are lighter, and light grey replaces black. */
static const Colours colours[N_THEMES] = {
  [ROAST_THEME_LIGHT] = {
    .roles = {
      [ROAST_SCENE_ROLE_BACKGROUND] = 0xffffff,
      [ROAST_SCENE_ROLE_AXIS] = 0x55585e,
      [ROAST_SCENE_ROLE_GRID] = 0xe6e7ea,
      [ROAST_SCENE_ROLE_LABEL] = 0x3b3d42,
      [ROAST_SCENE_ROLE_TITLE] = 0x17181a,
      [ROAST_SCENE_ROLE_OTHERS] = 0xb4b7bd,
      [ROAST_SCENE_ROLE_GUIDE] = 0x8a1c1c,
      [ROAST_SCENE_ROLE_NOTE] = 0x6a6d73,
    },
    .hues = { 0x0072b2, 0xe69f00, 0x009e73, 0xd55e00, 0xcc79a7, 0x56b4e9, 0x73411d, 0x2b2b2b },
  },
  [ROAST_THEME_DARK] = {
    .roles = {
      [ROAST_SCENE_ROLE_BACKGROUND] = 0x17181a,
      [ROAST_SCENE_ROLE_AXIS] = 0x8b8e94,
      [ROAST_SCENE_ROLE_GRID] = 0x303236,
      [ROAST_SCENE_ROLE_LABEL] = 0xc9cbd0,
      [ROAST_SCENE_ROLE_TITLE] = 0xf2f3f5,
      [ROAST_SCENE_ROLE_OTHERS] = 0x5c5f66,
      [ROAST_SCENE_ROLE_GUIDE] = 0xff9d94,
      [ROAST_SCENE_ROLE_NOTE] = 0x9b9ea5,
    },
    .hues = { 0x3b9bdc, 0xe69f00, 0x1fb58a, 0xe8702a, 0xd991b8, 0x9ad4f5, 0xf0e442, 0xe4e4e4 },
  },
};

/* Percentages of the hue in a colour, whose rest is the background: 100 for series 1 to 8, 62 for series 9 to 16, and
 * 38 for series 17 to 24. Series 1, 9 and 17 have the same hue, and so on. */
static const guint shades[ROAST_THEME_N_COLOURS / N_HUES] = { 100, 62, 38 };

static guint32
mix (guint32 colour, guint32 background, guint percent)
{
  guint32 mixed = 0;

  for (guint shift = 0; shift <= 16; shift += 8)
    {
      guint of_colour = colour >> shift & 0xff;
      guint of_background = background >> shift & 0xff;

      mixed |= ((of_colour * percent + of_background * (100 - percent) + 50) / 100) << shift;
    }

  return mixed;
}

static guint32
get_series_colour (const Colours *of, guint palette)
{
  palette %= ROAST_THEME_N_COLOURS;

  return mix (of->hues[palette % N_HUES], of->roles[ROAST_SCENE_ROLE_BACKGROUND], shades[palette / N_HUES]);
}

/**
 * roast_theme_get_colour:
 * @theme: a theme
 * @role: role of a mark
 * @palette: number of the series, for marks of series and bands; ignored for other roles
 *
 * Gets the colour of a mark. The first eight series have colours that people with the usual kinds of colour blindness
 * can distinguish. The colours of later series are lighter or darker; their lines should also be dashed.
 *
 * Returns: red, green and blue as 0xRRGGBB
 *
 * Since: 0.9
 */
guint32
roast_theme_get_colour (RoastTheme theme, RoastSceneRole role, guint palette)
{
  const Colours *of = &colours[theme == ROAST_THEME_DARK ? ROAST_THEME_DARK : ROAST_THEME_LIGHT];

  if (role == ROAST_SCENE_ROLE_SERIES || role == ROAST_SCENE_ROLE_BAND)
    return get_series_colour (of, palette);

  return of->roles[role < N_ROLES ? role : ROAST_SCENE_ROLE_LABEL];
}

/**
 * roast_theme_get_opacity:
 * @theme: a theme
 * @role: role of a mark
 *
 * Gets the opacity of a mark.
 *
 * Returns: a number from 0 (transparent) to 1 (opaque)
 *
 * Since: 0.9
 */
double
roast_theme_get_opacity (RoastTheme theme, RoastSceneRole role)
{
  if (role != ROAST_SCENE_ROLE_BAND)
    return 1;

  return theme == ROAST_THEME_DARK ? 0.3 : 0.2;
}

/* Names of roles in CSS. Series and bands have no name here, because the number of the series is used as their name. */
static const char *const names[N_ROLES] = {
  [ROAST_SCENE_ROLE_BACKGROUND] = "background",
  [ROAST_SCENE_ROLE_AXIS] = "axis",
  [ROAST_SCENE_ROLE_GRID] = "grid",
  [ROAST_SCENE_ROLE_LABEL] = "label",
  [ROAST_SCENE_ROLE_TITLE] = "title",
  [ROAST_SCENE_ROLE_OTHERS] = "others",
  [ROAST_SCENE_ROLE_GUIDE] = "guide",
  [ROAST_SCENE_ROLE_NOTE] = "note",
};

void
roast_theme_append_class (GString *text, RoastSceneRole role, guint palette)
{
  if (role < N_ROLES && names[role] != NULL)
    g_string_append (text, names[role]);
  else
    g_string_append_printf (text, "%u", palette % ROAST_THEME_N_COLOURS);
}

static void
append_variable (GString *css, RoastTheme theme, RoastSceneRole role, guint palette)
{
  g_string_append (css, "--roast-");
  roast_theme_append_class (css, role, palette);
  g_string_append_printf (css, ":#%06x;", roast_theme_get_colour (theme, role, palette));
}

void
roast_theme_append_opacity (GString *text, RoastTheme theme, RoastSceneRole role)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (text, g_ascii_formatd (buffer, sizeof buffer, "%g", roast_theme_get_opacity (theme, role)));
}

static void
append_variables (GString *css, RoastTheme theme, const char *selector)
{
  g_string_append_printf (css, "%s{", selector);
  for (guint i = 0; i < N_ROLES; i++)
    if (names[i] != NULL)
      append_variable (css, theme, i, 0);
  for (guint i = 0; i < ROAST_THEME_N_COLOURS; i++)
    append_variable (css, theme, ROAST_SCENE_ROLE_SERIES, i);
  g_string_append (css, "--roast-band:");
  roast_theme_append_opacity (css, theme, ROAST_SCENE_ROLE_BAND);
  g_string_append (css, "}\n");
}

static void
append_rules (GString *css, RoastSceneRole role, guint palette)
{
  g_autoptr (GString) name = g_string_new (NULL);

  roast_theme_append_class (name, role, palette);
  g_string_append_printf (css, ".roast-f-%s{fill:var(--roast-%s)}.roast-s-%s{stroke:var(--roast-%s)}\n", name->str,
                          name->str, name->str, name->str);
}

/**
 * roast_theme_dup_css:
 *
 * Makes a style sheet for pictures that were written with %ROAST_SVG_FLAGS_CLASSES. Pictures are light or dark, as the
 * reader's system prefers, and light when printed. If the root element has the attribute `data-theme`, its value
 * (`light` or `dark`) overrides the system. The colours are CSS variables: `--roast-axis`, `--roast-0` for the first
 * series, and so on. A page can use them in its own elements of the class `roast-chart`.
 *
 * Returns: (transfer full): a style sheet
 *
 * Since: 0.9
 */
char *
roast_theme_dup_css (void)
{
  GString *css = g_string_new (NULL);

  append_variables (css, ROAST_THEME_LIGHT, ".roast-chart");
  g_string_append (css, "@media screen and (prefers-color-scheme:dark){\n");
  append_variables (css, ROAST_THEME_DARK,
                    ":root:not([data-theme=light]) .roast-chart,.roast-chart:root:not([data-theme=light])");
  g_string_append (css, "}\n@media screen{\n");
  append_variables (css, ROAST_THEME_DARK, ":root[data-theme=dark] .roast-chart");
  g_string_append (css, "}\n");
  for (guint i = 0; i < N_ROLES; i++)
    if (names[i] != NULL)
      append_rules (css, i, 0);
  for (guint i = 0; i < ROAST_THEME_N_COLOURS; i++)
    append_rules (css, ROAST_SCENE_ROLE_SERIES, i);
  g_string_append (css, ".roast-band{fill-opacity:var(--roast-band)}\n");

  return g_string_free (css, FALSE);
}
