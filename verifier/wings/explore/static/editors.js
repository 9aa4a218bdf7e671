// The editors of the model, put together; rebuilt where the shape of the document changed, refreshed where only numbers did.

import { $, at, count, fill, h, key, label, listed, put_at, shown, tell, within } from "./dom.js";
import { complain, post } from "./api.js";
import { unasked } from "./asked.js";
import { button, field, refresh } from "./controls.js";
import { addDistribution, distributionEditor } from "./distribution.js";
import { channelEditor, KINDS } from "./channel.js";
import { inWords, knowledgeEditor, sensitiveEditor } from "./known.js";
import { drawProgram } from "./program.js";
import { renamed, renaming, unspelled } from "./rename.js";
import { isNoted, lead, noted, readSize, resized, sizeNote } from "./resize.js";
import { drawPolicy, policyEditor } from "./policy.js";
import { change, edit, fix, model, store } from "./store.js";

const HARD = new Set(["size", "values", "kind", "records", "given", "when", "value"]);
let drawn = null;

/** What decides the shape of the forms: all keys and lengths, and the entries that choose a form. */
function skeleton(part, hard = false) {
  if (Array.isArray(part)) return part.map((one) => skeleton(one, hard));
  if (part !== null && typeof part === "object") {
    return Object.keys(part).sort().map((name) => [name, skeleton(part[name], hard || HARD.has(name))]);
  }
  return hard ? part : 0;
}

async function expand(body) {
  const before = store.document;
  const answer = await post("expand", { ...model(), ...body });
  if (store.document !== before) return;
  if (answer.problems) return complain(answer.problems, "Not expanded");
  if ("parameters" in before) tell("Written out at these values of the parameters. Undo brings the family back.");
  return replace(answer.document);
}

/** Another document in the place of this one, as one step of the history. */
const replace = (next, by = null) => change((doc) => {
  for (const name of Object.keys(doc)) delete doc[name];
  for (const name of Object.keys(next)) put_at(doc, [name], next[name]);
}, by);

const part = (id, title, note, ...children) => h("section", { class: "part", id }, h("h3", {}, title), note && h("p", { class: "note" }, note), children);

