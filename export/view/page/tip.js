// The tooltip: a description of the item at the pointer.
import { state } from "./state.js";
import { count, length, mark, nameOf, percent } from "./format.js";
import { stateWordsOf, wakerOf } from "./states.js";
import { wakesOf } from "./wakes.js";

const tip = document.getElementById("tip");
let shown = null; // the entry

// words describes an entry. Names come from the recording: they are shown as text, never as markup.
export function words(e) {
  if (e.words) return e.words;
  if (e.lane.endsWith(".s")) return stateLines(e).join("\n");
  const [name, category] = nameOf(e);
  if (e.count > 1) {
    const lines = [count(e.count) + (e.lane.endsWith(".i") ? " events in " : e.lane.endsWith(".r") ? " runs in " : " spans in ") + length(e.end - e.begin)];
    if (e.covered > 0) lines.push("covering " + percent(e.covered, e.end - e.begin), "the longest: " + name + ", " + length(e.longest));
    else lines.push("the first: " + name);
    if (e.flags & 8) lines.push("they could not be kept: there was no room for them");
    return lines.join("\n");
  }
  const lines = [name + (category ? "  (" + category + ")" : "")];
  lines.push((e.end > e.begin ? length(e.end - e.begin) + " from " : "at ") + mark(e.begin, Math.max((state.to - state.from) / 1000, 1)));
  for (const [flag, text] of notes) if (e.flags & flag) lines.push(text);
  return lines.join("\n");
}

// stateLines describes a state, with the waker of the thread before or after it.
function stateLines(e) {
  const lines = stateWordsOf(e);
  if (e.count > 1) return lines;
  for (const wake of wakesOf(e)) lines.push((wake.time > e.begin ? "then woken by " : "woken by ") + wakerOf(wake.cause));
  for (const [flag, text] of notes) if (e.flags & flag) lines.push(text);
  return lines;
}

export const notes = [
  [1, "its end was not recorded"],
  [2, "its begin was not recorded"],
  [4, "it goes on"],
  [8, "its events could not be kept: there was no room for them"],
];

// renewTip updates the tooltip with new data.
export function renewTip() {
  if (!tip.hidden && shown) tip.textContent = words(shown);
}

export function showTip(entry, x, y) {
  tip.hidden = !entry;
  shown = entry;
  if (!entry) return;
  const text = words(entry);
  if (tip.textContent !== text) tip.textContent = text;
  tip.style.left = Math.min(x + 14, innerWidth - tip.offsetWidth - 8) + "px";
  tip.style.top = (y + 18 + tip.offsetHeight > innerHeight ? y - tip.offsetHeight - 8 : y + 18) + "px";
}
