/* SPDX-License-Identifier: BSD-3-Clause */

/* An application that draws a chart of a run file as SVG, in Vala. Without a name it lists the charts that show something.
 *
 *     chart FILE [NAME PICTURE]
 *
 * valac --pkg roast-1 chart.vala
 */

void save (Roast.Scene scene, string path) throws Error {
  var output = new Roast.Output.for_file (path);

  output.prepare ();
  try {
    scene.write_svg (Roast.Theme.LIGHT, Roast.SvgFlags.NONE, output, null);
  } catch (Error error) {
    output.discard ();
    throw error;
  }
  output.commit ();
}

/* A session makes the report, which has the derived tables. */
void draw (Roast.Recording recording, string? name, string? path) throws Error {
  var session = new Roast.Session (null);
  var snapshot = recording.snapshot ();

  session.read (recording);
  var report = session.get_report ();
  var charts = report.list_charts (snapshot);
  for (int i = 0; i < charts.length; i++) {
    var chart = charts[i];
    if (name == null && Roast.chart_is_worth (chart, snapshot, report))
      print ("%s: %s\n", chart.get_name (), chart.get_title ());
    if (name == chart.get_name ()) {
      save (Roast.chart_draw (chart, snapshot, report, 640, 360), path);
      return;
    }
  }
  if (name != null)
    throw new Roast.ChartError.NOT_AVAILABLE ("there is no chart “%s”".printf (name));
}

int main (string[] args) {
  Intl.setlocale ();
  if (args.length != 2 && args.length != 4) {
    printerr ("usage: chart FILE [NAME PICTURE]\n");
    return 1;
  }
  try {
    draw (Roast.Recording.open (args[1]), args[2], args.length > 2 ? args[3] : null);
    return 0;
  } catch (Error error) {
    printerr ("chart: %s\n", error.message);
    return 1;
  }
}
