// The rows and their places. Each group has a row, and so has each track. The lanes of a track are
// its instants and its spans by depth.
import { state, changed } from "./state.js";

export const laneHeight = 18, instantHeight = 12, runHeight = 7, stateHeight = 10, groupHeight = 24, gap = 6;

// title returns the shown name of a track.
export function title(t) {
  switch (t.kind) {
    case "cpu": return "CPU " + t.id;
    case "interrupt": return "Interrupts of CPU " + t.id;
    case "functions": return (t.name || "Thread " + t.id) + ": kernel functions";
    case "thread": return t.id === 0 && t.cpu >= 0 ? "Idle, CPU " + t.cpu : t.name || "Thread " + t.id;
  }
  return t.id < 0 ? "Other events" : "Other events of CPU " + t.id;
}

// seen reports whether a track is not hidden and passes the filter.
const seen = (t) => !state.hidden.has(t.index) && passes(t);

function passes(t) {
  const words = state.filter.toLowerCase().split(",").map((w) => w.trim()).filter(Boolean);
  return !words.length || words.some((w) => title(t).toLowerCase().includes(w) || String(t.id) === w || String(t.process) === w);
}

const kinds = ["cpu", "interrupt", "thread", "functions", "unknown"];

// byKind sorts tracks by number, and tracks of the same thread or processor by kind.
const byKind = (a, b) => a.id - b.id || kinds.indexOf(a.kind) - kinds.indexOf(b.kind);

const sum = (tracks, what) => tracks.reduce((all, t) => all + t[what], 0);

// ranks put threads with higher ranks first: threads with more items, or with more time on CPU.
// Items count only after the end of reading, so that rows do not move before.
const ranks = {
  "": (tracks) => (state.status.done ? Math.round(Math.log2(sum(tracks, "items") + 1)) : 0),
  cpu: (tracks) => sum(tracks, "ran"),
};

// inOrder returns the sorted tracks of a group. The tracks of one thread stay together.
function inOrder(tracks) {
  const threads = [...Map.groupBy(tracks, (t) => t.id + " " + t.cpu).values()].map((own) => ({ rank: ranks[state.sort]?.(own) ?? 0, own: own.sort(byKind) }));
  const byName = (a, b) => (state.sort === "name" ? title(a).localeCompare(title(b)) : 0);
  threads.sort(({ rank: m, own: [a] }, { rank: n, own: [b] }) => n - m || byName(a, b) || byKind(a, b));
  return threads.flatMap(({ own }) => own);
}

// groupOrders sort the groups of processes.
const groupOrders = {
  cpu: (a, b) => sum(b.tracks, "ran") - sum(a.tracks, "ran"),
  name: (a, b) => nameOfProcess(a).localeCompare(nameOfProcess(b)),
};

// groups groups tracks by owner: first processors, then processes, then threads with an unknown
// process.
function groups() {
  const list = new Map();
  const group = (key, name, order) => {
    if (!list.has(key)) list.set(key, { key, name, order, tracks: [] });
    return list.get(key);
  };
  for (const t of state.tracks) {
    if ((t.items === 0 && t.depth === 0 && !t.states) || !seen(t)) continue;
    if (t.kind === "cpu" || t.kind === "interrupt" || (t.kind === "unknown" && t.id >= 0)) group("cpus", "Processors", -2).tracks.push(t);
    else if (t.kind === "unknown") group("other", "Other", 1e12).tracks.push(t);
    else if (t.id === 0 && t.cpu >= 0) group("idle", "Idle threads", 1e11).tracks.push(t);
    else if (t.process < 0) group("threads", "Threads", 1e10).tracks.push(t);
    else group("process " + t.process, "", t.process).tracks.push(t);
  }
  for (const g of list.values()) {
    if (!g.name) g.name = "Process " + g.order + nameOfProcess(g);
    g.tracks = g.key === "cpus" ? g.tracks.sort(byKind) : inOrder(g.tracks);
  }
  const process = (g) => g.key.startsWith("process ");
  return [...list.values()].sort((a, b) => (process(a) && process(b) && groupOrders[state.sort]?.(a, b)) || a.order - b.order);
}

