// Questions to the program: late, one at a time for each subject, and never a stale answer.

import { tell } from "./dom.js";
import { away, reply } from "./transport.js";

let working = 0;
let timer = null;

/** `data-working` stands on the page while the program is asked anything that a person waits for; `data-busy`, which is seen, a moment later. */
function busy(step) {
  working += step;
  document.documentElement.toggleAttribute("data-working", working > 0);
  if (working > 0 && timer === null) {
    timer = setTimeout(() => document.documentElement.setAttribute("data-busy", ""), 300);
  } else if (working === 0) {
    clearTimeout(timer);
    timer = null;
    document.documentElement.removeAttribute("data-busy");
  }
}

async function ask(name, body, signal, { quiet = false } = {}) {
  if (!quiet) busy(1);
  try {
    const answer = await reply(name, body, signal);
    document.documentElement.removeAttribute("data-away");
    return answer;
  } catch (error) {
    if (error.name === "AbortError") return null;
    if (!quiet) document.documentElement.setAttribute("data-away", "");
    return { problems: [{ path: null, kind: "away", ...away }] };
  } finally {
    if (!quiet) busy(-1);
  }
}

export const get = (name) => ask(name);
/** `quiet` is what nobody waits for: the page does not look as if it worked. */
export const post = (name, body, signal, how) => ask(name, body, signal, how);

const asking = new Set();
let watching = () => {};

/** `data-asking` stands on the page from a question until its answer is shown. */
function mark(asker, on) {
  if (on) asking.add(asker);
  else asking.delete(asker);
  document.documentElement.toggleAttribute("data-asking", asking.size > 0);
  watching([...asking].map((one) => one.name));
}

/** Say what an answer is waited for, whenever that changes. */
export const watchAsking = (work) => { watching = work; };

/** One subject that is asked again and again: waits a little, drops what is stale. */
export class Asker {
  constructor(name, take) {
    Object.assign(this, { name, take, timer: null, running: null, turn: 0 });
  }

  /** `wait` in ms; with `steady` a waiting question keeps its time, so that a drag is followed while it moves. */
  ask(body, { wait = 150, steady = false } = {}) {
    this.turn += 1;
    this.body = body;
    mark(this, true);
    if (steady && this.timer !== null) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), wait);
  }

  /** Give the question up; its work is ended. */
  cancel() {
    this.turn += 1;
    clearTimeout(this.timer);
    this.timer = null;
    this.running?.abort();
    this.running = null;
    mark(this, false);
  }

  async send() {
    this.timer = null;
    const mine = this.turn;
    this.running?.abort();
    const control = new AbortController();
    this.running = control;
    const answer = await post(this.name, { ...this.body(), turn: this.turn }, control.signal);
    if (answer === null || mine !== this.turn) return;
    this.running = null;
    mark(this, false);
    this.take(answer);
  }
}

export function complain(problems, what) {
  const [first] = problems;
  tell(`${what}: ${first.where ? `${first.where}: ` : ""}${first.message}.${first.tip ? ` Hint: ${first.tip}.` : ""}`);
}
