// The address keeps what is seen: the window, the range, the theme and what is pinned.
import { state } from "./state.js";
import { apply } from "./theme.js";

let timer = 0, kept = "";

const two = (r) => Math.round(r.from) + "-" + Math.round(r.to);

// keepPlace writes the address, not more often than browsers allow.
export function keepPlace() {
  if (timer) return;
  timer = setTimeout(() => {
    timer = 0;
    const parts = new URLSearchParams();
    if (!state.fitted) parts.set("t", two(state));
    if (state.range) parts.set("r", two(state.range));
    if (state.recorded) parts.set("times", "recorded");
    if (state.theme) parts.set("theme", state.theme);
    if (state.pins.size) parts.set("pins", [...state.pins].join("."));
    const text = parts.toString();
    if (text === kept) return;
    kept = text;
    history.replaceState(null, "", text ? "#" + text : location.pathname);
  }, 400);
}

// restorePlace reads it.
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
  for (const p of (parts.get("pins") || "").split(".")) if (/^\d{1,6}$/.test(p)) state.pins.add(+p);
  apply();
}
