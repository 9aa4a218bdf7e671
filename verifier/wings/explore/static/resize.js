// Another number of records: tables that are written out row by row follow it, in rows that a person sees.

import { copy, count, h, key, listed, shown } from "./dom.js";

/** Rows that are written out at most; above that the first row that does not fit is shown instead. */
const MOST = 250;
const LARGEST = 24;

/** The number that was typed, `[from, to]`, or the text as it is, so that the server says what is wanted. */
export function readSize(text) {
  const given = text.trim();
  if (/^-?\d{1,15}$/.test(given)) return Number(given);
  return /^\[\s*\d{1,9}\s*,\s*\d{1,9}\s*\]$/.test(given) ? JSON.parse(given) : given;
}

const fit = (list, length, filler) => (list.length > length ? list.slice(0, length) : [...list, ...Array.from({ length: length - list.length }, () => copy(filler))]);

/** All ways to choose so many values, the first one first. */
const choices = (values, number) => (number === 0 ? [[]] : choices(values, number - 1).flatMap((start) => values.map((one) => [...start, one])));

/** Every table in a part of the document whose rows are databases of so many records, with its path. */
function tables(part, records, path) {
  if (part === null || typeof part !== "object") return [];
  if (Array.isArray(part) && part.length && part.every((row) => Array.isArray(row?.database) && row.database.length === records)) return [[part, path]];
  return Object.entries(part).flatMap(([name, one]) => tables(one, records, [...path, Array.isArray(part) ? Number(name) : name]));
}

/** Take the size over into the document; the words say what was filled in, with the path of the first row that is new. */
export function resized(doc, next) {
  const before = doc.size;
  doc.size = next;
  if (!Number.isInteger(next) || !Number.isInteger(before) || next < 1 || next > LARGEST || next === before) return null;
  const said = [];
  let first = null;
  for (const one of doc.distribution ?? []) {
    if (!Array.isArray(one.independent)) continue;
    if (next > before) said.push("it has the distribution of the record before it");
    one.independent = fit(one.independent, next, one.independent.at(-1));
  }
  for (const owner of [doc.knowledge, doc.sensitive]) {
    if (Array.isArray(owner?.records)) owner.records = owner.records.filter((k) => k < next);
  }
  if (next < before) return null;
  const [usual] = doc.values;
  const ends = doc.values.length ** (next - before) <= MOST ? choices(doc.values, next - before) : [];
  const grow = (rows, path, more) => {
    if (!ends.length || rows.length * ends.length > MOST) return false;
    rows.splice(0, rows.length, ...rows.flatMap((row) => ends.map((end, k) => ({ ...copy(row), database: [...row.database, ...end], ...(k ? more : {}) }))));
    if (ends.length > 1) first ??= [...path, 1];
    return true;
  };
  for (const [rows, path] of tables(doc.distribution, before, ["distribution"])) {
    const all = grow(rows, path, { probability: "0" });
    if (!all) rows.forEach((row) => { row.database = fit(row.database, next, usual); });
    said.push(`it is ${shown(usual)} in every world so far${all ? ", and worlds in which it is not have probability 0" : ""}`);
  }
  const others = ["mechanism", "knowledge", "sensitive"].flatMap((name) => tables(doc[name], before, [name]));
  const grown = others.filter(([rows, path]) => grow(rows, path, {}));
  if (Array.isArray(doc.mechanism?.weights)) doc.mechanism.weights = fit(doc.mechanism.weights, next, "0");
  if (grown.some(([, path]) => path[0] === "mechanism") || doc.mechanism?.weights) said.push("what is published does not depend on it yet");
  return said.length ? { words: `${count(next - before, "record was", "records were")} added: ${listed([...new Set(said)])}.`, first } : null;
}

let note = null;

/** Keep what was filled in, for this document alone: of another one, or after a change, it need not be true. */
export const noted = (doc, found) => { note = found && { ...found, document: doc }; };
export const isNoted = (doc) => note?.document === doc;

/** The words about what was filled in, with a way to the first new row. */
export const sizeNote = (doc, lead) => (isNoted(doc) ? h("p", { class: "note", id: "size-note", role: "status" }, note.words, " ",
  note.first && h("button", { type: "button", class: "quiet", id: "first-new", onclick: () => lead(document.querySelector(`[data-row='${CSS.escape(key(note.first))}']`)) }, "show the first new row")) : null);

/** Bring a row or a field into sight, and the cursor into it. */
export function lead(place) {
  const panel = place?.closest("[role=tabpanel]");
  if (panel?.hidden) document.getElementById(panel.getAttribute("aria-labelledby")).click();
  place?.scrollIntoView({ block: "center" });
  (place?.matches("input, select, textarea") ? place : place?.querySelector("input:not([type=range]), select"))?.focus({ preventScroll: true });
}
