// Colours: those of the style sheet, and one for each name.
import { state } from "./state.js";

export let style = {};
let table = [], dark = false;

// readStyle takes the colours of the theme.
export function readStyle() {
  const computed = getComputedStyle(document.documentElement);
  const names = ["back", "raised", "line", "text", "faint", "accent", "select", "range", "loss", "match", "grid", "rate", "group", "focus"];
  style = Object.fromEntries(names.map((n) => [n, computed.getPropertyValue("--" + n).trim()]));
  dark = document.documentElement.dataset.theme === "dark";
  table = [];
}

function hash(text) {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  return (h ^ (h >>> 12)) >>> 0;
}

// shades is how many shades a name has: the last is that of a span, those before it of summaries that are covered in part.
export const shades = 5;

// of returns the colours of a name: {fill: by shade, ink, dim}. A name has the same hue in both themes; numbers at its end do not count.
export function of(name) {
  let c = table[name];
  if (c) return c;
  const h = hash((state.names[name] || ["?"])[0].replace(/[-:/]?\d+$/, ""));
  const hue = h % 360, strong = 38 + ((h >>> 9) % 22);
  const light = dark ? 34 + ((h >>> 16) % 12) : 66 + ((h >>> 16) % 12), back = dark ? 9 : 100;
  const at = (part) => `hsl(${hue} ${Math.round(strong * (0.4 + 0.6 * part))}% ${Math.round(back + (light - back) * part)}%)`;
  c = { fill: [], ink: dark ? "#f2f4f7" : "#14171b", dim: at(0.22), mark: dark ? `hsl(${hue} ${strong}% 62%)` : `hsl(${hue} ${strong + 10}% 42%)` };
  for (let i = 0; i < shades; i++) c.fill.push(at(0.45 + (0.55 * i) / (shades - 1)));
  table[name] = c;
  return c;
}
