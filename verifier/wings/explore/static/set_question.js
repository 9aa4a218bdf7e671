// "Set a question": the form in which a lecturer asks something about the model that is open, and copies its link.

import { $, copy, copyText, fill, h, tell } from "./dom.js";
import { Asker } from "./api.js";
import { inForm } from "./asked.js";
import { button, field } from "./controls.js";
import { saveFile } from "./examples.js";
import { toFragment } from "./link.js";
import { listen, open, store } from "./store.js";
import { remember } from "./visits.js";

const ALL = ["verdict", "overview", "profile", "losses", "picture"];
const SECTIONS = ["distribution", "knowledge", "mechanism", "sensitive", "policy"];
/** Of each kind what can be written: an example, and what it asks. */
const EXAMPLES = {
  goal: [["np(0) and not cdp", "NP holds with ε = 0, and CDP for no ε"], ["cdp(ln(2))", "CDP holds with ε = ln(2)"], ["np(0, 1/10)", "NP holds with ε = 0 and δ = 1/10"], ["np(e) => cdp(2*e)", "for every ε: if NP holds with it, then CDP with twice as much"]],
  number: [["np epsilon at 0", "the smallest ε of NP at δ = 0"], ["cdp delta at ln(2)", "the smallest δ of CDP at ε = ln(2)"]],
  choices: [["NP = not np(0) and cdp(0)", "the choice “NP” is right if NP fails with ε = 0 and CDP holds"], ["nobody = np(0) and cdp(0)", "the choice “nobody” is right if both hold"]],
};
/** The keys of a question in the words of the form. */
const LABELS = { text: "What do you ask?", goal: "Statement", number: "Quantity", choices: "Choices, one a line, each with its statement", change: "May be changed", hints: "Hints, one a line" };
/** The goal that a try reached, and the parts of the model that were locked then; and those that are asked about now. */
let [reached, asking] = [null, null];
/** Why the question cannot be asked; empty where it can, and null until the program has read what the form says now. */
let lacking = null;
/** What waits until the program has read it. */
let waiting = [];
/** What the question before has that the form has no field for, and what it hides. */
let [more, hides] = [{}, ALL];

/** The parts of a model that may be left open: the keys of its sections, and those of each step. */
function parts(document) {
  const found = [];
  const walk = (value, path) => {
    if (Array.isArray(value)) value.forEach((one, k) => one !== null && typeof one === "object" && walk(one, [...path, k]));
    else for (const name of Object.keys(value)) {
      if (name.includes(".") || name === "kind" || name === "name") continue;
      if (name === "then" && Array.isArray(value.then)) walk(value.then, [...path, name]);
      else found.push([...path, name].join("."));
    }
  };
  for (const name of SECTIONS) if (document[name] !== null && typeof document[name] === "object") walk(document[name], [name]);
  return found;
}

const lines = (id) => $(id).value.split("\n").map((line) => line.trim()).filter(Boolean);

/** `[question]` as the form says it. */
function question() {
  const kind = $("setting-kind").value;
  const asked = { text: $("setting-text").value.trim() };
  if (kind === "choices") asked.choices = Object.fromEntries(lines("setting-choices").map((line) => line.split("=")).map(([name, ...rest]) => [name.trim(), rest.join("=").trim()]));
  else asked[kind] = $("setting-statement").value.trim();
  if (kind === "goal") asked.change = [...document.querySelectorAll("#setting-change input:checked")].map((one) => one.value);
  if ($("setting-hide").checked) asked.hide = hides;
  if (lines("setting-hints").length) asked.hints = lines("setting-hints");
  return $("setting-more")?.checked ? { ...asked, ...more } : asked;
}

/** What stands in the form so far asks nothing yet: the sentence that says what to do next. */
function missing(asked) {
  if (!asked.text) return "Write what you ask.";
  if (asked.choices) return Object.keys(asked.choices).length < 2 ? "Write two choices or more, one a line." : "";
  if (!(asked.goal ?? asked.number)) return asked.goal === "" ? "Write the statement that is to become true." : "Write the quantity that is to be typed.";
  return asked.change?.length === 0 ? `Tick what a student may change, below “${LABELS.change}”.` : "";
}

