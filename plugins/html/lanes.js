/* SPDX-License-Identifier: BSD-3-Clause */
/* Charts of lanes that readers can zoom into. The picture stays in the page; a canvas above its data shows the zoomed
   range. */
"use strict";

const roastLanes = (() => {
  const { node, button, findTicks, axisName, colourOf } = roastCursor;
  const COLOURS = 8;
  const NEAR = 4; /* maximum distance between the pointer and a box, in px */
  const PALE = 0.35;
  const LABEL = 24; /* width to the left of the axis that its first label may cover, in px */

  /* Return the rows from top to bottom, each with its boxes in the order of time. */
  function unpack(data) {
    const flat = data.boxes;
    const rows = [];
    let start = 0;
    data.lanes.forEach((lane) => { for (let i = 0; i < lane.rows; i++) rows.push({ lane: lane.name, boxes: [] }); });
    for (let i = 0; i < flat.length; i += 5) {
      start += flat[i + 3];
      rows[flat[i]].boxes.push({ colour: flat[i + 1] >> 1, pale: flat[i + 1] % 2 === 1, n: flat[i + 2], start: start / 1e6, length: flat[i + 4] / 1e6 });
    }
    return rows;
  }

  class Lanes {
    constructor(figure, data) {
      this.figure = figure;
      this.data = data;
      this.rows = unpack(data);
      this.range = [data.x.min, data.x.max];
      this.build();
      this.listen();
      if (data.time) roastCursor.join(this);
    }

    build() {
      const svg = this.figure.querySelector("svg");
      this.place = node("div", "lanes roast-chart");
      svg.before(this.place);
      this.place.append(svg);
      this.canvas = node("canvas");
      this.canvas.hidden = true;
      this.band = node("div", "chosen");
      this.band.hidden = true;
      this.place.append(this.canvas, this.band);
      this.place.tabIndex = 0;
      this.place.setAttribute("role", "group");
      this.place.setAttribute("aria-label", svg.getAttribute("aria-label") +
        ". Arrow keys left and right move along a lane, up and down to another lane, plus and minus zoom, 0 shows everything.");
      this.resetButton = button("Show the whole chart", () => this.choose(null));
      this.resetButton.className = "reset";
      this.resetButton.hidden = true;
      this.place.append(this.resetButton);
      this.readout = roastCursor.makeReadout(this.place);
      this.svg = svg;
    }

    /* Return the rectangle of the data, in px of the page. The page may show the picture smaller than it was drawn. */
    area() {
      const scale = this.svg.getBoundingClientRect().width / this.data.width;
      const [left, top, right, bottom] = this.data.box.map((edge) => edge * scale);
      return { left, top, right, bottom, width: right - left, height: bottom - top, scale };
    }

    toPx(x, area) {
      return area.left + (x - this.range[0]) / (this.range[1] - this.range[0]) * area.width;
    }

    toX(px, area) {
      return this.range[0] + (px - area.left) / area.width * (this.range[1] - this.range[0]);
    }

    /* ---- zoom ---- */

    isZoomed() {
      return this.range[0] > this.data.x.min || this.range[1] < this.data.x.max;
    }

    zoom(range) {
      const { min, max } = this.data.x;
      this.range = range ? [Math.max(range[0], min), Math.min(range[1], max)] : [min, max];
      if (!(this.range[1] > this.range[0])) this.range = [min, max];
      this.draw();
    }

    choose(range) {
      this.zoom(range);
      roastCursor.zoom(this, this.isZoomed() ? this.range : null);
    }

    colour(box) {
      const known = this.data.colours[box.colour];
      return colourOf(this.place, known && known.others ? "others" : (known ? known.palette : 0) % COLOURS);
    }

    draw() {
      this.canvas.hidden = this.resetButton.hidden = !this.isZoomed();
      if (!this.isZoomed()) return;
      const area = this.area();
      const height = this.svg.getBoundingClientRect().height - area.top;
      const density = window.devicePixelRatio || 1;
      const left = area.left - LABEL;
      const width = this.place.clientWidth - left;
      Object.assign(this.canvas.style, { left: left + "px", top: area.top + "px", width: width + "px", height: height + "px" });
      this.canvas.width = Math.round(width * density);
      this.canvas.height = Math.round(height * density);
      const pen = this.canvas.getContext("2d");
      pen.scale(density, density);
      pen.translate(-left, -area.top);
      pen.fillStyle = colourOf(this.place, "background");
      pen.fillRect(area.left, area.top, width, height);
      pen.fillRect(left, area.bottom, LABEL, height);
      this.drawAxis(pen, area);
      this.drawBoxes(pen, area);
    }

    drawAxis(pen, area) {
      const { ticks, unit } = findTicks(this.range[0], this.range[1], area.width / 70, this.data.x.format);
      pen.font = 12 * Math.max(area.scale, 0.8) + "px sans-serif";
      pen.textAlign = "center";
      for (const tick of ticks) {
        const x = Math.floor(this.toPx(tick.v, area)) + 0.5;
        pen.fillStyle = colourOf(this.place, "grid");
        pen.fillRect(x, area.top, 1, area.height);
        pen.fillStyle = colourOf(this.place, "label");
        if (x - pen.measureText(tick.label).width / 2 >= area.left - LABEL) pen.fillText(tick.label, x, area.bottom + 17 * area.scale);
      }
      pen.fillText(axisName(this.data.x, unit), (area.left + area.right) / 2, area.bottom + 33 * area.scale);
      pen.fillStyle = colourOf(this.place, "axis");
      pen.fillRect(area.left, area.bottom, area.width, 1);
      pen.fillRect(area.left, area.top, 1, area.height);
    }

    drawBoxes(pen, area) {
      const pitch = area.height / this.rows.length;
      const height = Math.min(pitch > 5 * area.scale ? pitch * 0.8 : pitch, 26 * area.scale);
      const colours = new Map();
      this.rows.forEach((row, i) => {
        for (const box of row.boxes) {
          if (box.start + box.length < this.range[0] || box.start > this.range[1]) continue;
          const from = Math.max(this.toPx(box.start, area), area.left);
          const to = Math.min(this.toPx(box.start + box.length, area), area.right);
          if (!colours.has(box.colour)) colours.set(box.colour, this.colour(box));
          pen.globalAlpha = box.pale ? PALE : 1;
          pen.fillStyle = colours.get(box.colour);
          pen.fillRect(from, area.top + pitch * i + (pitch - height) / 2, Math.max(to - from, 0.5), height);
        }
      });
      pen.globalAlpha = 1;
    }

    /* ---- cursor ---- */

    /* Return the box of a row that contains x. If no box contains x, return a box near x. */
    find(row, x, near) {
      const found = row && row.boxes.find((box) => x >= box.start && x <= box.start + box.length);
      if (found || !row) return found;
      return row.boxes.find((box) => x >= box.start - near && x <= box.start + box.length + near);
    }

    describe(row, box) {
      const { format } = roastNumbers;
      const kind = this.data.x.format;
      const known = this.data.colours[box.colour];
      const from = format(box.start, kind) + " to " + format(box.start + box.length, kind);
      const entries = [{ name: known ? known.name : "", text: from, colour: this.colour(box) }];
      if (box.n >= 0) entries.push({ name: "began here", text: format(box.n, "count") + " " + this.data.rows, colour: "transparent" });
      else entries.push({ name: "duration", text: format(box.length, kind), colour: "transparent" });
      return { heading: row.lane, entries };
    }

    point(place, y) {
      const area = this.area();
      const x = this.toX(place, area);
      const row = this.rows[Math.floor((y - area.top) / area.height * this.rows.length)];
      const box = this.find(row, x, (this.range[1] - this.range[0]) / area.width * NEAR);
      if (place < area.left || place > area.right) return;
      const said = box ? this.describe(row, box) : { heading: roastNumbers.format(x, this.data.x.format), entries: [] };
      this.readout.put(place, area.top, area.height, x, said.heading, said.entries);
      roastCursor.show(this, x);
    }

    show(x) {
      const area = this.area();
      const at = this.toPx(x, area);
      if (at < area.left - 0.5 || at > area.right + 0.5) this.hide();
      else this.readout.put(at, area.top, area.height, x, roastNumbers.format(x, this.data.x.format), []);
    }

    hide() {
      this.readout.hide();
    }

    /* ---- actions of the reader ---- */

    /* Move the keyboard's cursor by this number of rows with boxes, and by this number of boxes within the row. */
    step(rows, boxes) {
      const full = this.rows.filter((row) => row.boxes.length > 0);
      if (full.length === 0) return;
      const clamp = (value, most) => Math.max(0, Math.min(most, value));
      this.atRow = clamp((this.atRow ?? 0) + rows, full.length - 1);
      const row = full[this.atRow];
      this.atBox = clamp(this.atBox === undefined ? 0 : this.atBox + boxes, row.boxes.length - 1);
      const box = row.boxes[this.atBox];
      const area = this.area();
      const said = this.describe(row, box);
      const middle = box.start + box.length / 2;
      if (middle < this.range[0] || middle > this.range[1]) this.choose([middle - (this.range[1] - this.range[0]) / 2, middle + (this.range[1] - this.range[0]) / 2]);
      this.readout.put(this.toPx(middle, area), area.top, area.height, middle, said.heading, said.entries);
      this.readout.say(said.heading + ": " + said.entries.map((entry) => entry.name + " " + entry.text).join("; "));
      this.x = middle;
      roastCursor.show(this, middle);
    }

    zoomBy(factor) {
      const middle = this.x >= this.range[0] && this.x <= this.range[1] ? this.x : (this.range[0] + this.range[1]) / 2;
      this.choose([middle - (middle - this.range[0]) * factor, middle + (this.range[1] - middle) * factor]);
    }

    key(event) {
      const actions = {
        ArrowLeft: () => this.step(0, -1), ArrowRight: () => this.step(0, 1), ArrowUp: () => this.step(-1, 0), ArrowDown: () => this.step(1, 0),
        "+": () => this.zoomBy(0.5), "=": () => this.zoomBy(0.5), "-": () => this.zoomBy(2), "0": () => this.choose(null),
        Escape: () => { this.hide(); roastCursor.hide(this); },
      };
      if (event.target !== this.place || !actions[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      actions[event.key]();
    }

    down(event) {
      const area = this.area();
      const at = event.clientX - this.place.getBoundingClientRect().left;
      if (event.button !== 0 || event.pointerType === "touch" || at < area.left || at > area.right || event.target === this.resetButton) return;
      this.place.setPointerCapture(event.pointerId);
      this.drag = { at, pan: event.shiftKey, range: this.range.slice() };
    }

    move(event) {
      const rect = this.place.getBoundingClientRect();
      const area = this.area();
      const at = Math.max(area.left, Math.min(area.right, event.clientX - rect.left));
      if (!this.drag) return this.point(event.clientX - rect.left, event.clientY - rect.top);
      if (this.drag.pan) {
        const [from, to] = this.drag.range;
        const by = (this.drag.at - at) / area.width * (to - from);
        const kept = Math.max(this.data.x.min - from, Math.min(this.data.x.max - to, by));
        return this.choose([from + kept, to + kept]);
      }
      this.band.hidden = false;
      Object.assign(this.band.style, { left: Math.min(at, this.drag.at) + "px", width: Math.abs(at - this.drag.at) + "px", top: area.top + "px", height: area.height + "px" });
    }

    up(event) {
      const { drag } = this;
      const area = this.area();
      const at = Math.max(area.left, Math.min(area.right, event.clientX - this.place.getBoundingClientRect().left));
      this.drag = null;
      this.band.hidden = true;
      if (drag && !drag.pan && Math.abs(at - drag.at) > NEAR) this.choose([this.toX(Math.min(at, drag.at), area), this.toX(Math.max(at, drag.at), area)]);
    }

    listen() {
      this.place.addEventListener("pointerdown", (event) => this.down(event));
      this.place.addEventListener("pointermove", (event) => this.move(event));
      this.place.addEventListener("pointerup", (event) => this.up(event));
      this.place.addEventListener("pointerleave", () => { this.hide(); roastCursor.hide(this); });
      this.place.addEventListener("dblclick", () => this.choose(null));
      this.place.addEventListener("keydown", (event) => this.key(event));
      this.place.addEventListener("blur", () => this.hide());
      window.addEventListener("resize", () => this.draw());
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    }
  }

  return { Lanes, unpack };
})();

/* Charts are pictures until the reader points at one of them or starts it with the button. Then this chart and all
   others that are visible become interactive; further charts follow when they become visible. */
(() => {
  const all = JSON.parse(document.getElementById("drawn").textContent);
  const alive = new Map();
  const SMALL = 540; /* width of a figure below which the texts of its picture are too small, in px */
  let isUsed = false;

  function liven(figure) {
    const data = all[figure.id];
    if (!data || alive.has(figure.id)) return;
    alive.set(figure.id, data.kind === "lanes" ? new roastLanes.Lanes(figure, data) : new roastCharts.Chart(figure, data));
  }

  /* Return whether a picture is too small to read, as on a phone. Its chart becomes interactive once it is visible. */
  function isSmall(figure) {
    return figure.clientWidth < SMALL && all[figure.id].kind !== "lanes";
  }

  const seen = new Set();
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (entry.isIntersecting) seen.add(entry.target);
      else seen.delete(entry.target);
      if (entry.isIntersecting && (isUsed || isSmall(entry.target))) liven(entry.target);
    }
  });

  function use(figure) {
    liven(figure);
    if (isUsed) return;
    isUsed = true;
    setTimeout(() => seen.forEach(liven), 0);
  }

  for (const figure of document.querySelectorAll("figure")) {
    if (!all[figure.id]) continue;
    const hint = roastCursor.node("p", "hint");
    const start = roastCursor.button("Zoom and values", () => {
      use(figure);
      figure.querySelector("[tabindex]").focus();
    });
    start.setAttribute("aria-label", "Zoom into “" + figure.querySelector("svg").getAttribute("aria-label") + "”, and read its values");
    hint.append(start, roastCursor.node("span", "", " drag to zoom, shift and drag to move, double click to show the whole chart"));
    figure.append(hint);
    figure.addEventListener("pointerenter", () => use(figure));
    watcher.observe(figure);
  }
})();
