// The help: keys, and a legend of the picture.
import { stateWords } from "./colors.js";
const dialog = document.getElementById("help");

const keys = [
  ["w s, + −", "zoom in and out; with Shift further"],
  ["a d, ← →", "to the left and to the right; with Shift further"],
  ["Home End", "the begin and the end of the recording"],
  ["f", "the whole recording"],
  ["z", "zoom to the selected event or range"],
  ["↑ ↓ PgUp PgDn", "another track"],
  ["Space", "open or close the track or group"],
  ["p", "pin the track, or no longer"],
  ["Enter", "select the event in the middle of the track"],
  ["Tab, Shift+Tab", "the next event, the one before; without a selected event, the next control"],
  ["b", "to the thread that woke the selected one"],
  ["u i", "the span around the selected one, around the outermost the state of the thread; the first one within it"],
  ["/", "search for names; ↵ goes to the first. Where no name matches, or after a quotation mark, in the texts and fields of events: \"prev_state=D"],
  ["v", "the events of the range, or of the recording, as a list; ↵ shows one in the picture"],
  ["n N", "the next match, the one before"],
  ["g G", "the next track whose name or number matches, the one before"],
  ["r", "what is seen becomes the range: flame graph and totals"],
  ["m", "the selected event becomes the range"],
  ["[ ]", "begin and end of the range: at the selected event, or at the edge of the window"],
  ["1 2", "marker A and B: at begin and end of the selected event, or at the pointer; the ruler shows the time between"],
  ["e", "show only tracks with one of these words in their name, or one of these numbers"],
  ["h H", "hide the track; show all that are hidden"],
  ["y", "sort tracks: by activity, time on CPU, name, number"],
  ["c", "times since the beginning, or as they were recorded"],
  ["o", "copy the range, or what is seen, as options of other commands: --since, --until"],
  ["Esc", "one after the other: give up the selected event, the range, the markers, the search, and close the details"],
  ["t", "light, dark, as the system says"],
  ["?", "these keys"],
];

const pointer = [
  ["drag", "move"],
  ["Ctrl+wheel, wheel in the ruler", "zoom at the pointer"],
  ["Shift+wheel", "to the left and to the right"],
  ["click", "select; on a summary, look closer"],
  ["double click", "zoom to what is selected"],
  ["click on an arrow", "to the thread that woke this one"],
  ["drag in the ruler, Shift+drag", "select a range"],
  ["Alt+click, Alt+Shift+click", "marker A, marker B; their flags in the ruler can be dragged"],
  ["click on the left of the ruler", "times since the beginning, or as recorded"],
];

const drawn = [
  ["full colour, with a gap after it", "one span; a ragged edge: its end or its begin was not recorded"],
  ["paler", "a summary of spans that are too short for the screen: the paler, the less of the time they cover; the colour is that of the longest"],
  ["marks above the spans", "instants; the higher the mark, the more there are"],
  ["thin line below the states", "when the thread runs, in the colour of the processor"],
  ["red triangle", "events were lost before"],
];

// states is the legend of the states of threads. The colours come from the style sheet.
function states() {
  const rows = Object.entries(stateWords).map(([kind, text]) => {
    const swatch = document.createElement("span");
    swatch.className = "swatch " + kind;
    return [swatch, text];
  });
  rows.push(["paler", "several states; or one during which events were lost"], ["dots before or after", "it began or ended at a time that was not recorded"]);
  return table(rows, "States of threads, the first line of their tracks", "span");
}

function table(rows, head, kind) {
  const t = document.createElement("table"), caption = document.createElement("h3");
  caption.textContent = head;
  for (const [key, text] of rows) {
    const row = t.insertRow();
    const what = document.createElement(kind);
    what.append(key);
    row.insertCell().append(what);
    row.insertCell().textContent = text;
  }
  return [caption, t];
}

export function toggle() {
  if (dialog.open) return dialog.close();
  const close = document.createElement("button");
  close.textContent = "Close (Escape)";
  close.addEventListener("click", () => dialog.close());
  const left = document.createElement("div"), right = document.createElement("div"), both = document.createElement("div");
  both.className = "columns";
  left.append(...table(keys, "Keys", "kbd"));
  right.append(...table(pointer, "Pointer", "span"), ...table(drawn, "What is drawn", "span"), ...states());
  both.append(left, right);
  dialog.replaceChildren(close, both);
  document.getElementById("stage").focus(); // the browser sets the focus there when the dialog closes
  dialog.showModal();
}

dialog.addEventListener("keydown", (event) => {
  if (event.key === "?") dialog.close();
});
