// Form controls that are tied to a place in the document, and the tables they stand in.

import { $, at, h, idOf, key, label, put_at, shown } from "./dom.js";
import { change, edit, store, value } from "./store.js";

const READ = {
  label: (text) => label(text),
  text: (text) => text,
  number: (text) => (/^-?\d{1,15}$/.test(text.trim()) ? Number(text.trim()) : text.trim()),
  exact: (text) => text.trim(),
  list: (text) => {
    try {
      const found = JSON.parse(text);
      return Array.isArray(found) ? found : text;
    } catch {
      return text;
    }
  },
  json: (text) => {
    if (!/^\s*[[{]/.test(text)) return label(text.trim());
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  },
  optional: (text) => (text.trim() === "" ? undefined : text),
};

/** An input for one leaf of the document. `late` ones are taken over when the person has finished. */
export function input(path, { kind = "text", name, size = null, late = false, list = null, cls = "" } = {}) {
  const take = (event) => {
    const found = READ[kind](event.target.value);
    if (shown(found) !== shown(value(path))) edit(path, found);
  };
  return h("input", {
    id: idOf(path), type: "text", class: `${kind} ${cls}`, "aria-label": name, value: shown(value(path)), size, list,
    "data-path": key(path), "data-kind": kind, autocomplete: "off", spellcheck: kind === "text" ? null : "false", autocapitalize: "off",
    [late ? "onchange" : "oninput"]: take,
  });
}

export const field = (name, control, note = null) =>
  h("div", { class: "field" }, h("label", { for: control.id || null }, name), control, note && h("small", {}, note));

export function choice(path, options, { name, current, take, id }) {
  return h("select", { id: id ?? idOf(path), "aria-label": name, "data-path": key(path), onchange: (event) => take(event.target.value) },
    options.map(([word, text]) => h("option", { value: word, selected: word === current }, text)));
}

export const button = (text, onclick, attrs = {}) => h("button", { type: "button", onclick, ...attrs }, text);

/** Ticks for a set of record indices or of values. */
export function ticks(legend, options, chosen, take, { id, path = null }) {
  const boxes = options.map(([option, text]) => {
    const box = h("input", { type: "checkbox", id: `${id}-${option}`, checked: chosen.includes(option), onchange: () => {
      take(options.map(([one]) => one).filter((one) => (one === option ? box.checked : chosen.includes(one))));
    } });
    return h("label", { class: "tick" }, box, h("span", {}, text));
  });
  return h("fieldset", { class: "ticks", id, "data-path": path && key(path) }, h("legend", {}, legend), boxes);
}

/** A table of inputs: arrows move, Enter adds a row below, Ctrl+Delete removes one. */
export function sheet({ path, caption, head, rows, cells, blank, noun, tail = null, most = 250, cls = "" }) {
  const add = (place) => {
    const list = value(path);
    change((doc) => { at(doc, path).splice(place, 0, blank(list[place - 1])); });
    requestAnimationFrame(() => $("editors").querySelector(`[data-row='${CSS.escape(key([...path, place]))}'] input`)?.focus());
  };
  const drop = (place) => {
    change((doc) => { at(doc, path).splice(place, 1); });
    requestAnimationFrame(() => {
      const near = [place, place - 1].map((k) => $("editors").querySelector(`[data-row='${CSS.escape(key([...path, k]))}'] input`));
      near.find(Boolean)?.focus();
    });
  };
  const body = rows.slice(0, most).map((row, k) =>
    h("tr", { "data-row": key([...path, k]), "data-index": k },
      h("th", { scope: "row", class: "side" }, h("span", { class: "number" }, `${k + 1}`), h("span", { class: "sides" })),
      cells(row, k).map((cell) => h("td", {}, cell)),
      h("td", { class: "end" }, button("×", () => drop(k), { class: "quiet remove", "aria-label": `Remove ${noun} ${k + 1}`, title: `Remove ${noun} ${k + 1} (Ctrl+Delete)` }))));
  const table = h("table", { class: `sheet ${cls}`, id: `table-${path.join("-")}`, "data-path": key(path) },
    h("caption", {}, caption),
    h("thead", {}, head),
    h("tbody", {}, body),
    tail && h("tfoot", {}, tail));
  table.addEventListener("keydown", (event) => {
    const row = event.target.closest("tbody tr");
    if (!row || event.target.tagName !== "INPUT") return;
    const index = Number(row.dataset.index);
    if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      event.target.dispatchEvent(new Event("change"));
      add(index + 1);
    } else if ((event.key === "Delete" || event.key === "Backspace") && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      drop(index);
    } else walk(event, table);
  });
  return h("div", { class: "sheetbox" },
    h("div", { class: "scroll", tabindex: "-1" }, table),
    rows.length > most && h("p", { class: "note" }, `Rows 1 to ${most} of ${rows.length} are shown; the TOML tab has them all.`),
    button(`+ ${noun}`, () => add(value(path).length), { class: "quiet add", id: `add-${path.join("-")}`, title: "Enter in a cell does the same" }));
}

function walk(event, table) {
  const from = event.target;
  if (from.type === "range") return;
  const rows = [...table.querySelectorAll("tbody tr[data-index]")];
  const row = rows.indexOf(from.closest("tr"));
  const inputs = (one) => [...one.querySelectorAll("input:not([type=range])")];
  const column = inputs(rows[row]).indexOf(from);
  let to = null;
  if (event.key === "ArrowUp") to = rows[row - 1] && inputs(rows[row - 1])[column];
  else if (event.key === "ArrowDown") to = rows[row + 1] && inputs(rows[row + 1])[column];
  else if (event.key === "ArrowLeft" && from.selectionEnd === 0) to = inputs(rows[row])[column - 1];
  else if (event.key === "ArrowLeft" && from.selectionStart === 0 && from.selectionEnd === from.value.length) to = inputs(rows[row])[column - 1];
  else if (event.key === "ArrowRight" && from.selectionStart === from.value.length) to = inputs(rows[row])[column + 1];
  else if (event.key === "ArrowRight" && from.selectionStart === 0 && from.selectionEnd === from.value.length && from.value.length < 2) to = inputs(rows[row])[column + 1];
  if (to) {
    event.preventDefault();
    to.focus();
    to.select();
  }
}

/** Put what the document says into every control that nobody is typing in. */
export function refresh(root) {
  for (const control of root.querySelectorAll("input[data-kind], textarea[data-kind]")) {
    if (control.dataset.kind === "slider" || control === document.activeElement) continue;
    const text = shown(at(store.document, JSON.parse(control.dataset.path)));
    if (control.value !== text) control.value = text;
  }
  root.querySelectorAll("input[data-kind=slider]").forEach((control) => control.refresh?.());
}

export const setAt = (doc, path, found) => put_at(doc, path, found);