function nameOfProcess(g) {
  const main = g.tracks.find((t) => t.id === g.order) || g.tracks[0];
  return main.name ? ": " + main.name : "";
}

// row makes the row of a track.
function row(t, key) {
  const closed = state.closed.has(key);
  const lanes = [];
  let y = 3;
  if (t.states) {
    lanes.push({ id: t.index + ".s", y, height: stateHeight, states: true });
    y += stateHeight + 1;
  }
  if (t.runs && !(closed && t.depth > 0)) {
    lanes.push({ id: t.index + ".r", y, height: runHeight, runs: true });
    y += runHeight + 1;
  }
  if (t.instants && !(closed && t.depth > 0)) {
    lanes.push({ id: t.index + ".i", y, height: instantHeight, instants: true });
    y += instantHeight;
  }
  const depth = closed ? Math.min(t.depth, 1) : t.depth;
  for (let d = 0; d < depth; d++) {
    lanes.push({ id: t.index + "." + d, y, height: laneHeight });
    y += laneHeight;
  }
  return { key, track: t, lanes, height: Math.max(y + gap, 26), closed };
}

// Pane is a scrolling list of rows.
class Pane {
  constructor(id) {
    this.element = document.getElementById(id);
    this.content = this.element.firstElementChild;
    this.canvas = this.content.querySelector("canvas");
    this.labels = this.content.querySelector(".labels");
    this.rows = [];
    this.byTrack = new Map();
    this.total = 0;
    this.shown = "";
    this.element.addEventListener("scroll", changed);
  }

  set(rows) {
    let y = 0;
    for (const r of rows) {
      r.y = y;
      y += r.height;
    }
    this.rows = rows;
    this.byTrack = new Map(rows.filter((r) => r.track).map((r) => [r.track.index, r]));
    this.total = y;
  }

  // visible returns the visible rows.
  visible() {
    const top = this.element.scrollTop, bottom = top + this.element.clientHeight;
    let low = 0, high = this.rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.rows[middle].y + this.rows[middle].height <= top) low = middle + 1;
      else high = middle;
    }
    const list = [];
    for (; low < this.rows.length && this.rows[low].y < bottom; low++) list.push(this.rows[low]);
    return list;
  }

  // lanes returns the ids of the visible lanes.
  lanes() {
    const top = this.element.scrollTop, bottom = top + this.element.clientHeight, list = [];
    for (const r of this.visible()) {
      for (const l of r.lanes || []) if (r.y + l.y + l.height > top && r.y + l.y < bottom) list.push(l.id);
    }
    return list;
  }

  // place updates the labels of the visible rows.
  place() {
    this.element.hidden = this.rows.length === 0;
    this.content.style.height = this.total + "px";
    if (this.element.id === "pinned") this.element.style.flexBasis = Math.min(this.total, innerHeight * 0.4) + "px";
    const rows = this.visible();
    const shown = rows.map((r) => [r.key, r.y, r.height, r.closed, r.name, r.track && title(r.track), r.key === state.focus, r.track && state.pins.has(r.track.index)].join()).join("\n");
    if (shown === this.shown) return;
    this.shown = shown;
    this.labels.replaceChildren(...rows.map(label));
    document.getElementById("stage").setAttribute("aria-activedescendant", state.focus ? rowID(state.focus) : "");
  }
}

function button(className, text, name, pressed) {
  const b = document.createElement("button");
  b.type = "button";
  b.className = className;
  b.textContent = text;
  b.setAttribute("aria-label", name);
  b.title = name;
  b.tabIndex = -1; // not reachable by Tab: keys of the stage do the same
  if (pressed !== undefined) b.setAttribute("aria-pressed", pressed);
  return b;
}

const rowID = (key) => "row-" + key.replace(" ", "-");

