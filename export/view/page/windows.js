// The entries of each lane, at the resolution of the screen, for a window that is wider than the
// visible one.
import { state, changed } from "./state.js";
import { get, report } from "./recording.js";
import { panes } from "./layout.js";
import { timelineWidth } from "./draw.js";

const known = new Map(); // by lane: {level, from, to, fresh, begin, end, covered, longest, name, count, index, flags}
const most = 2000; // lanes that are kept
const magic = 0x02564354;
let asking = false, failed = 0, timer = 0;
let ahead = null; // the request for data next to the window

// level returns the resolution: entries shorter than 2^level units, one to two pixels, are summed
// up.
export function level() {
  return Math.max(0, Math.ceil(Math.log2((state.to - state.from) / timelineWidth())));
}

// entries returns the known entries of a lane, or undefined. They may have another resolution than
// the screen.
export const entries = (lane) => known.get(lane);

// forget records that the recording has grown since windows were read. The old windows are used
// until new ones arrive.
export function forget() {
  for (const w of known.values()) w.fresh = false;
}

// missing lists the visible lanes whose entries are unknown or out of date. margin is the fraction
// of the window that is needed on both sides.
function missing(margin) {
  const list = [], { now, first } = state.status, at = level(), by = (state.to - state.from) * margin;
  const from = Math.max(state.from - by, first), to = Math.min(state.to + by, now);
  for (const pane of panes) {
    for (const lane of pane.lanes()) {
      const w = known.get(lane);
      if (!w || w.level !== at || w.from > from || w.to < to || (!w.fresh && w.to > w.now)) list.push(lane);
    }
  }
  return list.slice(0, 500);
}

// settled reports whether all visible data is known.
export const settled = () => state.status.items > 0 && !asking && missing(0).length === 0;

// wanted requests unknown visible lanes from the server, one request at a time. When nothing has
// moved for a moment, it requests the data next to the window.
export async function wanted() {
  clearTimeout(timer);
  if (asking || !state.status.items || failed > 5) return;
  const lanes = missing(0);
  if (lanes.length === 0) {
    if (!ahead) timer = setTimeout(lookAhead, 100);
    return;
  }
  ahead?.abort();
  asking = true;
  await ask(lanes, 0.1);
  asking = false;
  changed();
}

// lookAhead requests the data next to the window in advance. A request for visible data cancels it.
async function lookAhead() {
  const lanes = missing(0.5);
  if (asking || ahead || lanes.length === 0) return;
  const mine = (ahead = new AbortController());
  await ask(lanes, 1, mine.signal);
  if (ahead === mine) ahead = null;
}

// ask requests lanes in a window with a margin.
async function ask(lanes, margin, signal) {
  const by = (state.to - state.from) * margin, { now, first } = state.status;
  const query = {
    level: level(),
    from: Math.floor(Math.max(Math.min(state.from - by, now), first)),
    to: Math.ceil(Math.min(Math.max(state.to + by, first + 1), now + 1)),
    lanes: lanes.join(","),
  };
  try {
    take(query, lanes, now, await (await get("window", query, signal)).arrayBuffer());
    failed = 0;
  } catch (error) {
    if (signal?.aborted) return;
    failed++;
    report(error);
  }
}

// take reads the columns of an answer (answer_window.go).
function take(query, lanes, now, buffer) {
  const head = new Uint32Array(buffer, 0, 4);
  if (head[0] !== magic) throw new Error("the answer is of another version");
  const n = head[1], m = head[2];
  const counts = new Uint32Array(buffer, 16, n);
  let at = 16 + 4 * (n + (n % 2));
  const floats = () => { const c = new Float64Array(buffer, at, m); at += 8 * m; return c; };
  const words = () => { const c = new Uint32Array(buffer, at, m); at += 4 * m; return c; };
  const all = { begin: floats(), end: floats(), covered: floats(), longest: floats(), name: words(), count: words(), index: words(), flags: words(), low: words(), high: words() };
  let first = 0;
  for (let i = 0; i < n; i++) {
    const w = { level: query.level, from: query.from, to: query.to, now, fresh: true };
    for (const column in all) w[column] = all[column].slice(first, first + counts[i]);
    first += counts[i];
    known.delete(lanes[i]); // the most recent lanes are last
    known.set(lanes[i], w);
  }
  for (const lane of known.keys()) {
    if (known.size <= most) break;
    known.delete(lane);
  }
}

// at returns the index of the last entry in a window that begins at or before a time, or -1.
export function at(w, time) {
  let low = 0, high = w.begin.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (w.begin[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
