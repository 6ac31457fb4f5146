/* SPDX-License-Identifier: BSD-3-Clause */

/* Pictures: what a scene keeps of what it is given, themes, and SVG. */

#include <math.h>
#include <roast/roast.h>
#include <string.h>

typedef struct
{
  RoastSceneMark last;
  double xy[16];
  char *text, *name;
  guint n;
} Seen;

static void
see (const RoastSceneMark *mark, gpointer user_data)
{
  Seen *seen = user_data;

  g_free (seen->text);
  g_free (seen->name);
  seen->last = *mark;
  seen->text = g_strdup (mark->text);
  seen->name = g_strdup (mark->name);
  memcpy (seen->xy, mark->xy, MIN (mark->n_xy, G_N_ELEMENTS (seen->xy)) * sizeof (double));
  seen->n++;
}

static void
clear_seen (Seen *seen)
{
  g_free (seen->text);
  g_free (seen->name);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Seen, clear_seen)

/* ---- scene ---- */

static void
test_marks (void)
{
  static const double xy[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
  g_autoptr (RoastScene) scene = roast_scene_new (200, 100);
  g_auto (Seen) seen = { 0 };
  double width = 0;
  double height = 0;

  roast_scene_get_size (scene, &width, &height);
  g_assert_cmpfloat (width, ==, 200);
  g_assert_cmpfloat (height, ==, 100);
  roast_scene_visit (scene, see, &seen);
  g_assert_cmpuint (seen.n, ==, 0);

  roast_scene_set_name (scene, "first");
  roast_scene_add_polyline (scene, ROAST_SCENE_ROLE_SERIES, 3, xy, 8, 1.5, ROAST_SCENE_DASH_DOTTED);
  roast_scene_visit (scene, see, &seen);
  g_assert_cmpuint (seen.n, ==, 1);
  g_assert_cmpint (seen.last.kind, ==, ROAST_SCENE_MARK_KIND_POLYLINE);
  g_assert_cmpint (seen.last.role, ==, ROAST_SCENE_ROLE_SERIES);
  g_assert_cmpuint (seen.last.palette, ==, 3);
  g_assert_cmpint (seen.last.dash, ==, ROAST_SCENE_DASH_DOTTED);
  g_assert_false (seen.last.fill);
  g_assert_false (seen.last.closed);
  g_assert_cmpfloat (seen.last.width, ==, 1.5);
  g_assert_cmpuint (seen.last.n, ==, 4);
  g_assert_cmpuint (seen.last.n_xy, ==, 8);
  g_assert_cmpfloat (seen.xy[7], ==, 8);
  g_assert_cmpstr (seen.name, ==, "first");

  roast_scene_set_name (scene, NULL);
  roast_scene_add_polygon (scene, ROAST_SCENE_ROLE_BAND, 1, xy, 6);
  roast_scene_visit (scene, see, &seen);
  g_assert_true (seen.last.fill);
  g_assert_true (seen.last.closed);
  g_assert_cmpuint (seen.last.n, ==, 3);
  g_assert_cmpfloat (seen.xy[0], ==, 1);
  g_assert_null (seen.name);

  roast_scene_add_rectangles (scene, ROAST_SCENE_ROLE_SERIES, 0, xy, 8);
  roast_scene_visit (scene, see, &seen);
  g_assert_cmpint (seen.last.kind, ==, ROAST_SCENE_MARK_KIND_RECTANGLES);
  g_assert_true (seen.last.fill);
  g_assert_cmpuint (seen.last.n, ==, 2);

  roast_scene_add_circles (scene, ROAST_SCENE_ROLE_OTHERS, 0, xy, 4, 2.5);
  roast_scene_visit (scene, see, &seen);
  g_assert_cmpint (seen.last.kind, ==, ROAST_SCENE_MARK_KIND_CIRCLES);
  g_assert_cmpfloat (seen.last.radius, ==, 2.5);
  g_assert_cmpuint (seen.last.n, ==, 2);

  roast_scene_add_text (scene, ROAST_SCENE_ROLE_LABEL, 9, 10, "text", ROAST_SCENE_ANCHOR_END, 12, -90);
  seen.n = 0;
  roast_scene_visit (scene, see, &seen);
  g_assert_cmpint (seen.last.kind, ==, ROAST_SCENE_MARK_KIND_TEXT);
  g_assert_cmpstr (seen.text, ==, "text");
  g_assert_cmpint (seen.last.anchor, ==, ROAST_SCENE_ANCHOR_END);
  g_assert_cmpfloat (seen.last.size, ==, 12);
  g_assert_cmpfloat (seen.last.rotate, ==, -90);
  g_assert_cmpfloat (seen.xy[0], ==, 9);
  g_assert_cmpfloat (seen.xy[1], ==, 10);
  g_assert_cmpuint (seen.n, ==, 5);
}

/* Where nothing can be drawn, nothing is. */
static void
test_not_finite (void)
{
  const double xy[] = { 1, NAN, 3, 4, INFINITY, 6, 7, 8 };
  g_autoptr (RoastScene) scene = roast_scene_new (200, 100);
  g_auto (Seen) seen = { 0 };

  roast_scene_add_polyline (scene, ROAST_SCENE_ROLE_SERIES, 0, xy, 8, 1, ROAST_SCENE_DASH_SOLID);
  roast_scene_visit (scene, see, &seen);
  g_assert_cmpuint (seen.last.n, ==, 2);
  g_assert_cmpfloat (seen.xy[0], ==, 3);
  g_assert_cmpfloat (seen.xy[3], ==, 8);

  roast_scene_add_rectangles (scene, ROAST_SCENE_ROLE_SERIES, 0, xy, 8);
  roast_scene_add_text (scene, ROAST_SCENE_ROLE_LABEL, NAN, 1, "nowhere", ROAST_SCENE_ANCHOR_START, 12, 0);
  roast_scene_add_polyline (scene, ROAST_SCENE_ROLE_SERIES, 0, xy, 0, 1, ROAST_SCENE_DASH_SOLID);
  seen.n = 0;
  roast_scene_visit (scene, see, &seen);
  g_assert_cmpuint (seen.n, ==, 1);
}

static char *
clean (const char *text)
{
  g_autoptr (RoastScene) scene = roast_scene_new (200, 100);
  g_auto (Seen) seen = { 0 };

  roast_scene_add_text (scene, ROAST_SCENE_ROLE_LABEL, 0, 0, text, ROAST_SCENE_ANCHOR_START, 12, 0);
  roast_scene_visit (scene, see, &seen);

  return g_steal_pointer (&seen.text);
}

static void
test_hostile_texts (void)
{
  static const struct
  {
    const char *text, *clean;
  } cases[] = {
    { "", "" },
    { "</script><b>&\"'", "</script><b>&\"'" },
    { "two\nlines\tand\r\xe2\x80\xa8more", "two lines and  more" },
    { "bell\a\x1b[31m\x7f\xc2\x85.", "bell\uFFFD\uFFFD[31m\uFFFD\uFFFD." },
    { "\xff\xfe latin-1 \xe9", "\uFFFD\uFFFD latin-1 \uFFFD" },
    { "not\xef\xbf\xbf\xef\xbf\xbe\xef\xb7\x90 characters", "not\uFFFD\uFFFD\uFFFD characters" },
    /* What reverses the rest of a line, and what would end our isolate. */
    { "exe.\u202Etxt", "exe.\uFFFDtxt" },
    { "a\u2069b\u2066c", "a\uFFFDb\uFFFDc" },
    { "\u05d0\u05d1 1", "\u2068\u05d0\u05d1 1\u2069" },
    { "\u0633\u2069 x", "\u2068\u0633\uFFFD x\u2069" },
    { "\u200Fmark", "\u2068\u200Fmark\u2069" },
    { "\u2068\u200Fmark\u2069", "\u2068\u200Fmark\u2069" },
    { "\u2068a\u2069", "a" },
    { "\u2068\u2069\u05d0\u2068\u2069", "\u2068\uFFFD\u05d0\uFFFD\u2069" },
    { "\u2068", "\uFFFD" },
    { "caf\u00e9 \u6f22\u5b57 \U0001F600", "caf\u00e9 \u6f22\u5b57 \U0001F600" },
  };
  g_autofree char *huge = g_strnfill (10000, 'x');
  g_autofree char *wide = g_malloc0 (4 * 2000 + 1);
  g_autofree char *short_huge = clean (huge);
  g_autofree char *short_wide = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = clean (cases[i].text);

      g_assert_cmpstr (text, ==, cases[i].clean);
    }

  g_assert_cmpint (g_utf8_strlen (short_huge, -1), ==, 401);
  g_assert_true (g_str_has_suffix (short_huge, "x\u2026"));
  for (guint i = 0; i < 2000; i++)
    memcpy (wide + (gsize) 4 * i, "\U0001F600", 4);
  short_wide = clean (wide);
  g_assert_cmpint (g_utf8_strlen (short_wide, -1), ==, 401);
}

