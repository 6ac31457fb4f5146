/* SPDX-License-Identifier: BSD-3-Clause */
/* Charts of lines, steps and areas that readers can zoom into. dygraphs draws them from the numbers of the picture. The
   picture itself stays in the page for printing. */
"use strict";

const roastCharts = (() => {
  const { node, button, findTicks, axisName, colourOf } = roastCursor;
  const COLOURS = 8;
  const DASHES = [null, [5, 3], [1.5, 2.5]];
  const NEAR = 6; /* maximum distance between the pointer and a point, in px */
  const ROOM = 0.005; /* share of the y axis added at the top; without it, the library would leave out a tick */

  /* Remove the library's legend: it sets inline styles, which the page's policy forbids. Our own legend has buttons. */
  if (window.Dygraph) Dygraph.PLUGINS = Dygraph.PLUGINS.filter((plugin) => plugin !== Dygraph.Plugins.Legend);

  /* Convert times to seconds. A series without x gets the x of the series before it. */
  function unpack(data) {
    let before = [];
    for (const series of data.series) {
      if (series.x && data.time) {
        let sum = 0;
        before = series.x.map((step) => (sum += step) / 1e6);
      } else if (series.x) before = series.x;
      series.x = before;
    }
  }

  /* Return the index of the last element of xs that is not greater than x; -1 if there is none. */
  function findLast(xs, x) {
    let low = 0;
    let high = xs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (xs[middle] <= x) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /* Return the index of the point whose value is shown at x; -1 if the series has no point near x. */
  function findPoint(series, x, near) {
    const last = findLast(series.x, x);
    const end = series.x.length - 1;
    if (end < 0 || x < series.x[0] - near || x > series.x[end] + near) return -1;
    if (series.step) return Math.max(last, 0);
    if (last < 0) return 0;
    return last < end && series.x[last + 1] - x < x - series.x[last] ? last + 1 : last;
  }

  /* Make the rows for dygraphs: one for each x of any series, with the value of each series there. Both ends of the x
     axis have a row as well. */
  function makeRows(data, order, bars) {
    const all = Array.from(new Set([data.x.min, data.x.max].concat(...data.series.map((series) => series.x)))).sort((a, b) => a - b);
    const places = new Map(all.map((x, place) => [x, place]));
    const rows = all.map((x) => [x].concat(order.map(() => (bars ? [null, null, null] : null))));
    order.forEach((series, column) => series.x.forEach((x, i) => {
      const y = series.y[i];
      rows[places.get(x)][column + 1] = bars ? [series.low ? series.low[i] : y, y, series.high ? series.high[i] : y] : y;
    }));
    return { rows, all };
  }

  class Chart {
    constructor(figure, data) {
      this.figure = figure;
      this.data = data;
      this.bars = data.series.some((series) => series.low);
      unpack(data);
      Object.assign(this, makeRows(data, data.series, this.bars));
      this.build();
      this.graph = new Dygraph(this.plot, this.rows, this.options());
      this.readout = roastCursor.makeReadout(this.plot);
      this.listen();
      if (data.time) roastCursor.join(this);
    }

    /* ---- elements ---- */

    build() {
      const svg = this.figure.querySelector("svg");
      const height = svg.getBoundingClientRect().height;
      this.live = node("div", "live roast-chart");
      this.plot = node("div", "plot");
      this.plot.tabIndex = 0;
      this.plot.setAttribute("role", "group");
      this.plot.setAttribute("aria-label", svg.getAttribute("aria-label") +
        ". Arrow keys move along the points, plus and minus zoom, 0 shows everything.");
      this.axisLine = node("p", "axes");
      this.live.append(node("p", "title", svg.getAttribute("aria-label")), this.makeLegend(), this.axisLine, this.plot);
      this.figure.insertBefore(this.live, svg);
      this.figure.classList.add("is-live");
      this.plot.style.height = Math.max(140, height - (this.plot.getBoundingClientRect().top - this.live.getBoundingClientRect().top) - 4) + "px";
      this.live.style.maxWidth = this.data.width + "px";
    }

    makeLegend() {
      const legend = node("div", "legend");
      legend.setAttribute("role", "group");
      legend.setAttribute("aria-label", "Series that are shown");
      this.swatches = [];
      for (const series of this.data.series) {
        const toggle = button("", () => this.toggle(series, toggle));
        const swatch = node("i", "swatch" + (series.role === "guide" || series.dash ? " dashed" : ""));
        toggle.setAttribute("aria-pressed", "true");
        toggle.append(swatch, node("span", "", series.name + (series.axis === 2 ? " (right)" : "")));
        this.swatches.push([swatch, series]);
        legend.append(toggle);
      }
      this.resetButton = button("Show the whole chart", () => this.graph.resetZoom());
      this.resetButton.className = "reset";
      this.resetButton.hidden = true;
      legend.append(this.resetButton);
      return legend;
    }

    colour(series) {
      if (series.role === "series") return colourOf(this.live, series.palette % COLOURS);
      return colourOf(this.live, series.role);
    }

    paint() {
      for (const [swatch, series] of this.swatches) {
        swatch.style.background = swatch.style.borderColor = this.colour(series);
        if (swatch.classList.contains("dashed")) swatch.style.background = "none";
      }
    }

    /* ---- the library ---- */

    colours() {
      return {
        colors: this.data.series.map((series) => this.colour(series)),
        axisLineColor: colourOf(this.live, "axis"),
        gridLineColor: colourOf(this.live, "grid"),
      };
    }

    ticker(axis, pixels) {
      return (min, max, size) => {
        const found = findTicks(min, max, size / pixels, axis.format);
        axis.unit = found.unit;
        return found.ticks;
      };
    }

    options() {
      const { data } = this;
      const filled = data.kind === "area" && !this.bars;
      const series = {};
      this.data.series.forEach((one, i) => {
        series["s" + i] = {
          axis: one.axis === 2 ? "y2" : "y1", stepPlot: one.step, strokePattern: DASHES[one.dash],
          strokeWidth: one.axis === 2 || one.role === "guide" ? 1 : 1.5,
          drawPoints: one.x.length === 1, pointSize: 2,
          fillGraph: filled && one.axis === 1 && one.role === "series",
        };
      });
      const axes = { x: { ticker: this.ticker(data.x, 70), drawGrid: false, axisLabelFormatter: null } };
      for (const [name, axis, width] of [["y", data.y, 52], ["y2", data.y2, 46]])
        if (axis) axes[name] = { valueRange: [axis.min, axis.log ? axis.max : axis.max + (axis.max - axis.min) * ROOM], axisLabelWidth: width, drawGrid: name === "y", independentTicks: true };
      if (data.y && !data.y.log) axes.y.ticker = this.ticker(data.y, 40);
      else if (data.y) axes.y.axisLabelFormatter = (value) => roastNumbers.format(value, data.y.format);
      if (data.y2) axes.y2.ticker = this.ticker(data.y2, 40);
      delete axes.x.axisLabelFormatter;
      const { mousedown, dblclick, willDestroyContextMyself } = Dygraph.defaultInteractionModel;
      return {
        labels: ["x"].concat(this.data.series.map((_, i) => "s" + i)), series, axes, ...this.colours(),
        connectSeparatedPoints: true, customBars: this.bars, logscale: data.y && data.y.log,
        gridLineWidth: 1, fillAlpha: 0.2, axisLabelFontSize: 12, axisTickSize: 4, highlightCircleSize: 0, rightGap: 12,
        xRangePad: 0, interactionModel: { mousedown, dblclick, willDestroyContextMyself },
        underlayCallback: (canvas, area, graph) => this.drawGuides(canvas, area, graph),
        drawCallback: (graph, isFirst) => this.drawn(graph, isFirst),
      };
    }

    drawGuides(canvas, area, graph) {
      canvas.save();
      canvas.font = "11px sans-serif";
      canvas.strokeStyle = canvas.fillStyle = colourOf(this.live, "guide");
      canvas.lineWidth = 1.2;
      for (const guide of this.data.guides) {
        const y = graph.toDomYCoord(guide.y);
        if (y < area.y || y > area.y + area.h) continue;
        canvas.setLineDash([5, 3]);
        canvas.beginPath();
        canvas.moveTo(area.x, y);
        canvas.lineTo(area.x + area.w, y);
        canvas.stroke();
        canvas.fillText(guide.label, area.x + area.w - canvas.measureText(guide.label).width - 4, y - area.y > 16 ? y - 4 : y + 12);
      }
      canvas.restore();
    }

    drawn(graph, isFirst) {
      const { x, y, y2 } = this.data;
      const parts = [y && axisName(y, y.unit), axisName(x, x.unit), y2 && axisName(y2, y2.unit) + " →"];
      this.axisLine.replaceChildren(node("span", "", parts[0] ? "↑ " + parts[0] : ""), node("span", "", parts[1] + (parts[2] ? "" : " →")),
        node("span", "", parts[2] || ""));
      this.paint();
      const zoomed = !isFirst && graph.isZoomed("x");
      this.resetButton.hidden = isFirst || !graph.isZoomed();
      if (!isFirst && !this.following) roastCursor.zoom(this, zoomed ? graph.xAxisRange() : null);
    }

    /* ---- functions for roastCursor ---- */

    zoom(range) {
      this.following = true;
      if (range) this.graph.updateOptions({ dateWindow: range });
      else if (this.graph.isZoomed("x")) this.graph.resetZoom();
      this.following = false;
    }

    /* Show the values at x. If the pointer is in this chart (isOwn), move x to the nearest point of any series. */
    show(x, isOwn) {
      const area = this.graph.getArea();
      const [from, to] = this.graph.xAxisRange();
      const near = (to - from) / area.w * NEAR;
      const visible = this.data.series.filter((_, i) => this.graph.visibility()[i]);
      let nearest = Infinity;
      for (const series of isOwn ? visible : []) {
        const at = series.step ? findPoint({ ...series, step: false }, x, near) : findPoint(series, x, near);
        if (at >= 0 && Math.abs(series.x[at] - x) < Math.abs(nearest - x)) nearest = series.x[at];
      }
      if (Math.abs(nearest - x) <= near) x = nearest;
      if (x < from || x > to) return this.hide();
      this.x = x;
      this.values = this.data.series.filter((series) => visible.includes(series)).map((series) => this.read(series, x, near)).filter(Boolean);
      const heading = roastNumbers.format(x, this.data.x.format);
      this.readout.put(this.graph.toDomXCoord(x), area.y, area.h, x, heading, this.values);
      return heading;
    }

    read(series, x, near) {
      const at = findPoint(series, x, near);
      if (at < 0) return null;
      const kind = (series.axis === 2 ? this.data.y2 : this.data.y).format;
      let text = roastNumbers.format(series.y[at], kind);
      if (series.low && series.low[at] !== series.high[at])
        text += " (" + roastNumbers.format(series.low[at], kind) + " to " + roastNumbers.format(series.high[at], kind) + ")";
      return { name: series.name, text, colour: this.colour(series), value: series.y[at] };
    }

    hide() {
      this.readout.hide();
    }

    /* ---- actions of the reader ---- */

    toggle(series, toggle) {
      const place = this.data.series.indexOf(series);
      const shown = !this.graph.visibility()[place];
      toggle.setAttribute("aria-pressed", String(shown));
      this.graph.setVisibility(place, shown);
    }

    move(x) {
      const heading = this.show(x, true);
      if (heading) roastCursor.show(this, this.x);
      return heading;
    }

    zoomBy(factor) {
      const [from, to] = this.graph.xAxisRange();
      const middle = this.x >= from && this.x <= to ? this.x : (from + to) / 2;
      const range = [middle - (middle - from) * factor, middle + (to - middle) * factor];
      if (range[0] <= this.data.x.min && range[1] >= this.data.x.max) this.graph.resetZoom();
      else this.graph.updateOptions({ dateWindow: [Math.max(range[0], this.data.x.min), Math.min(range[1], this.data.x.max)] });
    }

    /* Move the cursor by this number of points: to the left if the number is negative. */
    step(by) {
      const [from, to] = this.graph.xAxisRange();
      const shown = this.all.filter((x) => x >= from && x <= to);
      const now = this.x >= from && this.x <= to ? findLast(shown, this.x) : by > 0 ? -1 : shown.length;
      const heading = this.move(shown[Math.max(0, Math.min(shown.length - 1, now + by))]);
      if (heading) this.readout.say(heading + ": " + this.values.map((entry) => entry.name + " " + entry.text).join("; "));
    }

    key(event) {
      const actions = {
        ArrowLeft: () => this.step(event.shiftKey ? -10 : -1), ArrowRight: () => this.step(event.shiftKey ? 10 : 1),
        Home: () => this.step(-Infinity), End: () => this.step(Infinity),
        "+": () => this.zoomBy(0.5), "=": () => this.zoomBy(0.5), "-": () => this.zoomBy(2), "0": () => this.graph.resetZoom(),
        Escape: () => { this.hide(); roastCursor.hide(this); },
      };
      if (!actions[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      actions[event.key]();
    }

    listen() {
      this.plot.addEventListener("pointermove", (event) => {
        const at = event.clientX - this.plot.getBoundingClientRect().left;
        const area = this.graph.getArea();
        if (at >= area.x && at <= area.x + area.w) this.move(this.graph.toDataXCoord(at));
      });
      this.plot.addEventListener("pointerleave", () => { this.hide(); roastCursor.hide(this); });
      this.plot.addEventListener("keydown", (event) => this.key(event));
      this.plot.addEventListener("blur", () => this.hide());
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.graph.updateOptions(this.colours()));
    }
  }

  return { Chart, unpack };
})();
