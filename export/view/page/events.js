// The list of events of the range, or of the whole recording. Only visible rows are read.
import { state, changed } from "./state.js";
import { getJSON } from "./recording.js";
import { select, say } from "./items.js";
import { count, length, mark, plural } from "./format.js";
import { el } from "./elements.js";

const high = 20, page = 128, most = 40; // height of a row in pixels, rows in a request, pages that are kept
const tallest = 4e6; // pixels: the limit of browsers
const part = document.getElementById("events");

// list is the state of the list: the number of its first event, the number after its last event,
// the index of the top row, and the row with the cursor.
const list = { key: "", first: 0, end: 0, top: 0, at: 0, pages: new Map(), rows: null, scroller: null, told: null };
let latest = 0, placed = -1;

const size = () => list.end - list.first;
const seen = () => Math.max(Math.floor((list.scroller?.clientHeight || 0) / high), 1);
const lastTop = () => Math.max(size() - seen(), 0);
const tall = () => Math.min(size() * high, tallest);

// showEvents fills the tab with the events of the range.
export async function showEvents() {
  const range = state.range, key = [range?.from, range?.to, state.status.events, state.recorded].join();
  if (key === list.key) return draw();
  const mine = ++latest;
  const [first, end] = range ? await getJSON("numbers", { from: Math.floor(range.from), to: Math.ceil(range.to) }) : [0, state.status.events];
  if (mine !== latest) return;
  list.pages.clear();
  Object.assign(list, { key, first, end });
  make();
  if (state.selected) follow(state.selected);
  else goTo(Math.min(Math.max(list.at, first), end - 1));
}

function make() {
  list.rows = el("div", { class: "rows", role: "rowgroup" });
  list.scroller = el("div", { class: "scroller", tabindex: "0", role: "grid", "aria-label": "Events: arrows walk, Enter shows the event in the picture", "aria-rowcount": String(size()) },
    el("div", { class: "tall" }, list.rows));
  list.told = el("span", {});
  const range = state.range ? "of the range of " + length(state.range.to - state.range.from) : "of the whole recording: a range in the picture limits them";
  const head = el("div", { class: "event head", role: "row" }, ...["time", "CPU", "thread", "event", "text"].map((name) => el("span", { role: "columnheader" }, name)));
  part.replaceChildren(el("p", { class: "hint" }, plural(size(), "event") + " " + range + " ", list.told), head, list.scroller);
  list.scroller.firstChild.style.height = tall() + "px";
  list.scroller.addEventListener("scroll", scrolled);
  list.scroller.addEventListener("wheel", wheel, { passive: false });
  list.scroller.addEventListener("keydown", key);
  list.scroller.addEventListener("click", click);
  new ResizeObserver(() => draw()).observe(list.scroller);
}

// scrolled moves to the position of the scroll bar, unless the list itself has set that position.
function scrolled() {
  const { scrollTop, clientHeight } = list.scroller, room = tall() - clientHeight;
  if (Math.abs(scrollTop - placed) < 1) return;
  list.top = room > 0 ? Math.round((scrollTop / room) * lastTop()) : 0;
  draw();
}

