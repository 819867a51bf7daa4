// Searching for names.
import { state, changed } from "./state.js";
import { getJSON } from "./recording.js";
import { focusRow, select, say } from "./items.js";
import { panes, title } from "./layout.js";
import { plural } from "./format.js";

const input = document.getElementById("pattern"), matches = document.getElementById("matches");
let text = "", latest = 0;

// look counts the matches of a text. With go, it selects the next match from the selection or the
// window.
async function look(go, back) {
  const mine = ++latest;
  const query = { text };
  if (back) query.back = 1;
  if (state.selected && go !== "here") Object.assign(query, { time: state.selected.begin, lane: state.selected.lane, index: state.selected.index });
  else Object.assign(query, { time: Math.floor(state.from), first: 1 });
  const answer = await getJSON("find", query);
  if (mine !== latest) return;
  state.matches = found(answer.names.map((n) => n.name));
  const rows = tracksOf(text).length, words = answer.total ? plural(answer.total, "match", "matches") : "no name matches";
  matches.textContent = words + (rows ? ", " + plural(rows, "track") : "");
  changed();
  if (!answer.total && !rows || quoted()) return go ? inTexts(mine, back) : (matches.textContent = "↵ searches texts");
  if (!go) return;
  if (answer.found) return select(answer.found);
  if (answer.total) matches.textContent = words + (back ? ": that was the first" : ": that was the last");
  else if (rows) return stepTrack(1);
  say(matches.textContent);
}

// quoted reports whether a text begins with a quotation mark. Such a text is searched in texts of
// events, not in names.
const quoted = () => text.startsWith('"') && text.length > 1;

// inTexts searches the texts and fields of events for a text, one part of the recording after
// another. It starts at the last found event.
async function inTexts(mine, back) {
  const wanted = quoted() ? text.slice(1).replace(/"$/, "") : text, { events } = state.status;
  if (last.text !== wanted || last.begin !== state.selected?.begin) {
    const { selected: s } = state, [number] = await getJSON("numbers", { from: s ? s.begin : Math.floor(state.from), to: 0 });
    if (mine !== latest) return;
    last = { text: wanted, number, next: number };
  }
  let number = back ? last.number : last.next;
  for (;;) {
    const answer = await getJSON("search", { text: wanted, number, ...(back ? { back: 1 } : {}) });
    if (mine !== latest) return;
    number = answer.number;
    if (answer.found) return foundEvent(wanted, answer);
    matches.textContent = answer.done ? "no text matches" + (back ? " before" : " from here on") : "in texts: " + Math.floor((100 * (back ? events - number : number)) / Math.max(events, 1)) + " %";
    if (answer.done) return say(matches.textContent);
  }
}

// {text, number, next, begin}: the event last found in texts, the event after it, and the begin of
// the selection at that time
let last = {};

function foundEvent(wanted, { found, item }) {
  last = { text: wanted, number: found.number, next: found.number + 1, begin: (item || state.selected)?.begin };
  matches.textContent = "in a text";
  state.chosen = found.number;
  if (item) return select(item);
  say("The picture has nothing for event " + found.number + ".");
}

// found returns a set of names. Its low and high are the names' bits in two words, in the form of
// windows' entries (answer_window.go).
function found(names) {
  const set = new Set(names);
  set.low = set.high = 0;
  for (const n of names) if (n % 64 < 32) set.low |= 1 << (n % 32); else set.high |= 1 << (n % 32);
  return set;
}

// search searches for a text.
export function search(pattern) {
  input.value = text = pattern;
  if (!text) return clearSearch();
  last = {};
  return look("here", false);
}

export function stepSearch(back) {
  if (text) return look("next", back);
  input.focus();
}

// tracksOf returns the rows of tracks whose name contains a text or whose number is the text.
function tracksOf(text) {
  const small = text.toLowerCase();
  return panes[1].rows.filter((r) => r.track && (title(r.track).toLowerCase().includes(small) || String(r.track.id) === text));
}

// stepTrack goes to the next track that the search has found.
export function stepTrack(by) {
  const rows = text ? tracksOf(text) : [];
  if (!rows.length) return say("No track is found.");
  const i = rows.findIndex((r) => r.key === state.focus);
  focusRow(rows[i < 0 ? 0 : (i + by + rows.length) % rows.length]);
}

export function clearSearch() {
  latest++;
  input.value = text = matches.textContent = "";
  state.matches = null;
  changed();
}

export function listenSearch() {
  let timer = 0;
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (input.value === text) return;
      text = input.value;
      if (text) look(null, false);
      else clearSearch();
    }, 120);
  });
  document.getElementById("search").addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    search(input.value);
    document.getElementById("stage").focus();
  });
  document.getElementById("next").addEventListener("click", () => stepSearch(false));
  document.getElementById("previous").addEventListener("click", () => stepSearch(true));
}
