// The distributions: how likely each database is, in any of the shapes of a model file.

import { at, copy, h, key, put_at, shown } from "./dom.js";
import { button, choice, field, input, sheet } from "./controls.js";
import { lawEditor, slider, sumLine } from "./laws.js";
import { uniform } from "./fractions.js";
import { change, store, value } from "./store.js";

export const SHAPES = ["table", "iid", "independent", "mixture", "network", "groups", "chain", "counts"];
const NAMES = {
  table: "a table of worlds", iid: "every record alike, independent", independent: "each record its own distribution, independent",
  mixture: "a mixture: one of several, at random", network: "a network: records that depend on earlier ones", groups: "independent groups of records",
  chain: "a Markov chain: each record depends on the one before", counts: "exchangeable people: how many have a value",
};
const WIDE = 14;

export const shapeOf = (part) => SHAPES.find((shape) => part && shape in part) ?? "table";
const size = () => store.document.size;
const values = () => store.document.values ?? [];

const start = {
  table: () => [{ database: Array(size()).fill(values()[0]), probability: "1" }],
  iid: () => Object.fromEntries(uniform(values().length).map((part, k) => [shown(values()[k]), part])),
  independent: () => Array.from({ length: size() }, () => start.iid()),
  mixture: () => [{ name: "one", weight: "1/2", iid: start.iid() }, { name: "other", weight: "1/2", iid: start.iid() }],
  network: () => Array.from({ length: size() }, (_, k) => ({ record: k, table: start.iid() })),
  groups: () => [{ times: size(), size: 1, iid: start.iid() }],
  chain: () => ({ start: start.iid(), step: Object.fromEntries(values().map((one) => [shown(one), start.iid()])) }),
  counts: () => (values().length === 2 ? { value: values()[1], table: Object.fromEntries(uniform(size() + 1).map((part, k) => [String(k), part])) }
    : [{ histogram: values().map((_, k) => (k ? 0 : size())), probability: "1" }]),
};

function reshape(path, shape, expand) {
  const part = value(path);
  const from = shapeOf(part);
  if (shape === from) return;
  if (shape === "table" && path.length === 2) {
    expand("table", path[1]);
    return;
  }
  change((doc) => {
    const owner = at(doc, path);
    const old = owner[from];
    delete owner[from];
    if (shape === "independent" && from === "iid") owner.independent = Array.from({ length: size() }, () => (typeof old === "string" ? start.iid() : copy(old)));
    else if (shape === "iid" && from === "independent") [owner.iid] = old;
    else if (shape === "mixture") owner.mixture = [{ name: "one", weight: "1/2", [from]: old }, { name: "other", weight: "1/2", [from]: copy(old) }];
    else if (from === "mixture" && shapeOf(old[0]) === shape) owner[shape] = old[0][shape];
    else owner[shape] = start[shape]();
  });
}

/** The columns of a database: one input for each record, or one list where there are many. */
export function databaseCells(path, n, name) {
  if (n > WIDE) return [input([...path], { kind: "list", name: `${name}, database`, cls: "wide" })];
  return Array.from({ length: n }, (_, i) => input([...path, i], { kind: "label", name: `${name}, record ${i}`, size: 3, cls: "value" }));
}
export const databaseHead = (n) => (n > WIDE ? [h("th", { scope: "col" }, "database")]
  : Array.from({ length: n }, (_, i) => h("th", { scope: "col", class: "record" }, h("abbr", { title: `record ${i}` }, `D(${i})`))));

/** The first database that has no row yet, by the order of the values; where all have one, a copy of the row above. */
export function nextDatabase(rows, near, n) {
  const taken = new Set(rows.map((row) => key([row.database].flat().map(shown))));
  const list = values();
  const digits = Array(n).fill(0);
  for (let tries = 0; tries <= Math.min(rows.length, 5000); tries++) {
    const found = digits.map((digit) => list[digit]);
    if (!taken.has(key(found.map(shown)))) return found;
    let place = n - 1;
    while (place >= 0 && ++digits[place] === list.length) digits[place--] = 0;
    if (place < 0) break;
  }
  return near ? [...near.database] : Array(n).fill(list[0]);
}

