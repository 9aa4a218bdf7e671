// Mechanisms: what is published of a database. Knowledge is edited with the same forms.

import { $, at, copy, count, h, key, put_at, shown, tell } from "./dom.js";
import { complain, post } from "./api.js";
import { button, choice, field, input, sheet, ticks } from "./controls.js";
import { databaseCells, databaseHead, nextDatabase } from "./distribution.js";
import { sumLine } from "./laws.js";
import { partControl } from "./parts.js";
import { renamedOutput } from "./rename.js";
import { change, model, store, value } from "./store.js";

/** Of each kind of mechanism, and of step, its title, its output in words and its keys with the schemas of their values; the server writes them here. */
export const KINDS = {};
const STEPS = {};

/** The kind of a mechanism, or of a step, with first keys for the values and the size of the model; a program by its template. */
export async function firstOf(kind, { step = false, template = null } = {}) {
  const before = store.document;
  const answer = await post("kind", { ...model(), kind, step, template });
  if (store.document !== before) return null;
  if (!answer.problems) return kind === "program" ? answer.keys : { kind, ...answer.keys };
  complain(answer.problems, "Not begun");
  return null;
}

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

/** Ticks for values of T: a key alone has a list of them, all when left out; with `one`, that key has a value where there is one. */
function valueTicks(legend, path, many, one = null) {
  const part = value(path);
  const every = store.document.values;
  const chosen = (part[many] ?? (one === null ? every : [part[one]])).map(shown);
  return ticks(legend, every.map((each) => [shown(each), shown(each)]), chosen, (next) => change((doc) => {
    const found = every.filter((each) => next.includes(shown(each)));
    const single = one !== null && found.length === 1;
    put_at(doc, [...path, many], single ? undefined : found);
    if (one !== null) put_at(doc, [...path, one], single ? found[0] : undefined);
  }), { id: `${path.join("-")}-${one ?? many}`, path: [...path, one ?? many] });
}

/** The inputs of leaves, by the definition that the schema of a key refers to, or by its type: the kind of input, and its size. */
const LEAVES = { label: ["label", null], probability: ["exact", 7], number: ["exact", 7], integer: ["number", 4] };

/** Several keys of which one is there: which one, chosen with a first value, and its value; one without a first value is edited as TOML. */
function ways(all) {
  const every = all.filter((one) => one.schema.examples);
  return (path) => {
    const part = value(path);
    const other = all.find((one) => one.name in part && !every.includes(one));
    if (other) return partControl(other, inside)?.(path) ?? h("p", { class: "note" }, `${other.name}: ${other.meaning}. Edit it in the TOML tab.`);
    const { name, meaning } = every.find((one) => one.name in part) ?? every[0];
    const take = (to) => change((doc) => {
      put_at(doc, [...path, name], undefined);
      put_at(doc, [...path, to], every.find((one) => one.name === to).schema.examples[0]);
    });
    return h("div", { class: "row" },
      field("given as", choice([...path, name], every.map((one) => [one.name, one.name]), { name: "given as", current: name, take, id: `way-${path.join("-")}` })),
      field(name, input([...path, name], { kind: "exact", name: meaning, size: 7 }), meaning));
  };
}

/** The form of a mechanism that is part of another one. */
const inside = (path) => channelEditor(path, null);

/** The control of one key by its schema; undefined where it has none, and is edited as TOML. */
function control(about) {
  const { name, instead, meaning, schema, required, otherwise } = about;
  const type = schema.$ref?.replace("#/definitions/", "") ?? schema.type;
  const items = schema.items?.$ref?.replace("#/definitions/", "");
  const part = !instead || type === "string" ? partControl(about, inside) : undefined;
  if (part) return part;
  if (instead && type === "value") return (path) => valueTicks(meaning, path, instead[0].name, name);
  if (instead) return ways([about, ...instead]);
  if (items === "value") return (path) => valueTicks(meaning, path, name);
  if (type === "records") return (path) => (required || value([...path, name]) !== undefined) && recordTicks(meaning, [...path, name], `${path.join("-")}-${name}`);
  if (schema.enum?.length === 1) return () => h("p", { class: "note" }, `${name}: ${meaning}: ${schema.enum[0]}`);
  if (schema.enum) return (path) => field(name, choice([...path, name], schema.enum.map((word) => [word, word]), { name: meaning, current: value([...path, name]) ?? otherwise, take: (to) => change((doc) => put_at(doc, [...path, name], to)) }), meaning);
  if (items === "number") return (path) => field(name, input([...path, name], { kind: "list", name: meaning }), meaning);
  if (!(type in LEAVES)) return undefined;
  const [kind, size] = LEAVES[type];
  return (path) => field(name, input([...path, name], { kind: required ? kind : "optional", name: meaning, size: required ? size : 6 }), required || otherwise === null ? meaning : `${meaning}; ${shown(otherwise)} when left empty`);
}

