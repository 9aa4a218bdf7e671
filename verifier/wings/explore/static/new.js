// A model of one's own: the values and the number of records, and what is published, from a blank one, a form, a program or a rule.

import { $, fill, h, label, shown, tell } from "./dom.js";
import { post } from "./api.js";
import { KINDS } from "./channel.js";
import { field } from "./controls.js";
import { BLANK } from "./first.js";
import { uniform } from "./fractions.js";
import { TEMPLATES } from "./program.js";
import { readSize } from "./resize.js";
import { opening } from "./store.js";

/** Of each rule of publication, as a model file names it, its title; the server writes them here. */
const RULES = {};

const typed = () => $("new-values").value.split(",").map((one) => one.trim()).filter((one) => one !== "").map(label);

/** A model with these values and records, each value equally likely, and the mechanism that `make` gives for it. */
const begin = (make, tab) => opening(async (wanted, display) => {
  const values = typed();
  const doc = { size: readSize($("new-size").value), values, distribution: [{ iid: Object.fromEntries(uniform(values.length).map((part, k) => [shown(values[k]), part])) }] };
  const answer = await make(doc);
  const problems = answer.problems ?? (await post("read", { text: (await post("write", { document: { ...doc, mechanism: answer } })).text ?? "" })).problems;
  if (!wanted()) return null;
  if (problems) {
    const [first] = problems;
    fill($("new-said"), `${first.where ? `${first.where}: ` : ""}${first.message}.${first.wanted ? ` Expected ${first.wanted}.` : ""}`);
    return false;
  }
  $("new").close();
  display({ ...doc, mechanism: answer }, "model.toml");
  $(`tab-${tab}`).click();
  tell("A new model. Undo brings the last one back.");
  $("cell-title").focus();
  return true;
});

/** The mechanism of a kind with first keys for the document. */
async function first(document, kind, template = null) {
  const answer = await post("kind", { document, kind, step: false, template });
  return answer.problems ? answer : kind === "program" ? answer.keys : { kind, ...answer.keys };
}

const list = (title, entries) => h("section", {}, h("h3", {}, title), h("ul", {}, entries.map(([id, name, note, make, tab = "tables"]) =>
  h("li", {}, h("button", { type: "button", id: `new-${id}`, onclick: () => begin(make, tab) }, h("span", { class: "title" }, name), note && h("small", {}, note))))));

function build() {
  const box = (id, value) => h("input", { id, type: "text", value, autocomplete: "off", spellcheck: "false", autocapitalize: "off" });
  fill($("new-body"),
    h("div", { class: "row" }, field("records in a database", box("new-size", shown(BLANK.size))), field("possible values of a record", box("new-values", BLANK.values.join(", ")), "with commas between them")),
    h("p", { class: "note", id: "new-said", role: "alert" }),
    h("div", { class: "models" },
      list("What is published", [["blank", "a count of the last value", "the shortest model", async ({ values }) => ({ ...BLANK.mechanism, value: values.at(-1) })]]),
      list("A program with random draws", Object.entries(TEMPLATES).map(([name, title]) => [name, title, null, (doc) => first(doc, "program", name), "program"])),
      list("A rule of publication", Object.entries(RULES).map(([rule, title], k) => [`rule-${k}`, title, rule, async ({ values }) => ({ kind: "tables", rule, tables: [{ cells: [values.at(-1)] }] })])),
      list("A form", Object.entries(KINDS).map(([kind, about]) => [`form-${kind}`, about.title, null, (doc) => first(doc, kind)]))));
}

/** Begin a model of one's own. */
export function newModel() {
  if (!$("new-blank")) build();
  fill($("new-said"));
  $("new").showModal();
  $("new-blank").focus();
}
