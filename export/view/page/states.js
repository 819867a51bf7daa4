// The states of threads: drawing them, and describing them.
import { state } from "./state.js";
import { at } from "./windows.js";
import { stateKind, style } from "./colors.js";
import { title } from "./layout.js";
import { count, length, mark, percent } from "./format.js";

const kinds = []; // by number of a cause
const unknown = { state: "?", wait: "", context: "", waker: -1, cpu: -1 };

// causeOf returns the data that a state shares with others.
export const causeOf = (n) => state.causes[n] || unknown;

const kindOf = (n) => kinds[n] || (state.causes[n] ? (kinds[n] = stateKind(state.causes[n].state)) : "stopped");

// drawStates draws a lane of states: a blocked thread as a thin line, other states as high as the
// lane. Not only the colour distinguishes them.
export function drawStates(c, w, y, height, width) {
  const scale = width / (state.to - state.from), n = w.begin.length;
  let filled = -1; // the pixel up to which the lane is drawn
  for (let i = Math.max(at(w, state.from) - 1, 0); i < n; i++) {
    const x0 = (w.begin[i] - state.from) * scale, x1 = (w.end[i] - state.from) * scale;
    if (x0 > width + 8) break;
    if (w.count[i] === 1 && w.flags[i] & 3) drawUnknown(c, w, i, x0, x1, y, height, scale);
    if (x1 < 0 || w.end[i] === w.begin[i] && w.flags[i]) continue;
    const left = Math.max(x0, 0), right = Math.min(Math.max(x1, x0 + 1), width), kind = kindOf(w.name[i]);
    if (right - left <= 1 && right <= filled) continue;
    filled = right;
    c.fillStyle = style[kind];
    if (w.count[i] > 1 || causeOf(w.name[i]).gap) c.globalAlpha = 0.65;
    const high = highOf(kind, height);
    c.fillRect(left, y + height - 1 - high, right - left, high);
    c.globalAlpha = 1;
  }
}

const highOf = (kind, height) => (kind === "sleeping" ? 3 : kind === "disk" || kind === "stopped" ? 6 : height - 1);

// drawUnknown draws dots next to a state with an unknown begin or end. The dots end at the
// neighbouring states.
function drawUnknown(c, w, i, x0, x1, y, height, scale) {
  const kind = kindOf(w.name[i]), high = highOf(kind, height), dots = 3, apart = 3;
  c.fillStyle = style[kind];
  const dot = (x) => c.fillRect(x, y + height - 1 - high, 1, high);
  const before = i > 0 ? (w.end[i - 1] - state.from) * scale : -Infinity, after = i + 1 < w.begin.length ? (w.begin[i + 1] - state.from) * scale : Infinity;
  for (let k = 1; k <= dots; k++) {
    if (w.flags[i] & 2 && x0 - k * apart > before) dot(x0 - k * apart);
    if (w.flags[i] & 1 && x1 + k * apart < after) dot(x1 + k * apart - 1);
  }
}

const reasons = { woken: "it was woken", new: "it is new", preempted: "it was preempted", yielded: "it yielded" };

// stateName describes a state.
export function stateName(n) {
  const { state: text, cpu } = causeOf(n);
  switch (kindOf(n)) {
    case "running": return "runs" + (cpu >= 0 ? " on CPU " + cpu : "");
    case "waiting": return "waits for a processor";
    case "preempted": return "preempted (" + text + ")";
    case "disk": return "blocked, without signals (" + text + ")";
  }
  return "blocked (" + text + ")";
}

// whyOf returns the reason for a wait, or "" if it is unknown.
export const whyOf = (n) => reasons[causeOf(n).wait] || "";

// wakerOf describes the waker of a thread. It returns "" if the waker is unknown.
export function wakerOf(n) {
  const { waker, context, cpu } = causeOf(n), track = state.byIndex.get(waker);
  if (!track) return "";
  const who = title(track) + (track.id > 0 ? " (" + track.id + ")" : "");
  if (context === "irq" || context === "softirq") return "an interrupt" + (context === "softirq" ? " (soft)" : "") + " of CPU " + cpu + ", while " + who + " ran";
  return who + (cpu >= 0 && track.id > 0 ? " on CPU " + cpu : "");
}

export const gapNote = "events were lost meanwhile: it may have done something else in between";

// stateWordsOf describes an entry of a lane of states, in lines.
export function stateWordsOf(e) {
  if (e.count > 1) {
    return [count(e.count) + " states in " + length(e.end - e.begin), "covering " + percent(e.covered, e.end - e.begin), "the longest: " + stateName(e.name) + ", " + length(e.longest)];
  }
  const lines = [stateName(e.name)], known = !(e.flags & 3) || e.end > e.begin, step = Math.max((state.to - state.from) / 1000, 1);
  lines.push(known ? length(e.end - e.begin) + " from " + mark(e.begin, step) : (e.flags & 2 ? "until " : "since ") + mark(e.begin, step));
  if (causeOf(e.name).gap && e.end > e.begin) lines.push(gapNote);
  if (whyOf(e.name)) lines.push("because " + whyOf(e.name));
  return lines;
}
