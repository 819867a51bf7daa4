// What is known of each lane: the entries of a window that is wider than what is seen, at the resolution of the screen.
import { state, changed } from "./state.js";
import { get } from "./recording.js";
import { panes } from "./layout.js";
import { timelineWidth } from "./draw.js";

const known = new Map(); // by lane: {level, from, to, fresh, begin, end, covered, longest, name, count, index, flags}
const most = 2000; // lanes that are kept
const magic = 0x01564354;
let asking = false, failed = 0;

// level is the resolution: entries shorter than 2^level units, which is one to two pixels, are summed up.
export function level() {
  return Math.max(0, Math.ceil(Math.log2((state.to - state.from) / timelineWidth())));
}

// entries returns what is known of a lane, perhaps at another resolution than the screen's, or undefined.
export const entries = (lane) => known.get(lane);

// forget says that there is more of the recording than when windows were read. They stay until new ones come.
export function forget() {
  for (const w of known.values()) w.fresh = false;
}

// missing lists the lanes that are seen and not known as they should be.
function missing() {
  const list = [], now = state.status.now, at = level();
  const from = Math.max(state.from, state.status.first), to = Math.min(state.to, now);
  for (const pane of panes) {
    for (const lane of pane.lanes()) {
      const w = known.get(lane);
      if (!w || w.level !== at || w.from > from || w.to < to || (!w.fresh && w.to > w.now)) list.push(lane);
    }
  }
  return list;
}

// settled reports whether all that is seen is known.
export const settled = () => state.status.items > 0 && !asking && missing().length === 0;

// wanted asks the server for what is missing, one request at a time.
export async function wanted() {
  if (asking || !state.status.items || failed > 5) return;
  const lanes = missing().slice(0, 500);
  if (lanes.length === 0) return;
  asking = true;
  const length = state.to - state.from, now = state.status.now;
  const query = {
    level: level(),
    from: Math.floor(Math.max(Math.min(state.from - length / 2, now), state.status.first)),
    to: Math.ceil(Math.min(Math.max(state.to + length / 2, state.status.first + 1), now + 1)),
    lanes: lanes.join(","),
  };
  try {
    take(query, lanes, now, await (await get("window", query)).arrayBuffer());
    failed = 0;
  } catch (error) {
    failed++;
    console.error(error);
  }
  asking = false;
  changed();
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
  const all = { begin: floats(), end: floats(), covered: floats(), longest: floats(), name: words(), count: words(), index: words(), flags: words() };
  let first = 0;
  for (let i = 0; i < n; i++) {
    const w = { level: query.level, from: query.from, to: query.to, now, fresh: true };
    for (const column in all) w[column] = all[column].slice(first, first + counts[i]);
    first += counts[i];
    known.delete(lanes[i]); // the latest are last
    known.set(lanes[i], w);
  }
  for (const lane of known.keys()) {
    if (known.size <= most) break;
    known.delete(lane);
  }
}

// at returns the place in a window of the last entry that begins at a time or before, -1 when none does.
export function at(w, time) {
  let low = 0, high = w.begin.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (w.begin[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
