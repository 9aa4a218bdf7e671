// Mechanisms: what is published of a database. Knowledge is edited with the same forms.

import { at, copy, h, key, label, put_at, shown } from "./dom.js";
import { button, choice, field, input, sheet, ticks } from "./controls.js";
import { databaseCells, databaseHead, nextDatabase } from "./distribution.js";
import { sumLine } from "./laws.js";
import { change, store, value } from "./store.js";

/** The kinds, in words, and the keys that have a form; `raw` ones are edited as TOML. */
export const KINDS = {
  constant: ["always the same answer", ["output"]],
  identity: ["the whole database", []],
  records: ["some records", ["records"]],
  count: ["a count", ["values"]],
  "threshold-count": ["a count, if it is large enough", ["values", "above", "otherwise"]],
  sum: ["the sum", []], mean: ["the mean", []],
  "geometric-mean": ["the geometric mean", []], "harmonic-mean": ["the harmonic mean", []], "quadratic-mean": ["the quadratic mean", []],
  linear: ["a weighted sum", ["weights"]],
  parity: ["is a count odd? (0 or 1)", ["values"]],
  maximum: ["the maximum", []], minimum: ["the minimum", []], mode: ["the most frequent value", ["ties"]],
  histogram: ["a histogram", ["some"]],
  "k-anonymous-histogram": ["a k-anonymous histogram", ["k", "some", "keep-rule"]],
  "randomized-response": ["randomized response", ["keep", "some-records"]],
  apply: ["a generalized table", null], "k-anonymization": ["a k-anonymized table", null],
  all: ["several mechanisms together", null], adaptive: ["two mechanisms, the second chosen by the first", null],
  part: ["a mechanism on some records", null], choice: ["one of several mechanisms, at random", null],
};
const START = {
  constant: () => ({ output: "ok" }), records: () => ({ records: [0] }), count: () => ({ value: store.document.values.at(-1) }),
  "threshold-count": () => ({ value: store.document.values.at(-1), above: 1 }), linear: () => ({ weights: Array(store.document.size).fill("1") }),
  parity: () => ({ value: store.document.values.at(-1) }), mode: () => ({ ties: "first" }), "k-anonymous-histogram": () => ({ k: 2 }),
  "randomized-response": () => ({ keep: "1/2" }),
  apply: () => ({ k: 2, generalization: Object.fromEntries(store.document.values.map((one) => [shown(one), "all"])) }),
  "k-anonymization": () => ({ k: 2, generalizations: { all: Object.fromEntries(store.document.values.map((one) => [shown(one), "all"])) }, choose: { kind: "constant", output: "all" } }),
  all: () => ({ of: [{ kind: "count", value: store.document.values.at(-1) }, { kind: "parity", value: store.document.values.at(-1) }] }),
  adaptive: () => ({ first: { kind: "count", value: store.document.values.at(-1) }, next: {}, otherwise: { kind: "identity" } }),
  part: () => ({ records: [0], of: { kind: "identity" } }),
  choice: () => ({ of: [{ name: "one", weight: "1/2", mechanism: { kind: "identity" } }, { name: "other", weight: "1/2", mechanism: { kind: "constant", output: "ok" } }] }),
};

export const tableKey = (part) => (part && "table" in part ? "table" : part && "rows" in part ? "rows" : null);
const indices = () => Array.from({ length: store.document.size }, (_, k) => [k, `${k}`]);

/** How many records `records` names, a list or a stretch. */
export function recordCount(records) {
  if (Array.isArray(records)) return records.length;
  return Number.isInteger(records?.from) && Number.isInteger(records.to) ? Math.max(0, records.to - records.from + 1) : 0;
}

/** The first `most` indices of `records`. */
export function firstRecords(records, most) {
  if (Array.isArray(records)) return records.slice(0, most);
  return Array.from({ length: Math.min(recordCount(records), most) }, (_, k) => records.from + k);
}

export function recordTicks(legend, path, id) {
  const current = value(path);
  if (current && !Array.isArray(current)) {
    return h("div", { class: "row", "data-path": key(path) }, field(`${legend}: from`, input([...path, "from"], { kind: "number", name: `${legend}, from`, size: 8 })), field("to", input([...path, "to"], { kind: "number", name: `${legend}, to`, size: 8 }), "both ends included; they count from 0"));
  }
  if (store.document.size > 40) return field(legend, input(path, { kind: "list", name: legend }), "a list of indices; they count from 0");
  return ticks(legend, indices(), current ?? [], (next) => change((doc) => put_at(doc, path, next)), { id, path });
}

