// Selecting events: with the pointer, and from one to the next.
import { state, changed, reveal, show } from "./state.js";
import { entries, at } from "./windows.js";
import { getJSON } from "./recording.js";
import { find, open, uncover, panes, title } from "./layout.js";
import { showItem } from "./panel.js";
import { length, nameOf, plural } from "./format.js";
import { timelineWidth } from "./draw.js";

// under returns the lane and the entry at a place of a pane's canvas. The entry is the one whose
// middle is nearest, within some pixels.
export function under(pane, x, y) {
  const place = y + pane.element.scrollTop;
  const row = pane.visible().find((r) => place >= r.y && place < r.y + r.height);
  const lane = row?.lanes?.find((l) => place >= row.y + l.y && place < row.y + l.y + l.height);
  if (!lane) return { row };
  const w = entries(lane.id);
  if (!w) return { row, lane };
  const time = state.from + (x / timelineWidth()) * (state.to - state.from), slack = ((state.to - state.from) / timelineWidth()) * 4;
  let best = -1, least = slack;
  for (let i = Math.max(at(w, time + slack), 0); i >= 0 && i < w.begin.length; i--) {
    if (w.begin[i] > time + slack) continue;
    const off = time < w.begin[i] ? w.begin[i] - time : time > w.end[i] ? time - w.end[i] : 0;
    if (off <= least) [best, least] = [i, off];
    if (off > slack) break;
  }
  return best < 0 ? { row, lane } : { row, lane, entry: entryOf(lane.id, w, best) };
}

function entryOf(lane, w, i) {
  return {
    track: parseInt(lane), lane, index: w.index[i], begin: w.begin[i], end: w.end[i], name: w.name[i], flags: w.flags[i],
    count: w.count[i], covered: w.covered[i], longest: w.longest[i],
  };
}

// choose selects an event, or zooms in to a summary.
export function choose(entry, key) {
  if (key) state.focus = key;
  if (entry.flags & 8) return say("These events could not be kept.");
  if (entry.count > 1) {
    const wide = Math.max(entry.end - entry.begin, 8) * 1.5, middle = (entry.begin + entry.end) / 2;
    return show(middle - wide / 2, middle + wide / 2);
  }
  if (entry.flags & 4) return say("This span has not ended in what has been read so far.");
  select(entry);
}

// select shows an event. With still, the window does not move if it contains the event. tab is the
// tab that shows the event.
export function select(item, still = false, tab = "event") {
  state.selected = item;
  const key = open(item.track, item.lane);
  state.focus = key;
  if (!still || item.begin < state.from || item.end > state.to) reveal(item.begin, item.end);
  if (tab === "event") showItem(item);
  uncover(key, item.lane); // in the part of the window above the details
  say(nameOf(item)[0] + (item.end > item.begin ? ", " + length(item.end - item.begin) : ""));
  changed();
}

// say makes screen readers read a text.
export function say(text) { document.getElementById("said").textContent = text; }

// step goes to the next or the previous event of a lane.
export async function step(back) {
  const s = state.selected;
  if (!s) return;
  const { found } = await getJSON("find", { time: s.begin, lane: s.lane, index: s.index, within: s.lane, ...(back ? { back: 1 } : {}) });
  if (found) select(found);
  else say("No other event on this line.");
}

// enter selects the event of the focused row that is nearest to the middle of the window. Without
// events, it selects a state of the thread.
export async function enter() {
  const [, row] = find(state.focus);
  if (!row?.lanes?.length) return;
  const middle = Math.round((state.from + state.to) / 2);
  let best = null;
  for (const lane of row.lanes.toSorted((a, b) => Boolean(a.states) - Boolean(b.states))) {
    for (const back of [{ back: 1 }, { first: 1 }]) {
      const { found } = await getJSON("find", { time: middle, within: lane.id, ...back });
      if (found && (!best || distance(found, middle) < distance(best, middle))) best = found;
    }
  }
  if (best) select(best);
}

const distance = (item, t) => (t < item.begin ? item.begin - t : t > item.end ? t - item.end : 0);

// nest goes to the span around the selected one, or to the first span within it. Around the
// outermost span is the state of the thread.
export async function nest(inwards) {
  const s = state.selected, track = s && state.byIndex.get(s.track);
  if (!track) return;
  const [, own] = s.lane.split("."), depth = own === "s" ? (inwards ? 0 : -2) : /[ir]/.test(own) ? (inwards ? -2 : -1) : +own + (inwards ? 1 : -1);
  const lane = s.track + "." + (depth === -1 ? "s" : depth);
  if (depth < (track.states ? -1 : 0) || depth >= track.depth) return say(inwards ? "Nothing is within it." : "Nothing is around it.");
  const { found } = await getJSON("find", { time: inwards ? s.begin : s.begin + 1, within: lane, ...(inwards ? { first: 1 } : { back: 1 }) });
  if (found && (inwards ? found.begin <= s.end : found.end >= s.end)) select(found);
  else say(inwards ? "Nothing is within it." : "Nothing is around it.");
}

// focusRow moves the focus to a row.
export function focusRow(row) {
  state.focus = row.key;
  uncover(state.focus);
  say(row.group ? row.name + ", " + row.count : title(row.track) + ", " + plural(row.track.items, "item"));
  changed();
}

// move moves the focus by some rows.
export function move(by) {
  const rows = panes.flatMap((p) => p.rows);
  if (!rows.length) return;
  let i = rows.findIndex((r) => r.key === state.focus);
  i = i < 0 ? 0 : Math.min(Math.max(i + by, 0), rows.length - 1);
  focusRow(rows[i]);
}
