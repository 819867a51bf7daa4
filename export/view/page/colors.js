// Colours of the style sheet, and a colour for each name.
import { state } from "./state.js";

export let style = {};
let table = [], texts = new Map(), processors = [], dark = false;

// readStyle reads the colours of the theme.
export function readStyle() {
  const computed = getComputedStyle(document.documentElement);
  const names = ["back", "raised", "line", "text", "faint", "accent", "select", "range", "loss", "match", "grid", "rate", "group", "focus", ...Object.keys(stateWords)];
  style = Object.fromEntries(names.map((n) => [n, computed.getPropertyValue("--" + n).trim()]));
  dark = document.documentElement.dataset.theme === "dark";
  table = [];
  texts = new Map();
  processors = [];
}

function hash(text) {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  return (h ^ (h >>> 12)) >>> 0;
}

// luminance returns the lightness of a colour for people (WCAG 2.1, relative luminance). Above
// 0.179, black text is easier to read than white.
function luminance(hue, saturation, lightness) {
  const channel = (n) => {
    const k = (n + hue / 30) % 12, v = lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(0) + 0.7152 * channel(8) + 0.0722 * channel(4);
}

// shades is the number of shades of a name. The last shade is for spans, the others are for
// summaries that are partly covered.
export const shades = 5;

// stateWords are the kinds of states of threads. Each kind has a colour in the style sheet. The
// colours also differ for people with colour blindness.
export const stateWords = {
  running: "runs on a processor",
  waiting: "R: waits for a processor, after it was woken or yielded",
  preempted: "R+: waits for a processor, after it was preempted",
  disk: "D: blocked, and no signal wakes it: mostly input and output",
  sleeping: "S, I: blocked until something wakes it",
  stopped: "other letters: stopped, traced, or as the kernel calls it",
};

// stateKind returns the kind of a state.
export function stateKind(text) {
  if (text === "Running") return "running";
  if (text.endsWith("+")) return "preempted";
  return { R: "waiting", D: "disk", S: "sleeping", I: "sleeping" }[text[0]] || "stopped";
}

// of returns the colours of a name: {fill: by shade, ink, dim}. A name has the same hue in both
// themes.
export function of(name) {
  return table[name] || (table[name] = make(hash((state.names[name] || ["?"])[0])));
}

// ofText returns the colours of a name that is not an item's.
export function ofText(text) {
  return texts.get(text) || texts.set(text, make(hash(text))).get(text);
}

// ofCPU returns the colours of a processor.
export function ofCPU(cpu) {
  return processors[cpu] || (processors[cpu] = make((cpu * 137 + 210) % 360));
}

function make(h) {
  const hue = h % 360, strong = 38 + ((h >>> 9) % 22);
  const light = dark ? 34 + ((h >>> 16) % 12) : 66 + ((h >>> 16) % 12), back = dark ? 9 : 100;
  const at = (part) => `hsl(${hue} ${Math.round(strong * (0.4 + 0.6 * part))}% ${Math.round(back + (light - back) * part)}%)`;
  const c = { fill: [], ink: luminance(hue, strong / 100, light / 100) > 0.179 ? "#000" : "#fff", dim: at(0.22), mark: dark ? `hsl(${hue} ${strong}% 62%)` : `hsl(${hue} ${strong + 10}% 42%)` };
  for (let i = 0; i < shades; i++) c.fill.push(at(0.45 + (0.55 * i) / (shades - 1)));
  return c;
}
