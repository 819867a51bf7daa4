// Keys, wheel and pointer.
import { state, changed, fit, pan, show, zoom } from "./state.js";
import { find, panes } from "./layout.js";
import { timeAt, timelineWidth, xOf } from "./draw.js";
import { choose, enter, move, nest, step, under } from "./items.js";
import { showRange, closePanel, clearItem, openTab } from "./panel.js";
import { toggle as help } from "./help.js";
import { turn } from "./theme.js";
import { stepSearch, stepTrack, clearSearch } from "./search.js";
import { asked } from "./latency.js";
import { showTip } from "./tip.js";
import { copyRange, turnTimes } from "./times.js";
import { wakerOf } from "./states.js";
import { clearMarkers, hasMarkers, keyMarker, markerAt, nearest, setMarker } from "./markers.js";
import { filterTracks, hide, showHidden, sortTracks } from "./tracks.js";
import { toWaker, toWakerOf, wakeAt } from "./wakes.js";

const stage = document.getElementById("stage");

// actions are the keys of the timeline. The name of a key may have the prefix shift.
const actions = {
  w: () => zoom(0.7), "+": () => zoom(0.7), "=": () => zoom(0.7), s: () => zoom(1 / 0.7), "-": () => zoom(1 / 0.7),
  a: () => pan(-0.15), d: () => pan(0.15), ArrowLeft: () => pan(-0.15), ArrowRight: () => pan(0.15),
  W: () => zoom(0.3), S: () => zoom(1 / 0.3), A: () => pan(-0.8), D: () => pan(0.8), "shift ArrowLeft": () => pan(-0.8), "shift ArrowRight": () => pan(0.8),
  Home: () => show(state.status.first, state.status.first + state.to - state.from), End: () => show(state.status.now - (state.to - state.from), state.status.now),
  ArrowUp: () => move(-1), ArrowDown: () => move(1), PageUp: () => move(-10), PageDown: () => move(10),
  f: fit, 0: fit, z: zoomTo, Enter: () => (find(state.focus)[1]?.group ? fold() : enter()), u: () => nest(false), i: () => nest(true),
  " ": fold, p: pin, r: () => range(state.from, state.to), m: () => state.selected && range(state.selected.begin, state.selected.end),
  "[": () => edge("from"), "]": () => edge("to"), n: () => stepSearch(false), N: () => stepSearch(true), g: () => stepTrack(1), G: () => stepTrack(-1), t: turn,
  c: turnTimes, o: copyRange, b: () => toWakerOf(state.selected), 1: () => keyMarker(0), 2: () => keyMarker(1),
  v: showList, h: hide, H: showHidden, y: () => sortTracks(), e: () => document.getElementById("filter").select(),
};

const moving = new Set(["w", "s", "a", "d", "W", "S", "A", "D", "+", "=", "-", "ArrowLeft", "ArrowRight", "f", "0", "z", "Home", "End"]);

// key handles a key, except the keys of controls.
function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const typing = event.target.matches("input, select, textarea"), control = event.target.matches("button, [role=tab], [role=tabpanel], [role=separator], [role=grid], canvas");
  if (event.key === "Escape") return escape(event);
  if (typing) return;
  if (event.key === "?") return help();
  if (event.key === "/") {
    event.preventDefault();
    return document.getElementById("pattern").focus();
  }
  if (control && /^(Enter| |Arrow.*|Tab|Home|End|Page.*)$/.test(event.key)) return;
  if (event.key === "Tab") {
    if (!state.selected || event.target !== stage) return; // the browser goes to the next control
    event.preventDefault();
    return step(event.shiftKey);
  }
  const action = actions[event.shiftKey ? "shift " + event.key : event.key] || actions[event.key];
  if (!action) return;
  event.preventDefault();
  if (moving.has(event.key)) asked(event);
  action();
}

// escape cancels the latest selection.
function escape(event) {
  if (event.target.matches("input")) {
    if (event.target.id === "filter") filterTracks("");
    else if (event.target.value) clearSearch();
    return stage.focus();
  }
  if (state.selected) clearItem();
  else if (state.range) state.range = null;
  else if (hasMarkers()) clearMarkers();
  else if (state.matches) clearSearch();
  else closePanel();
  if (!state.selected && !state.range) closePanel();
  stage.focus();
  changed();
}

// showList shows the events of the range as a list.
function showList() {
  openTab("events");
  setTimeout(() => document.querySelector("#events .scroller")?.focus(), 0);
}

function zoomTo() {
  const what = state.selected || state.range;
  if (!what) return;
  const from = what.begin ?? what.from, to = what.end ?? what.to;
  const margin = to > from ? (to - from) * 0.1 : (state.to - state.from) / 20; // at an instant, zoom in each time
  show(from - margin, to + margin);
}

// fold closes or opens the focused row.
function fold() {
  const [, row] = find(state.focus);
  if (!row || row.key === "none") return;
  if (row.key === "hidden") return showHidden();
  if (!state.closed.delete(row.key)) state.closed.add(row.key);
  changed();
}

function pin() {
  const [, row] = find(state.focus);
  if (!row?.track) return;
  const i = row.track.index;
  if (!state.pins.delete(i)) state.pins.add(i);
  else if (row.key.startsWith("pin ")) state.focus = "track " + i;
  changed();
}

function range(from, to) {
  from = Math.max(Math.floor(from), state.status.first);
  to = Math.min(Math.ceil(to), state.status.now + 1);
  if (to <= from) to = from + 1;
  state.range = { from, to };
  showRange();
  changed();
}

