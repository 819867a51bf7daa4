// The sums of a derived table in a range, such as the waits of threads or the durations of system
// calls. Commands such as tracec latency print the same sums.
import { state, changed, reveal } from "./state.js";
import { getJSON } from "./recording.js";
import { open, uncover } from "./layout.js";
import { count, length, plural } from "./format.js";
import { el, table } from "./elements.js";
import { setMarker } from "./markers.js";

let chosen = { table: "", by: "" }, latest = 0, offered = null;

// showSums fills an element with the sums of the range.
export async function showSums(part) {
  const mine = ++latest, { from, to } = state.range;
  offered = offered || (await getJSON("tables"));
  if (mine !== latest) return;
  if (!offered.length) return part.replaceChildren();
  const of = offered.find((t) => t.name === chosen.table) || offered.find((t) => t.name === "sched_latency") || offered[0];
  if (chosen.table !== of.name || !of.by.includes(chosen.by)) chosen = { table: of.name, by: of.by[0] };
  const option = (value, is) => el("option", { value, ...(is ? { selected: "" } : {}) }, value.replace("tid,thread", "thread").replaceAll("_", " "));
  const pick = (name, values, now, take) => el("select", { "aria-label": name, onchange: (e) => { take(e.target.value); showSums(part); } }, ...values.map((v) => option(v, v === now)));
  const note = el("span", { class: "hint" }, "Reading…"), below = el("div");
  part.replaceChildren(
    el("div", { class: "bar" }, el("label", {}, "Table ", pick("Table", offered.map((t) => t.name), of.name, (table) => (chosen = { table, by: "" }))),
      el("label", {}, "by ", pick("Columns", of.by, chosen.by, (by) => (chosen.by = by))), note),
    below);
  try {
    const answer = await getJSON("sums", { from: Math.floor(from), to: Math.ceil(to), ...chosen });
    if (mine !== latest) return;
    note.textContent = of.doc;
    fill(below, answer);
  } catch (error) {
    if (mine === latest) note.textContent = error.message;
  }
}

function fill(below, answer) {
  const by = chosen.by.split(","), errors = answer.all.errors > 0, times = answer.times, open = times && answer.all.open > 0;
  const number = (name) => [name, "number"];
  const columns = [...(by[0] === "tid" ? ["thread", "id"] : by).map((name) => [name]), number("count"),
    ...(times ? ["total", "mean", "95 %", "99 %", "longest"].map(number) : []), ...(answer.selves ? [number("self")] : []), ...(errors ? [number("errors")] : []), ...(open ? [number("open")] : [])];
  const key = (g) => (by[0] === "tid" ? [g.key[1] || "thread " + g.key[0], g.key[0]] : g.key);
  const longest = (g) => el("button", { type: "button", title: "Go to the longest: the markers measure it", onclick: () => goTo(g, by) }, length(g.max));
  const rows = answer.groups.map((g) => [...key(g), count(g.count), ...(times ? (g.count > g.open ? [length(g.total), length(g.mean), length(g.p95), length(g.p99), longest(g)] : ["", "", "", "", ""]) : []),
    ...(answer.selves ? [length(g.self)] : []), ...(errors ? [count(g.errors)] : []), ...(open ? [g.open ? count(g.open) : ""] : [])]);
  const notes = [...answer.notes];
  if (answer.more) notes.push(plural(answer.more, "more row") + " with less time.");
  if (open) notes.push(count(answer.all.open) + " did not begin or end in the range, as far as is known (" + reasonsOf(answer.reasons) + "): their times are not in the sums.");
  if (answer.error) notes.push(answer.error);
  if (!answer.groups.length) notes.push("It has no rows in the range.");
  below.replaceChildren(...(rows.length ? [table(columns, rows)] : []), ...notes.map((text) => el("p", { class: "hint" }, text)));
}

// reasonsOf formats the reasons for missing times of rows. A row may have two reasons, separated by
// a comma.
const reasonsOf = (list) => [...new Set(list.flatMap((r) => r.split(",")))].map((r) => r.replaceAll("_", " ")).join(", ");

// goTo shows the longest row of a group, and sets the markers to its ends.
function goTo(g, by) {
  const track = by[0] === "tid" && state.tracks.find((t) => t.kind === "thread" && String(t.id) === g.key[0] && t.id > 0);
  setMarker(0, g.at);
  setMarker(1, g.at + g.max);
  if (track) state.focus = open(track.index);
  reveal(g.at, g.at + g.max);
  if (track) uncover(state.focus);
  changed();
}