/** The controls of all keys of a kind; null where one of them has none. */
function controls(about, path) {
  const found = about.keys.map(control);
  return found.includes(undefined) ? null : found.map((make) => make(path));
}

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
  const rename = (column, input) => {
    const to = input.value.trim();
    if (to === column) return;
    if (!to || columns.includes(to)) {
      input.value = column;
      tell(to ? `${to} is another output of this table: give one of the two columns the probabilities of both.` : "An output needs a name.", 6000);
      return;
    }
    let places = 0;
    change((doc) => { places = renamedOutput(doc, path, column, to); });
    tell(`${column} is ${to} now, in ${count(places, "place")}. Undo takes it back.`, 6000);
  };
  const head = (column) => h("th", { scope: "col" }, h("input", { type: "text", class: "head", size: Math.max(4, column.length), value: column, "aria-label": `Output ${column}`, onchange: (event) => rename(column, event.target) }));
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
  const owner = path.slice(0, -1).join("-");
  const add = (step) => step && change((doc) => { if (!at(doc, path)) put_at(doc, path, []); at(doc, path).push(step); });
  return h("div", { class: "steps" },
    steps.map((step, k) => h("fieldset", { class: "component", "data-path": key([...path, k]) },
      h("legend", {}, `Then, step ${k + 1}: ${STEPS[step.kind]?.title ?? "by a table"}`),
      button("×", () => change((doc) => { at(doc, path).splice(k, 1); if (!at(doc, path).length) put_at(doc, path, undefined); }), { class: "quiet remove", "aria-label": `Remove step ${k + 1}` }),
      STEPS[step.kind] ? controls(STEPS[step.kind], [...path, k])
        : [rowsEditor([...path, k, tableKey(step) ?? "rows"], null, "row"), field("all other outputs", input([...path, k, "otherwise"], { kind: "optional", name: `Step ${k + 1}, all other outputs`, size: 8 }))])),
    h("div", { class: "row thens" }, h("span", { class: "note" }, steps.length ? "and then" : "then"),
      Object.keys(STEPS).map((kind) => button(`+ ${kind.replaceAll("-", " ")}`, async () => add(await firstOf(kind, { step: true })), { class: "quiet", id: `then-${kind}-${owner}` })),
      button("+ a table", () => add({ rows: [{ input: "", output: "" }], otherwise: "else" }), { class: "quiet", id: `then-table-${owner}` })));
}

/** A program as it is, with the way to its editor. */
const programShown = (path, text) => h("div", { "data-path": key([...path, "program"]) }, h("pre", { id: "program-shown", class: "program", tabindex: 0, role: "region", "aria-label": "The program" }, shown(text)),
  button("edit in the Program tab", () => $("tab-program").click(), { class: "quiet", id: "edit-program" }));

/** The form of one mechanism at `path`; `expand` makes rows of a kind. */
export function channelEditor(path, expand, { steps = true, more = [] } = {}) {
  const part = value(path) ?? {};
  const table = tableKey(part);
  const program = "program" in part;
  const current = table ? "table" : program ? "program" : part.kind ?? "table";
  const take = async (to) => {
    if (more.some(([word]) => word === to)) return more.find(([word]) => word === to)[2]();
    if (to === "table") return expand();
    const first = await firstOf(to, { template: "randomized-response" });
    return first && change((doc) => put_at(doc, path, { ...(part.name === undefined ? {} : { name: part.name }), ...first }));
  };
  const options = [...more.map(([word, text]) => [word, text]), ...(expand || table ? [["table", "a table, row by row"]] : []), ...(program || (expand && path[0] === "mechanism") ? [["program", "a program, with random draws"]] : []), ...Object.entries(KINDS).map(([word, about]) => [word, about.title])];
  return h("div", { class: "channel", "data-path": key(path) },
    h("div", { class: "row" }, field("kind", choice([...path, "kind"], options, { name: `${path.join(" ")}, kind`, current, take, id: `kind-${path.join("-")}` })),
      expand && !table && button("expand to rows", () => expand(), { class: "quiet", id: `expand-${path.join("-")}` }),
      "sample" in part && field("on a sample: each record with probability", input([...path, "sample"], { kind: "exact", name: "Sample", size: 7 }))),
    table ? tableEditor(path) : program ? programShown(path, part.program) : h("div", { class: "row keys" }, (KINDS[current] && controls(KINDS[current], path)) ?? h("p", { class: "note" }, "The parts of this kind are edited in the TOML tab.")),
    steps && stepsEditor([...path, "then"]));
}