function tableEditor(path, n, name) {
  const rows = value(path);
  const has = (column) => rows.some((row) => column in row);
  const more = ["knowledge", "sensitive"].filter(has);
  const paths = rows.map((_, k) => [...path, k, "probability"]);
  const sliders = rows.length <= 40;
  return sheet({
    path, noun: "world", caption: [`Worlds${name ? ` of ${name}` : ""}: each possible database and how likely it is`],
    head: h("tr", {}, h("th", { scope: "col", class: "side" }, h("span", { class: "away" }, "side")), databaseHead(n),
      more.map((column) => h("th", { scope: "col" }, column)), h("th", { scope: "col" }, "probability"), sliders && h("th", {}, h("span", { class: "away" }, "slider")), h("td", {})),
    rows,
    cells: (row, k) => [
      databaseCells([...path, k, "database"], n, `World ${k + 1}`),
      more.map((column) => input([...path, k, column], { kind: "label", name: `World ${k + 1}, ${column}`, size: 8 })),
      input(paths[k], { kind: "exact", name: `World ${k + 1}, probability`, size: 7 }),
      sliders && slider(paths, k, `World ${k + 1}, probability`, key(path)),
    ].flat().filter(Boolean),
    blank: (near) => ({ ...copy(near ?? {}), ...(more.length ? {} : { database: nextDatabase(rows, near, n) }), probability: "0" }),
    tail: h("tr", {}, h("td", { colspan: n > WIDE ? 2 + more.length : n + 1 + more.length }), h("td", { colspan: 3 }, sumLine(path),
      button("equal parts", () => change((doc) => uniform(rows.length).forEach((part, k) => put_at(doc, paths[k], part))), { class: "quiet" }))),
  });
}

function shapeEditor(path, n, name, expand) {
  const shape = shapeOf(value(path));
  const inside = [...path, shape];
  const given = value(inside);
  if (shape === "table") return Array.isArray(given) ? tableEditor(inside, n, name) : h("p", { class: "note", "data-path": key(inside) }, "No table yet.");
  if (shape === "iid" && typeof given === "string") {
    return h("div", { class: "row", "data-path": key(inside) }, h("p", { class: "note" }, `${given}: all values are equally likely`),
      button("as probabilities", () => change((doc) => put_at(doc, inside, start.iid())), { class: "quiet", id: `probabilities-${inside.join("-")}` }));
  }
  if (shape === "iid") return lawEditor(inside, values(), { name: name ? `${name}, every record` : "every record" });
  if (shape === "independent") {
    return h("div", { class: "laws", "data-path": key(inside) }, given.map((_, k) => h("div", { class: "lawbox", "data-record": k }, h("h4", {}, `Record ${k}`), lawEditor([...inside, k], values(), { name: `record ${k}` }))));
  }
  if (shape === "mixture") return mixtureEditor(inside, n, expand);
  if (shape === "network") return networkEditor(inside);
  if (shape === "chain") return chainEditor(inside);
  if (shape === "counts") return countsEditor(inside, n);
  return h("div", { class: "raw", "data-path": key(inside) },
    given.map((group) => h("p", { class: "note" }, `${group.times ?? 1} × ${group.size ?? 1} record${(group.size ?? 1) === 1 ? "" : "s"}: ${NAMES[shapeOf(group)]}`)),
    h("p", { class: "note" }, "Groups are edited in the TOML tab."));
}

function mixtureEditor(path, n, expand) {
  const parts = value(path);
  const weights = parts.map((_, k) => [...path, k, "weight"]);
  return h("div", { class: "mixture", "data-path": key(path) },
    parts.map((part, k) => h("fieldset", { class: "component", "data-path": key([...path, k]) },
      h("legend", {}, `Component ${k + 1}`),
      h("div", { class: "row" },
        field("name", input([...path, k, "name"], { kind: "optional", name: `Component ${k + 1}, name`, size: 10 })),
        field("weight", input(weights[k], { kind: "exact", name: `Component ${k + 1}, weight`, size: 7 })),
        slider(weights, k, `Component ${k + 1}, weight`, key(path)),
        parts.length > 1 && button("×", () => change((doc) => { at(doc, path).splice(k, 1); }), { class: "quiet remove", "aria-label": `Remove component ${k + 1}` })),
      shapeEditor([...path, k], n, part.name ?? `component ${k + 1}`, expand))),
    h("p", { class: "under" }, "weights: ", sumLine(path)),
    button("+ component", () => change((doc) => { at(doc, path).push({ ...copy(parts.at(-1)), name: `part ${parts.length + 1}`, weight: "0" }); }), { class: "quiet add" }));
}

