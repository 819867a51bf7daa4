// The wakers of threads: arrows from the track of the waker, at the time of the wakeup, to the
// woken thread.
import { state, changed, reveal } from "./state.js";
import { getJSON } from "./recording.js";
import { find, open, uncover } from "./layout.js";
import { select, say } from "./items.js";
import { causeOf, wakerOf } from "./states.js";
import { style } from "./colors.js";

const known = new Map(); // by item: its wakeups, or undefined during the request
const most = 500;
let drawn = []; // {pane, x, y, top, bottom, wake}

const keyOf = (item) => item.lane + " " + item.index + " " + state.status.states;

// wakesOf returns the wakeups of an item: for a wait its own, for a run the one before it, for a
// blocked thread the one after it. The list is empty during the request.
export function wakesOf(item) {
  const track = state.byIndex.get(item.track);
  if (!state.causes.length || item.count > 1 || item.flags & 4 || !["thread", "functions"].includes(track?.kind)) return [];
  if (item.lane.endsWith(".s") && causeOf(item.name).waker >= 0) return [{ time: item.begin, track: item.track, cause: item.name }];
  const key = keyOf(item);
  if (!known.has(key)) ask(item, key);
  return known.get(key) || [];
}

async function ask(item, key) {
  known.set(key, undefined);
  try {
    known.set(key, await getJSON("wakes", { lane: item.lane, index: item.index }));
    for (const k of known.keys()) {
      if (known.size <= most) break;
      known.delete(k);
    }
    changed();
  } catch (error) {
    console.error(error);
  }
}

// drawWakes draws the arrows of the selected item and of the item at the pointer.
export function drawWakes(c, pane, top, width, height, xOf) {
  drawn = drawn.filter((a) => a.pane !== pane);
  for (const [item, colour] of [[state.hovered, style.accent], [state.selected, style.select]]) {
    if (!item) continue;
    for (const wake of wakesOf(item)) {
      const x = xOf(wake.time);
      if (x >= -1 && x <= width + 1) arrow(c, pane, wake, x, top, height, colour);
    }
  }
}

// arrow draws an arrow. If one of its ends is not in the pane, the arrow ends at the edge of the
// pane.
function arrow(c, pane, wake, x, top, height, colour) {
  const to = pane.byTrack.get(wake.track), from = pane.byTrack.get(causeOf(wake.cause).waker);
  const lane = to?.lanes.find((l) => l.states);
  if (!to && !from) return;
  const end = to ? to.y - top + (lane ? lane.y + lane.height / 2 : to.height / 2) : height + 20;
  const begin = from ? from.y - top + from.height / 2 : end > 60 ? end - 50 : end + 50;
  if (Math.max(begin, end) < 0 || Math.min(begin, end) > height) return;
  const down = end >= begin ? 1 : -1;
  c.strokeStyle = c.fillStyle = colour;
  c.lineWidth = 1.5;
  c.beginPath();
  c.moveTo(x, begin);
  c.lineTo(x, end - down * 5);
  c.stroke();
  c.beginPath();
  c.moveTo(x, end);
  c.lineTo(x - 4, end - down * 7);
  c.lineTo(x + 4, end - down * 7);
  c.fill();
  c.beginPath();
  c.arc(x, begin, 3, 0, 7);
  c.fill();
  if (!from || begin < 0 || begin > height) named(c, wakerOf(wake.cause), x, begin >= 0 && begin <= height ? begin : end + down * 22 < height - 8 && end + down * 22 > 8 ? end + down * 22 : begin < 0 ? 8 : height - 8);
  drawn.push({ pane, x, wake, top: Math.min(begin, end - down * 12) - 4, bottom: Math.max(begin, end - down * 12) + 4 });
}

// named writes the name of a waker that is not visible.
function named(c, text, x, y) {
  const wide = c.measureText(text).width;
  const colour = c.fillStyle;
  c.fillStyle = style.back;
  c.fillRect(x + 6, y - 7, wide + 6, 14);
  c.fillStyle = colour;
  c.fillText(text, x + 9, y);
}

// wakeAt returns the wakeup whose arrow is at a place of a pane.
export const wakeAt = (pane, x, y) => drawn.find((a) => a.pane === pane && Math.abs(a.x - x) <= 4 && y >= a.top && y <= a.bottom)?.wake;

// toWaker goes to the waker of a thread: to the waker's event at that time, if there is one.
export async function toWaker(wake) {
  const { waker } = causeOf(wake.cause);
  const { found } = await getJSON("find", { time: wake.time, within: waker + ".i", first: 1 });
  if (found && found.begin === wake.time) return select(found, true);
  state.focus = open(waker);
  if (wake.time < state.from || wake.time > state.to) reveal(wake.time, wake.time);
  uncover(state.focus);
  say(find(state.focus)[1] ? wakerOf(wake.cause) : "Its track is not shown.");
  changed();
}

// toWakerOf goes to the waker of the selected item.
export async function toWakerOf(item) {
  if (!item) return say("Select a state of a thread, or an event.");
  const [wake] = wakesOf(item).length ? wakesOf(item) : await getJSON("wakes", { lane: item.lane, index: item.index });
  return wake ? toWaker(wake) : say("It is not known who woke it.");
}