static void
test_names (void)
{
  g_autoptr (RoastScene) scene = roast_scene_new (200, 100);

  g_assert_null (roast_scene_get_title (scene));
  g_assert_null (roast_scene_get_description (scene));
  roast_scene_set_title (scene, "a\x01"
                                "b");
  roast_scene_set_description (scene, "c\nd");
  g_assert_cmpstr (roast_scene_get_title (scene), ==,
                   "a\uFFFD"
                   "b");
  g_assert_cmpstr (roast_scene_get_description (scene), ==, "c d");
  roast_scene_set_title (scene, NULL);
  g_assert_null (roast_scene_get_title (scene));
}

static void
test_measure (void)
{
  g_assert_cmpfloat (roast_scene_measure_text ("", 12), ==, 0);
  g_assert_cmpfloat_with_epsilon (roast_scene_measure_text ("0", 12), 12 * 0.636, 1e-9);
  g_assert_cmpfloat_with_epsilon (roast_scene_measure_text ("1\u202f000", 10), 10 * (4 * 0.636 + 0.2), 1e-9);
  g_assert_cmpfloat (roast_scene_measure_text ("WWW", 12), >, roast_scene_measure_text ("iii", 12));
  g_assert_cmpfloat (roast_scene_measure_text ("\u6f22", 12), >, 12);
  g_assert_cmpfloat_with_epsilon (roast_scene_measure_text ("\u2068\u05d0\u2069", 10), 8.5, 1e-9);
}

