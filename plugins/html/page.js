/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets readers sort, filter and copy the tables of the page. Without this script, tables are complete, and in their
   original order. */
"use strict";

(() => {
  const FILTER_FROM = 6; /* minimum number of rows for which a table gets a filter */

  /* Return the content of a cell for a program: its exact number, or its text. */
  function raw(cell) {
    if (cell.dataset.v !== undefined) return cell.dataset.v;
    const name = cell.querySelector("summary");
    return (name || cell).textContent;
  }

  /* Return the value by which a cell is sorted: a number, a text, or null if the cell is empty. */
  function key(cell) {
    const text = cell ? raw(cell) : "";
    if (text === "") return null;
    return cell.classList.contains("n") ? Number(text) : text;
  }

  function compare(a, b) {
    if (typeof a === "number" && typeof b === "number") return a - b;
    return String(a).localeCompare(String(b), "en", { numeric: true });
  }

  /* Sort the rows by a column. Rows with an empty cell are last in both directions; rows with equal cells keep their
     order. */
  function sort(table, column, direction) {
    const body = table.tBodies[0];
    const rows = Array.from(body.rows, (row, place) => ({ row, place, value: key(row.cells[column]) }));
    rows.sort((a, b) => {
      if (a.value === null || b.value === null) return (a.value === null) - (b.value === null) || a.place - b.place;
      return direction * compare(a.value, b.value) || a.place - b.place;
    });
    body.append(...rows.map((entry) => entry.row));
  }

  function headings(table) {
    return Array.from(table.tHead.rows[0].cells);
  }

  /* Put a button into each heading, which sorts by the column. The first click sorts numbers in descending order, and
     texts in ascending order. */
  function makeSortable(table) {
    headings(table).forEach((heading, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => {
        const before = heading.getAttribute("aria-sort");
        const first = heading.classList.contains("n") ? "descending" : "ascending";
        const other = first === "ascending" ? "descending" : "ascending";
        const now = before === first ? other : first;
        headings(table).forEach((cell) => cell.removeAttribute("aria-sort"));
        heading.setAttribute("aria-sort", now);
        sort(table, column, now === "ascending" ? 1 : -1);
      });
    });
  }

  function addFilter(table, tools, name) {
    const input = document.createElement("input");
    const count = document.createElement("span");
    input.type = "search";
    input.placeholder = "Filter rows";
    input.setAttribute("aria-label", "Filter rows of " + name);
    count.setAttribute("role", "status");
    input.addEventListener("input", () => {
      const wanted = input.value.trim().toLowerCase();
      let shown = 0;
      for (const row of table.tBodies[0].rows) {
        row.hidden = wanted !== "" && !row.textContent.toLowerCase().includes(wanted);
        shown += row.hidden ? 0 : 1;
      }
      count.textContent = wanted === "" ? "" : shown + " of " + table.tBodies[0].rows.length + " rows";
    });
    tools.append(input, count);
  }

  /* Return a row as text, with tabs between cells. Replace tabs and line breaks within cells, since programs would read
     them as the ends of cells and rows. */
  function line(cells, text) {
    return cells.map((cell) => text(cell).replace(/[\t\r\n]+/g, " ")).join("\t");
  }

  function asText(table) {
    const rows = Array.from(table.tBodies[0].rows).filter((row) => !row.hidden);
    const lines = rows.map((row) => line(Array.from(row.cells), raw));
    return [line(headings(table), (cell) => cell.textContent), ...lines].join("\n") + "\n";
  }

  /* Copy a text without the clipboard API, which browsers offer only to pages from a secure origin. */
  function copyBySelection(text) {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch (error) {
      return copyBySelection(text);
    }
  }

  function addCopy(table, tools, name) {
    const button = document.createElement("button");
    const said = document.createElement("span");
    button.type = "button";
    button.textContent = "Copy";
    button.setAttribute("aria-label", "Copy the table " + name + ", as text with tabs");
    said.setAttribute("role", "status");
    button.addEventListener("click", async () => {
      const done = await copy(asText(table));
      said.textContent = done ? "copied" : "this browser does not allow copying";
      setTimeout(() => { said.textContent = ""; }, 3000);
    });
    tools.append(button, said);
  }

  function nameOf(table) {
    return table.caption ? table.caption.firstChild.textContent.trim() : "";
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    const tools = document.createElement("div");
    tools.className = "tools";
    makeSortable(table);
    if (table.tBodies[0].rows.length >= FILTER_FROM) addFilter(table, tools, nameOf(table));
    addCopy(table, tools, nameOf(table));
    table.setAttribute("aria-label", nameOf(table));
    table.caption.append(tools);
  }

  /* Open all collapsed elements around the target of a link, and scroll to the target. */
  function openTarget() {
    let name = location.hash.slice(1);
    try { name = decodeURIComponent(name); } catch (error) { return; /* the part after “#” is not a valid anchor */ }
    const target = document.getElementById(name);
    for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
    if (target) target.scrollIntoView();
  }

  /* For printing, open the collapsed lists of metrics that are not available. Collapse them again afterwards. */
  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = Array.from(document.querySelectorAll("#not-available details:not([open])"));
    for (const part of folded) part.open = true;
  });
  window.addEventListener("afterprint", () => { for (const part of folded) part.open = false; });

  window.addEventListener("hashchange", openTarget);
  if (location.hash) openTarget();
})();
