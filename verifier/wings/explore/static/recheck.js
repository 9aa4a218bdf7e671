// The independent checker's word on each answer. It is asked after the verdict is shown, and no verdict waits for it.

import { $, fill, h, listed } from "./dom.js";
import { button } from "./controls.js";
import { post } from "./api.js";
import { question } from "./store.js";

/** Milliseconds before the page says that an answer is being re-checked: most words are there by then, so that nothing flickers. */
const PATIENCE = 300;

const OPEN = "… being re-checked";

/** What the checker said of the model and question that are open, by definition and reading. */
const words = new Map();
let about = null;
let chosen = null; // the answer that is shown in full
let rows = null; // the answers of the overview that are re-checked, when all are decided
let asked = null; // the definition and reading that the checker works on, with what ends that
let begun = null;
let taken = () => {};

const key = ({ definition, reading }) => JSON.stringify([definition, reading ?? null]);
/** The model, ε and δ that are asked about now: of another one no word counts. */
const asking = () => JSON.stringify({ ...question(), definition: null, reading: null });

/** `take` gets each word on the answer that is shown in full. */
export const watchRecheck = (take) => { taken = take; };

/** The model or the question is another one: end what the checker does, and forget its words where they are of the one before. */
export function withdraw() {
  asked?.control.abort();
  asked = null;
  clearTimeout(begun);
  [chosen, rows] = [null, null];
  if (about !== asking()) words.clear();
  for (const place of [$("checked"), $("rechecked")]) {
    place?.classList.add("late");
    if (place?.textContent.startsWith(OPEN)) fill(place);
  }
  document.documentElement.removeAttribute("data-rechecking");
}

/** Ask about the answer that is shown in full. */
export function recheckAnswer(answer) {
  about = asking();
  const { definition, reading } = question();
  chosen = { definition, reading, decided: answer.decided, wanted: answer.recheck };
  clearTimeout(begun);
  if (answer.recheck) begun = setTimeout(drawChosen, PATIENCE);
  else drawChosen();
  next();
}

/** Ask about each answer of the overview, when all are decided. */
export function recheckRows(all) {
  about = asking();
  rows = all.filter((row) => row.recheck).map((row) => ({ definition: row.key, reading: null, wanted: true }));
  next();
}

/** Ask about the next answer, when nothing else is asked: the verdicts come first. */
export async function next() {
  if (chosen && words.has(key(chosen))) drawChosen();
  drawRows();
  if (asked || document.documentElement.hasAttribute("data-asking")) return;
  const due = [chosen, ...(rows ?? [])].find((one) => one?.wanted && !words.has(key(one)));
  document.documentElement.toggleAttribute("data-rechecking", Boolean(due));
  if (!due) return;
  const mine = { ...due, control: new AbortController() };
  asked = mine;
  const answer = await post("recheck", { ...question(), definition: due.definition, reading: due.reading }, mine.control.signal, { quiet: true });
  if (asked !== mine) return;
  asked = null;
  words.set(key(due), answer ?? { problems: [{ message: "it was not asked" }] });
  if (chosen && key(chosen) === key(due)) taken(answer);
  next();
}

/** The line below the verdict. A person who listens hears it when it changes. */
function drawChosen() {
  if (!chosen) return;
  clearTimeout(begun);
  const place = $("checked");
  place.classList.remove("late", "bad");
  const word = words.get(key(chosen));
  if (!chosen.decided) fill(place);
  else if (!word && chosen.wanted) say(place, `${OPEN} by the independent checker`);
  else if (!word) fill(place, "not re-checked yet: the model is large. ", button("re-check independently", () => {
    chosen.wanted = true;
    drawChosen();
    next();
  }, { class: "quiet", id: "recheck" }));
  else if (word.problems) say(place, `not re-checked: ${word.problems[0].message}`);
  else if (word.replayed === true) say(place, "✓ re-checked by the independent checker");
  else if (word.replayed === false) {
    place.classList.add("bad");
    say(place, `✗ rejected by the independent checker, so do not rely on this answer: ${word.why}. Please report this model.`);
  } else say(place, `not re-checked: ${word.why.replace(/^no: /, "")}`);
  $("verdict").classList.toggle("rejected", word?.replayed === false);
}

/** A text that stays is not said again. */
const say = (place, text) => { if (place.textContent !== text) fill(place, text); };

/** The line below the overview: how many answers the checker has derived again. */
function drawRows() {
  const place = $("rechecked");
  if (!place || rows === null) return;
  const said = rows.map((row) => words.get(key(row))).filter(Boolean);
  const agreed = said.filter((word) => word.replayed === true).length;
  const rejected = rows.filter((row) => words.get(key(row))?.replayed === false).map((row) => row.definition);
  place.classList.remove("late");
  place.classList.toggle("bad", rejected.length > 0);
  const open = said.length < rows.length ? `${OPEN}: ${said.length} of ${rows.length} answers` : `${agreed === rows.length ? "✓ " : ""}re-checked by the independent checker: ${agreed} of ${rows.length} answers`;
  if (!rows.length) fill(place);
  else say(place, rejected.length ? `✗ rejected by the independent checker: ${listed(rejected)}. Please report this model.` : open);
}

/** The overview was drawn anew: its line comes back as it is. */
export const keepRows = () => h("p", { class: `note late`, id: "rechecked" }, $("rechecked")?.textContent ?? "");