/* ---- themes ---- */

static double
to_linear (guint32 channel)
{
  double value = channel / 255.0;

  return value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
}

static void
to_rgb (guint32 colour, double *rgb)
{
  for (int i = 0; i < 3; i++)
    rgb[i] = to_linear (colour >> (16 - 8 * i) & 0xff);
}

static double
get_luminance (guint32 colour)
{
  double rgb[3];

  to_rgb (colour, rgb);

  return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
}

/* As the Web Content Accessibility Guidelines define it: 3 for lines, 4.5 for text. */
static double
get_contrast (guint32 a, guint32 b)
{
  double high = MAX (get_luminance (a), get_luminance (b));
  double low = MIN (get_luminance (a), get_luminance (b));

  return (high + 0.05) / (low + 0.05);
}

/* What people without one kind of cone see, by the matrices of Machado, Oliveira and Fernandes (2009). */
static const double blindness[][3][3] = {
  { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
  { { 0.152286, 1.052583, -0.204868 }, { 0.114503, 0.786281, 0.099216 }, { -0.003882, -0.048116, 1.051998 } },
  { { 0.367322, 0.860646, -0.227968 }, { 0.280085, 0.672501, 0.047413 }, { -0.011820, 0.042940, 0.968881 } },
  { { 1.255528, -0.076749, -0.178779 }, { -0.078411, 0.930809, 0.147602 }, { 0.004733, 0.691367, 0.303900 } },
};

static double
lab_root (double value)
{
  return value > 0.008856 ? cbrt (value) : 7.787 * value + 16.0 / 116;
}

static void
to_lab (guint32 colour, guint kind, double *lab)
{
  double seen[3];
  double rgb[3];
  double x = 0;
  double y = 0;
  double z = 0;

  to_rgb (colour, rgb);
  for (int i = 0; i < 3; i++)
    seen[i] = CLAMP (blindness[kind][i][0] * rgb[0] + blindness[kind][i][1] * rgb[1] + blindness[kind][i][2] * rgb[2],
                     0.0, 1.0);
  x = lab_root ((0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.9505);
  y = lab_root (0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2]);
  z = lab_root ((0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.089);
  lab[0] = 116 * y - 16;
  lab[1] = 500 * (x - y);
  lab[2] = 200 * (y - z);
}

static double
get_difference (guint32 a, guint32 b, guint kind)
{
  double first[3];
  double second[3];

  to_lab (a, kind, first);
  to_lab (b, kind, second);

  return sqrt (pow (first[0] - second[0], 2) + pow (first[1] - second[1], 2) + pow (first[2] - second[2], 2));
}

static void
test_colours (gconstpointer data)
{
  RoastTheme theme = (RoastTheme) GPOINTER_TO_INT (data);
  guint32 background = roast_theme_get_colour (theme, ROAST_SCENE_ROLE_BACKGROUND, 0);
  static const RoastSceneRole texts[] = { ROAST_SCENE_ROLE_LABEL, ROAST_SCENE_ROLE_TITLE, ROAST_SCENE_ROLE_GUIDE,
                                          ROAST_SCENE_ROLE_NOTE };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_assert_cmpfloat (get_contrast (roast_theme_get_colour (theme, texts[i], 0), background), >=, 4.5);
  for (guint i = 0; i < 8; i++)
    {
      guint32 colour = roast_theme_get_colour (theme, ROAST_SCENE_ROLE_SERIES, i);

      g_assert_cmpfloat (get_contrast (colour, background), >=, 2.1);
      g_assert_cmphex (colour, ==, roast_theme_get_colour (theme, ROAST_SCENE_ROLE_BAND, i));
      g_assert_cmphex (colour, ==, roast_theme_get_colour (theme, ROAST_SCENE_ROLE_SERIES, i + ROAST_THEME_N_COLOURS));
      g_assert_cmphex (colour, !=, roast_theme_get_colour (theme, ROAST_SCENE_ROLE_SERIES, i + 8));
      g_assert_cmphex (colour, !=, roast_theme_get_colour (theme, ROAST_SCENE_ROLE_SERIES, i + 16));
      /* 2.3 is what a person just notices. */
      for (guint j = 0; j < i; j++)
        for (guint kind = 0; kind < G_N_ELEMENTS (blindness); kind++)
          {
            guint32 other = roast_theme_get_colour (theme, ROAST_SCENE_ROLE_SERIES, j);
            double difference = get_difference (colour, other, kind);

            if (g_test_verbose () || difference < 12.0)
              g_test_message ("colours %u and %u, kind %u: %.1f", i, j, kind, difference);
            g_assert_cmpfloat (difference, >=, 12.0);
          }
    }
}

static void
test_opacity (void)
{
  g_assert_cmpfloat (roast_theme_get_opacity (ROAST_THEME_LIGHT, ROAST_SCENE_ROLE_SERIES), ==, 1);
  g_assert_cmpfloat (roast_theme_get_opacity (ROAST_THEME_LIGHT, ROAST_SCENE_ROLE_BAND), <, 0.5);
  g_assert_cmpfloat (roast_theme_get_opacity (ROAST_THEME_DARK, ROAST_SCENE_ROLE_BAND), <, 0.5);
}

static void
test_css (void)
{
  g_autofree char *css = roast_theme_dup_css ();
  g_autofree char *light =
      g_strdup_printf ("--roast-0:#%06x;", roast_theme_get_colour (ROAST_THEME_LIGHT, ROAST_SCENE_ROLE_SERIES, 0));
  g_autofree char *dark = g_strdup_printf ("--roast-background:#%06x;",
                                           roast_theme_get_colour (ROAST_THEME_DARK, ROAST_SCENE_ROLE_BACKGROUND, 0));

  g_assert_nonnull (strstr (css, light));
  g_assert_nonnull (strstr (css, dark));
  g_assert_nonnull (strstr (css, ".roast-f-23{fill:var(--roast-23)}"));
  g_assert_nonnull (strstr (css, ".roast-s-axis{stroke:var(--roast-axis)}"));
  /* It stands in a style element. */
  g_assert_null (strchr (css, '<'));
}

/* ---- SVG ---- */

/* A bit of everything, with names that try to get out. */
static RoastScene *
make_scene (void)
{
  static const double background[] = { 0, 0, 240, 120 };
  static const double axis[] = { 20, 100, 230, 100 };
  static const double line[] = { 20, 90.04, 30, 80.06, 30, 80.06, 30, 60, 40, 60, 41.26, 59.5 };
  static const double area[] = { 20, 100, 20, 80, 120, 70, 120, 100 };
  static const double bars[] = { 130.04, 50, 10, 50, 140.04, 70, 10, 30 };
  static const double dots[] = { 170, 50, 180.55, 60 };
  static const double far[] = { -1e9, 1e9, 100, 1 };
  static const double point[] = { 200, 30 };
  RoastScene *scene = roast_scene_new (240, 120);

  roast_scene_set_title (scene, "Memory of <workers> & \"others\"");
  roast_scene_set_description (scene, "It's \u05d0 ]]> test -->");
  roast_scene_add_rectangles (scene, ROAST_SCENE_ROLE_BACKGROUND, 0, background, 4);
  roast_scene_add_text (scene, ROAST_SCENE_ROLE_TITLE, 20, 16, "</text><script>alert(1)</script>",
                        ROAST_SCENE_ANCHOR_START, 14, 0);
  roast_scene_add_polyline (scene, ROAST_SCENE_ROLE_AXIS, 0, axis, 4, 1, ROAST_SCENE_DASH_SOLID);
  roast_scene_add_text (scene, ROAST_SCENE_ROLE_LABEL, 12, 60, "\xff & 12\u202f000", ROAST_SCENE_ANCHOR_MIDDLE, 12,
                        -90);
  roast_scene_set_name (scene, "</title><image href='x' onerror=\"y\"/>");
  roast_scene_add_polyline (scene, ROAST_SCENE_ROLE_SERIES, 0, line, 12, 1.5, ROAST_SCENE_DASH_SOLID);
  roast_scene_add_polygon (scene, ROAST_SCENE_ROLE_BAND, 1, area, 8);
  roast_scene_set_name (scene, NULL);
  roast_scene_add_rectangles (scene, ROAST_SCENE_ROLE_SERIES, 9, bars, 8);
  roast_scene_add_circles (scene, ROAST_SCENE_ROLE_OTHERS, 0, dots, 4, 2);
  roast_scene_add_polyline (scene, ROAST_SCENE_ROLE_GUIDE, 0, far, 4, 1, ROAST_SCENE_DASH_DASHED);
  roast_scene_add_polyline (scene, ROAST_SCENE_ROLE_SERIES, 2, point, 2, 3, ROAST_SCENE_DASH_SOLID);
  roast_scene_add_text (scene, ROAST_SCENE_ROLE_NOTE, 230, 116, "exe.\u202Etxt", ROAST_SCENE_ANCHOR_END, 10, 0);

  return scene;
}

/* What a person has looked at. With UPDATE_GOLDEN=1 it is written instead, to be looked at again. */
static void
assert_golden (const char *name, const char *text)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "chart", name, NULL);
  g_autofree char *golden = NULL;
  g_autoptr (GError) error = NULL;

  if (g_strcmp0 (g_getenv ("UPDATE_GOLDEN"), "1") == 0)
    g_file_set_contents (path, text, -1, &error);
  else
    g_file_get_contents (path, &golden, NULL, &error);
  g_assert_no_error (error);
  if (golden != NULL)
    g_assert_cmpstr (text, ==, golden);
}

