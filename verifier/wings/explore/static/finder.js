// Find a model: the next small model in which a statement is true, or fails, and the examples that answer.

import { $, count, fill, h } from "./dom.js";
import { post } from "./api.js";
import { button, field } from "./controls.js";
import { openExample } from "./examples.js";
import { ask, latest, open } from "./store.js";

/** What limits the models: the field, its label, and the number that stands there first. */
const SIZES = [["records", "records", 2], ["values", "values", 2], ["outputs", "outputs", 2], ["knowledge", "things the attacker may know", 1], ["weights", "parts of a probability", 4], ["mechanism_weights", "parts of an output’s probability", 2]];
const SMALL = new Set(["outputs", "knowledge", "weights", "mechanism_weights"]);

let running = null; // the search that goes on: its AbortController
let so = null; // what was found of the question so far: its text, its place, and its counts

const among = () => $("find-among").value;

function asked() {
  const sizes = Object.fromEntries(SIZES.filter(([name]) => among() === "small" || !SMALL.has(name)).map(([name]) => {
    const text = $(`find-${name}`).value.trim();
    return [name, text === "" ? null : /^\d{1,9}$/.test(text) ? Number(text) : text];
  }));
  return { statement: $("find-statement").value, truth: $("find-truth").value, among: among(), sizes };
}

const say = (...words) => fill($("find-said"), words);

/** Which buttons are there: while it looks Stop alone; Next where the last search can go on. */
function buttons() {
  const same = so !== null && so.text === JSON.stringify(asked());
  $("find-stop").hidden = running === null;
  $("find-go").hidden = running !== null;
  $("find-next").hidden = running !== null || !same || so.at === null;
  $("find-progress").hidden = running === null;
}

function progress(size) {
  Object.assign($("find-progress"), { max: Math.max(1, size.orbits), value: Math.min(so.looked, size.orbits) });
  say(`${count(so.looked, "model")} of ${size.orbits} looked at`, so.found ? `, ${so.found} found.` : ".");
}

/** What was looked at, and which number above can be larger. */
function ended({ size }) {
  const stands = so.models > so.looked ? ` (${so.models} with other names)` : "";
  if (among() === "examples") return `${so.found} of ${count(size.orbits, "example")} found.`;
  const larger = so.raise.map(({ name, size: most, models }) => `${most} ${SIZES.find(([one]) => one === name)[1]} (${count(models, "model")})`);
  const next = larger.length ? ` To look further, raise one number above: ${larger.join(", or ")}.` : " pkdp search looks through larger models.";
  return `${so.found ? "No further model among" : "No such model among all"} ${so.looked}${stands}.${next}`;
}

/** The models that could not be decided, by the reason. */
const undecided = () => so?.open.length > 0 && h("details", {}, h("summary", {}, `${count(so.open.length, "model")} could not be decided`),
  h("ul", {}, [...new Set(so.open.map(({ reason }) => reason))].map((why) => h("li", { class: "note" }, `${why} `, h("small", {}, so.open.filter(({ reason }) => reason === why).map(({ which }) => which).join(", "))))));

/** Ask what the statement says of the model that is opened: what fails before what holds. */
function askClaimed(claimed) {
  const asked = claimed.filter(({ question }) => question);
  const first = asked.find(({ verdict }) => verdict === "fails") ?? asked[0];
  if (first) ask(first.question, { soon: true });
}

/** Ask until a small model is found, or the end is reached; examples are listed as they are found. */
async function look(anew) {
  const body = asked();
  if (anew) {
    so = { text: JSON.stringify(body), at: null, looked: 0, models: 0, found: 0, open: [], raise: [] };
    fill($("find-list"));
    fill($("find-open"));
  }
  running = new AbortController();
  const [mine, wanted] = [running, latest()];
  buttons();
  if (anew) say("Looking …");
  $("find-stop").focus();
  for (;;) {
    const answer = await post("find", { ...body, at: so.at }, mine.signal, { quiet: true });
    if (running !== mine) return;
    if (answer.problems) {
      const [first] = answer.problems;
      const words = `${first.message}${first.wanted ? `. Expected ${first.wanted}` : ""}${first.tip ? `. Hint: ${first.tip}` : ""}.`;
      $("find-statement").toggleAttribute("aria-invalid", first.path?.[0] === "statement");
      so = null;
      return stop(words, $("find-statement"));
    }
    $("find-statement").removeAttribute("aria-invalid");
    so.open.push(...answer.open.map(({ which, reason }) => ({ which: typeof which === "number" ? `model ${so.looked + which}` : which, reason })));
    so.raise.push(...(answer.raise ?? []));
    for (const name of ["looked", "models"]) so[name] += answer[name];
    so.at = answer.at;
    so.found += answer.found.length;
    if (body.among === "examples") answer.found.forEach(list);
    progress(answer.size);
    if (body.among === "small" && answer.found.length) return show(answer.found[0], wanted());
    if (answer.at === null) return stop(ended(answer), $("find-go"));
  }
}

