// Drawing on canvases: the overview, the ruler, and the lanes.
import { state } from "./state.js";
import { panes, groupHeight } from "./layout.js";
import { entries, at, level } from "./windows.js";
import { rates } from "./recording.js";
import { of, ofCPU, shades, style } from "./colors.js";
import { length, ticks, mark } from "./format.js";
import { lossesIn } from "./losses.js";
import { drawStates } from "./states.js";
import { drawWakes } from "./wakes.js";
import { drawMarkerLines, drawMarkers, markerWords } from "./markers.js";

const font = '11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';
let letter = 6.6; // width of a letter
const overview = document.querySelector("#overview canvas"), ruler = document.querySelector("#ruler canvas");

// timelineWidth returns the width of the window in pixels.
export const timelineWidth = () => Math.max(ruler.clientWidth - scrollbar(), 50);

const scrollbar = () => panes[1].element.offsetWidth - panes[1].element.clientWidth;

export const xOf = (t) => ((t - state.from) / (state.to - state.from)) * timelineWidth();
export const timeAt = (x) => state.from + (x / timelineWidth()) * (state.to - state.from);

// prepare sets the size of a canvas in pixels of the screen, and clears it.
export function prepare(canvas, width, height) {
  const ratio = devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = width + "px";
    canvas.style.height = height + "px";
  }
  const c = canvas.getContext("2d", { alpha: false });
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.fillStyle = style.back;
  c.fillRect(0, 0, width, height);
  c.font = font;
  c.textBaseline = "middle";
  letter = c.measureText("mmmmmmmmmm").width / 10;
  return c;
}

// draw draws everything.
export function draw() {
  drawOverview();
  drawRuler();
  for (const pane of panes) if (!pane.element.hidden) drawPane(pane);
  footer();
}

function drawOverview() {
  const width = overview.clientWidth - scrollbar(), height = 34, c = prepare(overview, overview.clientWidth, height);
  const whole = Math.max(state.status.now, 1), n = rates.counts.length;
  const columns = new Float64Array(Math.max(width, 1));
  for (let i = 0; i < n; i++) {
    const x = Math.floor(((i * rates.width) / whole) * width);
    if (x < width) columns[x] = Math.max(columns[x], rates.counts[i]);
    const next = Math.min(Math.floor((((i + 1) * rates.width) / whole) * width), width);
    for (let k = x + 1; k < next; k++) columns[k] = rates.counts[i];
  }
  const most = columns.reduce((a, b) => Math.max(a, b), 1);
  c.fillStyle = style.rate;
  for (let x = 0; x < width; x++) {
    const h = columns[x] > 0 ? Math.max(1, Math.sqrt(columns[x] / most) * (height - 4)) : 0;
    c.fillRect(x, height - h, 1, h);
  }
  const a = Math.max((state.from / whole) * width, 0), b = Math.min((state.to / whole) * width, width);
  c.fillStyle = style.range;
  c.fillRect(a, 0, Math.max(b - a, 2), height);
  c.strokeStyle = style.accent;
  c.lineWidth = 1.5;
  c.strokeRect(a + 0.75, 0.75, Math.max(b - a - 1.5, 2), height - 1.5);
}

function drawRuler() {
  const width = timelineWidth(), c = prepare(ruler, ruler.clientWidth, 24);
  const { step, list } = ticks(state.from, state.to, width);
  for (const t of list) {
    const x = Math.round(xOf(t)) + 0.5;
    c.fillStyle = style.line;
    c.fillRect(x, 14, 1, 10);
    c.fillStyle = style.faint;
    c.fillText(mark(t, step), x + 4, 13);
  }
  if (state.range) {
    const a = xOf(state.range.from), b = xOf(state.range.to);
    c.fillStyle = style.accent;
    c.fillRect(a, 20, Math.max(b - a, 1), 4);
  }
  drawMarkers(c, xOf, width);
}