// label makes the element for a row.
function label(r) {
  const e = document.createElement("div");
  e.id = rowID(r.key);
  e.setAttribute("role", "group");
  e.setAttribute("aria-label", r.group ? r.name : title(r.track));
  e.className = "row" + (r.group ? " group" : "") + (r.key === state.focus ? " focused" : "");
  e.style.top = r.y + "px";
  e.style.height = r.height + "px";
  e.dataset.key = r.key;
  const fold = button("fold", r.closed ? "▸" : "▾", r.closed ? "Open (space)" : "Close (space)");
  fold.setAttribute("aria-expanded", !r.closed);
  if (!r.group && (r.lanes.length < 2 || r.track.depth === 0) && !r.closed) fold.style.visibility = "hidden";
  const name = document.createElement("span");
  name.className = "name";
  name.textContent = r.group ? r.name : title(r.track);
  name.title = name.textContent;
  e.append(fold, name);
  const id = document.createElement("span");
  id.className = "id";
  if (r.group) id.textContent = r.count;
  else if (r.track.kind === "thread" || r.track.kind === "functions") id.textContent = r.track.id;
  e.append(id);
  if (!r.group) e.append(button("pin", "★", "Pin (p)", state.pins.has(r.track.index)));
  return e;
}

export const panes = [new Pane("pinned"), new Pane("tracks")];
let made = null;

// arrange makes the rows again if the tracks or their settings have changed.
export function arrange() {
  const now = [state.tracks, state.status.done, [...state.pins].join(), [...state.closed].join(), [...state.hidden].join(), state.filter, state.sort];
  if (made && made.every((v, i) => v === now[i])) return;
  made = now;
  const rows = [];
  for (const g of groups()) {
    const closed = state.closed.has(g.key);
    rows.push({ key: g.key, group: true, name: g.name, count: g.tracks.length === 1 ? "1 track" : g.tracks.length + " tracks", height: groupHeight, closed });
    if (!closed) for (const t of g.tracks) rows.push(row(t, "track " + t.index));
  }
  const hidden = state.tracks.filter((t) => state.hidden.has(t.index)).length;
  if (!rows.length && state.filter) rows.push({ key: "none", group: true, name: "No track passes the filter", count: "", height: groupHeight });
  if (hidden) rows.push({ key: "hidden", group: true, name: (hidden === 1 ? "1 hidden track" : hidden + " hidden tracks") + " (H)", count: "", height: groupHeight, closed: true });
  panes[1].set(rows);
  panes[0].set([...state.pins].filter((i) => state.byIndex.has(i)).map((i) => row(state.byIndex.get(i), "pin " + i)));
}

// find returns the pane and the row with a key.
export function find(key) {
  for (const pane of panes) {
    const r = pane.rows.find((r) => r.key === key);
    if (r) return [pane, r];
  }
  return [null, null];
}

// uncover scrolls until a row is visible, with the given lane of the row.
export function uncover(key, lane) {
  const [pane, r] = find(key);
  if (!r) return;
  const l = lane && r.lanes?.find((l) => l.id === lane);
  const top = r.y + (l ? l.y : 0), bottom = l ? top + l.height : r.y + Math.min(r.height, pane.element.clientHeight);
  const view = pane.element;
  if (top < view.scrollTop) view.scrollTop = l ? Math.max(r.y, top - view.clientHeight / 2) : top;
  else if (bottom > view.scrollTop + view.clientHeight) view.scrollTop = bottom - view.clientHeight + (l ? 20 : 0);
}

// open ensures that a track has a row with a lane, and returns the key of the row. It shows a
// hidden track, and clears a filter that the track does not pass.
export function open(track, lane) {
  const t = state.byIndex.get(track);
  state.hidden.delete(track);
  if (t && !passes(t)) state.filter = document.getElementById("filter").value = "";
  arrange();
  const pinned = "pin " + track;
  if (state.pins.has(track)) return pinned;
  const key = "track " + track;
  if (!find(key)[1]) for (const g of groups()) if (g.tracks.some((t) => t.index === track)) state.closed.delete(g.key);
  if (find(key)[1]?.closed && lane && !find(key)[1].lanes.some((l) => l.id === lane)) state.closed.delete(key);
  arrange();
  return key;
}