/** The search ends here; the focus does not stay on a button that goes. */
function stop(words, focus) {
  running?.abort();
  running = null;
  buttons();
  fill($("find-open"), undecided());
  if (words) say(words);
  (focus.hidden ? $("find-go") : focus).focus({ preventScroll: true });
}

/** Open the model that was found; list it if it is no longer `wanted`, because another one was asked for meanwhile. */
function show({ title, document: found, claimed }, wanted) {
  const verdicts = claimed.map(({ text, verdict }) => `${text}: ${verdict}`).join(", ");
  const words = `Number ${so.found}: ${title}. ${verdicts}. ${count(so.looked, "model")} looked at, smallest first.`;
  const take = () => {
    askClaimed(claimed);
    open(found, "found.toml");
  };
  if (wanted) {
    stop(`${words} It is open below; Undo brings the last model back.`, $("find-next"));
    return take();
  }
  stop(`${words} You opened another model meanwhile, so it is listed here.`, document.activeElement === $("find-stop") ? $("find-next") : document.activeElement);
  return entry({ title, note: verdicts }, take);
}

const entry = ({ id = null, title, note }, take) => $("find-list").append(h("li", {}, h("button", { type: "button", "data-id": id, onclick: take }, h("span", { class: "title" }, title), h("small", {}, note))));
const list = (example) => entry(example, () => { askClaimed(example.claimed); openExample(example.id); });

/** The form, made when it is first opened. */
function build() {
  const number = ([name, words, first]) => h("span", { "data-size": name }, field(words, h("input", { id: `find-${name}`, type: "text", inputmode: "numeric", size: 3, value: String(first), autocomplete: "off" })));
  const select = (id, options) => h("select", { id }, options.map(([word, text]) => h("option", { value: word }, text)));
  const form = h("form", { id: "find-form", onsubmit: (event) => { event.preventDefault(); look(true); }, oninput: buttons },
    h("div", { class: "row" },
      field("statement", h("input", { id: "find-statement", type: "text", size: 30, value: "np(0) and not cdp", autocomplete: "off", spellcheck: "false", autocapitalize: "off" })),
      field("it", select("find-truth", [["true", "is true"], ["false", "fails: a counterexample"]])),
      field("among", select("find-among", [["small", "all small models"], ["examples", "the examples"]]))),
    h("fieldset", { class: "row" }, h("legend", {}, "at most"), SIZES.map(number)),
    h("div", { class: "row" }, h("button", { type: "submit", id: "find-go", class: "quiet" }, "Search"),
      button("Next", () => look(false), { id: "find-next", class: "quiet", hidden: true }),
      button("Stop", () => stop(`Stopped after ${count(so.looked, "model")}. Next goes on.`, $("find-next")), { id: "find-stop", class: "quiet", hidden: true }),
      h("progress", { id: "find-progress", "aria-label": "Models looked at", hidden: true })));
  fill($("finder-body"), h("p", { class: "note" }, "Write what the model shall be, such as ", h("code", {}, "np(0) and not cdp"), ", or a claim that shall fail, such as ", h("code", {}, "np(e) => cdp(2*e)"), ". Each model is decided exactly, the smallest first."),
    form, h("p", { class: "note", id: "find-said", role: "status" }), h("div", { id: "find-open" }), h("ul", { id: "find-list", class: "models" }));
  $("find-among").addEventListener("change", () => form.querySelectorAll("[data-size]").forEach((one) => { one.hidden = among() === "examples" && SMALL.has(one.dataset.size); }));
}

export function watchFinder() {
  $("finder").addEventListener("toggle", () => {
    if ($("finder").open && !$("find-form")) build();
  });
}
