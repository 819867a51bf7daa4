// State that all modules share. Times are in units (ns, unless the clock of the recording has other
// units) since the first item.
export const state = {
  from: 0, to: 1, // the visible window
  fitted: true, // the window is the whole recording and grows with it
  recorded: false, // times are shown as recorded, not since the beginning
  status: { title: "", base: "0", zero: "0", first: 0, now: 0, items: 0, events: 0, done: false },
  tracks: [], // as in the server's list
  byIndex: new Map(),
  names: [], // [text, category]
  causes: [], // common data of states: {state, wait, context, waker, cpu}
  focus: null, // key of the focused row
  selected: null, // an item: {track, lane, index, begin, end, name, flags}
  hovered: null, // the item under the pointer
  chosen: -1, // number of the event that was selected in the list
  range: null, // {from, to}
  matches: null, // a Set of the names that the search has found
  markers: [null, null], // times
  pins: new Set(), // tracks by index
  hidden: new Set(), // tracks by index
  filter: "", // words for names of tracks
  sort: "", // the order of tracks: see tracks.js
  closed: new Set(), // keys of rows that are collapsed to one line
  pointer: undefined, // the time at the pointer
  settled: false, // the picture is complete
  latency: { frames: [], answers: [] }, // ms
};

let listener = () => {};

// onChange sets the function that draws.
export function onChange(f) { listener = f; }

// changed requests a new picture.
export function changed() {
  state.settled = false;
  listener();
}

// show moves the window. It stays near the recording, and is at least a few units long.
export function show(from, to) {
  const { first } = state.status, whole = Math.max(state.status.now - first, 1);
  const length = Math.min(Math.max(to - from, Math.min(whole, 20)), whole * 1.1 + 10);
  const middle = (from + to) / 2;
  from = Math.min(Math.max(middle - length / 2, first - length * 0.5), first + whole - length * 0.5);
  state.from = from;
  state.to = from + length;
  state.fitted = false;
  changed();
}

// fit shows the whole recording.
export function fit() {
  const { first } = state.status, whole = Math.max(state.status.now - first, 1);
  state.from = first - whole * 0.005;
  state.to = first + whole * 1.005;
  state.fitted = true;
  changed();
}

// reveal moves the window to a span of time, with a length at which the span is visible.
export function reveal(begin, end) {
  const length = state.to - state.from, own = end - begin;
  if (begin >= state.from && end <= state.to && own * 400 >= length) return changed();
  const wide = own > 0 ? Math.min(Math.max(length, own * 1.5), own * 200) : Math.min(length, 20000);
  show((begin + end - wide) / 2, (begin + end + wide) / 2);
}

// zoom makes the window shorter (factor < 1) or longer around a time.
export function zoom(factor, around = (state.from + state.to) / 2) {
  show(around - (around - state.from) * factor, around + (state.to - around) * factor);
}

// pan moves the window by a fraction of its length.
export function pan(part) {
  const by = (state.to - state.from) * part;
  show(state.from + by, state.to + by);
}
