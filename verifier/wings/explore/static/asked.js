// A question that came with the model: its text, what may be changed, its hints, a check by the program, and the line
// to hand in. While the verdict is hidden nothing about the model is asked, so that nothing can tell it.

import { $, at, copy, copyText, fill, h, key, put_at, tell } from "./dom.js";
import { Asker, post } from "./api.js";
import { button, field } from "./controls.js";
import { change, forgetPast, listen, store, watchChanges } from "./store.js";

/** The parts of the page that `hide` folds; the verdict is told by all of them. */
const PARTS = { overview: ["passport", "exchange"], profile: ["profile"], losses: ["loss"], picture: ["picture"] };
const WORDS = { right: "✓ Right", wrong: "✗ Not yet", unreadable: "This cannot be read", undecided: "? Not decided" };
const NAME = "pkdp-name";
let resumed = null;
let told = () => {};
let putting = false;

const steps = (document, path) => {
  const found = [];
  for (const word of path.split(".")) found.push(Array.isArray(at(document, found)) ? Number(word) : word);
  return found;
};

/** A document without the parts that may be changed, as a text to compare. */
function locked(document, paths) {
  const rest = copy(document);
  for (const path of paths) if (at(rest, steps(rest, path)) !== undefined) put_at(rest, steps(rest, path), null);
  return JSON.stringify(sorted(rest));
}

/** A part of the model in the words of its form: the headings that it stands under, and its own; its path where it has no form. */
export function inForm(path) {
  const place = key(steps(store.document, path));
  const control = [...document.querySelectorAll("#editors [data-path]")].filter((one) => one.dataset.path === place).at(-1);
  if (!control) return path;
  const above = [];
  for (let one = control.parentElement; one; one = one.parentElement) if (one.matches("fieldset")) above.unshift(one.querySelector(":scope > legend").textContent);
  const [label, name] = [control.closest(".field")?.querySelector("label").textContent, control.getAttribute("aria-label")];
  const own = control.querySelector(":scope > :is(caption, legend)")?.textContent ?? (label && name !== label ? `${label} (${name})` : name);
  return [control.closest(".part").querySelector("h3").textContent.replace(/^\d · /, ""), ...above, own].filter(Boolean).join(" › ");
}

/** The order of keys is no change: the TOML tab writes them in its own. */
function sorted(part) {
  if (Array.isArray(part)) return part.map(sorted);
  if (part === null || typeof part !== "object") return part;
  return Object.keys(part).sort().map((name) => [name, sorted(part[name])]);
}

export const isHidden = () => Boolean(store.asked && !store.asked.shown && (store.asked.about?.hide ?? ["verdict"]).includes("verdict"));

/** The model as a text shows it: while its question is asked, without the hints and the goal that are hidden. */
export function unasked() {
  const { question: _, ...model } = store.document;
  return store.asked ? model : store.document;
}

/** What the student has changed, by path. */
function changes() {
  const { about, mine } = store.asked;
  const found = {};
  for (const path of about?.change ?? []) {
    const part = at(store.document, steps(store.document, path));
    if (JSON.stringify(part) !== JSON.stringify(at(mine, steps(mine, path)))) found[path] = part;
  }
  return found;
}

/** What the address keeps of a question: as it was asked, and what was changed. */
export const keptQuestion = () => (store.asked ? { original: store.asked.original, changes: store.asked.about ? changes() : store.asked.changes ?? {} } : null);

/** The next document that is opened goes on with this question. */
export const resume = (asked) => { resumed = asked; };

const stored = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
const storeAs = (name, text) => { try { localStorage.setItem(name, text); } catch { /* private windows keep nothing */ } };
const keepCounts = () => storeAs(`pkdp-question-${store.asked.about.identity}`, JSON.stringify(store.asked.counts));

function countsOf(identity) {
  const none = { tries: 0, looks: 0, hints: 1 };
  try {
    const found = JSON.parse(stored(`pkdp-question-${identity}`));
    return Object.values({ ...none, ...found }).every((count) => Number.isInteger(count) && count >= 0 && count < 1e6) ? { ...none, ...found } : none;
  } catch {
    return none;
  }
}

