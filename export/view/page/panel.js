// The details below the timeline: an event, a range, the recording.
import { state, changed } from "./state.js";
import { getJSON } from "./recording.js";
import { title } from "./layout.js";
import { both, count, length, nameOf, plural } from "./format.js";
import { el, list, table } from "./elements.js";
import { notes } from "./tip.js";
import { showFlames } from "./range.js";
import { selectedAgain, showEvents } from "./events.js";
import { causeOf, gapNote, wakerOf, whyOf } from "./states.js";
import { toWaker } from "./wakes.js";

const panel = document.getElementById("panel"), splitter = document.getElementById("splitter");
const names = ["event", "range", "events", "recording"];
const part = (name) => document.getElementById(name), tab = (name) => document.getElementById("tab-" + name);
let latest = 0, height = 300;

// openPanel shows a tab.
export function openPanel(name) {
  panel.hidden = splitter.hidden = false;
  for (const n of names) {
    part(n).hidden = n !== name;
    tab(n).setAttribute("aria-selected", n === name);
    tab(n).tabIndex = n === name ? 0 : -1;
  }
  if (name === "recording") showRecording();
  if (name === "events") showEvents();
  changed();
}

// renew shows parts with times again.
export function renew() {
  if (panel.hidden) return;
  if (!part("event").hidden && state.selected) showItem(state.selected);
  else if (!part("range").hidden && state.range) showRange();
  else if (!part("events").hidden) showEvents();
}

export function closePanel() {
  panel.hidden = splitter.hidden = true;
  changed();
}

export function clearItem() {
  state.selected = null;
  latest++;
  part("event").replaceChildren(el("p", { class: "hint" }, "Select an event: click it, or press Enter."));
  changed();
}

// showItem shows an event with its recorded values. If the list of events is visible, it shows the
// event there.
export async function showItem(item) {
  if (!panel.hidden && !part("events").hidden) return selectedAgain();
  const mine = ++latest, [name, category] = nameOf(item), track = state.byIndex.get(item.track);
  const pairs = [["track", track ? title(track) : ""], ["begins", both(item.begin)]];
  if (category) pairs.unshift(["category", category]);
  if (item.end > item.begin) pairs.push(["lasts", length(item.end - item.begin)], ["ends", both(item.end)]);
  if (item.lane.endsWith(".s") && whyOf(item.name)) pairs.push(["because", whyOf(item.name)]);
  if (item.lane.endsWith(".s") && causeOf(item.name).gap && item.end > item.begin) pairs.push(["note", gapNote]);
  for (const [flag, text] of notes) if (item.flags & flag) pairs.push(["note", text]);
  const facts = list(pairs), left = el("div", {}, el("h2", {}, name), facts), right = el("div", { class: "columns" }, el("p", { class: "hint" }, "Reading…"));
  facts.append(el("div", { id: "wakes" }));
  part("event").replaceChildren(el("div", { class: "columns" }, left, right));
  openPanel("event");
  showWakes(item, mine);
  try {
    const answer = await getJSON("item", { lane: item.lane, index: item.index });
    if (mine !== latest) return;
    right.replaceChildren(...answer.begin.map((e) => event(e, answer.end.length ? "begin: " : "")), ...answer.end.map((e) => event(e, "end: ")));
    if (answer.error) right.append(el("p", { class: "bad" }, answer.error));
    if (!right.firstChild) right.append(el("p", { class: "hint" }, "The recording has no event of its own for it."));
  } catch (error) {
    if (mine === latest) right.replaceChildren(el("p", { class: "bad" }, error.message));
  }
}

// showWakes adds the waker of the thread.
async function showWakes(item, mine) {
  const wakes = state.causes.length ? await getJSON("wakes", { lane: item.lane, index: item.index }) : [];
  if (mine !== latest) return;
  const link = (wake) => el("button", { type: "button", class: "link", title: "Go there (b)", onclick: () => toWaker(wake) }, wakerOf(wake.cause) + ", " + both(wake.time));
  document.getElementById("wakes").replaceChildren(...wakes.slice(0, 8).flatMap((wake) => [el("dt", {}, "woken by"), el("dd", {}, link(wake))]));
}

