// What the attacker knows beforehand, and what is protected.

import { at, h, key, put_at, shown } from "./dom.js";
import { button, choice, field, input, sheet } from "./controls.js";
import { channelEditor, firstOf, firstRecords, KINDS, recordCount, recordTicks, tableKey } from "./channel.js";
import { databaseCells, databaseHead } from "./distribution.js";
import { change, store, value } from "./store.js";

/** Known records that are named one by one. */
const FEW = 6;
/** The kinds of what an attacker knows that are offered first; the form of one of them offers all. */
const SUGGESTED = ["count", "parity", "randomized-response"];

const hasColumn = (column) => (store.document.distribution ?? []).some((part) => (part.table ?? []).some((row) => column in row));

function kindOf(part) {
  if (!part || part.kind === "nothing") return "nothing";
  if (part.kind === "component") return "component";
  if (part.records !== undefined && (part.kind === undefined || part.kind === "records") && !part.then) return "known-records";
  return "channel";
}

function column(name) {
  const words = name === "knowledge" ? "What is known stands in the table of worlds, in the column “knowledge”." : "What is protected stands in the table of worlds, in the column “sensitive”.";
  return h("div", { class: "row" }, h("p", { class: "note" }, words), button("remove the column", () => change((doc) => doc.distribution.forEach((part) => (part.table ?? []).forEach((row) => { delete row[name]; }))), { class: "quiet" }));
}

function oneAttacker(path, expand) {
  const part = value(path);
  const kind = kindOf(part);
  const inFamily = path.length > 1;
  const set = (found) => change((doc) => put_at(doc, path, found === undefined ? (inFamily ? { name: part.name, records: [] } : undefined) : { ...(part?.name === undefined ? {} : { name: part.name }), ...found }));
  const more = [
    ["nothing", "nothing", () => set(inFamily ? { records: [] } : undefined)],
    ["known-records", "some records", () => set({ records: [0] })],
    ["component", "which component of the mixture", () => set({ kind: "component" })],
  ];
  if (kind === "channel") return channelEditor(path, expand, { more });
  const channels = [["table", "a table, row by row"], ...SUGGESTED.map((word) => [word, KINDS[word]?.title ?? word])];
  const take = async (to) => {
    const found = more.find(([word]) => word === to);
    if (found) return found[2]();
    if (to === "table") return expand(part ? null : { kind: "constant", output: "nothing" });
    const first = await firstOf(to);
    return first && set({ ...first, ...(to === "randomized-response" ? { records: [0] } : {}) });
  };
  return h("div", { "data-path": key(path) },
    h("div", { class: "row" }, field("what", choice([...path, "kind"], [...more.map(([word, text]) => [word, text]), ...channels], { name: "What the attacker knows", current: kind, take, id: `kind-${path.join("-")}` }))),
    kind === "known-records" && recordTicks("records that the attacker knows", [...path, "records"], `known-${path.join("-")}`),
    kind === "nothing" && store.document.size <= 40 && knownFromNothing(path, set));
}

function knownFromNothing(path, set) {
  const boxes = Array.from({ length: store.document.size }, (_, k) => h("label", { class: "tick" },
    h("input", { type: "checkbox", id: `known-${path.join("-")}-${k}`, onchange: () => set({ records: [k] }) }), h("span", {}, `${k}`)));
  return h("fieldset", { class: "ticks", id: `known-${path.join("-")}` }, h("legend", {}, "records that the attacker knows"), boxes);
}

export function knowledgeEditor(expand) {
  if (hasColumn("knowledge")) return column("knowledge");
  const given = store.document.knowledge;
  if (!Array.isArray(given)) {
    return h("div", {}, oneAttacker(["knowledge"], (start) => expand(["knowledge"], start)),
      given !== undefined && button("+ another attacker", () => change((doc) => { doc.knowledge = [{ name: "first", ...given }, { name: "second", records: [] }]; }), { class: "quiet", id: "add-attacker" }));
  }
  return h("div", {}, given.map((part, k) => h("fieldset", { class: "component", "data-path": key(["knowledge", k]) },
    h("legend", {}, `Attacker ${part.name ?? `#${k + 1}`}`),
    h("div", { class: "row" }, field("name", input(["knowledge", k, "name"], { kind: "optional", name: `Attacker ${k + 1}, name`, size: 16 })),
      button("×", () => change((doc) => {
        doc.knowledge.splice(k, 1);
        if (doc.knowledge.length === 1) { const [{ name, ...left }] = doc.knowledge; doc.knowledge = left; }
      }), { class: "quiet remove", "aria-label": `Remove attacker ${k + 1}` })),
    oneAttacker(["knowledge", k], (start) => expand(["knowledge", k], start)))),
  button("+ another attacker", () => change((doc) => { doc.knowledge.push({ name: `#${given.length + 1}`, records: [] }); }), { class: "quiet", id: "add-attacker" }));
}

export function sensitiveEditor() {
  if (hasColumn("sensitive")) return column("sensitive");
  const given = store.document.sensitive;
  const name = tableKey(given);
  const kind = !given ? "each" : name ? "rows" : "records";
  const n = store.document.size;
  const set = (found) => change((doc) => put_at(doc, ["sensitive"], found));
  const first = () => {
    const table = store.document.distribution?.[0]?.table;
    const seen = new Map((table ?? [{ database: Array(n).fill(store.document.values[0]) }]).map((row) => [key(row.database), row.database]));
    return [...seen.values()].map((database) => ({ database: [...database], value: shown(database[0]) }));
  };
  return h("div", { "data-path": key(["sensitive"]) },
    h("div", { class: "row" }, field("what", choice(["sensitive", "kind"], [["each", "each record, one at a time"], ["records", "some records, one at a time"], ["rows", "a function of the database"]], {
      name: "What is protected", current: kind, id: "kind-sensitive", take: (to) => set(to === "each" ? undefined : to === "records" ? { records: Array.from({ length: Math.min(n, 40) }, (_, k) => k) } : { rows: first() }) }))),
    kind === "records" && recordTicks("protected records", ["sensitive", "records"], "protected"),
    kind === "rows" && sheet({
      path: ["sensitive", name], noun: "row", caption: "From each database to what is protected",
      head: h("tr", {}, h("td", { class: "side" }), databaseHead(n), h("th", { scope: "col" }, "protected value"), h("td", {})),
      rows: given[name],
      cells: (row, k) => [databaseCells(["sensitive", name, k, "database"], n, `Row ${k + 1}`), input(["sensitive", name, k, "value"], { kind: "label", name: `Row ${k + 1}, value`, size: 8 })].flat(),
      blank: (near) => ({ database: near ? [...near.database] : Array(n).fill(store.document.values[0]), value: near ? near.value : "" }),
    }));
}

/** One line in words for each of the three steps. */
export function inWords() {
  const doc = store.document;
  const given = doc.knowledge;
  const said = (part) => {
    const kind = kindOf(part);
    if (kind === "nothing") return "no record for certain";
    if (kind === "component") return "which component of the mixture was drawn";
    if (kind === "known-records") {
      const known = recordCount(part.records);
      return !known ? "no record for certain" : known > FEW ? `${known} of the ${shown(doc.size)} records` : `record${known === 1 ? "" : "s"} ${firstRecords(part.records, FEW).map(shown).join(", ")}`;
    }
    return "something about the database";
  };
  if (hasColumn("knowledge")) return "a column of the table";
  return Array.isArray(given) ? given.map(said).join("; or ") : said(given);
}
export { at };
