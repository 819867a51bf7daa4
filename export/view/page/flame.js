// Flame graphs: callees below their callers, as wide as their times.
import { state } from "./state.js";
import { of, ofText, shades, style } from "./colors.js";
import { prepare } from "./draw.js";
import { count, length, percent } from "./format.js";
import { showTip } from "./tip.js";

const high = 18, letter = 6.7;

export class FlameGraph {
  // names are the names of frames; by default frames have names of items. worth formats the width
  // of a frame.
  constructor(canvas, said, root, names = null, worth = length) {
    Object.assign(this, { canvas, said, root, names, worth, zoomed: root, at: root, boxes: [] });
    this.link(root, null, 0);
    canvas.addEventListener("click", (e) => this.click(e));
    canvas.addEventListener("pointermove", (e) => this.hover(e));
    canvas.addEventListener("pointerleave", () => showTip(null));
    canvas.addEventListener("keydown", (e) => this.key(e));
    canvas.addEventListener("focus", () => this.draw());
    canvas.addEventListener("blur", () => this.draw());
    this.resized = new ResizeObserver(() => (canvas.isConnected ? this.draw() : this.resized.disconnect()));
    this.resized.observe(canvas.parentElement);
  }

  link(frame, parent, depth) {
    frame.parent = parent;
    frame.depth = depth;
    frame.below = frame.below || [];
    for (const f of frame.below) this.link(f, frame, depth + 1);
  }

  height(frame = this.zoomed) {
    let most = 0;
    const walk = (f, d) => { most = Math.max(most, d); for (const c of f.below) walk(c, d + 1); };
    walk(frame, 1);
    return Math.min(most + frame.depth, 200);
  }

  draw() {
    const width = this.canvas.parentElement.clientWidth;
    if (width < 20) return;
    this.boxes = [];
    const c = prepare(this.canvas, width, this.height() * high);
    this.scale = width / Math.max(this.zoomed.total, 1);
    let f = this.zoomed, path = [];
    for (f = this.zoomed.parent; f; f = f.parent) path.push(f);
    for (const f of path) this.box(c, f, 0, width);
    this.frame(c, this.zoomed, 0);
    this.tell();
  }

  frame(c, f, x) {
    const width = f.total * this.scale;
    if (width < 0.5) return;
    this.box(c, f, x, width);
    for (const child of f.below) {
      this.frame(c, child, x);
      x += child.total * this.scale;
    }
  }

  box(c, f, x, width) {
    const y = f.depth * high, colour = f === this.root ? null : this.names ? ofText(this.name(f)) : of(f.name);
    c.fillStyle = colour ? colour.fill[shades - 1] : style.group;
    c.fillRect(x, y, Math.max(width - 0.5, 0.5), high - 1);
    this.boxes.push([x, y, width, f]);
    const fits = Math.floor((width - 6) / letter);
    if (fits > 2) {
      const text = this.name(f);
      c.fillStyle = colour ? colour.ink : style.text;
      c.fillText(text.length > fits ? text.slice(0, fits - 1) + "…" : text, x + 3, y + high / 2);
    }
    if (f === this.at && document.activeElement === this.canvas) {
      c.strokeStyle = style.select;
      c.lineWidth = 2;
      c.strokeRect(x + 1, y + 1, Math.max(width - 2, 1), high - 3);
    }
  }

  name(f) { return f === this.root ? "all" : this.names ? this.names[f.name] : (state.names[f.name] || ["…"])[0]; }

  words(f) {
    const parts = [this.name(f), this.worth(f.total) + " (" + percent(f.total, this.root.total) + ")"];
    if (f !== this.root) parts.push("self " + this.worth(f.self), count(f.count) + " times");
    return parts;
  }

  tell() { this.said.textContent = this.words(this.at).join(" · "); }

  find(e) { return this.boxes.findLast(([x, y, w]) => e.offsetX >= x && e.offsetX < x + w && e.offsetY >= y && e.offsetY < y + high)?.[3]; }

  click(e) {
    const f = this.find(e);
    if (!f) return;
    this.at = this.zoomed = f;
    this.draw();
  }

  hover(e) {
    const f = this.find(e);
    showTip(f && { words: this.words(f).join("\n") }, e.clientX, e.clientY);
  }

  key(e) {
    const f = this.at, row = f.parent ? f.parent.below : [f], i = row.indexOf(f);
    const to = {
      ArrowUp: f.parent, ArrowDown: f.below[0], ArrowLeft: row[i - 1], ArrowRight: row[i + 1], Home: this.root,
    }[e.key];
    if (e.key === "Enter" || e.key === " ") this.zoomed = f;
    else if (e.key === "Backspace") this.at = this.zoomed = this.zoomed.parent || this.root;
    else if (to) this.at = to;
    else return;
    e.preventDefault();
    e.stopPropagation();
    if (!this.within(this.at)) this.zoomed = this.at.parent || this.root;
    this.draw();
  }

  // within reports whether a frame is visible.
  within(f) {
    for (let g = f; g; g = g.parent) if (g === this.zoomed) return true;
    for (let g = this.zoomed; g; g = g.parent) if (g === f) return true;
    return false;
  }
}
