// Two markers, and the time between them.
import { state, changed } from "./state.js";
import { length, mark } from "./format.js";
import { style } from "./colors.js";
import { say } from "./items.js";

const names = ["A", "B"], wide = 14;

// setMarker sets a marker to a time.
export function setMarker(n, time) {
  state.markers[n] = Math.round(Math.min(Math.max(time, state.status.first), state.status.now));
  say(markerWords());
  changed();
}

// keyMarker sets a marker to the selected event: the first marker to its begin, the second to its
// end. Without a selection, the time is that of the pointer or of the middle of the window.
export function keyMarker(n) {
  const at = n === 0 ? state.selected?.begin : state.selected?.end;
  setMarker(n, at ?? state.pointer ?? (state.from + state.to) / 2);
}

export const hasMarkers = () => state.markers.some((t) => t !== null);

export function clearMarkers() {
  state.markers = [null, null];
  changed();
}

// markerWords returns the times of the markers and their difference.
export function markerWords() {
  const [a, b] = state.markers, parts = [];
  const step = Math.max(Math.min((state.to - state.from) / 10000, a !== null && b !== null && a !== b ? Math.abs(b - a) / 100 : Infinity), 1);
  for (const n of [0, 1]) if (state.markers[n] !== null) parts.push(names[n] + " " + mark(state.markers[n], step));
  if (a !== null && b !== null) parts.push("B − A " + difference(b - a));
  return parts.join(", ");
}

const difference = (t) => (t < 0 ? "−" : "") + length(Math.abs(t));

// drawMarkers draws the flags of the markers in the ruler, and their difference between the flags.
export function drawMarkers(c, xOf, width) {
  const at = state.markers.map((t) => (t === null ? null : xOf(t)));
  for (const n of [0, 1]) {
    if (at[n] === null || at[n] < -wide || at[n] > width + wide) continue;
    c.fillStyle = style.match;
    const left = n === 0 ? at[0] - wide : at[1];
    c.fillRect(left, 0, wide, 13);
    c.fillRect(at[n] - 0.5, 0, 1, 24);
    c.fillStyle = style.back;
    c.fillText(names[n], left + 4, 7);
  }
  if (at[0] === null || at[1] === null) return;
  const [left, right] = at[0] < at[1] ? at : [at[1], at[0]], text = difference(state.markers[1] - state.markers[0]), w = c.measureText(text).width;
  const seen = [Math.max(left, 0), Math.min(right, width)];
  if (seen[1] < seen[0]) return;
  c.fillStyle = style.match;
  c.fillRect(seen[0], 17, seen[1] - seen[0], 1.5);
  const x = Math.min(Math.max((seen[0] + seen[1] - w) / 2, 2), width - w - 2);
  const y = right - left > w + 2 * wide + 8 ? 7 : 17; // next to the flags, or below them
  c.fillStyle = style.back;
  c.fillRect(x - 4, y - 7, w + 8, 14);
  c.fillStyle = style.match;
  c.fillText(text, x, y);
}

// drawMarkerLines draws the lines of the markers through a pane.
export function drawMarkerLines(c, xOf, width, height) {
  c.fillStyle = style.match;
  for (const t of state.markers) {
    const x = t === null ? -1 : Math.round(xOf(t));
    if (x >= 0 && x <= width) for (let y = 0; y < height; y += 6) c.fillRect(x - 0.5, y, 1, 4);
  }
}

// markerAt returns the number of the marker whose flag is at a place of the ruler, or -1.
export function markerAt(x, y, xOf) {
  return state.markers.findLastIndex((t, n) => {
    if (t === null || y > 14) return false;
    const off = x - xOf(t);
    return n === 0 ? off >= -wide && off <= 2 : off >= -2 && off <= wide;
  });
}

// nearest returns the begin or the end of an entry if it is within some pixels of a time, otherwise
// the time.
export function nearest(time, entry, pixel) {
  if (!entry || entry.count > 1) return time;
  const edge = Math.abs(entry.begin - time) <= Math.abs(entry.end - time) ? entry.begin : entry.end;
  return Math.abs(edge - time) <= 6 * pixel ? edge : time;
}
