// The parameters that definitions of DP22 have beside the model, `[policy]` of the file: those that are there, and those that the chosen definition reads.

import { $, at, fill, h, idOf, key, put_at, shown } from "./dom.js";
import { button, input } from "./controls.js";
import { change, store } from "./store.js";

let reads = [];
let drawn = null;

const there = (field) => at(store.document, ["policy", field]) !== undefined;

/** Put a field into the document, or take it out; a `[policy]` without fields goes with the last. */
const put = (field, found) => change((doc) => {
  if (found !== undefined && doc.policy === undefined) put_at(doc, ["policy"], {});
  put_at(doc, ["policy", field], found);
  if (!Object.keys(doc.policy).length) put_at(doc, ["policy"], undefined);
});

/** A button that puts the first value of a field into the document; where the field is edited, it is then focused. */
const adder = (about, id) => button(`+ ${about.field}`, () => {
  put(about.field, structuredClone(about.example));
  $(idOf(["policy", about.field]))?.focus();
}, { class: "quiet add", id, title: `${about.field} = ${shown(about.example)}`.slice(0, 200) });

/** The fields that the chosen definition misses, each with a button that adds a first value of it. */
export const missing = () => {
  const fields = reads.filter((one) => one.needed && one.example !== null && !there(one.field));
  return fields.length ? h("p", { class: "note", id: "missing-fields" }, "Put a first value into the model, to be changed: ", fields.map((one) => adder(one, `put-policy-${one.field}`))) : null;
};

/** A field as it was first offered, or its input; `words` say what it is. */
function line(field, about) {
  const path = ["policy", field];
  const note = about && h("small", { id: `about-policy-${field}` }, about.words);
  const name = h("code", {}, field);
  if (there(field)) {
    const box = input(path, { kind: "json", name: `${field}, of [policy]`, late: true, size: Math.min(60, Math.max(8, shown(at(store.document, path)).length)), cls: "exact" });
    return h("div", { class: "field policy" }, h("label", { for: box.id }, name, about ? null : " "), box,
      button("×", () => put(field, undefined), { class: "quiet remove", "aria-label": `Remove ${field} from [policy]` }), note);
  }
  if (about.example === null) return h("div", { class: "field policy" }, name, h("small", {}, `${about.needed ? "missing" : "may be given"}; edited in the TOML tab. ${about.words}`));
  return h("div", { class: `field policy${about.needed ? " missing" : ""}` }, adder(about, `add-policy-${field}`),
    h("small", {}, `${about.needed ? "missing: the definition needs it. " : "may be given. "}${about.words}`));
}

function lines() {
  const given = Object.keys(store.document.policy ?? {});
  const about = new Map(reads.map((one) => [one.field, one]));
  const needed = reads.filter((one) => one.needed).map((one) => one.field);
  const names = [...new Set([...needed, ...reads.map((one) => one.field), ...given])];
  const chosen = names.filter((name) => about.has(name));
  const others = names.filter((name) => !about.has(name));
  return [chosen.map((name) => line(name, about.get(name))),
    others.length ? h("details", { id: "policy-others", open: $("policy-others")?.open ?? false }, h("summary", {}, chosen.length ? "Fields that other definitions read" : "The fields of the file"), others.map((name) => line(name, null))) : null];
}

/** The part of the editors; it is not seen where the file has no such field and the definition reads none. */
export const policyEditor = () => h("section", { class: "part", id: "part-policy", hidden: true, "data-path": key(["policy"]) },
  h("h3", {}, "What the definition asks for besides"), h("p", { class: "note" }, "Parameters of definitions of DP22, [policy] in the file. A number is 2 or 1/10; lists and tables are written as JSON."), h("div", { id: "policy-fields" }));

/** Draw the fields again: the definition that is chosen reads others now, or the document has others. */
export function drawPolicy(found = reads) {
  reads = found;
  const section = $("part-policy");
  if (!section) return;
  const now = JSON.stringify([reads, Object.keys(store.document.policy ?? {})]);
  if (now === drawn && $("policy-fields").hasChildNodes()) return; // what a person is typing stays
  drawn = now;
  const list = lines();
  section.hidden = !reads.length && !Object.keys(store.document.policy ?? {}).length;
  const id = section.contains(document.activeElement) ? document.activeElement.id : null;
  fill($("policy-fields"), ...list);
  if (id) $(id)?.focus({ preventScroll: true });
}