function networkEditor(path) {
  return h("div", { class: "network", "data-path": key(path) }, value(path).map((node, k) => {
    const rows = node.rows ? "rows" : null;
    const given = (node.given ?? []).map((one) => `record ${one}`).join(", ");
    return h("fieldset", { class: "component", "data-path": key([...path, k]) },
      h("legend", {}, `Record ${node.record}${given ? ` given ${given}` : ""}`),
      rows ? node.rows.map((row, j) => h("div", { class: "when" }, h("h4", {}, `when ${given} = ${row.when.map(shown).join(", ")}`),
        lawEditor([...path, k, "rows", j, "table"], values(), { name: `record ${node.record} when ${row.when.map(shown).join(", ")}` })))
        : lawEditor([...path, k, "table"], values(), { name: `record ${node.record}` }));
  }), h("p", { class: "note" }, "Which record depends on which is edited in the TOML tab."));
}

/** A law that may be a word, such as "uniform", for values that are all alike. */
const lawOrWord = (path, name) => (typeof value(path) === "string" ? h("p", { class: "note", "data-path": key(path) }, `${value(path)}: all values are equally likely`) : lawEditor(path, values(), { name }));

function chainEditor(path) {
  return h("div", { class: "network", "data-path": key(path) },
    h("fieldset", { class: "component" }, h("legend", {}, "Record 0"), lawOrWord([...path, "start"], "record 0")),
    values().map((one) => h("fieldset", { class: "component" }, h("legend", {}, `The record after ${shown(one)}`),
      lawOrWord([...path, "step", shown(one)], `the record after ${shown(one)}`))));
}

function countsEditor(path, n) {
  const given = value(path);
  if (Array.isArray(given)) {
    return sheet({
      path, noun: "histogram", caption: ["How many records have each value, and how likely that is; all orders are alike"],
      head: h("tr", {}, h("th", { scope: "col", class: "side" }, h("span", { class: "away" }, "side")), h("th", { scope: "col" }, `how many of ${values().map(shown).join(", ")}`), h("th", { scope: "col" }, "probability"), h("td", {})),
      rows: given,
      cells: (_, k) => [input([...path, k, "histogram"], { kind: "list", name: `Histogram ${k + 1}`, cls: "wide" }), input([...path, k, "probability"], { kind: "exact", name: `Histogram ${k + 1}, probability`, size: 7 })],
      blank: (near) => ({ ...copy(near ?? {}), probability: "0" }),
      tail: h("tr", {}, h("td", { colspan: 2 }), h("td", { colspan: 2 }, sumLine(path))),
    });
  }
  return h("div", { class: "laws", "data-path": key(path) },
    field("how many records have", input([...path, "value"], { kind: "label", name: "Counted value", size: 8 })),
    lawEditor([...path, "table"], Array.from({ length: n + 1 }, (_, k) => k), { name: "the count" }));
}

export function distributionEditor(k, expand) {
  const path = ["distribution", k];
  const part = value(path);
  const shape = shapeOf(part);
  const many = store.document.distribution.length > 1;
  const n = size();
  return h("section", { class: "distribution", id: `distribution-${k}`, "aria-label": `Distribution ${part.name ?? k + 1}`, "data-path": key(path) },
    h("div", { class: "row" },
      (many || part.name !== undefined) && field("name", input([...path, "name"], { kind: "optional", name: `Distribution ${k + 1}, name`, size: 16 })),
      field("shape", choice(path, SHAPES.map((one) => [one, NAMES[one]]), { name: `Distribution ${k + 1}, shape`, current: shape, take: (to) => reshape(path, to, expand), id: `shape-${k}` })),
      shape !== "table" && button("expand to a table", () => expand("table", k), { class: "quiet", id: `expand-distribution-${k}` }),
      many && button("remove", () => change((doc) => { doc.distribution.splice(k, 1); }), { class: "quiet", "aria-label": `Remove distribution ${part.name ?? k + 1}` })),
    shapeEditor(path, n, many ? part.name ?? `distribution ${k + 1}` : "", expand));
}

export const addDistribution = () => change((doc) => {
  const last = copy(doc.distribution.at(-1));
  const taken = doc.distribution.map((one) => one.name);
  doc.distribution.forEach((one, k) => { if (one.name === undefined) one.name = `#${k + 1}`; });
  let number = doc.distribution.length + 1;
  while (taken.includes(`#${number}`)) number += 1;
  doc.distribution.push({ ...last, name: `#${number}` });
});