/** Fold what would answer the question, or show it. */
function draw() {
  const hidden = isHidden();
  document.documentElement.toggleAttribute("data-hidden-verdict", hidden);
  document.documentElement.toggleAttribute("data-asked", Boolean(store.asked));
  $("toml-asked").hidden = !store.asked;
  const hide = store.asked && !store.asked.shown ? store.asked.about?.hide ?? [] : [];
  for (const [part, ids] of Object.entries(PARTS)) for (const id of ids) $(id)?.toggleAttribute("data-folded", hide.includes(part));
  if (!hidden) $("results-hidden")?.remove();
  else if (!$("results-hidden")) $("results").prepend(h("p", { id: "results-hidden", class: "note" }, "The verdict is hidden until your answer is right."));
  if (hidden && $("step-inferred")) fill($("step-inferred"), "hidden until your answer is right.");
}

/** A document was opened: ask its question, or end the one before. */
export function opened() {
  const before = resumed;
  resumed = null;
  $("asked")?.remove();
  store.asked = null;
  if (store.document.question !== undefined) {
    forgetPast();
    store.asked = { original: before?.original ?? copy(store.document), changes: before?.changes ?? {}, about: null, mine: null, shown: false, counts: null };
    early(store.document.question?.text);
    begin(store.asked);
  }
  draw();
}

async function begin(mine, name = stored(NAME) ?? "") {
  const about = await post("question", { do: "open", document: mine.original, name });
  if (store.asked !== mine) return;
  if (about.problems) {
    store.asked = null; // the model is shown with what is wrong
    $("asked")?.remove();
    draw();
    return told();
  }
  const given = mine.about ? changes() : mine.changes;
  Object.assign(mine, { about, mine: about.mine, counts: mine.counts ?? countsOf(about.identity) });
  const next = copy(about.mine);
  for (const path of about.change) if (Object.hasOwn(given, path)) put_at(next, steps(next, path), given[path]);
  if (!$("asked-check")) panel();
  draw();
  put(next);
  lock();
}

/** Show a document in place of the one that is shown, without a step to undo. */
function put(next) {
  putting = true;
  change((doc) => {
    for (const name of Object.keys(doc)) delete doc[name];
    Object.assign(doc, next);
  }, "question");
  putting = false;
  forgetPast();
  told();
}

/** Take back a change of what is locked. */
watchChanges((next) => {
  const { asked } = store;
  if (putting || !asked?.mine || locked(next, asked.about.change) === locked(asked.mine, asked.about.change)) return true;
  document.activeElement?.blur();
  tell("This part of the model is locked: the change was taken back.");
  return false;
});

/** Every control of a locked part is shown, and cannot be used. */
export function lock() {
  draw();
  if (!store.asked) return;
  const free = (store.asked.about?.change ?? []).map((path) => key(steps(store.document, path)).slice(0, -1));
  const isFree = (place) => place && free.some((start) => place === `${start}]` || place.startsWith(`${start},`));
  for (const control of document.querySelectorAll("#editors :is(input, select, textarea, button), #title-line textarea, #program :is(textarea, select)")) {
    const own = control.closest("[data-path], [data-row]");
    const table = control.closest(".sheetbox")?.querySelector("table");
    const on = ![own?.dataset.path, own?.dataset.row, table?.dataset.path].some(isFree);
    if (control.classList.contains("locked") === on) continue;
    control.classList.toggle("locked", on);
    if (control.tagName === "TEXTAREA" || (control.tagName === "INPUT" && control.type === "text")) control.readOnly = on;
    else control.disabled = on;
  }
}

function answer() {
  const { about } = store.asked;
  if (about.kind === "goal") return changes();
  if (about.kind === "choices") return document.querySelector("input[name=asked-choice]:checked")?.value ?? "";
  return $("asked-answer").value;
}

/** What is handed in: once it is another, the result that is shown is of the answer before. */
const handedIn = () => JSON.stringify([answer(), $("asked-name").value, $("asked-word").value]);
const age = () => store.asked?.checked && $("asked-result").classList.toggle("outdated", handedIn() !== store.asked.checked);
listen((what) => what.kind === "document" && age());

