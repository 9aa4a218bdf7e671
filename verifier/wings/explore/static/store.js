// The state of the page: the document, its past and future, and the question that is asked about it.

import { at, copy, put_at } from "./dom.js";

const LONGEST = 300;
const listeners = new Set();

/** What every question says: the document, the values of its parameters, and what is asked. */
export const model = () => ({ document: store.document, ...(store.document.parameters ? { set: chosen() } : {}) });
const chosen = () => Object.fromEntries(Object.entries(store.set).filter(([name]) => Object.hasOwn(store.document.parameters, name)));
export const epsilon = () => (store.question.epsilon === "" ? null : store.question.epsilon);
export const question = () => ({ ...model(), definition: store.question.definition, epsilon: epsilon(), delta: store.question.delta, reading: store.question.reading });

let past = [];
let future = [];
let lastKey = null;
let lastTime = 0;
let allowed = () => true;

/** A test of every change before it is made; one that is refused is drawn as it was. */
export const watchChanges = (test) => { allowed = test; };

export const store = {
  /** Whether a model was opened. */
  begun: false,
  document: null,
  name: "model.toml",
  question: { definition: null, epsilon: "ln(2)", delta: "0", reading: null, dimension: "" },
  loss: { record: null, values: null },
  set: {},
  /** The question that the model asks (asked.js), null where it asks none. */
  asked: null,
  /** The last model whose question was answered right here. */
  solved: null,
  /** What the open form of a question says (set_question.js), null where it is closed. */
  draft: null,
};

export const listen = (listener) => listeners.add(listener);
const say = (what) => listeners.forEach((listener) => listener(what));

/** Change the document. Changes with the same `by` within a second and a half are one step of the history. */
export function change(work, by = null) {
  const before = store.document;
  const next = copy(before);
  const done = work(next);
  if (done === false) return;
  if (!allowed(next)) {
    say({ kind: "document", by: "undo" });
    return;
  }
  const now = performance.now();
  if (by === null || by !== lastKey || now - lastTime > 1500) past = [...past.slice(-LONGEST), before];
  lastKey = by;
  lastTime = now;
  future = [];
  store.document = next;
  say({ kind: "document", by });
}

export const edit = (path, value) => change((doc) => put_at(doc, path, value), JSON.stringify(path));
export const value = (path) => at(store.document, path);

/** Another model: it can be undone like every step, and is a `visit` in the browser's history. What cannot be drawn is not opened: the one before comes back. */
function display(document, name, { fresh = false, visit = true } = {}) {
  const before = { document: store.document, name: store.name, loss: store.loss, set: store.set };
  const steps = { past, future };
  if (store.document && !fresh) past = [...past.slice(-LONGEST), store.document];
  future = [];
  lastKey = null;
  Object.assign(store, { document, name, loss: { record: null, values: null }, set: {} });
  try {
    say({ kind: "opened", visit });
    store.begun = true;
  } catch (error) {
    ({ past, future } = steps);
    Object.assign(store, before);
    if (store.document) say({ kind: "opened", visit: false });
    throw error;
  }
}

/** What a person asked last to open: whether it could be opened. */
let newest = Promise.resolve(true);

/** Whether nothing else is asked for after this moment. */
export function latest() {
  const mine = newest;
  return () => newest === mine;
}

/** Open a model that is here already. */
export function open(document, name, how) {
  display(document, name, how);
  newest = Promise.resolve(true);
}

/**
 * Open a model that has to be loaded first. `load` is told whether it is still `wanted`, and what displays a model; it
 * gives whether it opened one, or null where it is no longer wanted: of all that is asked for the last one counts,
 * however long each takes. The result is that of the last one then.
 */
export function opening(load) {
  const mine = load(() => newest === mine, display).then((opened) => (opened === null ? newest : opened));
  newest = mine;
  return mine;
}

export function undo() {
  if (!past.length) return false;
  future.push(store.document);
  store.document = past.pop();
  lastKey = null;
  say({ kind: "document", by: "undo" });
  return true;
}

export function redo() {
  if (!future.length) return false;
  past.push(store.document);
  store.document = future.pop();
  lastKey = null;
  say({ kind: "document", by: "redo" });
  return true;
}

/** What was before is not part of what is open now. */
export function forgetPast() {
  [past, future, lastKey] = [[], [], null];
}

export const canUndo = () => past.length > 0;
export const canRedo = () => future.length > 0;

export function ask(question, { soon = false } = {}) {
  Object.assign(store.question, question);
  say({ kind: "question", soon, asked: Object.keys(question) });
}

/** A value for a parameter of a family. */
export function fix(name, text) {
  store.set = { ...store.set, [name]: text };
  say({ kind: "set" });
}

export function askLoss(question) {
  Object.assign(store.loss, question);
  say({ kind: "loss" });
}
