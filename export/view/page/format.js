// How times and counts are written.
import { state } from "./state.js";

const units = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];

// length writes a length of time.
export function length(t) {
  if (state.status.ticks) return t.toLocaleString("en") + " ticks";
  if (t === 0) return "0";
  const [size, unit] = units.find(([size]) => Math.abs(t) >= size) || units[3];
  const value = t / size;
  return (unit === "ns" ? Math.round(value) : value.toPrecision(Math.max(4, Math.floor(Math.log10(Math.abs(value))) + 4)).replace(/\.?0+$/, "")) + " " + unit;
}

// clock writes a time as the recording has it, in seconds with all digits, or in units.
export function clock(t) {
  const whole = BigInt(state.status.base) + BigInt(Math.round(t));
  if (state.status.ticks) return whole.toString();
  const negative = whole < 0n, digits = (negative ? -whole : whole).toString().padStart(10, "0");
  return (negative ? "-" : "") + digits.slice(0, -9) + "." + digits.slice(-9);
}

export const count = (n) => n.toLocaleString("en");

export const percent = (part, whole) => (whole > 0 ? ((100 * part) / whole).toFixed(1) + " %" : "");

export const plural = (n, one, many = one + "s") => count(n) + " " + (n === 1 ? one : many);

// ticks returns the marks of a ruler, about one for each so many pixels: the step, and the times.
export function ticks(from, to, width, apart = 130) {
  const rough = Math.max(((to - from) * apart) / width, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough);
  const list = [];
  for (let n = Math.ceil(from / step); n * step <= to && list.length < 1000; n++) list.push(n * step || 0); // no -0
  return { step, list };
}

// mark writes a time after the begin of the recording, with the digits that a step needs.
export function mark(t, step) {
  if (state.status.ticks) return count(t);
  const [size, unit] = units.find(([size]) => Math.max(Math.abs(t), step) >= size) || units[3];
  const digits = Math.max(0, Math.ceil(Math.log10(size / step) - 1e-9));
  return (t / size).toLocaleString("en", { minimumFractionDigits: Math.min(digits, 9), maximumFractionDigits: Math.min(digits, 9) }) + " " + unit;
}

// nameOf returns the name and the category of an item: those of when a thread runs are of the processor.
export function nameOf(item) {
  if (item.lane.endsWith(".r")) return ["CPU " + item.name, "runs"];
  return state.names[item.name] || ["…", ""];
}