async function check() {
  const { asked } = store;
  const checked = handedIn();
  const [name, word] = [$("asked-name").value, $("asked-word").value];
  const { tries, looks } = asked.counts;
  const found = await post("question", { do: "check", document: asked.original, name, word, answer: answer(), tries: tries + 1, looks });
  if (store.asked !== asked) return;
  asked.checked = checked;
  if (found.problems) {
    $("asked-result").classList.remove("outdated");
    const [{ message, wanted }] = found.problems;
    return fill($("asked-result"), h("p", { class: "problem" }, `${message}.${wanted ? ` Expected ${wanted}.` : ""}`));
  }
  if (found.state !== "unreadable") asked.counts.tries += 1;
  if (found.state === "wrong") asked.counts.hints += 1;
  keepCounts();
  const line = found.code && h("input", { id: "asked-code", type: "text", readonly: true, value: found.code, size: 40 });
  fill($("asked-result"), h("p", { class: `state ${found.state}` }, WORDS[found.state]), h("ul", {}, found.lines.map((text) => h("li", {}, text))), found.why.map((text) => h("p", { class: "reason" }, text)),
    line ? h("p", { class: "code" }, h("label", { for: "asked-code" }, "Hand in this line "), line, button("Copy", () => copyText(found.code, "Line"), { class: "quiet" }))
      : h("p", { class: "note" }, found.state === "unreadable" ? "It does not count as a try." : "With your name, Check also makes the line to hand in."), h("p", { class: "again" }, "You have changed something since. Press Check again."));
  hints();
  age();
  if (found.state !== "right") return;
  store.solved = asked.original;
  show();
}

/** Show everything, because the answer is right or because the student asked. */
function show() {
  store.asked.shown = true;
  $("asked-look").hidden = true;
  draw();
  told();
}

const hints = () => {
  const { about, counts } = store.asked;
  const open = [...$("asked-hints").querySelectorAll("details")].map((one) => one.open);
  fill($("asked-hints"), about.hints.slice(0, counts.hints).map((hint, k) => h("details", { open: open[k] }, h("summary", {}, k ? "Another hint" : "A hint"), h("p", {}, hint))));
};

const above = (section) => $("title-line").closest(".columns").before(section);
const paragraphs = (text) => text.split(/\n\s*\n/).map((one) => h("p", {}, one));

/** The text of the question, while the program that checks answers is loaded. */
function early(text) {
  above(h("section", { id: "asked", "aria-labelledby": "asked-title" }, h("h2", { id: "asked-title" }, "Question"), paragraphs(typeof text === "string" ? text.slice(0, 4000) : "")));
}

function panel() {
  const { about } = store.asked;
  $("asked")?.remove();
  const bounds = Object.entries(about.limit).map(([noun, most]) => `${noun}: at most ${most}`);
  const named = (event) => { storeAs(NAME, event.target.value); if (about.varies) begin(store.asked, event.target.value); };
  const typed = h("input", { id: "asked-answer", type: "text", size: 14, maxlength: 200, autocomplete: "off", onkeydown: (event) => event.key === "Enter" && check() });
  above(h("section", { id: "asked", "aria-labelledby": "asked-title", oninput: age },
    h("h2", { id: "asked-title" }, "Question"), paragraphs(about.text),
    h("p", { class: "note" }, about.change.length ? ["You may change: ", about.change.map((path, k) => [k ? "; " : "", h("strong", {}, inForm(path))]), ". All else is locked."] : "The model is locked.", bounds.length ? ` ${bounds.join("; ")}.` : ""),
    about.kind === "choices" ? h("fieldset", {}, h("legend", {}, "Your answer"), about.choices.map((name) => h("label", { class: "tick" }, h("input", { type: "radio", name: "asked-choice", value: name }), h("span", {}, name)))) : null,
    h("div", { class: "row" }, about.kind === "number" ? field(`Your answer: ${about.number}`, typed) : null,
      field("Your name", h("input", { id: "asked-name", type: "text", size: 16, maxlength: 60, value: stored(NAME) ?? "", autocomplete: "name", onchange: named })),
      field("Word on the board", h("input", { id: "asked-word", type: "text", size: 10, maxlength: 60, autocomplete: "off" })),
      button("Check", check, { id: "asked-check" }),
      about.hide.length ? button("Show the verdict (it is counted)", () => { store.asked.counts.looks += 1; keepCounts(); show(); }, { class: "quiet", id: "asked-look" }) : null),
    h("div", { id: "asked-result", "aria-live": "polite" }), h("div", { id: "asked-hints" })));
  hints();
}

/** While the verdict is hidden, only what is wrong with the model is asked for. */
export function watchAsked(refresh, took) {
  told = refresh;
  const looks = new Asker("question", took);
  return (how) => looks.ask(() => ({ do: "look", document: store.document }), how);
}