// edge sets one end of the range: to the selected event, or to the edge of the window.
function edge(which) {
  const r = state.range || { from: Math.max(state.from, state.status.first), to: Math.min(state.to, state.status.now + 1) };
  const t = which === "from" ? (state.selected?.begin ?? state.from) : (state.selected?.end ?? state.to);
  if (which === "from") range(t, Math.max(r.to, t + 1));
  else range(Math.min(r.from, t - 1), t);
}

function wheel(event) {
  const pane = panes.find((p) => p.element.contains(event.target)), own = pane?.element.getBoundingClientRect();
  if (event.ctrlKey || event.metaKey || event.target.closest?.("#ruler")) {
    event.preventDefault();
    asked(event);
    const x = event.clientX - (own ? own.left : 0) - labels();
    zoom(Math.exp(Math.max(Math.min(event.deltaY, 120), -120) * 0.004), timeAt(Math.max(x, 0)));
  } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    event.preventDefault();
    asked(event);
    pan((event.deltaX || event.deltaY) / timelineWidth());
  }
}

const labels = () => document.querySelector("#ruler .corner").offsetWidth;

// drag follows the pointer until its button is released.
function drag(element, event, during, after) {
  element.setPointerCapture(event.pointerId);
  const stop = (e) => {
    element.removeEventListener("pointermove", during);
    element.removeEventListener("pointerup", stop);
    element.removeEventListener("pointercancel", stop);
    after(e);
  };
  element.addEventListener("pointermove", during);
  element.addEventListener("pointerup", stop);
  element.addEventListener("pointercancel", stop);
}

// dragRange selects a range by dragging: in the ruler, or with shift in the lanes.
function dragRange(element, event) {
  const left = element.getBoundingClientRect().left, first = timeAt(event.clientX - left);
  const to = (e) => {
    const t = timeAt(e.clientX - left);
    state.range = { from: Math.max(Math.floor(Math.min(first, t)), state.status.first), to: Math.ceil(Math.max(first, t)) };
    changed();
  };
  drag(element, event, to, (e) => {
    if (Math.abs(e.clientX - event.clientX) < 3) state.range = null;
    else range(state.range.from, state.range.to);
    changed();
  });
}

function pointerOn(pane) {
  const canvas = pane.canvas;
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    stage.focus();
    if (event.altKey) {
      const { entry } = under(pane, event.offsetX, event.offsetY), pixel = (state.to - state.from) / timelineWidth();
      return setMarker(event.shiftKey ? 1 : 0, nearest(timeAt(event.offsetX), entry, pixel));
    }
    if (event.shiftKey) return dragRange(canvas, event);
    const { from, to } = state, top = pane.element.scrollTop;
    drag(canvas, event, (e) => {
      const by = ((e.clientX - event.clientX) / timelineWidth()) * (to - from);
      asked(e);
      show(from - by, to - by);
      pane.element.scrollTop = top - (e.clientY - event.clientY);
    }, (e) => {
      if (Math.hypot(e.clientX - event.clientX, e.clientY - event.clientY) > 3) return;
      const wake = wakeAt(pane, e.offsetX, e.offsetY);
      if (wake) return toWaker(wake);
      const { row, entry } = under(pane, e.offsetX, e.offsetY);
      if (row) state.focus = row.key;
      if (entry) choose(entry, row.key);
      else clearItem();
      changed();
    });
  });
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons) return showTip(null);
    state.pointer = timeAt(event.offsetX);
    const wake = wakeAt(pane, event.offsetX, event.offsetY);
    canvas.style.cursor = wake ? "pointer" : "";
    if (wake) showTip({ words: "woken by " + wakerOf(wake.cause) + ": click goes there" }, event.clientX, event.clientY);
    else {
      state.hovered = under(pane, event.offsetX, event.offsetY).entry;
      showTip(state.hovered, event.clientX, event.clientY);
    }
    changed();
  });
  canvas.addEventListener("pointerleave", () => {
    state.pointer = undefined;
    state.hovered = null;
    showTip(null);
    changed();
  });
  canvas.addEventListener("dblclick", zoomTo);
  pane.labels.addEventListener("click", (event) => {
    const row = event.target.closest(".row");
    if (!row) return;
    state.focus = row.dataset.key;
    if (event.target.closest(".pin")) pin();
    else if (event.target.closest(".fold") || row.classList.contains("group")) fold();
    stage.focus();
    changed();
  });
}

// overview moves the window to the time at the pointer.
function overviewTo(event, canvas) {
  const box = canvas.getBoundingClientRect(), t = ((event.clientX - box.left) / timelineWidth()) * state.status.now, half = (state.to - state.from) / 2;
  asked(event);
  show(t - half, t + half);
}

export function listen() {
  document.addEventListener("keydown", key);
  document.addEventListener("wheel", wheel, { passive: false });
  for (const pane of panes) pointerOn(pane);
  const ruler = document.querySelector("#ruler canvas"), overview = document.querySelector("#overview canvas");
  ruler.addEventListener("pointerdown", (event) => {
    const n = event.altKey ? (event.shiftKey ? 1 : 0) : markerAt(event.offsetX, event.offsetY, xOf);
    if (n < 0) return dragRange(ruler, event);
    const left = ruler.getBoundingClientRect().left, to = (e) => setMarker(n, timeAt(e.clientX - left));
    if (event.altKey) to(event);
    drag(ruler, event, to, () => {});
  });
  overview.addEventListener("pointerdown", (event) => {
    overviewTo(event, overview);
    drag(overview, event, (e) => overviewTo(e, overview), () => {});
  });
  document.getElementById("fit").addEventListener("click", fit);
  document.getElementById("keys").addEventListener("click", help);
}