/** The model with its question, as its link holds it: promised answers never go along, and notes where the lecturer says so. */
const made = () => {
  const { question: _, expect: __, notes, ...model } = copy(store.document);
  return { ...model, ...($("setting-notes")?.checked ? { notes } : {}), question: question() };
};

/** A goal and what is locked: who reached another goal, or this one in another model, has not shown that it can be done. */
function task(document) {
  const { question: asked, notes: _, ...model } = copy(document);
  for (const path of asked.change ?? []) {
    const names = path.split(".");
    const last = names.pop();
    const part = names.reduce((one, name) => one?.[name], model);
    if (part) part[last] = null;
  }
  return JSON.stringify([asked.goal, asked.change, model]);
}

/** What is to be known of a goal before it is asked: whether the model reaches it already, or no try did. */
function draw(answer) {
  if (!$("setting-live")) return;
  const [first] = answer.problems ?? [];
  if (first) {
    const where = first.where?.replace(/^\[question\], (\w+)/, (said, name) => (LABELS[name] ? `“${LABELS[name]}”` : said));
    settle(`${where ? `${where}: ` : ""}${first.message}.${first.wanted ? ` Expected ${first.wanted}.` : ""}`);
    return fill($("setting-live"), h("p", { class: "problem" }, lacking));
  }
  settle("");
  const isGoal = $("setting-kind").value === "goal";
  if (answer.state === "right" || (store.solved && task(store.solved) === asking)) reached = asking;
  const note = isGoal ? (answer.state === "right" ? "The goal is true already: change the model, so that a student has something to do." : reached === asking ? "You reached the goal before: it can be done." : "No try has reached the goal yet. Change the model until it is true, then take the change back.")
    : answer.state === "wrong" ? "No choice is right." : "";
  fill($("setting-live"), h("ul", {}, answer.lines.map((line) => h("li", {}, line))), note && h("p", { class: "note" }, note));
}

const asker = new Asker("question", draw);
/** What the form says is kept with what is seen, so that Back and a reload bring it again. */
function ask() {
  if (!$("setting")) return;
  const asked = question();
  store.draft = { ...asked, notes: $("setting-notes")?.checked };
  remember();
  asker.cancel();
  const next = missing(asked);
  if (next) {
    settle(next);
    return fill($("setting-live"), h("p", { class: "note" }, next));
  }
  lacking = null;
  asker.ask(() => {
    const document = made();
    asking = task(document);
    return { do: "set", document };
  });
}
listen((what) => {
  if (what.kind === "opened") close();
  else if (what.kind === "document") ask();
});

function close() {
  $("setting")?.remove();
  [lacking, waiting] = [null, []];
  store.draft = null;
  asker.cancel();
  $("set-question").setAttribute("aria-expanded", "false");
}

const address = async () => {
  const fragment = await toFragment({ document: made(), question: { definition: null, epsilon: "ln(2)", delta: "0" }, loss: { record: null }, set: {} });
  return `${location.href.split("#")[0]}#${fragment}`;
};

/** Take over an example. */
function write(text) {
  const area = $($("setting-kind").value === "choices" ? "setting-choices" : "setting-statement");
  area.value = area.id === "setting-choices" ? [...lines(area.id), text].join("\n") : text;
  area.focus();
  ask();
}

/** The names that a statement may use, as the overview has them. */
const names = () => [...document.querySelectorAll("#passport-table tr[data-key]")].map((row) => row.dataset.key);

/** It is known what the question lacks, or that it lacks nothing. */
function settle(what) {
  lacking = what;
  for (const go of waiting.splice(0)) go();
}

/** Do something with the question once the program has read it, or say what it lacks. */
const whole = (work) => async () => {
  if (lacking === null) await new Promise((go) => waiting.push(go));
  return lacking ? tell(lacking) : work();
};

function byKind() {
  const kind = $("setting-kind").value;
  for (const one of ["setting-statement", "setting-choices"]) $(one).closest(".field").hidden = (kind === "choices") !== (one === "setting-choices");
  $("setting-change").hidden = kind !== "goal";
  $("setting-statement").placeholder = EXAMPLES[kind][0][0];
  $("setting-statement").closest(".field").querySelector("label").textContent = LABELS[kind];
  fill($("setting-examples"), EXAMPLES[kind].map(([text, meaning]) => h("li", {}, button(text, () => write(text)), ` ${meaning}`)));
  ask();
}