static void
test_svg (void)
{
  static const struct
  {
    const char *golden;
    RoastTheme theme;
    RoastSvgFlags flags;
  } cases[] = {
    { "scene-light.svg", ROAST_THEME_LIGHT, ROAST_SVG_FLAGS_NONE },
    { "scene-dark.svg", ROAST_THEME_DARK, ROAST_SVG_FLAGS_NONE },
    { "scene-classes.svg", ROAST_THEME_LIGHT, ROAST_SVG_FLAGS_CLASSES },
    { "scene-style.svg", ROAST_THEME_LIGHT, ROAST_SVG_FLAGS_CLASSES | ROAST_SVG_FLAGS_STYLE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (RoastScene) scene = make_scene ();
      g_autoptr (RoastScene) again = make_scene ();
      g_autofree char *svg = roast_scene_to_svg (scene, cases[i].theme, cases[i].flags);
      g_autofree char *same = roast_scene_to_svg (again, cases[i].theme, cases[i].flags);

      g_assert_cmpstr (svg, ==, same);
      g_assert_true (g_utf8_validate (svg, -1, NULL));
      g_assert_null (strstr (svg, "<script"));
      g_assert_null (strstr (svg, "<image"));
      assert_golden (cases[i].golden, svg);
    }
}

static void
count_element (GMarkupParseContext *context, const char *element, const char **names, const char **values,
               gpointer data, GError **error)
{
  static const char *const known[] = { "svg", "title", "desc", "path", "text", "style", NULL };

  g_assert_true (g_strv_contains (known, element));
  ++*(guint *) data;
}

/* The other direction: a parser finds our elements only, whatever the names are. */
static void
test_svg_is_xml (void)
{
  static const GMarkupParser parser = { .start_element = count_element };
  guint expected = 0;

  for (guint round = 0; round < 200; round++)
    {
      g_autoptr (RoastScene) scene = roast_scene_new (100, 100);
      g_autofree char *svg = NULL;
      g_autoptr (GMarkupParseContext) context = NULL;
      g_autoptr (GError) error = NULL;
      const double xy[] = { 1, 2, 3, 4 };
      char text[64];
      guint n = 0;

      for (guint i = 0; i < sizeof text - 1; i++)
        {
          static const char likely[] = "<>&\"'/!-]x\n\x01\xe2\x80\xae\xff";

          text[i] = g_test_rand_bit () ? likely[g_test_rand_int_range (0, sizeof likely - 1)]
                                       : (char) g_test_rand_int_range (1, 256);
        }
      text[sizeof text - 1] = '\0';
      roast_scene_set_title (scene, text);
      roast_scene_set_description (scene, text);
      roast_scene_set_name (scene, text);
      roast_scene_add_text (scene, ROAST_SCENE_ROLE_LABEL, 0, 0, text, ROAST_SCENE_ANCHOR_START, 12, 0);
      roast_scene_add_polyline (scene, ROAST_SCENE_ROLE_SERIES, 0, xy, 4, 1, ROAST_SCENE_DASH_SOLID);
      roast_scene_add_circles (scene, ROAST_SCENE_ROLE_SERIES, 0, xy, 4, 1);
      svg = roast_scene_to_svg (scene, ROAST_THEME_LIGHT, ROAST_SVG_FLAGS_NONE);
      context = g_markup_parse_context_new (&parser, G_MARKUP_DEFAULT_FLAGS, &n, NULL);
      g_markup_parse_context_parse (context, svg, -1, &error);
      g_assert_no_error (error);
      g_markup_parse_context_end_parse (context, &error);
      g_assert_no_error (error);
      if (round == 0)
        expected = n;
      g_assert_cmpuint (n, ==, expected);
    }
  g_assert_cmpuint (expected, ==, 8);
}

static void
test_write (void)
{
  g_autoptr (RoastScene) scene = make_scene ();
  g_autoptr (RoastOutput) output = roast_output_new_for_memory ();
  g_autoptr (RoastOutput) directory = roast_output_new_for_directory ("/dev/null/none");
  g_autofree char *svg = roast_scene_to_svg (scene, ROAST_THEME_DARK, ROAST_SVG_FLAGS_NONE);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (roast_scene_write_svg (scene, ROAST_THEME_DARK, ROAST_SVG_FLAGS_NONE, output, "memory.svg", &error));
  g_assert_no_error (error);
  bytes = roast_output_dup_bytes (output, "memory.svg");
  g_assert_cmpmem (svg, strlen (svg), g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));

  g_assert_false (roast_scene_write_svg (scene, ROAST_THEME_DARK, ROAST_SVG_FLAGS_NONE, directory, "memory.svg",
                                         &error));
  g_assert_error (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/marks", test_marks);
  g_test_add_func ("/scene/not-finite", test_not_finite);
  g_test_add_func ("/scene/hostile-texts", test_hostile_texts);
  g_test_add_func ("/scene/names", test_names);
  g_test_add_func ("/scene/measure", test_measure);
  g_test_add_data_func ("/scene/colours/light", GINT_TO_POINTER (ROAST_THEME_LIGHT), test_colours);
  g_test_add_data_func ("/scene/colours/dark", GINT_TO_POINTER (ROAST_THEME_DARK), test_colours);
  g_test_add_func ("/scene/opacity", test_opacity);
  g_test_add_func ("/scene/css", test_css);
  g_test_add_func ("/scene/svg", test_svg);
  g_test_add_func ("/scene/svg-is-xml", test_svg_is_xml);
  g_test_add_func ("/scene/write", test_write);

  return g_test_run ();
}