/** A list as JSON, or null: for values with commas or quotes in them. */
function listOf(text) {
  try {
    return text.trim().startsWith("[") ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

function values() {
  const list = store.document.values ?? [];
  const odd = list.some((one) => /[,[\]"]|^\s|\s$|^$/.test(shown(one)));
  const take = (event) => {
    const text = event.target.value;
    const next = listOf(text) ?? text.split(",").map((one) => one.trim()).filter((one) => one !== "").map(label);
    const names = renaming(list, next);
    let places = 0;
    const program = names && unspelled(store.document, names) ? " The program is as it was: rename them there too." : "";
    change((doc) => {
      if (names) places = renamed(doc, names);
      doc.values = next;
    });
    if (places || program) tell(`${listed([...names].map(([old, name]) => `${old} is ${shown(name)}`))} now, in ${count(places, "place")}.${program} Undo takes it back.`, 6000);
  };
  return h("input", { id: "values", type: "text", "aria-label": "Possible values of a record, with commas between them", value: odd ? JSON.stringify(list) : list.map(shown).join(", "), "data-path": key(["values"]), onchange: take, autocomplete: "off" });
}

function size() {
  const given = store.document.size;
  const box = h("input", { id: "size", type: "text", inputmode: "numeric", size: 4, value: shown(given), "data-path": key(["size"]), "aria-label": "Records in a database", onchange: () => resize(box.value), autocomplete: "off" });
  return box;
}

/** Laws and rows of explicit tables follow the number of records; what was filled in is said. */
function resize(text) {
  change((doc) => noted(doc, resized(doc, readSize(text))));
}

/** Elements of one part of the forms: with more of them a browser is slow. */
const MOST_ELEMENTS = 30000;

/** A form that the document does not fit, or that would be too large, is left to the TOML tab. */
function safely(work) {
  try {
    return within(MOST_ELEMENTS, work);
  } catch (error) {
    console.warn(error);
    return h("section", { class: "part" }, h("p", { class: "note" }, "This part of the model does not fit its form. It is edited in the TOML tab."));
  }
}

let ranges = [];

/** A family has one model for each value of its parameters: which one is looked at. */
function parameters(doc) {
  const one = (name) => {
    const thumb = h("input", { type: "range", min: 0, max: 0, step: 1, disabled: true, id: `slide-parameter-${name}`, "aria-label": `${name}, slider`, "data-parameter": name, oninput: () => fix(name, thumb.steps[thumb.value]) });
    return [field(`${name} =`, h("input", { id: `parameter-${name}`, type: "text", class: "exact", size: 8, value: shown(store.set[name]), "aria-label": `Value of ${name}`, "data-path": key(["set", name]), oninput: (event) => fix(name, event.target.value.trim()) }), h("span", { id: `range-${name}` })), thumb];
  };
  requestAnimationFrame(() => showParameters(ranges));
  return part("part-parameters", "Parameters", "The model is a family, one model for each value of its parameters. These values choose the one that is looked at; pkdp check decides all of them at once.",
    Object.keys(doc.parameters).map((name) => h("div", { class: "row", "data-path": key(["parameters", name]) }, one(name))));
}

/** The ranges and the exact steps that the server offers, put into the sliders. */
export function showParameters(found) {
  ranges = found;
  for (const { name, range, value, steps } of found) {
    const [box, thumb] = [$(`parameter-${name}`), $(`slide-parameter-${name}`)];
    if (!box || !thumb) continue;
    store.set[name] ??= value;
    if (box !== document.activeElement) box.value = store.set[name];
    $(`range-${name}`).textContent = range.replaceAll("<=", "≤");
    Object.assign(thumb, { steps, disabled: steps.length < 2, max: steps.length - 1, value: steps.indexOf(value) });
    thumb.setAttribute("aria-valuetext", value);
    thumb.style.setProperty("--part", `${(100 * steps.indexOf(value)) / Math.max(1, steps.length - 1)}%`);
  }
}

function build() {
  const doc = store.document;
  const several = Array.isArray(doc.size);
  const grow = ([path, first]) => {
    if (first) change((next) => put_at(next, path, first));
    expand({ to: "knowledge-table" });
  };
  return [
    () => part("part-values", "The records", null, h("div", { class: "row" },
      field("records in a database", size()), field("possible values of a record", values(), "with commas between them")), sizeNote(doc, lead)),
    () => "parameters" in doc && parameters(doc),
    () => several ? part("part-distribution", "Databases of several sizes", "Every pair of neighbouring databases is compared, whatever its probability.") : part("part-distribution", "1 · How likely each database is", (doc.distribution ?? []).length > 1
      ? `The attacker's belief may be any of these ${count(doc.distribution.length, "distribution")}; an answer is for the worst of them.` : null,
    (doc.distribution ?? []).map((_, k) => distributionEditor(k, (to, which) => expand({ to, index: which }))),
    button("+ distribution", addDistribution, { class: "quiet add", id: "add-distribution" })),
    () => !several && part("part-knowledge", "What the attacker knows for certain", null, knowledgeEditor((path, first) => grow([path, first]))),
    () => part("part-mechanism", "2 · What is published", null, channelEditor(["mechanism"], () => expand({ to: "mechanism-table" }))),
    () => !several && part("part-sensitive", "What is to be protected", null, sensitiveEditor()),
    () => policyEditor(),
    () => ["parameters", "conditions", "normalization"].some((name) => name in doc) && part("part-more", "More", `This model also has ${["parameters", "conditions", "normalization"].filter((name) => name in doc).join(", ")}: edited in the TOML tab.`),
  ].map(safely).filter(Boolean);
}

function keepFocus(work) {
  const active = document.activeElement;
  const id = $("editors").contains(active) || $("title-line").contains(active) ? active.id : null;
  const from = id && "selectionStart" in active && (active.type === "text" || active.type === "textarea") ? [active.selectionStart, active.selectionEnd] : null;
  work();
  const again = id && $(id);
  if (again && again !== document.activeElement) {
    again.focus({ preventScroll: true });
    if (from && "setSelectionRange" in again && again.type !== "range" && again.type !== "checkbox") again.setSelectionRange(...from);
  }
}

/** Bring the editors in step with the document. True if they were built anew. */
export function drawEditors({ anew = false, opened = false } = {}) {
  const now = JSON.stringify(skeleton(store.document));
  const changed = anew || now !== drawn;
  drawn = now;
  if (opened) turn += 1; // a text that is being read in the TOML tab is that of the model before
  if (changed) {
    keepFocus(() => {
      fill($("editors"), build());
      drawPolicy();
      title(opened);
    });
  } else refresh(document);
  drawProgram(anew);
  if (!isNoted(store.document)) $("size-note")?.remove();
  steps();
  return changed;
}

/** The title, the source and the notes, which are open in a model that has just been opened: they say what it is about. */
function title(opened) {
  const doc = store.document;
  const name = h("textarea", { id: "cell-title", class: "title", rows: 1, "aria-label": "Title of the model", "data-path": key(["title"]), "data-kind": "optional", placeholder: "Untitled model", spellcheck: "false", value: doc.title ?? "",
    onkeydown: (event) => event.key === "Enter" && (event.preventDefault(), event.target.blur()),
    oninput: (event) => edit(["title"], event.target.value.trim() === "" ? undefined : event.target.value.replace(/\n/g, " ")) });
  fill($("title-line"), h("h1", { class: "away" }, doc.title ?? "Untitled model"), name,
    h("p", { class: "source" }, doc.source ? h("span", {}, doc.source) : null),
    doc.notes ? h("details", { id: "notes", open: opened || $("notes")?.open }, h("summary", {}, "Notes"), doc.notes.trim().split(/\n\s*\n/).map((text) => h("p", {}, text))) : null);
}

/** What is published, in a few words: the output of the kind, with the values of its keys. */
const brief = () => {
  const m = store.document.mechanism ?? {};
  const words = (name) => {
    const { instead, otherwise, schema } = KINDS[m.kind].keys.find((one) => one.name === name);
    const given = instead?.find((one) => one.name in m)?.name ?? name;
    if (schema.examples || (given !== name && typeof m[given] === "string")) return `${given} = ${shown(m[given])}`;
    if (given === name) return shown(m[name] ?? otherwise);
    return Array.isArray(m[given]) ? m[given].map(shown).join(" or ") : given; // a table is named
  };
  const output = KINDS[m.kind]?.output.replaceAll("`", "").replace(/\{(\w+)\}/g, (_, name) => words(name));
  const said = output ?? (m.program !== undefined ? "the output of the program" : m.table ?? m.rows ? "the output of the table below" : `the output of “${shown(m.kind)}”`);
  const noisy = (m.then ?? []).some((step) => step.kind);
  return `${m.sample ? "of a sample: " : ""}${said}${noisy ? ", with noise" : (m.then ?? []).length ? ", recoded" : ""}`;
};

/** The idea, one line for each step, in the words of this model. */
function steps() {
  const doc = store.document;
  const several = Array.isArray(doc.size);
  const belief = several ? "any two neighbouring databases" : `how likely each database is, and ${inWords()}`;
  if (!$("step-inferred")) {
    fill($("steps"),
      h("li", {}, h("a", { href: "#part-distribution" }, "What the attacker knows"), h("span", { id: "step-known" })),
      h("li", {}, h("a", { href: "#part-mechanism" }, "What is published"), h("span", { id: "step-published" })),
      h("li", {}, h("a", { href: "#results" }, "What can be inferred"), h("span", { id: "step-inferred" }, "how much more the attacker then knows about one record.")));
  }
  $("step-known").textContent = `${belief}.`;
  $("step-published").textContent = `${brief()}.`;
}

// --- the TOML tab ---------------------------------------------------------------------------------------------------

let writing = null;
let turn = 0;
const area = () => $("toml-text");
export const tomlShown = () => !$("toml").hidden;

export async function writeToml() {
  const mine = ++turn;
  const answer = await post("write", { document: unasked() });
  if (mine !== turn || answer.problems || area() === document.activeElement) return answer;
  area().value = answer.text;
  fill($("toml-problems"));
  return answer;
}

const said = (problem) => h("p", { class: "problem" }, h("strong", {}, problem.where ? `${problem.where}: ` : "", problem.message), problem.wanted ? `. Expected ${problem.wanted}` : "", problem.tip ? h("span", { class: "tip" }, `. Hint: ${problem.tip}`) : "", ".");

export function watchToml(taken) {
  area().addEventListener("input", () => {
    clearTimeout(writing);
    const mine = ++turn;
    writing = setTimeout(async () => {
      const answer = await post("read", { text: area().value });
      if (mine !== turn) return;
      if (answer.problems && !answer.document) {
        area().setAttribute("aria-invalid", "true");
        fill($("toml-problems"), answer.problems.map(said));
        taken(answer.problems);
        return;
      }
      area().removeAttribute("aria-invalid");
      fill($("toml-problems"), (answer.problems ?? []).map(said));
      replace(store.asked ? { question: store.document.question, ...answer.document } : answer.document, "toml");
    }, 250);
  });
}

/** The tabs in their order, each with its panel. */
export const TABS = { tables: "editors", program: "program", toml: "toml" };

export function tab(name) {
  for (const [one, panel] of Object.entries(TABS)) {
    $(panel).hidden = one !== name;
    $(`tab-${one}`).setAttribute("aria-selected", String(one === name));
    $(`tab-${one}`).tabIndex = one === name ? 0 : -1;
  }
  if (name === "toml") writeToml().then((answer) => answer?.problems && complain(answer.problems, "Not yet a model file"));
}

export { at, tell };
