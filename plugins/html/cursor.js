/* SPDX-License-Identifier: BSD-3-Clause */
/* State and elements that the charts of a page share: the range of time that is shown, the time under the cursor, and
   the box that lists values beside the cursor. */
"use strict";

const roastCursor = (() => {
  const MOST_LINES = 16;
  const members = new Set(); /* charts over time; each of them has show (x), hide () and zoom (range or null) */
  let range = null;

  function node(tag, name, text) {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function button(text, action) {
    const made = node("button", "", text);
    made.type = "button";
    made.addEventListener("click", action);
    return made;
  }

  function join(member) {
    members.add(member);
    if (range) member.zoom(range);
  }

  function each(from, action) {
    for (const member of members) if (member !== from) action(member);
  }

  /* Zoom all other charts over time to a range of x; null shows the whole run. Do nothing for charts that are not over
     time. */
  function zoom(from, wanted) {
    if (!members.has(from)) return;
    range = wanted;
    each(from, (member) => member.zoom(wanted));
  }

  function show(from, x) {
    if (members.has(from)) each(from, (member) => member.show(x));
  }

  function hide(from) {
    if (members.has(from)) each(from, (member) => member.hide());
  }

  /* Make the cursor of a chart: a vertical line, and a box beside it, which lists values. Add both to place, which must
     be a positioned element. */
  function makeReadout(place) {
    const line = node("div", "cursor");
    const box = node("div", "readout");
    const spoken = node("p", "hidden");
    spoken.setAttribute("role", "status");
    line.hidden = box.hidden = true;
    place.append(line, box, spoken);

    function put(at, top, height, x, heading, entries) {
      line.hidden = box.hidden = false;
      box.dataset.x = x;
      line.style.left = at + "px";
      line.style.top = top + "px";
      line.style.height = height + "px";
      box.replaceChildren(node("strong", "", heading));
      for (const entry of entries.slice(0, MOST_LINES)) {
        const row = node("div");
        const swatch = node("i", "swatch");
        swatch.style.background = entry.colour;
        row.append(swatch, node("span", "", entry.name), node("b", "", entry.text));
        box.append(row);
      }
      if (entries.length > MOST_LINES) box.append(node("div", "", entries.length - MOST_LINES + " more"));
      const left = at > place.clientWidth / 2;
      box.style.top = top + 4 + "px";
      box.style.left = left ? "" : at + 10 + "px";
      box.style.right = left ? place.clientWidth - at + 10 + "px" : "";
    }

    function hideIt() {
      line.hidden = box.hidden = true;
    }

    /* Announce a text to screen readers. */
    function say(text) {
      spoken.textContent = text;
    }

    return { put, hide: hideIt, say, box };
  }

  /* Return the ticks of an axis, and its unit. Labels are in this unit, but do not contain it. */
  function findTicks(min, max, most, kind) {
    const [factor, unit] = roastNumbers.findUnit(Math.max(Math.abs(min), Math.abs(max)), kind);
    const step = roastNumbers.stepOf((max - min) / factor / Math.max(most, 1), kind, unit);
    const ticks = [];
    if (!(step > 0)) return { ticks, unit };
    for (let i = Math.ceil(min / factor / step - 1e-9); i * step <= max / factor * (1 + 1e-12) + step * 1e-9; i++)
      ticks.push({ v: i * step * factor, label: roastNumbers.label(i * step, step) });
    return { ticks, unit };
  }

  function axisName(axis, unit) {
    if (!unit) return axis.label;
    return axis.label ? axis.label + " (" + unit + ")" : unit;
  }

  function colourOf(element, name) {
    return getComputedStyle(element).getPropertyValue("--roast-" + name).trim();
  }

  return { node, button, join, zoom, show, hide, makeReadout, findTicks, axisName, colourOf, get range() { return range; } };
})();