function valueTicks(path, id) {
  const part = value(path);
  const every = store.document.values;
  const chosen = (part.values ?? [part.value]).map(shown);
  return ticks("of the value", every.map((one) => [shown(one), shown(one)]), chosen, (next) => change((doc) => {
    const owner = at(doc, path);
    delete owner.value;
    delete owner.values;
    const found = every.filter((one) => next.includes(shown(one)));
    if (found.length === 1) [owner.value] = found;
    else owner.values = found;
  }), { id, path: [...path, "value"] });
}

function someTicks(path, id) {
  const chosen = (value([...path, "values"]) ?? store.document.values).map(shown);
  return ticks("of the values", store.document.values.map((one) => [shown(one), shown(one)]), chosen, (next) => change((doc) => {
    put_at(doc, [...path, "values"], store.document.values.filter((one) => next.includes(shown(one))));
  }), { id, path: [...path, "values"] });
}

const KEYS = {
  output: (path) => field("answer", input([...path, "output"], { kind: "label", name: "Answer" })),
  records: (path) => recordTicks("records", [...path, "records"], `${path.join("-")}-records`),
  "some-records": (path) => value([...path, "records"]) !== undefined && recordTicks("records", [...path, "records"], `${path.join("-")}-records`),
  values: (path) => valueTicks(path, `${path.join("-")}-value`),
  some: (path) => someTicks(path, `${path.join("-")}-values`),
  above: (path) => field("shown if more than", input([...path, "above"], { kind: "number", name: "Shown if more than", size: 4 })),
  otherwise: (path) => field("otherwise", input([...path, "otherwise"], { kind: "optional", name: "Otherwise", size: 6 }), "⊥ when left empty"),
  k: (path) => field("k", input([...path, "k"], { kind: "number", name: "k", size: 4 })),
  keep: (path) => field("a value is kept with probability", input([...path, "keep"], { kind: "exact", name: "A value is kept with probability", size: 7 })),
  p: (path) => field("p", input([...path, "p"], { kind: "exact", name: "p of the noise", size: 7 }), "P[X = k] is proportional to p^|k|"),
  weights: (path) => field("weights", input([...path, "weights"], { kind: "list", name: "Weights" }), "one for each record, as a list"),
  ties: () => h("p", { class: "note" }, "Ties: the first in the order of the values."),
  "keep-rule": (path) => field("a count is shown if it is", choice([...path, "keep"], [[">=", "at least k"], [">", "more than k"]], { name: "A count is shown if it is", current: value([...path, "keep"]) ?? ">=", take: (to) => change((doc) => put_at(doc, [...path, "keep"], to)) })),
};

const outputsOf = (rows) => [...new Set(rows.flatMap((row) => (row.outputs ? Object.keys(row.outputs) : [shown(row.output)])))];

/** Rows from a database (or an input) to one output, or to several with probabilities, one column each. */
function rowsEditor(path, n, noun) {
  const rows = value(path);
  const random = rows.some((row) => row.outputs);
  const columns = random ? outputsOf(rows).filter((one) => one !== "") : [];
  const steps = n === null;
  const paint = (doc, k, column, text) => {
    const row = at(doc, [...path, k]);
    if (!row.outputs) row.outputs = { [shown(row.output)]: "1" };
    delete row.output;
    put_at(row.outputs, [column], text.trim() === "" ? undefined : text.trim());
  };
  const cell = (row, k, column) => h("input", {
    type: "text", size: 5, class: "exact", "data-path": key([...path, k, "outputs", column]), "data-kind": "exact", "aria-label": `Row ${k + 1}, probability of ${column}`, autocomplete: "off",
    id: `out-${path.join("-")}-${k}-${columns.indexOf(column)}`,
    value: row.outputs ? shown(at(row.outputs, [column])) : shown(row.output) === column ? "1" : "",
    onchange: null, oninput: (event) => change((doc) => paint(doc, k, column, event.target.value), key([...path, k, column])),
  });
  const rename = (column, to) => to && to !== column && !columns.includes(to) && change((doc) => at(doc, path).forEach((row) => {
    if (row.outputs && Object.hasOwn(row.outputs, column)) row.outputs = Object.fromEntries(Object.entries(row.outputs).map(([one, part]) => [one === column ? to : one, part]));
    else if (!row.outputs && shown(row.output) === column) row.output = label(to);
  }));
  const head = (column) => h("th", { scope: "col" }, h("input", { type: "text", class: "head", size: Math.max(4, column.length), value: column, "aria-label": `Output ${column}`, onchange: (event) => rename(column, event.target.value.trim()) }));
  const box = sheet({
    path, noun, caption: steps ? "From an output to what becomes of it" : "From each database to what is published",
    head: h("tr", {}, h("th", { scope: "col", class: "side" }, h("span", { class: "away" }, "mark")), steps ? h("th", { scope: "col" }, "output so far") : databaseHead(n), random ? columns.map(head) : h("th", { scope: "col" }, "output"), random && h("td", {}), h("td", {})),
    rows,
    cells: (row, k) => [
      steps ? [input([...path, k, "input"], { kind: "label", name: `Row ${k + 1}, input`, size: 8 })] : databaseCells([...path, k, "database"], n, `Row ${k + 1}`),
      random ? columns.map((column) => cell(row, k, column)) : [input([...path, k, "output"], { kind: "label", name: `Row ${k + 1}, output`, size: 10 })],
      random ? [row.outputs ? sumLine([...path, k, "outputs"]) : ""] : [],
    ].flat(),
    blank: (near) => ({ ...(near ? copy(near) : { output: "" }), ...(steps ? { input: "" } : { database: nextDatabase(rows, near, n) }) }),
    cls: random ? "matrix" : "",
  });
  box.append(random
    ? button("+ output", () => change((doc) => {
      let name = `new${columns.length}`;
      while (columns.includes(name)) name += "'";
      at(doc, path).forEach((row, k) => paint(doc, k, name, "0"));
    }), { class: "quiet", id: `add-output-${path.join("-")}` })
    : button("outputs at random …", () => change((doc) => at(doc, path).forEach((row) => { row.outputs = { [shown(row.output)]: "1" }; delete row.output; })), { class: "quiet", id: `random-${path.join("-")}` }));
  return box;
}