// event shows the text and the fields of an event.
function event(e, prefix) {
  const where = [e.comm && e.task >= 0 ? e.comm + "-" + e.task : e.task >= 0 ? "thread " + e.task : "", e.cpu >= 0 ? "CPU " + e.cpu : ""].filter(Boolean).join(", ");
  const parts = [el("h3", {}, prefix + (e.system ? e.system + ":" : "") + e.name + (where ? " · " + where : ""))];
  if (e.lost) parts.push(el("p", { class: "bad" }, (e.lost < 0 ? "Events" : count(e.lost) + " events") + " were lost before it."));
  if (e.text) parts.push(el("p", { class: "text" }, e.text));
  if (e.error) parts.push(el("p", { class: "bad" }, e.error));
  const own = e.fields.filter((f) => !f.common), common = e.fields.filter((f) => f.common);
  if (own.length) parts.push(fields(own));
  if (!e.text && !own.length && !e.error) parts.push(el("p", { class: "hint" }, "It has no values."));
  if (common.length) parts.push(el("details", {}, el("summary", {}, "fields of all events"), fields(common)));
  return el("article", {}, ...parts);
}

function fields(list) {
  const rows = list.map((f) => [f.name, f.named && f.named !== f.value ? f.value + "  " + f.named : f.value, el("code", {}, f.decl)]);
  return table([["field"], ["value", "value"], ["declared"]], rows);
}

// showRange shows the flame graph and the totals of the range. If the list of events is visible, it
// shows the events of the range there.
export function showRange() {
  if (!panel.hidden && !part("events").hidden) return showEvents();
  openPanel("range");
  showFlames(part("range"));
}

async function showRecording() {
  const s = state.status, about = await getJSON("about");
  const pairs = about.about.map((p) => [p.name, p.text]);
  pairs.push(["items", count(s.items) + " on " + count(s.tracks) + " tracks, " + count(s.names) + " names"], ["length", length(s.now)],
    ["read in", s.seconds ? s.seconds.toFixed(2) + " s" : "…"], ["index", size(s.memory) + " in memory" + (s.file ? ", " + size(s.file) + " in a temporary file" : "")]);
  const parts = [list(pairs)];
  if (s.losses) parts.push(el("p", { class: "bad" }, "Events were lost, " + plural(s.losses, "time") + ": red triangles show where."));
  if (s.error) parts.push(el("p", { class: "bad" }, s.error));
  if (about.damage.length) parts.push(el("h3", {}, "Damage"), ...about.damage.map((d) => el("p", { class: "text" }, d)));
  part("recording").replaceChildren(...parts);
}

const size = (n) => (n / (1 << 20)).toFixed(n < 10 << 20 ? 1 : 0) + " MiB";

function resize(to) {
  height = Math.min(Math.max(to, 120), innerHeight * 0.8);
  document.documentElement.style.setProperty("--panel", height + "px");
  splitter.setAttribute("aria-valuenow", Math.round(height));
  changed();
}

// openTab opens a tab for the user.
export function openTab(name) {
  openPanel(name);
  if (name === "range" && state.range) showRange();
  if (name === "event" && state.selected) showItem(state.selected);
}

export function listenPanel() {
  for (const n of names) tab(n).addEventListener("click", () => openTab(n));
  document.querySelector("[role=tablist]").addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key], i = names.findIndex((n) => tab(n) === event.target);
    if (!by || i < 0) return;
    const n = names[(i + by + names.length) % names.length];
    tab(n).click();
    tab(n).focus();
  });
  document.getElementById("close").addEventListener("click", closePanel);
  document.getElementById("progress").addEventListener("click", () => openPanel("recording"));
  splitter.addEventListener("keydown", (event) => {
    const by = { ArrowUp: 20, ArrowDown: -20 }[event.key];
    if (by) resize(height + by);
  });
  splitter.addEventListener("pointerdown", (event) => {
    splitter.setPointerCapture(event.pointerId);
    const begin = height;
    const move = (e) => resize(begin + event.clientY - e.clientY);
    splitter.addEventListener("pointermove", move);
    splitter.addEventListener("pointerup", () => splitter.removeEventListener("pointermove", move), { once: true });
  });
}
