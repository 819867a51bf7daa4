// Elements made from texts. Texts of the recording are always inserted as text, never as markup.

// el makes an element. A string among its children becomes text.
export function el(kind, attributes = {}, ...children) {
  const e = document.createElement(kind);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) e.addEventListener(name.slice(2), value);
    else e.setAttribute(name, value);
  }
  e.append(...children);
  return e;
}

// list makes a list of names and texts.
export function list(pairs) {
  return el("dl", {}, ...pairs.flatMap(([name, text]) => [el("dt", {}, name), el("dd", {}, text)]));
}

// table makes a table from columns [head, class] and rows of texts or elements.
export function table(columns, rows) {
  const head = el("tr", {}, ...columns.map(([name, kind]) => el("th", { scope: "col", class: kind || "" }, name)));
  const body = rows.map((row) => el("tr", {}, ...row.map((cell, i) => el("td", { class: columns[i][1] || "" }, cell))));
  return el("table", {}, el("thead", {}, head), el("tbody", {}, ...body));
}
