// Formats of times and counts.
import { state } from "./state.js";
import { stateName } from "./states.js";

const units = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];

// length formats a duration.
export function length(t) {
  if (state.status.ticks) return t.toLocaleString("en") + " ticks";
  if (t === 0) return "0";
  const [size, unit] = units.find(([size]) => Math.abs(t) >= size) || units[3];
  const value = t / size;
  return (unit === "ns" ? Math.round(value) : value.toPrecision(Math.max(4, Math.floor(Math.log10(Math.abs(value))) + 4)).replace(/\.?0+$/, "")) + " " + unit;
}

// zero returns the offset of shown times: as recorded, or since the first event of the recording.
const zero = (recorded = state.recorded) => BigInt(recorded ? state.status.base : state.status.zero);

// clock formats a time as recorded, in the form of other commands: seconds with some digits, or
// units of the clock.
export function clock(t, digits = 9) {
  const whole = zero(true) + BigInt(Math.round(t));
  if (state.status.ticks) return whole.toString();
  const negative = whole < 0n, unit = 10n ** BigInt(9 - digits), rounded = ((negative ? -whole : whole) + unit / 2n) / unit;
  const text = rounded.toString().padStart(digits + 1, "0");
  return (negative ? "-" : "") + (digits ? text.slice(0, -digits) + "." + text.slice(-digits) : text);
}

export const count = (n) => n.toLocaleString("en");

export const percent = (part, whole) => (whole > 0 ? ((100 * part) / whole).toFixed(1) + " %" : "");

export const plural = (n, one, many = one + "s") => count(n) + " " + (n === 1 ? one : many);

// ticks returns the marks of a ruler: the step, and the times. The marks are about apart pixels
// from each other. No mark is before the begin of the recording.
export function ticks(from, to, width, apart = state.recorded ? Math.max(130, 7 * clock(to).length + 30) : 130) {
  const rough = Math.max(((to - from) * apart) / width, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough);
  const off = Number(zero() % BigInt(step)); // marks are round in the shown times
  const list = [];
  for (let n = Math.ceil((Math.max(from, state.status.first) + off) / step); n * step - off <= to && list.length < 1000; n++) {
    list.push(n * step - off || 0); // not -0
  }
  return { step, list };
}

// mark formats a time in the current way, with the digits for a step.
export const mark = (t, step) => (state.recorded ? clock(t, digitsOf(1e9, step)) : since(t, step));

const digitsOf = (unit, step) => Math.min(Math.max(0, Math.ceil(Math.log10(unit / step) - 1e-9)), 9);

// since formats a time as the time since the first event of the recording.
function since(t, step) {
  t += Number(zero(false));
  if (state.status.ticks) return count(t);
  const [size, unit] = units.find(([size]) => Math.max(Math.abs(t), step) >= size) || units[3];
  const digits = digitsOf(size, step);
  return (t / size).toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }) + " " + unit;
}

// both formats an exact time in the current way, and in parentheses in the other way.
export const both = (t) => (state.recorded ? clock(t) + "  (" + since(t, 1) + ")" : since(t, 1) + "  (" + clock(t) + ")");

// nameOf returns the name and the category of an item. For a run of a thread the name is the
// processor's. For a state it is the text of the state.
export function nameOf(item) {
  if (item.lane.endsWith(".s")) return [stateName(item.name), "state"];
  if (item.lane.endsWith(".r")) return ["CPU " + item.name, "runs"];
  return state.names[item.name] || ["…", ""];
}
