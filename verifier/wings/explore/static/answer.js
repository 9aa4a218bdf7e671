// The chosen definition: the question, the verdict in large words, the sentence, and the worst case marked in the tables.

import { $, at, coded, copyText, fill, h, key, mathml, shown, verdict } from "./dom.js";
import { button } from "./controls.js";
import { exact, formula, math } from "./passport.js";
import { items } from "./extras.js";
import { drawPolicy, missing } from "./policy.js";
import { ask, store } from "./store.js";

let last = null;

/** The parts that stay while answers come and go, so that nothing jumps while a person types. */
export function buildAnswer() {
  const entry = (name, letter, words) => h("div", { class: "field" }, h("label", { for: name }, letter),
    h("input", { id: name, type: "text", size: 9, autocomplete: "off", spellcheck: "false", "data-path": key([name]), "aria-label": words, oninput: (event) => ask({ [name]: event.target.value.trim() }) }));
  fill($("answer"),
    h("div", { id: "about" },
    h("div", { id: "heading" }),
    h("div", { id: "question", role: "group", "aria-label": "The question" },
      entry("epsilon", "ε", "ε, such as ln(2); empty: for some finite ε"), entry("delta", "δ", "δ, a number from 0 to 1"), h("div", { class: "field", id: "reading-field" }))),
    h("div", { id: "beside", class: "formula" }),
    h("div", { id: "verdict", role: "status" }),
    h("p", { id: "checked", class: "note", role: "status" }),
    h("div", { id: "words" }));
  showQuestion();
}

/** The fields of the question, unless a person is typing in them. */
export function showQuestion() {
  for (const name of ["epsilon", "delta"]) {
    const box = $(name);
    if (box && box !== document.activeElement) box.value = store.question[name] ?? "";
  }
}

/** What the card of a definition of DP22 says beside its formula. */
const card = (row) => (row.card?.length ? h("dl", { class: "card", id: "card" }, row.card.map(([name, text]) => [h("dt", {}, name), h("dd", {}, coded(text))])) : null);