function drawPane(pane) {
  const view = pane.element, width = timelineWidth(), height = view.clientHeight, top = view.scrollTop;
  const c = prepare(pane.canvas, width, height);
  c.fillStyle = style.grid;
  for (const t of ticks(state.from, state.to, width).list) c.fillRect(Math.round(xOf(t)), 0, 1, height);
  for (const r of pane.visible()) {
    const y = r.y - top;
    if (r.group) {
      c.fillStyle = style.group;
      c.fillRect(0, y, width, groupHeight);
    } else for (const l of r.lanes) {
      if (y + l.y + l.height > 0 && y + l.y < height) drawLane(c, l, y + l.y, width);
    }
    c.fillStyle = style.line;
    c.fillRect(0, y + r.height - 1, width, 1);
    if (r.track) drawLosses(c, r.track, y, r.height);
  }
  drawMarks(c, pane, top, width, height);
  drawMarkerLines(c, xOf, width, height);
  drawWakes(c, pane, top, width, height, xOf);
}

// mayMatch reports whether the search has found the name of an entry. For a summary, it reports
// whether one of its names may have been found.
function mayMatch(w, i) {
  if (w.count[i] === 1) return state.matches.has(w.name[i]);
  return ((w.low[i] & state.matches.low) | (w.high[i] & state.matches.high)) !== 0;
}

// drawLane draws the entries of a lane.
function drawLane(c, lane, y, width) {
  const w = entries(lane.id);
  if (!w) return;
  if (lane.states) return drawStates(c, w, y, lane.height, width);
  const scale = width / (state.to - state.from), from = state.from, n = w.begin.length;
  let i = Math.max(at(w, from), 0);
  const texts = [];
  let filled = -1; // the pixel up to which the lane is drawn
  for (; i < n; i++) {
    const x0 = (w.begin[i] - from) * scale, x1 = (w.end[i] - from) * scale;
    if (x0 > width) break;
    if (x1 < 0) continue;
    const colour = lane.runs ? ofCPU(w.name[i]) : of(w.name[i]), other = !lane.runs && state.matches && !mayMatch(w, i);
    if (lane.instants) {
      drawInstant(c, w, i, x0, x1, y, lane.height, other ? [colour.dim, style.faint] : [colour.mark, colour.mark], width);
      continue;
    }
    const left = Math.max(x0, 0), right = Math.min(x1, width);
    const wide = Math.max(right - left, 1);
    if (wide <= 1 && right < filled) continue;
    filled = right;
    const last = texts.at(-1);
    if (last && left < last[1] + last[2]) last[2] = left - last[1]; // damaged recordings have overlapping spans
    let shade = shades - 1;
    if (w.count[i] > 1) shade = Math.min(Math.floor((w.covered[i] / Math.max(w.end[i] - w.begin[i], 1)) * shades), shades - 1);
    c.fillStyle = other ? colour.dim : colour.fill[shade];
    const border = w.count[i] === 1 && wide > 3 ? 1 : 0;
    c.fillRect(left, y, wide - border, lane.height - 1);
    if (w.flags[i] && wide > 4) drawEdges(c, w.flags[i], left, right, y, lane.height - 1);
    if (w.count[i] === 1 && wide > 3 * letter && !lane.runs) texts.push([i, left, wide, other ? style.faint : colour.ink]);
  }
  for (const [i, left, wide, ink] of texts) if (wide > 3 * letter) drawText(c, w, i, left, wide, ink, y + lane.height / 2);
}

// drawText writes the name of a span, and its length if both fit.
function drawText(c, w, i, left, wide, ink, y) {
  const fits = Math.floor((wide - 6) / letter);
  let text = (state.names[w.name[i]] || ["…"])[0];
  if (text.length > fits) text = fits > 3 ? text.slice(0, fits - 1) + "…" : text.slice(0, fits);
  c.fillStyle = ink;
  c.fillText(text, left + 3, y);
  const more = length(w.end[i] - w.begin[i]);
  if (fits - text.length > more.length + 2) {
    c.globalAlpha = 0.65;
    c.fillText(more, left + 3 + (text.length + 1.5) * letter, y);
    c.globalAlpha = 1;
  }
}