// wheel scrolls by rows, because a pixel of the scroll bar may be many rows.
function wheel(event) {
  if (event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  move(list.top + Math.sign(event.deltaY) * Math.max(1, Math.round(Math.abs(event.deltaY) / high)));
}

function move(top) {
  list.top = Math.min(Math.max(top, 0), lastTop());
  const room = tall() - list.scroller.clientHeight;
  list.scroller.scrollTop = room > 0 ? (list.top / Math.max(lastTop(), 1)) * room : 0;
  placed = list.scroller.scrollTop;
  draw();
}

// goTo moves the cursor to an event, and scrolls to it.
function goTo(number) {
  if (size() === 0) return draw();
  list.at = Math.min(Math.max(number, list.first), list.end - 1);
  const row = list.at - list.first;
  if (row < list.top) move(row);
  else if (row >= list.top + seen()) move(row - seen() + 1);
  else draw();
}

function key(event) {
  const by = { ArrowUp: -1, ArrowDown: 1, PageUp: -seen(), PageDown: seen(), Home: -size(), End: size() }[event.key];
  if (event.key === "Enter") choose(list.at);
  else if (by) goTo(list.at + by);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function click(event) {
  const row = event.target.closest("[data-number]");
  if (!row) return;
  list.at = +row.dataset.number;
  choose(list.at);
}

// choose selects the item of an event in the picture.
async function choose(number) {
  const e = eventAt(number);
  if (!e) return;
  const item = await getJSON("locate", { time: e.time, task: e.task, cpu: e.cpu, name: e.name });
  if (!item) return say("The picture has nothing for it.");
  state.chosen = number;
  select(item, true, "events");
  draw();
}

// follow moves the cursor to the event of a selected item.
export async function follow(item) {
  if (part.hidden || !list.scroller) return;
  const row = eventAt(list.at), mine = ++latest;
  if (state.chosen === list.at && row && (row.time === item.begin || row.time === item.end)) return draw();
  const [number] = await getJSON("numbers", { from: item.begin, to: item.begin });
  if (mine !== latest) return;
  const near = await getJSON("list", { first: number, count: 32 });
  const track = state.byIndex.get(item.track), fits = (e) => e.time === item.begin && (["thread", "functions"].includes(track?.kind) ? e.task === track.id : e.cpu === track?.id);
  goTo((near.events.find(fits) || { number }).number);
}

const eventAt = (number) => list.pages.get(Math.floor(number / page))?.[number % page];

// draw draws the visible rows.
function draw() {
  if (!list.scroller || part.hidden) return;
  const rows = [], n = Math.min(seen() + 1, size() - list.top);
  for (let i = 0; i < n; i++) rows.push(row(list.first + list.top + i));
  list.rows.style.top = list.scroller.scrollTop + "px";
  list.rows.replaceChildren(...rows);
  read();
}

function row(number) {
  const e = eventAt(number), step = 1;
  const cells = e ? [mark(e.time, step), e.cpu >= 0 ? String(e.cpu) : "", e.task >= 0 ? (e.comm || "") + "-" + e.task : "", e.name, e.text] : [count(number + 1), "", "", "…", ""];
  const kind = "event" + (number === list.at ? " at" : "") + (e?.lost ? " lost" : "") + (e && isSelected(e) ? " selected" : "");
  return el("div", { class: kind, role: "row", "aria-rowindex": String(number - list.first + 1), "aria-selected": String(number === list.at), "data-number": String(number), title: e?.lost ? "Events were lost before it." : "" },
    ...cells.map((text) => el("span", { role: "gridcell" }, text)));
}

function isSelected(e) {
  const s = state.selected, track = s && state.byIndex.get(s.track);
  return track && (e.time === s.begin || e.time === s.end) && (["thread", "functions"].includes(track.kind) ? e.task === track.id : e.cpu === track.id);
}

let reading = false;

// read requests the visible events that are unknown, one page at a time.
async function read() {
  if (reading || size() === 0) return;
  const from = Math.floor((list.first + list.top) / page), to = Math.floor((list.first + Math.min(list.top + seen(), size() - 1)) / page);
  for (let p = from; p <= to; p++) {
    if (list.pages.has(p)) continue;
    reading = true;
    const key = list.key;
    try {
      const answer = await getJSON("list", { first: p * page, count: page });
      if (key === list.key) {
        list.pages.set(p, answer.events);
        list.told.textContent = answer.error || "";
      }
    } catch (error) {
      list.pages.set(p, []);
      list.told.textContent = error.message;
    }
    reading = false;
    for (const old of list.pages.keys()) {
      if (list.pages.size <= most) break;
      list.pages.delete(old);
    }
    return draw();
  }
}

// selectedAgain moves the list to the selection in the picture.
export function selectedAgain() {
  if (state.selected) follow(state.selected);
  else draw();
  changed();
}
