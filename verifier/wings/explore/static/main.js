// The page: what happens when the model or the question changes.

import { $, SIGNS, copyText, fill, h, tell, verdict } from "./dom.js";
import { Asker, get, watchAsking } from "./api.js";
import { buildAnswer, drawAbout, drawAnswer, drawItems, forget, mark, remark, showQuestion } from "./answer.js";
import { isHidden, lock, opened, resume, watchAsked } from "./asked.js";
import { TABS, drawEditors, showParameters, tab, tomlShown, watchToml, writeToml } from "./editors.js";
import { asExchange, buildExchange, drawExchange, exchangeOpen, offerParameters } from "./exchange.js";
import { openExample, saveFile, showExamples, watchFiles } from "./examples.js";
import { watchFinder } from "./finder.js";
import { FIRST } from "./first.js";
import { showSums } from "./laws.js";
import { fromFragment } from "./link.js";
import { drawLoss } from "./loss.js";
import { buildPicture, drawPicture, pictureOpen } from "./picture.js";
import { drawPassport, markChosen, setDimensions } from "./passport.js";
import { newModel } from "./new.js";
import { clearProblems, showProblems } from "./problems.js";
import { drawProfile } from "./profile.js";
import { watchProgram } from "./program.js";
import { next as nextRecheck, recheckAnswer, recheckRows, watchRecheck, withdraw } from "./recheck.js";
import { form, setQuestion } from "./set_question.js";
import { ask, canRedo, canUndo, epsilon, listen, model, open, opening, question, redo, store, undo } from "./store.js";
import { adopt, enter, keep, keepNow, left, remember, watchVisits } from "./visits.js";
import { fresh, isLate, late, progress, stopped, unanswered, waitFor } from "./waiting.js";

let passport = null;
let picking = true;
let sums = [];
let problems = { model: [], answer: [] };
let lossProblem = null; // why there is no loss table is said when the model is known to be one

const BUDGET = 100;
const asPassport = () => ({ ...model(), epsilon: epsilon(), delta: store.question.delta, dimension: store.question.dimension, budget: BUDGET });
const asAnswer = question;
/** The loss table follows the witness, or what comes closest to one, until a person chooses another record. */
const asLoss = () => (store.loss.record === null && store.loss.values === null && worst ? { ...model(), ...worst } : { ...model(), ...store.loss });
let worst = null;
let worstOf = null; // the document whose evidence named it

/** The last good answer stays, greyed, while the model is not one. */
function stale(on) {
  for (const id of ["results-body", "why", "picture", "loss", "exchange"]) $(id).classList.toggle("old", on);
  $("stale").hidden = !on;
  document.documentElement.toggleAttribute("data-invalid", on);
}

function show() {
  const all = [...new Map([...problems.model, ...problems.answer].map((one) => [JSON.stringify([one.path, one.message]), one])).values()];
  clearProblems();
  showSums(sums);
  if (all.length) showProblems(all);
  if (problems.model.length) mark(null);
  stale(all.length > 0);
  if (all.length) unanswered("see what is wrong");
}

const passports = new Asker("passport", (answer) => {
  sums = answer.sums ?? (answer.problems ? sums : []);
  problems.model = answer.problems ?? [];
  if (answer.problems) {
    problems.answer = [];
    show();
    return;
  }
  passport = answer;
  const { rows } = answer;
  fresh("passport");
  progress(rows);
  const now = rows.find((row) => row.key === store.question.definition);
  if (!now || (picking && now.verdict === "unsupported")) {
    const order = ["np", "ppkdp", "cdp"].map((name) => rows.find((row) => row.key === name)).filter((row) => row && row.verdict !== "unsupported");
    const first = order.find((row) => row.verdict === "fails") ?? order[0] ?? rows.find((row) => row.verdict === "fails") ?? rows.find((row) => row.verdict !== "unsupported") ?? rows[0];
    store.question.definition = first?.key ?? null;
    // Also where none was chosen yet, and where this model's passport does not list the one before.
    if (first) answers.ask(asAnswer, { wait: 0 });
  }
  picking = false;
  showParameters(answer.parameters ?? []);
  drawPassport(answer);
  drawAbout(rows.find((row) => row.key === store.question.definition));
  show();
  if (lossProblem) noLoss();
  if (answer.pending?.length) passports.ask(asPassport, { wait: 120 });
  else recheckRows(rows);
});

const answers = new Asker("answer", (answer) => {
  problems.answer = answer.problems ?? [];
  if (answer.problems) {
    show();
    return;
  }
  fresh("answer", "profile");
  drawAnswer(answer);
  recheckAnswer(answer);
  peek();
  drawProfile(answer);
  askPicture();
  const { record, a, b } = answer.witness ?? answer.tightest ?? {};
  const named = record !== null && record !== undefined;
  const next = named ? { record, values: a === null || b === null || a === undefined ? null : [a, b] } : worstOf === store.document ? worst : null;
  worstOf = store.document;
  if (JSON.stringify(next) !== JSON.stringify(worst)) {
    worst = next;
    if (store.loss.record === null && store.loss.values === null) losses.ask(asLoss, { wait: 0 });
  }
  if (!problems.model.length) show();
});

