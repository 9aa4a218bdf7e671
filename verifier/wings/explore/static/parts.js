// Mechanisms of several parts, and what else a form has below a key: lists and tables of mechanisms, generalizations, tables of counts.

import { at, h, idOf, key, put_at, shown } from "./dom.js";
import { button, field, input, ticks } from "./controls.js";
import { change, store, value } from "./store.js";

const BEGIN = () => ({ kind: "identity" });
const isTable = (part) => part !== null && typeof part === "object" && !Array.isArray(part);

/** One part with its title, and a way to take it out where it may go. */
const one = (path, title, inside, drop = null) => h("fieldset", { class: "component", "data-path": key(path) }, h("legend", {}, title),
  drop && button("×", drop, { class: "quiet remove", "aria-label": `Remove ${title}` }), inside);

const remove = (path) => () => change((doc) => put_at(doc, path, undefined));
const add = (text, path, make) => button(text, () => change(make), { class: "quiet add", id: `add-${path.join("-")}` });

/** Another name for an entry of a table, which keeps its place; a name that is taken changes nothing. */
function renamed(path, from, to) {
  const table = value(path);
  if (!to || to === from || Object.hasOwn(table, to)) return;
  change((doc) => put_at(doc, path, Object.fromEntries(Object.entries(table).map(([name, part]) => [name === from ? to : name, part]))));
}

const nameOf = (path, name, words) => field(words, h("input", { type: "text", id: `${idOf([...path, name])}-name`, value: name, size: Math.max(6, name.length), "aria-label": words, autocomplete: "off", onchange: (event) => renamed(path, name, event.target.value.trim()) }));

/** A name that the table does not have yet. */
function fresh(table, name) {
  let found = name;
  while (Object.hasOwn(table, found)) found += "'";
  return found;
}

/** What becomes of each value of a record. */
const labels = (path, name) => h("div", { class: "row", "data-path": key(path) }, store.document.values.map((each) =>
  field(shown(each), input([...path, shown(each)], { kind: "label", name: `${name}, ${shown(each)}`, size: 8 }))));

/** The control of a key whose value has parts, by its schema; `channel` makes the form of a mechanism. */
export function partControl({ name, meaning, schema, required }, channel) {
  const refers = (part, what) => part?.$ref === `#/definitions/${what}`;
  const { items, additionalProperties: entries } = schema;
  if (refers(schema, "mechanism")) {
    return (path) => {
      const place = [...path, name];
      if (value(place) === undefined) return add(`+ ${name}: ${meaning}`, place, (doc) => put_at(doc, place, BEGIN()));
      return one(place, `${name}: ${meaning}`, channel(place), required ? null : remove(place));
    };
  }
  if (refers(items, "mechanism")) {
    return (path) => {
      const [place, all] = [[...path, name], value([...path, name]) ?? []];
      return h("div", { "data-path": key(place) }, all.map((_, k) => one([...place, k], `Part ${k + 1} of ${all.length}`, channel([...place, k]), all.length > 1 && remove([...place, k]))),
        add("+ a part", place, (doc) => at(doc, place).push(BEGIN())));
    };
  }
  if (refers(entries, "mechanism")) {
    return (path) => {
      const [place, table] = [[...path, name], value([...path, name]) ?? {}];
      return h("div", { "data-path": key(place) }, Object.keys(table).map((output) => one([...place, output], `After the output ${output}`, [nameOf(place, output, "output"), channel([...place, output])], remove([...place, output]))),
        add("+ after an output", place, (doc) => { if (!isTable(at(doc, place))) put_at(doc, place, {}); put_at(doc, [...place, fresh(table, "0")], BEGIN()); }));
    };
  }
  if (refers(items?.properties?.mechanism, "mechanism")) {
    return (path) => {
      const [place, all] = [[...path, name], value([...path, name]) ?? []];
      return h("div", { "data-path": key(place) }, all.map((_, k) => one([...place, k], `Choice ${k + 1} of ${all.length}`, [
        h("div", { class: "row" }, field("name", input([...place, k, "name"], { kind: "optional", name: `Choice ${k + 1}, name`, size: 8 })), field("weight", input([...place, k, "weight"], { kind: "exact", name: `Choice ${k + 1}, weight`, size: 7 }))),
        channel([...place, k, "mechanism"])], all.length > 1 && remove([...place, k]))),
      add("+ a choice", place, (doc) => at(doc, place).push({ weight: "0", mechanism: BEGIN() })));
    };
  }
  if (refers(entries, "label")) return (path) => one([...path, name], `${name}: ${meaning}`, labels([...path, name], name));
  if (refers(entries?.additionalProperties, "label")) {
    return (path) => {
      const [place, table] = [[...path, name], value([...path, name]) ?? {}];
      const every = () => Object.fromEntries(store.document.values.map((each) => [shown(each), each]));
      return h("div", { "data-path": key(place) }, Object.keys(table).map((each) => one([...place, each], `Generalization ${each}`, [nameOf(place, each, "name"), labels([...place, each], each)], Object.keys(table).length > 1 && remove([...place, each]))),
        add("+ a generalization", place, (doc) => put_at(doc, [...place, fresh(table, "as it is")], every())));
    };
  }
  if (schema.type === "boolean") {
    return (path) => ticks(meaning, [[name, name]], value([...path, name]) ? [name] : [], (chosen) => change((doc) => put_at(doc, [...path, name], chosen.length ? true : undefined)), { id: `${path.join("-")}-${name}`, path: [...path, name] });
  }
  if (schema.type === "string") {
    return (path) => {
      const place = [...path, name];
      if (value(place) === undefined) return add(`+ ${name}, in words`, place, (doc) => { delete at(doc, path).then; put_at(doc, place, "hide 1 to 2"); });
      return field(name, input(place, { kind: "text", name: meaning, size: 30 }), meaning);
    };
  }
  if (items?.properties?.cells) return (path) => tables([...path, name], meaning);
  return undefined;
}

/** Tables of counts: the values that are counted; what else a table says stands in the TOML tab. */
function tables(place, meaning) {
  const all = value(place) ?? [];
  const every = store.document.values;
  return h("div", { "data-path": key(place) }, h("p", { class: "note" }, meaning), all.map((each, k) => one([...place, k], `Table ${k + 1} of ${all.length}`, [
    ticks("one cell for each of these values", every.map((one) => [shown(one), shown(one)]), (each.cells ?? []).map(shown), (chosen) => change((doc) => put_at(doc, [...place, k, "cells"], chosen.length ? every.filter((one) => chosen.includes(shown(one))) : undefined)), { id: `${place.join("-")}-${k}-cells`, path: [...place, k, "cells"] }),
    Object.keys(each).some((one) => one !== "cells") && h("p", { class: "note" }, `Also ${Object.keys(each).filter((one) => one !== "cells").join(", ")}: edited in the TOML tab.`)], all.length > 1 && remove([...place, k]))),
  add("+ a table", place, (doc) => at(doc, place).push({ cells: [every.at(-1)] })));
}