/** Which definition this is: its words, its source, its formula. */
export function drawAbout(listed) {
  if (!listed) return;
  const row = last?.about?.key === listed.key ? last.about : listed;
  const name = row.title ?? row.name ?? row.key;
  fill($("heading"), h("h2", { id: "definition-name" }, name));
  fill($("beside"), store.question.dimension ? mathml(row.mathml) : null);
  fill($("meaning"), h("h3", {}, "What it asks: ", h("span", { class: "plainly" }, name)), h("p", { class: "source" }, h("code", {}, row.key), row.source ? ` ${row.source}` : ""), h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Formula" }, formula(row)), card(row));
  const readings = (row.readings ?? []).map((one) => (typeof one === "string" ? { name: one } : one));
  fill($("reading-field"), readings.length > 1 ? [h("label", { for: "reading" }, "reading"), h("select", { id: "reading", onchange: (event) => ask({ reading: event.target.value }, { soon: true }) },
    readings.map((one) => h("option", { value: one.name, title: one.meaning, selected: one.name === (store.question.reading ?? readings[0].name) }, one.name)))] : []);
}

const convention = (one) => (typeof one === "string" ? h("li", {}, one) : h("li", {}, h("b", {}, one.question), " ", one.choice, one.source ? h("small", {}, ` (${one.source})`) : null));

const set = (name, text, words) => button(words, () => {
  ask({ [name]: text }, { soon: true });
  $(name).value = text;
}, { class: "quiet", id: `set-${name}` });

function amounts(answer) {
  if (answer.verdict === "vacuous") return null; // both are 0, as of a supremum over nothing: that would look like an answer
  const lines = [];
  const { delta } = store.question;
  const usable = (text) => text !== null && text !== undefined && text !== "inf" && !text.includes("…") && text.length < 120 && !text.includes("root of");
  if (answer.tight_delta !== null && answer.tight_delta !== undefined) {
    lines.push(h("div", {}, h("dt", {}, "smallest δ at this ε"), h("dd", {}, exact(answer.tight_delta, answer.tight_delta_decimal), usable(answer.tight_delta) && set("delta", answer.tight_delta, "use"))));
  }
  if (answer.tight_epsilon !== null && answer.tight_epsilon !== undefined) {
    lines.push(h("div", {}, h("dt", {}, answer.about?.has_delta === false ? "smallest ε" : `smallest ε at δ = ${shown(answer.delta ?? delta)}`), h("dd", {}, answer.tight_epsilon === "inf" ? "∞: no finite ε is enough" : exact(answer.tight_epsilon, answer.tight_epsilon_decimal), usable(answer.tight_epsilon) && set("epsilon", answer.tight_epsilon, "use"))));
  }
  return lines.length ? h("dl", { class: "amounts" }, lines) : null;
}

/** What an answer is at: of a definition without ε, or without δ, only what it has. */
const at_what = (answer) => (answer.about?.has_epsilon === false ? "at the parameters of [policy]: it has no ε" : bounds(answer)) + (answer.restriction ? `, ${answer.restriction}` : "");
const bounds = (answer) => (answer.about?.has_delta === false ? at_epsilon(answer) : at_both(answer));
const at_epsilon = (answer) => (answer.epsilon === null ? "for some finite ε: it has no δ" : `at ε = ${math(answer.epsilon)}: it has no δ`);
const at_both = (answer) => (answer.epsilon === null || answer.epsilon === undefined ? `for some finite ε, at δ = ${shown(answer.delta ?? store.question.delta)}` : `at ε = ${math(answer.epsilon)}, δ = ${shown(answer.delta ?? store.question.delta)}`);

export function drawAnswer(answer) {
  last = answer;
  const word = answer.verdict;
  drawAbout(answer.about);
  drawPolicy(answer.about.policy);
  fill($("verdict"), h("p", { class: `large ${word}`, id: "verdict-word" }, h("span", { class: "away" }, `${answer.about.title ?? answer.definition}: `), verdict(word), h("span", { class: "at" }, ` ${at_what(answer)}`)),
    answer.reason ? h("p", { class: "reason" }, answer.reason) : null, word === "unsupported" ? missing() : null, amounts(answer));
  fill($("words"), answer.words ? h("blockquote", { class: word }, h("p", { id: "sentence" }, answer.words)) : null);
  drawWitness(answer);
  drawItems(answer);
  fill($("why-title"), { holds: "Why it holds", fails: "Why it fails" }[word] ?? "About this answer");
  mark(answer.highlight);
  $("peek").replaceChildren(verdict(word), h("span", {}, ` ${$("definition-name")?.textContent ?? store.question.definition} ${at_what(answer)}`), h("span", { class: "more" }, "see why ↓"));
  const step = $("step-inferred");
  if (step) fill(step, `${$("definition-name")?.textContent ?? store.question.definition} `, verdict(word), ` ${at_what(answer)}.`);
}

/** The answer item by item, and as texts to copy. They come again with the independent checker's word. */
export function drawItems(answer) {
  const { id } = document.activeElement?.closest?.("#fold details, #copy-answer button") ?? {};
  fill($("fold"),
    h("details", { id: "conventions", open: $("conventions")?.open }, h("summary", {}, "Conventions of this answer"), h("ul", {}, (last.conventions ?? []).map(convention))),
    items(answer.lines, $("lines")?.open));
  fill($("copy-answer"), answer.latex ? [button("LaTeX", () => copyText(answer.latex, "LaTeX of the answer"), { class: "quiet", id: "copy-answer-latex", "aria-label": "Copy the answer as LaTeX" }),
      button("Markdown", () => copyText(answer.markdown, "Markdown of the answer"), { class: "quiet", id: "copy-answer-markdown", "aria-label": "Copy the answer as Markdown" })] : null);
  if (id) ($(id)?.querySelector("summary") ?? $(id))?.focus({ preventScroll: true });
}

function drawWitness(answer) {
  const marks = answer.highlight;
  if (!marks) {
    fill($("witness"));
    return;
  }
  const side = (letter, text, probability, decimal) => h("li", { class: `legend side-${letter}` }, h("span", { class: "swatch", "aria-hidden": "true" }, letter), h("span", {}, h("strong", {}, `side ${letter}`), text ? `: ${text}` : "", probability ? h("span", { class: "chance" }, "probability of the event ", h("b", {}, exact(probability, decimal))) : null));
  const event = (marks.outputs ?? []).map(shown);
  const heading = answer.verdict === "fails" ? "The worst case, marked in the tables" : "What comes closest, marked in the tables";
  fill($("witness"), h("h3", {}, heading), h("ul", { class: "sides-list", "aria-label": "The worst case, marked in the tables" },
    side("a", marks.side_a, marks.probability_a, marks.probability_a_decimal), side("b", marks.side_b, marks.probability_b, marks.probability_b_decimal),
    event.length ? h("li", { class: "legend event" }, h("span", { class: "swatch", "aria-hidden": "true" }, "●"), h("span", {}, h("strong", {}, "event"), `: the output is ${event.length > 12 ? `one of ${event.slice(0, 12).join(", ")}, …` : event.join(" or ")}`)) : null));
}

/** Rows of the tables on side a, on side b, and those that lead to the event; with letters, not with colour alone. */
export function mark(marks) {
  document.querySelectorAll(".hit").forEach((one) => one.classList.remove("hit"));
  for (const row of document.querySelectorAll("[data-row], .entry")) {
    row.classList.remove("side-a", "side-b", "event");
    const place = row.querySelector(":scope > .side > .sides, :scope > .sides");
    if (place) place.textContent = "";
  }
  if (!marks) return;
  const put = (element, letter, name) => {
    if (!element) return;
    element.classList.add(name);
    const place = element.querySelector(":scope > .side > .sides, :scope > .sides");
    if (place && !place.textContent.includes(letter)) place.textContent += letter;
  };
  const row = (path) => document.querySelector(`[data-row='${CSS.escape(key(path))}']`);
  const databases = new Map((store.document.mechanism?.table ?? []).map((one, k) => [[one.database].flat().map(shown).join(), k]));
  for (const [letter, paths] of [["a", marks.rows_a ?? []], ["b", marks.rows_b ?? []]]) {
    for (const path of paths) {
      put(row(path), letter, `side-${letter}`);
      const k = path[0] === "distribution" ? databases.get([at(store.document, path)?.database].flat().map(shown).join()) : undefined;
      if (k !== undefined && !rowsOf(marks, "mechanism")) put(row(["mechanism", "table", k]), letter, `side-${letter}`);
    }
  }
  markColumns((marks.outputs ?? []).map(shown));
  for (const path of marks.event_rows ?? []) if (!row(path)?.closest(".matrix")) put(row(path), "●", "event");
  bringUp(marks);
  if (!(marks.rows_a ?? []).length && marks.record !== null && marks.record !== undefined) {
    const start = key(["distribution", marks.distribution ?? 0]).slice(0, -1);
    for (const entry of document.querySelectorAll(".entry")) {
      const path = JSON.parse(entry.dataset.law);
      if (!entry.dataset.law.startsWith(start)) continue;
      if (path.includes("independent") && path.at(-1) !== marks.record) continue;
      const node = path.indexOf("network");
      if (node >= 0 && at(store.document, path.slice(0, node + 2))?.record !== marks.record) continue;
      if (entry.dataset.value === shown(marks.a)) put(entry, "a", "side-a");
      if (entry.dataset.value === shown(marks.b)) put(entry, "b", "side-b");
    }
  }
}

let broughtUp = null;
/** In a long table, which scrolls, the first marked row comes into sight when the marks are others than before. */
function bringUp(marks) {
  const now = JSON.stringify([marks.rows_a, marks.rows_b, marks.event_rows]);
  if (now === broughtUp) return;
  broughtUp = now;
  for (const box of document.querySelectorAll("#editors .sheetbox > .scroll")) {
    if (box.scrollHeight <= box.clientHeight || box.contains(document.activeElement)) continue;
    const first = box.querySelector("tr.side-a, tr.side-b, tr.event");
    if (first) box.scrollTop = Math.max(0, first.offsetTop - 80);
  }
}

const rowsOf = (marks, room) => [...(marks.rows_a ?? []), ...(marks.rows_b ?? [])].some((path) => path[0] === room);

/** Where each output has a column: the columns of the event. */
function markColumns(outputs) {
  for (const head of document.querySelectorAll("#editors table.matrix input.head")) {
    if (!outputs.includes(head.value)) continue;
    const place = head.closest("th");
    place.classList.add("hit");
    for (const line of head.closest("table").querySelectorAll("tbody tr[data-index]")) line.children[place.cellIndex]?.classList.add("hit");
  }
}

export const remark = () => last && mark(last.highlight);
export const forget = () => { last = null; mark(null); };
