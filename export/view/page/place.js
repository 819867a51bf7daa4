// The address keeps the state of the page: the window, the range, the markers, the theme, and the
// shown tracks.
import { state } from "./state.js";
import { apply } from "./theme.js";
import { orders } from "./tracks.js";

let timer = 0, kept = "";

const two = (r) => Math.round(r.from) + "-" + Math.round(r.to);

// keepPlace writes the address, at most as often as browsers allow.
export function keepPlace() {
  if (timer) return;
  timer = setTimeout(() => {
    timer = 0;
    const parts = new URLSearchParams();
    if (!state.fitted) parts.set("t", two(state));
    if (state.range) parts.set("r", two(state.range));
    if (state.recorded) parts.set("times", "recorded");
    if (state.theme) parts.set("theme", state.theme);
    if (state.markers.some((t) => t !== null)) parts.set("m", state.markers.map((t) => t ?? "").join("_"));
    if (state.filter) parts.set("filter", state.filter);
    if (state.sort) parts.set("sort", state.sort);
    if (state.hidden.size) parts.set("hidden", [...state.hidden].join("."));
    if (state.pins.size) parts.set("pins", [...state.pins].join("."));
    const text = parts.toString();
    if (text === kept) return;
    kept = text;
    history.replaceState(null, "", text ? "#" + text : location.pathname);
  }, 400);
}

// restorePlace reads the address.
export function restorePlace() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const read = (name) => {
    const m = /^(-?\d{1,16})-(-?\d{1,16})$/.exec(parts.get(name) || "");
    return m && +m[1] < +m[2] ? { from: +m[1], to: +m[2] } : null;
  };
  const t = read("t");
  if (t) {
    Object.assign(state, t);
    state.fitted = false;
  }
  state.range = read("r");
  state.recorded = parts.get("times") === "recorded";
  if (["dark", "light"].includes(parts.get("theme"))) state.theme = parts.get("theme");
  const m = /^(-?\d{1,16})?_(-?\d{1,16})?$/.exec(parts.get("m") || "");
  if (m) state.markers = [m[1], m[2]].map((t) => (t === undefined ? null : +t));
  state.filter = parts.get("filter") || "";
  if (Object.hasOwn(orders, parts.get("sort"))) state.sort = parts.get("sort");
  for (const [name, set] of [["pins", state.pins], ["hidden", state.hidden]]) {
    for (const p of (parts.get(name) || "").split(".")) if (/^\d{1,6}$/.test(p)) set.add(+p);
  }
  apply();
}