// drawInstant draws a mark. The mark of a summary is higher for more events.
function drawInstant(c, w, i, x0, x1, y, height, [colour, ink], width) {
  c.fillStyle = colour;
  const n = w.count[i];
  if (n > 1) {
    const h = Math.min(3 + Math.log2(n), height - 2);
    c.fillRect(x0, y + height - 1 - h, Math.max(x1 - x0, 1), h);
    return;
  }
  c.fillRect(x0, y + 2, 1.5, height - 3);
  const next = i + 1 < w.begin.length ? ((w.begin[i + 1] - state.from) / (state.to - state.from)) * width : width;
  const fits = Math.floor((Math.min(next, width) - x0 - 8) / letter), text = (state.names[w.name[i]] || ["…"])[0];
  c.fillStyle = ink;
  if (fits > 2) c.fillText(text.length > fits ? text.slice(0, fits - 1) + "…" : text, x0 + 4, y + height / 2);
}

// drawEdges draws ragged edges for times that were not recorded. The flags are 1 for the end, 2 for
// the begin, 4 for a span that continues.
function drawEdges(c, flags, left, right, y, height) {
  c.fillStyle = style.back;
  for (let k = 0; k < height; k += 4) {
    if (flags & 5) c.fillRect(right - 3, y + k, 3, 2);
    if (flags & 2) c.fillRect(left, y + k, 3, 2);
  }
}

// drawLosses marks where events of a processor are missing.
function drawLosses(c, track, y, height) {
  for (const l of lossesIn(track)) {
    c.fillStyle = style.loss;
    const x = xOf(l.time);
    c.fillRect(x - 0.5, y, 1.5, height);
    c.beginPath();
    c.moveTo(x - 4, y);
    c.lineTo(x + 4.5, y);
    c.lineTo(x, y + 6);
    c.fill();
  }
}

// drawMarks draws the range, the focus and the selection.
function drawMarks(c, pane, top, width, height) {
  if (state.range) {
    const a = Math.max(xOf(state.range.from), -2), b = Math.min(xOf(state.range.to), width + 2);
    c.fillStyle = style.range;
    c.fillRect(a, 0, b - a, height);
    c.fillStyle = style.accent;
    c.fillRect(a - 1, 0, 1, height);
    c.fillRect(b, 0, 1, height);
  }
  const s = state.selected;
  if (!s) return;
  for (const r of pane.visible()) {
    const l = r.lanes?.find((l) => l.id === s.lane);
    if (!l) continue;
    const a = Math.max(xOf(s.begin), -4), b = Math.min(xOf(s.end), width + 4), y = r.y - top + l.y;
    c.strokeStyle = style.select;
    c.lineWidth = 2;
    c.strokeRect(a - 1, y - 1, Math.max(b - a, 2) + 1, l.height + 1);
  }
}

function footer() {
  const where = document.getElementById("where");
  const { first, now } = state.status, from = Math.max(state.from, first), to = Math.max(Math.min(state.to, now), from); // without the margins
  const step = Math.max((state.to - state.from) / 1000, 1);
  const parts = [length(Math.round(to - from)) + " from " + mark(from, step * 10)];
  if (state.range) parts.push("range of " + length(state.range.to - state.range.from) + " from " + mark(state.range.from, step));
  if (markerWords()) parts.push(markerWords());
  if (state.pointer >= first && state.pointer <= now) parts.push("at " + mark(state.pointer, step));
  if (level() > 0) parts.push("what is shorter than " + length(2 ** level()) + " is summed up");
  const text = parts.join(" · ");
  if (where.textContent !== text) where.textContent = text;
}