const losses = new Asker("loss", (answer) => {
  [lossProblem] = answer.problems ?? [null];
  if (!lossProblem) {
    fresh("loss");
    drawLoss(answer);
  } else if (!isLate("passport")) noLoss();
});

const pictures = new Asker("worlds", (answer) => {
  fresh("worlds");
  drawPicture(answer);
});

/** The picture follows the answer, while its part is open. */
function askPicture() {
  late("worlds");
  if (pictureOpen() && store.question.definition && !isHidden()) pictures.ask(asAnswer, { wait: 0 });
}

const exchanges = new Asker("exchange", (answer) => {
  fresh("exchange");
  drawExchange(answer);
});

/** The rate is asked for while its part is open. */
function askExchange(how) {
  late("exchange");
  if (exchangeOpen()) exchanges.ask(asExchange, how);
}

function noLoss() {
  fresh("loss");
  fill($("loss"), h("h2", {}, "Privacy loss, value by value"), h("p", { class: "note" }, `No table here: ${lossProblem.message}.${lossProblem.tip ? ` Hint: ${lossProblem.tip}.` : ""}`));
  lossProblem = null;
}

/** While a question hides the verdict, the page asks only whether the model is one. */
const askHidden = watchAsked(() => {
  lock();
  [$("undo").disabled, $("redo").disabled] = [!canUndo(), !canRedo()];
  askAll({ wait: 0 });
}, (answer) => {
  sums = answer.sums ?? sums;
  problems = { model: answer.problems ?? [], answer: [] };
  show();
});

/** Ask all three: the chosen definition first (where there is none, the overview says which to show), since the server answers one question at a time. */
function askAll({ wait = 80, steady = false, loss = true, rate = loss } = {}) {
  if (isHidden()) {
    for (const asker of [answers, losses, passports, pictures, exchanges]) asker.cancel();
    withdraw();
    return askHidden({ wait, steady });
  }
  if (store.question.definition) answers.ask(asAnswer, { wait, steady });
  if (loss) losses.ask(asLoss, { wait: wait + 20, steady });
  passports.ask(asPassport, { wait: store.question.definition ? wait + 40 : wait, steady });
  if (rate) askExchange({ wait: wait + 60, steady });
}

/** Stop computing: the answers that are there stay, grey where they are of the model before. */
function cancel() {
  for (const asker of [answers, losses, passports, pictures, exchanges]) asker.cancel();
  withdraw();
  stopped(() => askAll({ wait: 0 }));
}

listen((what) => {
  if (what.kind !== "loss") withdraw();
  if (what.kind !== "question") lossProblem = null;
  if (what.kind === "question") late("answer", "passport", ...(what.asked.some((name) => ["definition", "reading"].includes(name)) ? ["profile"] : []));
  else if (what.kind !== "loss") late("answer", "profile", "passport", "loss", "worlds");
  else late("loss");
  if (what.kind === "document" || what.kind === "opened") {
    const anew = what.kind === "opened" || what.by === "undo" || what.by === "redo";
    if (what.kind === "opened") {
      if (what.visit) enter();
      forget();
      [worst, worstOf] = [null, null];
      picking = true;
      opened();
    }
    drawEditors({ anew, opened: what.kind === "opened" });
    offerParameters();
    showSums(sums);
    remark();
    lock();
    if (tomlShown() && what.by !== "toml") writeToml();
    $("undo").disabled = !canUndo();
    $("redo").disabled = !canRedo();
    document.title = `${store.document.title ?? "Untitled model"} · pkdp explore`;
    if (store.begun || what.visit) keep();
    remember();
    askAll({ wait: anew ? 0 : 80, steady: what.by?.startsWith?.("slide") });
  } else if (what.kind === "question") {
    showQuestion();
    markChosen();
    drawAbout(passport?.rows.find((row) => row.key === store.question.definition));
    if (store.begun) keep();
    remember();
    askAll({ wait: what.soon ? 60 : 80, steady: what.soon, loss: false });
  } else if (what.kind === "set") askAll({ steady: true });
  else losses.ask(asLoss, { wait: 0 });
});

let answerSeen = true;

/** In a narrow window the verdict stays in sight while the tables are edited. */
const peek = () => { $("peek").hidden = answerSeen || !passport || isHidden(); };

async function copyLink() {
  await keepNow();
  await copyText(location.href, "Link");
}

