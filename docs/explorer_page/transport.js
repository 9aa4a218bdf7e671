// How a question reaches the program: here, in a worker of this page. Nothing is sent anywhere.

import { worker as begun } from "./ahead.js";
import { tell } from "./dom.js";
import { BYTES, ENDED, PATIENCE, TOO_LONG } from "./addresses.js";
import { FIRST } from "./first.js";

/** What is said where the program does not answer. */
export const away = { where: "the program", message: "it could not be loaded", wanted: "a browser with WebAssembly, and all files of this page", tip: "reload the page; what you entered is in its address" };

/** Milliseconds that a question which is asked no more may still take before its work is ended. */
const GRACE = 1500;
/** Milliseconds for which the page says how much is loaded, unless more comes. */
const LOADING = 60000;
/** Fields of a question that change no answer, and the model, which is compared by itself. */
const ASIDE = new Set(["turn", "budget", "document"]);

/** The answers about the model that is open first, and lists that need no model, which the program gave when the page was made. */
const prepared = new Map(JSON.parse(document.getElementById("prepared")?.textContent ?? "[]"));
const first = JSON.stringify(FIRST);

/** The answer that is in the page; undefined for a question about another model, or of another kind. */
function known(name, body) {
  const fields = Object.keys(body ?? {}).filter((field) => body[field] !== undefined && !ASIDE.has(field)).sort();
  const answer = prepared.get(`${name} ${JSON.stringify(fields.map((field) => [field, body[field]]))}`);
  const about = body === undefined || JSON.stringify(body.document) === first;
  return answer !== undefined && about ? structuredClone(answer) : undefined;
}

const waiting = [];
let worker = null;
let running = null;
let timer = null;

function load() {
  const { thread: fresh, failed: absent } = begun();
  worker = { thread: fresh, ready: false, received: 0 };
  fresh.addEventListener("message", ({ data }) => worker?.thread === fresh && heard(data));
  fresh.addEventListener("error", () => worker?.thread === fresh && failed());
  document.documentElement.setAttribute("data-loading", "");
  fresh.postMessage({ name: "ready" });
  if (absent) setTimeout(failed, 0);
}

/** End the worker with what it does; a new one is loaded at once. */
function renew() {
  clearTimeout(timer);
  worker.thread.terminate();
  running = null;
  load();
  next();
}

function failed() {
  document.documentElement.removeAttribute("data-loading");
  worker.thread.terminate();
  worker = null;
  for (const question of [running, ...waiting.splice(0)]) question?.reject(new Error(away.message));
  running = null;
}

const megabytes = (bytes) => Math.round(bytes / 1e6);

/** Say how much of the program is there, as long as somebody waits for it. */
function sayLoading() {
  if (running === null || worker.ready) return;
  tell(`Loading the program: ${megabytes(Math.min(worker.received, BYTES))} of ${megabytes(BYTES)} MB`, LOADING);
}

function heard(data) {
  if (data.received) {
    worker.received = data.received;
    sayLoading();
  } else if (data.ready) {
    if (running !== null) tell("The program is loaded.");
    worker.ready = true;
    document.documentElement.removeAttribute("data-loading");
    limit();
  } else if (data.failed !== undefined && !worker.ready) {
    failed();
  } else {
    clearTimeout(timer);
    const question = running;
    running = null;
    question?.resolve(data.failed === undefined ? JSON.parse(data.answer) : { problems: [ENDED] });
    if (data.failed === undefined) next();
    else renew();
  }
}

/** A question has so long from when the program is there; then its work is ended, and the page says so. */
function limit() {
  clearTimeout(timer);
  if (running === null || !worker.ready) return;
  timer = setTimeout(() => {
    running.resolve({ problems: [TOO_LONG] });
    renew();
  }, running.withdrawn ? GRACE : PATIENCE);
}

function next() {
  if (running !== null || !waiting.length) return;
  if (worker === null) load();
  running = waiting.shift();
  worker.thread.postMessage({ name: running.name, body: running.body });
  limit();
}

/** Nobody waits for the answer any more. */
function withdraw(question) {
  question.withdrawn = true;
  question.reject(new DOMException("", "AbortError"));
  const place = waiting.indexOf(question);
  if (place >= 0) waiting.splice(place, 1);
  else if (question === running) limit();
}

/** The answer to a question; without a body it is a list, such as that of the examples. */
export function reply(name, body, signal) {
  if (name === "start") return Promise.resolve({ document: null });
  const answer = known(name, body);
  if (answer !== undefined) {
    if (worker === null) load(); // while the answer is read
    return Promise.resolve(answer);
  }
  return new Promise((resolve, reject) => {
    const question = { name, body: body === undefined ? undefined : JSON.stringify(body), resolve, reject, withdrawn: false };
    signal?.addEventListener("abort", () => withdraw(question));
    waiting.push(question);
    next();
    sayLoading();
  });
}