/** Open the form, or close it. The form of a model that asks something already begins with that question. */
export function setQuestion() {
  if ($("setting")) return close();
  if (store.asked) {
    const { question: before, ...model } = copy(store.asked.original);
    open(model, store.name);
    tell("You set the question now: everything is shown.");
    return form(before);
  }
  return form(store.document.question ?? {});
}

/** The form, filled in with a question; `autocomplete` keeps the browser from putting what other fields held into it after Back. */
export function form(before) {
  more = Object.fromEntries(Object.entries(before).filter(([name]) => !Object.hasOwn(LABELS, name) && name !== "hide" && name !== "notes"));
  hides = before.hide?.length ? before.hide : ALL;
  const kind = ["choices", "number"].find((one) => Object.hasOwn(before, one)) ?? "goal"; // of a draft it may be empty
  const isNew = !Object.hasOwn(before, "text");
  const area = (id, rows, value, placeholder = "") => h("textarea", { id, rows, value, placeholder, oninput: ask, spellcheck: id === "setting-text" ? "true" : "false", autocomplete: "off" });
  $("title-line").closest(".columns").before(h("section", { id: "setting", "aria-labelledby": "setting-title" },
    h("h2", { id: "setting-title" }, "Set a question"),
    field(LABELS.text, area("setting-text", 3, before.text ?? "")),
    h("div", { class: "row" },
      field("The student", h("select", { id: "setting-kind", onchange: byKind, autocomplete: "off" }, [["goal", "changes the model until a statement is true"], ["number", "types a number"], ["choices", "chooses"]].map(([word, text]) => h("option", { value: word, selected: word === kind }, text)))),
      field(LABELS[kind], h("input", { id: "setting-statement", type: "text", size: 32, value: before.goal ?? before.number ?? "", oninput: ask, spellcheck: "false", autocomplete: "off" }))),
    field(LABELS.choices, area("setting-choices", 4, Object.entries(before.choices ?? {}).map(([name, text]) => `${name} = ${text}`).join("\n"), EXAMPLES.choices[0][0])),
    h("details", { id: "setting-help", open: !before.text }, h("summary", {}, "What can be written here"), h("ul", { id: "setting-examples" }),
      h("p", { class: "note" }, "np(ε, δ) asks for this ε and δ, np(ε) for δ = 0, np for some ε. Combine with and, or, not, =>. Names: ", (names().length ? names() : ["np", "cdp"]).map((name) => [h("code", {}, name), " "]), "and the others of the overview.")),
    h("fieldset", { id: "setting-change", class: "ticks" }, h("legend", {}, LABELS.change), parts(store.document).map((path) => h("label", { class: "tick" }, h("input", { type: "checkbox", autocomplete: "off", value: path, checked: (before.change ?? []).includes(path), onchange: ask }), h("span", {}, inForm(path))))),
    h("label", { class: "tick" }, h("input", { type: "checkbox", autocomplete: "off", id: "setting-hide", checked: isNew || Boolean(before.hide?.length), onchange: ask }), h("span", {}, "Hide the verdict until the answer is right")),
    Object.keys(more).length > 0 && h("label", { class: "tick" }, h("input", { type: "checkbox", autocomplete: "off", id: "setting-more", checked: true, onchange: ask }), h("span", {}, "Keep what the form has no field for: ", Object.keys(more).map((name, k) => [k ? ", " : "", h("code", {}, name)]))),
    store.document.notes && h("label", { class: "tick" }, h("input", { type: "checkbox", autocomplete: "off", id: "setting-notes", checked: before.notes ?? Boolean(before.text), onchange: ask }), h("span", {}, "Send the notes of the model along: students read them, and notes of an example often tell the answer")),
    field(LABELS.hints, area("setting-hints", 2, (before.hints ?? []).join("\n"))),
    h("div", { id: "setting-live", "aria-live": "polite" }),
    h("div", { class: "row" }, button("Copy the question's link", whole(async () => copyText(await address(), "Link of the question")), { id: "setting-copy" }),
      button("Save the question", whole(() => saveFile(made())), { class: "quiet", id: "setting-save" }),
      button("Try it as a student", whole(() => open(made(), store.name)), { class: "quiet", id: "setting-try" }), button("Close", close, { class: "quiet" }))));
  $("set-question").setAttribute("aria-expanded", "true");
  byKind();
  $("setting-text").focus();
}
