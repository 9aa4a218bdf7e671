// How a question reaches the program: here, in workers of this page. Nothing is sent anywhere.

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
const opening = JSON.stringify(FIRST);

/** The answer that is in the page; undefined for a question about another model, or of another kind. */
function known(name, body) {
  const fields = Object.keys(body ?? {}).filter((field) => body[field] !== undefined && !ASIDE.has(field)).sort();
  const answer = prepared.get(`${name} ${JSON.stringify(fields.map((field) => [field, body[field]]))}`);
  const about = body === undefined || JSON.stringify(body.document) === opening;
  return answer !== undefined && about ? structuredClone(answer) : undefined;
}

const megabytes = (bytes) => Math.round(bytes / 1e6);

const begin = () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" });

/** One worker with the program, and the questions that wait for it. It is loaded when it is first asked. */
class Desk {
  /** `make` begins a worker; `said` is told the bytes that are loaded, and `null` at the end; `ready` keeps a worker loaded without a question. */
  constructor(make, { said = () => {}, ready = false } = {}) {
    Object.assign(this, { make, said, ready, waiting: [], worker: null, running: null, timer: null });
  }

  load() {
    const fresh = this.make();
    this.worker = { thread: fresh, ready: false, received: 0 };
    fresh.addEventListener("message", ({ data }) => this.worker?.thread === fresh && this.heard(data));
    fresh.addEventListener("error", () => this.worker?.thread === fresh && this.failed());
    this.said(0);
    fresh.postMessage({ name: "ready" });
  }

  /** End the worker with what it does. */
  renew() {
    clearTimeout(this.timer);
    this.worker.thread.terminate();
    [this.worker, this.running] = [null, null];
    if (this.ready) this.load();
    this.next();
  }

  failed() {
    this.said(null);
    this.worker.thread.terminate();
    this.worker = null;
    for (const question of [this.running, ...this.waiting.splice(0)]) question?.reject(new Error(away.message));
    this.running = null;
  }

  heard(data) {
    if (data.received) {
      this.worker.received = data.received;
      if (!this.worker.ready) this.said(data.received); // later files are fetched while questions are answered
    } else if (data.ready) {
      this.worker.ready = true;
      this.said(null);
      this.limit();
    } else if (data.failed !== undefined && !this.worker.ready) {
      this.failed();
    } else {
      clearTimeout(this.timer);
      const question = this.running;
      this.running = null;
      question?.resolve(data.failed === undefined ? JSON.parse(data.answer) : { problems: [ENDED] });
      if (data.failed === undefined) this.next();
      else this.renew();
    }
  }

  /** A question has so long from when the program is there; then its work is ended, and the page says so. */
  limit() {
    clearTimeout(this.timer);
    if (this.running === null || !this.worker.ready) return;
    this.timer = setTimeout(() => {
      this.running.resolve({ problems: [TOO_LONG] });
      this.renew();
    }, this.running.withdrawn ? GRACE : PATIENCE);
  }

  next() {
    if (this.running !== null || !this.waiting.length) return;
    if (this.worker === null) this.load();
    this.running = this.waiting.shift();
    this.worker.thread.postMessage({ name: this.running.name, body: this.running.body });
    this.limit();
  }

  /** Nobody waits for the answer any more. */
  withdraw(question) {
    question.withdrawn = true;
    question.reject(new DOMException("", "AbortError"));
    const place = this.waiting.indexOf(question);
    if (place >= 0) this.waiting.splice(place, 1);
    else if (question === this.running) this.limit();
  }

  ask(name, body, signal) {
    return new Promise((resolve, reject) => {
      const question = { name, body: body === undefined ? undefined : JSON.stringify(body), resolve, reject, withdrawn: false };
      signal?.addEventListener("abort", () => this.withdraw(question));
      this.waiting.push(question);
      this.next();
      if (!this.worker.ready) this.said(this.worker.received);
    });
  }
}

/** Say how much of the program is there, as long as somebody waits for it. */
function sayLoading(received) {
  document.documentElement.toggleAttribute("data-loading", received !== null);
  if (first.running === null) return;
  if (first.worker.ready) tell("The program is loaded.");
  else if (received !== null) tell(`Loading the program: ${megabytes(Math.min(received, BYTES))} of ${megabytes(BYTES)} MB`, LOADING);
}

/** The verdicts, and all that is shown with them. */
const first = new Desk(begin, { said: sayLoading, ready: true });
/** What is asked after a verdict has a worker of its own: no verdict waits for the independent checker, or for a search. */
const after = new Desk(begin);
const AFTER = new Set(["recheck", "find"]);

/** The answer to a question; without a body it is a list, such as that of the examples. */
export function reply(name, body, signal) {
  if (name === "start") return Promise.resolve({ document: null });
  const answer = known(name, body);
  if (answer === undefined) return (AFTER.has(name) ? after : first).ask(name, body, signal);
  return Promise.resolve(answer);
}

/** What is a sign of interest in more than reading: then the program is loaded, and not before. */
const SIGNS = ["pointermove", "pointerdown", "keydown", "focusin"];
const interested = () => {
  for (const sign of SIGNS) removeEventListener(sign, interested);
  if (first.worker === null) first.load();
};
for (const sign of SIGNS) addEventListener(sign, interested, { passive: true });