function tableEditor(path) {
  const name = tableKey(value(path));
  return h("div", {}, rowsEditor([...path, name], store.document.size, "row"),
    field("all other databases", input([...path, "otherwise"], { kind: "optional", name: "Output for all other databases", size: 8 }), "none when left empty"));
}

function stepsEditor(path) {
  const steps = value(path) ?? [];
  const add = (step) => change((doc) => { if (!at(doc, path)) put_at(doc, path, []); at(doc, path).push(step); });
  return h("div", { class: "steps" },
    steps.map((step, k) => h("fieldset", { class: "component", "data-path": key([...path, k]) },
      h("legend", {}, `Then, step ${k + 1}: ${step.kind === "geometric-noise" ? "add geometric noise" : step.kind === "randomized-response" ? "randomized response" : "by a table"}`),
      button("×", () => change((doc) => { at(doc, path).splice(k, 1); if (!at(doc, path).length) put_at(doc, path, undefined); }), { class: "quiet remove", "aria-label": `Remove step ${k + 1}` }),
      step.kind === "geometric-noise" ? KEYS.p([...path, k]) : step.kind === "randomized-response" ? KEYS.keep([...path, k])
        : [rowsEditor([...path, k, tableKey(step) ?? "rows"], null, "row"), field("all other outputs", input([...path, k, "otherwise"], { kind: "optional", name: `Step ${k + 1}, all other outputs`, size: 8 }))])),
    h("div", { class: "row thens" }, h("span", { class: "note" }, steps.length ? "and then" : "then"),
      button("+ noise", () => add({ kind: "geometric-noise", p: "1/2" }), { class: "quiet", id: `then-noise-${path[0]}` }),
      button("+ randomized response", () => add({ kind: "randomized-response", keep: "1/2" }), { class: "quiet", id: `then-response-${path[0]}` }),
      button("+ a table", () => add({ rows: [{ input: "", output: "" }], otherwise: "else" }), { class: "quiet", id: `then-table-${path[0]}` })));
}

/** The form of one mechanism at `path`; `expand` makes rows of a kind. */
export function channelEditor(path, expand, { steps = true, more = [] } = {}) {
  const part = value(path) ?? {};
  const table = tableKey(part);
  const current = table ? "table" : part.kind ?? "table";
  const [, keys] = KINDS[current] ?? ["", []];
  const take = (to) => {
    if (more.some(([word]) => word === to)) return more.find(([word]) => word === to)[2]();
    if (to === "table") return expand();
    return change((doc) => put_at(doc, path, { ...(part.name === undefined ? {} : { name: part.name }), kind: to, ...(START[to]?.() ?? {}) }));
  };
  const options = [...more.map(([word, text]) => [word, text]), ["table", "a table, row by row"], ...Object.entries(KINDS).map(([word, [text]]) => [word, text])];
  return h("div", { class: "channel", "data-path": key(path) },
    h("div", { class: "row" }, field("kind", choice([...path, "kind"], options, { name: `${path[0]}, kind`, current, take, id: `kind-${path.join("-")}` })),
      !table && button("expand to rows", () => expand(), { class: "quiet", id: `expand-${path.join("-")}` }),
      "sample" in part && field("on a sample: each record with probability", input([...path, "sample"], { kind: "exact", name: "Sample", size: 7 }))),
    table ? tableEditor(path) : keys === null ? h("p", { class: "note" }, "The parts of this kind are edited in the TOML tab.") : h("div", { class: "row keys" }, keys.map((name) => KEYS[name](path))),
    steps && stepsEditor([...path, "then"]));
}
