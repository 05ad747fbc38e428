// What all report pages share: building elements from text, numbers as people read them, the look of a series,
// interactive curves, tables that sort, light and dark. Text from outside only ever becomes text: nothing here
// parses HTML.
"use strict";
const Kit = (() => {
  // ---- elements ----------------------------------------------------------------------------------------
  const SVG = "http://www.w3.org/2000/svg";

  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (value === undefined || value === null || value === false) continue;
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else node.setAttribute(name, value === true ? "" : value);
    }
    for (const child of children.flat(Infinity)) {
      if (child !== undefined && child !== null && child !== false) node.append(child);
    }
    return node;
  }
  const el = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
  const svg = (name, attributes, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

  // ---- numbers -----------------------------------------------------------------------------------------
  const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
  const count = (value) => (isNumber(value) ? Math.round(value).toLocaleString("en") : "–");
  const fixed = (digits) => (value) => (isNumber(value) ? value.toFixed(digits) : "–");
  const percent = (digits) => (value) => (isNumber(value) ? `${(100 * value).toFixed(digits)}\u00a0%` : "–");
  function shortNumber(value) {
    if (!isNumber(value)) return "–";
    const size = Math.abs(value);
    for (const [unit, name] of [[1e9, "\u00a0G"], [1e6, "\u00a0M"], [1e3, "\u00a0k"]]) {
      if (size >= unit) return `${Number((value / unit).toPrecision(3))}${name}`;
    }
    return String(Number(value.toPrecision(3)));
  }
  function seconds(value) {
    if (!isNumber(value)) return "–";
    if (value >= 7200) return `${(value / 3600).toFixed(1)}\u00a0h`;
    if (value >= 120) return `${(value / 60).toFixed(1)}\u00a0min`;
    if (value >= 10) return `${value.toFixed(0)}\u00a0s`;
    if (value >= 1) return `${value.toFixed(1)}\u00a0s`;
    if (value >= 1e-3) return `${Number((value * 1e3).toPrecision(3))}\u00a0ms`;
    return `${Number((value * 1e6).toPrecision(2))}\u00a0µs`;
  }
  function bytes(value) {
    if (!isNumber(value)) return "–";
    const units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      ++unit;
    }
    return `${Number(value.toPrecision(3))}\u00a0${units[unit]}`;
  }

  // ---- the look of a series (the same as dash/style.h) -----------------------------------------------
  const COLOURS = 7;
  const DASHES = ["", "8 3", "2 3", "9 3 2 3"];
  const MARKERS = [
    "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z",
    "M-3.2-3.2h6.4v6.4h-6.4z",
    "M0-4.2l4 7h-8z",
    "M0-4.4l4.4 4.4l-4.4 4.4l-4.4-4.4z",
    "M-3.2-3.2l6.4 6.4m0-6.4l-6.4 6.4",
    "M-4 0h8m-4-4v8",
  ];
  function look(style) {
    if (style === -1) return { colour: "var(--grey)", dash: "1 3", width: 1.8, marker: null };
    if (style === -2) return { colour: "var(--grey)", dash: "5 4", width: 1.4, marker: null };
    if (style === -3) return { colour: "var(--grey)", dash: "", width: 1.4, marker: null };
    const colour = style % COLOURS;
    const dash = (colour + Math.floor(style / COLOURS)) % DASHES.length;
    return { colour: `var(--c${colour})`, dash: DASHES[dash], width: 2, marker: MARKERS[style % MARKERS.length] };
  }
  function markerAt(style, x, y) {
    const { colour, marker } = look(style);
    if (!marker) return null;
    return svg("path", { d: marker, transform: `translate(${x} ${y})`, fill: "var(--paper)", stroke: colour, "stroke-width": 1.6 });
  }
  function swatch(style) {
    const { colour, dash, width } = look(style);
    return svg("svg", { width: 30, height: 12, viewBox: "0 0 30 12", "aria-hidden": "true", class: "swatch" },
      svg("path", { d: "M1 6h28", stroke: colour, "stroke-width": width + 0.5, "stroke-dasharray": dash || null, fill: "none" }),
      markerAt(style, 15, 6));
  }

  // ---- what is said aloud ------------------------------------------------------------------------------
  let liveRegion = null;
  function announce(text) {
    if (!liveRegion) {
      liveRegion = el("div", { class: "unseen", role: "status", "aria-live": "polite" });
      document.body.append(liveRegion);
    }
    liveRegion.textContent = text;
  }

  // ---- light and dark ----------------------------------------------------------------------------------
  function themeButton() {
    const dark = () => {
      const set = document.documentElement.dataset.theme;
      return set ? set === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    };
    const button = el("button", { type: "button", class: "quiet", onclick: () => {
      document.documentElement.dataset.theme = dark() ? "light" : "dark";
      show();
    } });
    const show = () => { button.textContent = dark() ? "Light page" : "Dark page"; };
    show();
    return button;
  }

  // One of a few: radio buttons that look like a bar. options: [[value, label], ...]
  let groups = 0;
  function choice(label, options, value, onchange) {
    const name = `choice-${++groups}`;
    return el("fieldset", { class: "choice" }, el("legend", {}, label),
      options.map(([key, text]) => el("label", {},
        el("input", { type: "radio", name, value: key, checked: key === value, onchange: () => onchange(key) }),
        el("span", {}, text))));
  }

  // ---- curves ------------------------------------------------------------------------------------------
  // options: title, help, x {label, log, percent, least, most, format, ticks (least, most, width)}, y {the same},
  //   series [{label, style, baseline, x, y, low, high, marked}], stops (indices that matter: arrow keys go from
  //   one to the next), hover (index, chart) told to others, small (no axis labels), rows (what the lines are,
  //   "Ordering" unless told)
  class Curves {
    constructor(options) {
      this.options = options;
      this.at = null;
      this.holder = el("div", { class: "plot" });
      this.tip = el("div", { class: "tip", "aria-hidden": "true" });
      this.values = el("div", { class: "values" });
      this.details = el("details", { class: "as-table", ontoggle: () => this.fillTable() }, el("summary", {}, "Values as a table"), this.values);
      this.frame = el("div", {
        class: "frame", tabindex: 0, role: "group", "aria-roledescription": "chart",
        "aria-label": `${options.title}. Arrow keys read the values; a table follows.`,
        onkeydown: (event) => this.key(event), onblur: () => this.point(null, true),
        onpointermove: (event) => this.hover(event), onpointerdown: (event) => this.hover(event),
        onpointerleave: () => this.point(null, true),
      }, this.holder, this.tip);
      this.node = el("figure", { class: options.small ? "chart small" : "chart" },
        el("figcaption", {}, el("h3", {}, options.title), options.help && el("p", {}, options.help)),
        this.frame, options.small ? null : this.details);
      new ResizeObserver(() => this.resized()).observe(this.holder);
    }

    set(changes) {
      Object.assign(this.options, changes);
      this.draw();
    }

    resized() {
      const width = Math.floor(this.holder.clientWidth);
      if (width > 0 && width !== this.width) {
        this.width = width;
        this.draw();
      }
    }

    axis(axis, values) {
      const shown = values.filter((value) => isNumber(value) && (!axis.log || value > 0));
      let least = axis.least ?? (shown.length ? Math.min(...shown) : 0);
      let most = axis.most ?? (shown.length ? Math.max(...shown) : 1);
      if (axis.log && !(least > 0)) least = shown.length ? Math.min(...shown) : most / 100 || 0.01;
      if (!(most > least)) most = axis.log ? least * 10 : least + 1;
      const format = axis.format ?? (axis.percent ? (value) => `${Number((100 * value).toPrecision(3))}\u00a0%` : shortNumber);
      return { type: axis.log ? "log" : "linear", domain: [least, most], label: null, tickFormat: format, grid: true,
        ticks: axis.ticks ? axis.ticks(least, most, this.width) : axis.log ? 4 : this.width < 420 ? 4 : 6, nice: axis.most === undefined && !axis.log };
    }

    draw() {
      if (!this.width) return;
      const { series, x, y, small } = this.options;
      const allX = series.flatMap((one) => one.x);
      const allY = series.flatMap((one) => [...one.y, ...(one.high ?? [])]);
      const marks = [];
      for (const one of series) {
        if (!one.low) continue;
        marks.push(Plot.areaY(this.points(one, true), { x: "x", y1: "low", y2: "high", fill: look(one.style).colour, fillOpacity: 0.18 }));
      }
      for (const one of [...series].reverse()) {
        const { colour, dash, width } = look(one.style);
        const points = this.points(one);
        marks.push(Plot.line(points, { x: "x", y: "y", stroke: colour, strokeWidth: width, strokeDasharray: dash || "none", clip: true }));
      }
      const height = small ? Math.round(Math.min(220, this.width * 0.7)) : Math.round(Math.max(230, Math.min(400, this.width * 0.6)));
      this.plot = Plot.plot({
        width: this.width, height, marginLeft: small ? 40 : 52, marginRight: 24, marginTop: small ? 8 : 28, marginBottom: small ? 26 : 42,
        x: this.axis(x, allX), y: this.axis(y, allY), marks, style: { fontSize: "12px", overflow: "visible" },
      });
      this.plot.setAttribute("role", "img");
      this.plot.setAttribute("aria-label", `${this.options.title}: ${series.map((one) => one.label).join(", ")}`);
      this.scaleX = this.plot.scale("x");
      this.scaleY = this.plot.scale("y");
      if (!small) this.axisLabels(height);
      this.markers();
      this.cursor = svg("g", { class: "cursor" });
      this.plot.append(this.cursor);
      this.holder.replaceChildren(this.plot);
      this.point(this.at, true);
      this.fillTable();
    }

    points(one, band) {
      const { x, y } = this.options;
      const rows = [];
      for (let i = 0; i < one.x.length; ++i) {
        const value = one.y[i];
        const good = isNumber(value) && (!y.log || value > 0) && (!x.log || one.x[i] > 0);
        if (!good && x.log && !(one.x[i] > 0)) continue;
        const row = { x: one.x[i], y: good ? value : NaN };
        if (band) {
          row.low = good ? one.low[i] : NaN;
          row.high = good ? one.high[i] : NaN;
        }
        rows.push(row);
      }
      return rows;
    }

    axisLabels(height) {
      const { x, y } = this.options;
      this.plot.append(
        svg("text", { x: 52 + (this.width - 76) / 2, y: height - 6, "text-anchor": "middle", class: "axis" }, x.label));
      this.plot.append(svg("text", { x: 2, y: 12, "text-anchor": "start", class: "axis" }, `↑ ${y.label}`));
    }

    visible(one, i) {
      const { x, y } = this.options;
      return i < one.x.length && isNumber(one.y[i]) && (!y.log || one.y[i] > 0) && (!x.log || one.x[i] >= this.scaleX.domain[0]);
    }

    markers() {
      const group = svg("g", { class: "markers" });
      for (const one of this.options.series) {
        for (const i of one.marked ?? []) {
          if (this.visible(one, i)) group.append(...[markerAt(one.style, this.scaleX.apply(one.x[i]), this.scaleY.apply(one.y[i]))].filter(Boolean));
        }
      }
      this.plot.append(group);
    }

    hover(event) {
      if (!this.scaleX) return;
      const x = event.clientX - this.plot.getBoundingClientRect().left;
      const longest = this.options.series.reduce((a, b) => (b.x.length > a.length ? b.x : a), []);
      let best = null;
      for (let i = 0; i < longest.length; ++i) {
        if (this.options.x.log && !(longest[i] > 0)) continue;
        const distance = Math.abs(this.scaleX.apply(longest[i]) - x);
        if (best === null || distance < best.distance) best = { i, distance };
      }
      if (best) this.point(best.i, true);
    }

    key(event) {
      const stops = this.options.stops ?? [];
      if (!stops.length) return;
      const now = this.at === null ? -1 : stops.findIndex((stop) => stop >= this.at);
      const last = stops.length - 1;
      const to = { ArrowRight: Math.min(last, now + 1), ArrowLeft: now < 0 ? last : Math.max(0, now - 1), Home: 0, End: last }[event.key];
      if (event.key === "Escape") this.point(null, true);
      if (to === undefined) return;
      event.preventDefault();
      this.point(stops[to], true);
      announce(this.spoken());
    }

    // Values at a point, best first.
    valuesAt(i) {
      return this.options.series.filter((one) => this.visible(one, i)).map((one) => ({ one, value: one.y[i], x: one.x[i] }))
        .sort((a, b) => b.value - a.value);
    }

    where(i) {
      const all = this.valuesAt(i);
      if (!all.length) return "";
      return this.options.where ? this.options.where(i) : String(all[0].x);
    }

    spoken() {
      const format = this.options.y.value;
      return `${this.where(this.at)}: ${this.valuesAt(this.at).map(({ one, value }) => `${one.label} ${format(value)}`).join("; ")}`;
    }

    point(i, tell) {
      this.at = i;
      if (!this.cursor) return;
      this.cursor.replaceChildren();
      const all = i === null ? [] : this.valuesAt(i);
      this.tip.classList.toggle("shown", all.length > 0 && !this.options.small);
      if (all.length) {
        const x = this.scaleX.apply(all[0].x);
        const [bottom, top] = this.scaleY.range;
        this.cursor.append(svg("path", { d: `M${x} ${top}V${bottom}`, class: "hair" }));
        for (const { one, value } of all) {
          this.cursor.append(svg("circle", { cx: x, cy: this.scaleY.apply(value), r: 3.5, fill: look(one.style).colour }));
        }
        if (!this.options.small) this.showTip(all, x);
      }
      if (tell && this.options.hover) this.options.hover(i, this);
    }

    showTip(all, x) {
      this.tip.replaceChildren(el("strong", {}, this.where(this.at)),
        el("ul", {}, all.map(({ one, value }) => el("li", {}, swatch(one.style), el("span", {}, one.label), el("b", {}, this.options.y.value(value))))));
      const room = this.frame.clientWidth;
      const width = this.tip.offsetWidth;
      this.tip.style.left = `${Math.max(0, Math.min(room - width, x < room / 2 ? x + 14 : x - width - 14))}px`;
    }

    fillTable() {
      if (!this.details.open) return;
      const { series, stops, y } = this.options;
      this.values.replaceChildren(scrollable(`${this.options.title}: values`,
        el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, this.options.rows ?? "Ordering"), stops.map((stop) => el("th", { scope: "col" }, this.options.stopLabel(stop))))),
          el("tbody", {}, series.map((one) => el("tr", {}, el("th", { scope: "row" }, one.label),
            stops.map((stop) => el("td", {}, y.value(one.y[stop])))))))));
    }
  }

  // ---- tables that sort --------------------------------------------------------------------------------
  // columns: [{key, label, help, format, better: "high" | "low" | undefined, text: true for words}]
  // rows: [{key: value ..., muted, node (of the first column)}]; muted rows stay last
  // A table in a box that scrolls sideways, with a cue while there is more on the right.
  function scrollable(label, table) {
    const box = el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, table);
    const holder = el("div", { class: "scroll-holder" }, box, el("p", { class: "cue", "aria-hidden": "true" }, "scroll for more columns →"));
    const look = () => {
      holder.classList.toggle("wide", box.scrollWidth > box.clientWidth + 1);
      holder.classList.toggle("more", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
    };
    box.addEventListener("scroll", look, { passive: true });
    new ResizeObserver(look).observe(box);
    return holder;
  }

  // Where a page is: its host, and below or behind it the rest of its URL, which is what tells pages apart.
  function address(url) {
    const end = url.indexOf("/", url.indexOf("//") + 2);
    const cut = end < 0 ? url.length : end;
    return el("span", { class: "address", title: url }, el("span", { class: "site" }, url.slice(0, cut)), el("span", {}, url.slice(cut)));
  }

  function sortableTable({ caption, columns, rows, sort, descending }) {
    const body = el("tbody");
    const heads = new Map();
    const compete = rows.filter((row) => !row.muted);
    const best = new Map(columns.filter((column) => column.better).map((column) => {
      const values = compete.map((row) => row[column.key]).filter(isNumber);
      return [column.key, values.length > 1 ? Math[column.better === "high" ? "max" : "min"](...values) : NaN];
    }));
    const state = { key: sort, descending: descending ?? true };
    function order(a, b) {
      if (!!a.muted !== !!b.muted) return a.muted ? 1 : -1;
      const [x, y] = [a[state.key], b[state.key]];
      const empty = (value) => value === null || value === undefined || Number.isNaN(value);
      if (empty(x) || empty(y)) return empty(x) - empty(y);
      const result = typeof x === "string" ? x.localeCompare(y) : x - y;
      return state.descending ? -result : result;
    }
    function show() {
      for (const [key, head] of heads) {
        if (key === state.key) head.setAttribute("aria-sort", state.descending ? "descending" : "ascending");
        else head.removeAttribute("aria-sort");
      }
      body.replaceChildren(...[...rows].sort(order).map((row) => el("tr", { class: row.muted ? "muted" : null },
        columns.map((column, i) => {
          if (i === 0) return el("th", { scope: "row" }, row.node ? row.node() : row[column.key]);
          const winner = !row.muted && isNumber(row[column.key]) && row[column.key] === best.get(column.key);
          return el("td", { class: winner ? "best" : column.text ? "words" : null, "data-key": column.key },
            column.format ? column.format(row[column.key]) : row[column.key] ?? "–",
            winner ? el("span", { class: "unseen" }, " (best)") : null);
        }))));
    }
    const head = el("tr", {}, columns.map((column) => {
      const cell = el("th", { scope: "col", title: column.help, class: column.text ? "words" : null }, el("button", { type: "button", "data-key": column.key, onclick: () => {
        state.descending = state.key === column.key ? !state.descending : !(column.text || column.better === "low");
        state.key = column.key;
        show();
        announce(`Sorted by ${column.label}, ${state.descending ? "largest" : "smallest"} first`);
      } }, column.label));
      heads.set(column.key, cell);
      return cell;
    }));
    show();
    return scrollable(caption, el("table", { class: "sortable" }, el("caption", { class: "unseen" }, caption), el("thead", {}, head), body));
  }

  function copyButton(text) {
    const button = el("button", { type: "button", class: "quiet", onclick: async () => {
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Select it and copy";
      }
    } }, "Copy");
    return button;
  }

  const data = () => JSON.parse(document.getElementById("data").textContent);

  return { el, svg, isNumber, count, fixed, percent, shortNumber, seconds, bytes, look, swatch, announce, themeButton, choice, Curves, scrollable, address, sortableTable, copyButton, data };
})();
