// What on the page is of the model and the question that are asked about now, and what is of the ones before: that is
// grey from the moment they differ, and one line says what is being computed, for how long, and how to stop it.

import { $, fill, h, listed, shown, verdict } from "./dom.js";
import { button } from "./controls.js";
import { store } from "./store.js";

/** What each subject draws; in the editors it marks the worst case. */
const PARTS = { answer: ["verdict", "words", "why", "editors", "step-inferred", "peek"], profile: ["profile"], passport: ["passport", "about-model"], loss: ["loss"], exchange: ["exchange-answer"], worlds: ["picture-answer"] };
const WORDS = { answer: () => store.question.definition ?? "the first answer", passport: () => "every definition", loss: () => "the loss table", exchange: () => "the conversion", worlds: () => "the picture", question: () => "the question" };
const PATIENCE = 300; // milliseconds before a line appears: most answers are there by then

let asked = [];
let done = null;
let since = null;
let ticker = null;

/** These are of another model or question from now on. */
export function late(...names) {
  if (names.includes("passport")) done = null;
  for (const id of names.flatMap((name) => PARTS[name])) $(id)?.classList.add("late");
}

/** This is what was asked for. */
export function fresh(...names) {
  for (const id of names.flatMap((name) => PARTS[name])) $(id)?.classList.remove("late");
}

export const isLate = (name) => PARTS[name].some((id) => $(id)?.classList.contains("late"));

/** How many definitions of the passport are decided. */
export const progress = (rows) => { done = rows && `${rows.filter((row) => row.verdict).length} of ${rows.length}`; };

/** The strip at the top, and the line at the foot of a narrow window, while there is no answer to show. */
function strip(...words) {
  for (const id of ["step-inferred", "peek"]) if ($(id)?.classList.contains("late")) fill($(id), words.map((one) => one.cloneNode?.(true) ?? one));
}

/** Nothing is computed for what is asked: the reason stands in the page. */
export const unanswered = (word) => strip(`no answer: ${word}.`);

function line() {
  const { size } = store.document ?? {};
  const records = Number.isInteger(size) ? `, ${size.toLocaleString("en-GB")} record${size === 1 ? "" : "s"}` : "";
  const what = listed(asked.map((name) => (name === "passport" && done ? `${WORDS[name]()} (${done})` : WORDS[name]())));
  const seconds = Math.floor((performance.now() - since) / 1000);
  if ($("working").dataset.what !== what) {
    $("working").dataset.what = what;
    fill($("working"), h("span", { role: "status" }, `Computing ${what}${records}`), h("span", { id: "elapsed", "aria-hidden": "true" }), button("cancel", () => $("working").dispatchEvent(new Event("cancel")), { id: "cancel", class: "quiet" }));
    strip(verdict(null), ` computing ${shown(WORDS.answer())}.`);
  }
  $("elapsed").textContent = ` ${seconds} s`;
  $("working").hidden = false;
}

/** `names` are the subjects that an answer is waited for. */
export function waitFor(names) {
  asked = names;
  if (!names.length) {
    clearInterval(ticker);
    [ticker, since, done] = [null, null, null];
    $("working").hidden = true;
    delete $("working").dataset.what;
  } else if (ticker === null) {
    since = performance.now();
    ticker = setInterval(() => performance.now() - since > PATIENCE && line(), 100);
  }
}

/** The person has stopped it: what is grey stays so, until it is asked again. */
export function stopped(again) {
  delete $("working").dataset.what;
  fill($("working"), h("span", { role: "status" }, "Cancelled: what is grey is of the model before"), button("compute", again, { id: "compute", class: "quiet" }));
  $("working").hidden = false;
  unanswered("cancelled");
}