function keys(event) {
  const typing = event.target.closest?.("input[type=text], input[type=search], textarea, select");
  const held = event.ctrlKey || event.metaKey;
  if (held && event.key.toLowerCase() === "z" && !["toml-text", "epsilon", "delta"].includes(event.target.id) && event.target.type !== "search") {
    event.preventDefault();
    const done = event.shiftKey ? redo() : undo();
    if (!done) tell(event.shiftKey ? "Nothing to redo" : "Nothing to undo");
  } else if (held && event.key.toLowerCase() === "y" && event.target.id !== "toml-text") {
    event.preventDefault();
    redo();
  } else if (held && event.key.toLowerCase() === "s") {
    event.preventDefault();
    saveFile();
  } else if (held && event.key.toLowerCase() === "o") {
    event.preventDefault();
    $("file").click();
  } else if (event.key === "?" && !typing && !document.querySelector("dialog[open]")) {
    event.preventDefault();
    $("help").showModal();
  }
}

/** Another tab; what is wrong is shown in it. */
function turnTo(name) {
  tab(name);
  show();
}

function wire() {
  fill($("signs"), Object.entries(SIGNS).map(([word, sign]) => [h("dt", {}, verdict(word)), h("dd", {}, sign.sentence)]));
  watchAsking((names) => {
    waitFor(names);
    if (!names.length) nextRecheck();
  });
  watchRecheck((word) => word?.lines && drawItems(word));
  buildExchange(askExchange);
  buildPicture(askPicture);
  $("working").addEventListener("cancel", cancel);
  const on = { "new-model": newModel, "open-examples": showExamples, "open-file": () => $("file").click(), "save-file": () => saveFile(), undo, redo, "copy-link": copyLink, "set-question": setQuestion, "open-help": () => $("help").showModal() };
  for (const name of Object.keys(TABS)) on[`tab-${name}`] = () => turnTo(name);
  for (const [id, work] of Object.entries(on)) $(id).addEventListener("click", work);
  document.querySelector("[role=tablist]").addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const names = Object.keys(TABS);
    const other = names[(names.indexOf(document.activeElement.id.slice(4)) + (event.key === "ArrowLeft" ? names.length - 1 : 1)) % names.length];
    turnTo(other);
    $(`tab-${other}`).focus();
  });
  document.addEventListener("keydown", keys);
  for (const dialog of document.querySelectorAll("dialog")) dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  watchVisits({ holdsModel, restore, fromLink, start });
  watchFiles();
  watchFinder();
  watchProgram();
  watchToml((found) => {
    problems.model = found.map((problem) => ({ ...problem, path: null, where: `TOML: ${problem.where ?? ""}` }));
    show();
  });
  const seen = new IntersectionObserver(([entry]) => {
    answerSeen = entry.isIntersecting;
    peek();
  }, { threshold: 0.05 });
  seen.observe($("answer"));
}

const holdsModel = () => /^#(?:.*&)?(?:m|example)=/.test(location.hash);

/** Milliseconds for which the page says that a link is damaged: it shows another model, and may be loading still. */
const DAMAGED = 30000;

/** Open what the address holds, a model or the name of an example; whether it could be opened. */
function fromLink() {
  const example = new URLSearchParams(location.hash.slice(1)).get("example");
  return example ? openExample(example, { visit: false }) : opening(fromAddress);
}

/** Open the model in the address. */
async function fromAddress(wanted, display) {
  try {
    const found = await fromFragment(location.hash);
    if (!wanted()) return null;
    if (!found) return false;
    const before = { ...store.question };
    ask(found.question, { soon: true });
    if (found.document.question) resume({ original: found.document, changes: found.changes });
    try {
      display(found.document, "model.toml", { visit: false });
    } catch (error) {
      ask(before, { soon: true });
      throw error;
    }
    Object.assign(store.loss, found.loss);
    store.set = found.set;
    return true;
  } catch {
    if (!wanted()) return null;
    tell("This link is damaged, or cut off: the model in it cannot be read.", DAMAGED);
    return false;
  }
}

/** Show again what was seen at an entry of the history. */
function restore(before) {
  ask(before.question, { soon: true });
  resume(before.asked);
  open(before.document, before.name, { visit: false });
  Object.assign(store, { loss: before.loss, set: before.set });
  if (before.draft) form(before.draft);
}

async function begin() {
  $("unstarted").remove();
  const before = left();
  adopt();
  wire();
  buildAnswer();
  if (before || holdsModel()) store.document = FIRST;
  if (before) {
    restore(before);
    return keep();
  }
  if (holdsModel()) await fromLink();
  while (!store.begun) await start(); // once more where what was asked for instead could not be opened
}

/** Open what `pkdp explore` was given, or the first model. */
const start = () => opening(async (wanted, display) => {
  const given = await get("start");
  if (!wanted()) return null;
  const how = { fresh: !store.begun, visit: false };
  if (given.document) display(given.document, given.name ?? "model.toml", how);
  else display(structuredClone(FIRST), "two-friends.toml", how);
  if (given.problems?.length && given.problems[0].kind !== "away") {
    problems.model = given.problems;
    show();
  }
  return true;
});

/** The list of the dimensions needs no model: it is asked for beside the first answer. */
async function listDimensions() {
  const found = await get("dimensions");
  if (Array.isArray(found)) setDimensions(found);
}

begin();
listDimensions();
