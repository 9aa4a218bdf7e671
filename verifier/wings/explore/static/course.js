// A notebook of the course: it is shown as it was when the page was made. A change goes to the program, and what the cells
// below it show then comes back. Answers stay in this browser.

import { $, h, tell } from "./dom.js";
import { saves } from "./save.js";

const main = document.querySelector("main");
const { notebook, digest } = main.dataset;
/** Where the answers are kept; a notebook that has changed begins anew. */
const KEY = `pkdp course ${notebook} ${digest}`;
const empty = () => ({ log: [], cells: {}, choices: [], seen: 0 });
let kept = empty();

function keep() {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    tell("This browser keeps no answers: a reload begins anew", 10000);
  }
}

/** Make `old` like `fresh`. Every element that stays is kept: a slider that is dragged, a field that is typed into. */
function morph(old, fresh) {
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName) return old.replaceWith(fresh);
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return undefined;
  }
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (old.matches("[data-control]:not(button)") && old !== document.activeElement) old.value = fresh.value;
  const [before, after] = [[...old.childNodes], [...fresh.childNodes]];
  after.forEach((child, k) => (before[k] ? morph(before[k], child) : old.append(child)));
  before.slice(after.length).forEach((child) => child.remove());
  return undefined;
}

/** Buttons below each drawing that save it. The program does not know of them. */
function offerToSave() {
  for (const drawing of main.querySelectorAll("svg:is(.plot, .painted)")) {
    const place = drawing.closest("figure") ?? drawing.parentElement;
    if (place.querySelector(".pk-saves")) continue;
    const title = drawing.querySelector("title").textContent;
    const name = `notebook-${notebook}-${title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 50)}`;
    place.append(h("p", { class: "pk-saves" }, saves(() => place.querySelector("svg"), name, `“${title}”`)));
  }
}

/** Show cells; their HTML is made by the program, and escaped there. */
function show(cells) {
  for (const [number, html] of Object.entries(cells)) {
    const old = $(`cell-${number}`);
    const fresh = old.cloneNode(false);
    fresh.innerHTML = html;
    for (const buttons of old.querySelectorAll(".pk-saves")) buttons.remove();
    morph(old, fresh);
  }
  offerToSave();
}

/** Each exercise whose button was pressed says that it is checked, until its result is there. */
function checking() {
  for (const [control, raw] of kept.log.slice(kept.seen)) {
    const result = raw === null && main.querySelector(`button[data-control="${control}"]`)?.closest(".pk-task")?.querySelector(".pk-result");
    if (result && !result.querySelector(".pk-checking")) result.append(h("p", { class: "pk-checking" }, "Checking …"));
  }
}

/** Take the last changes back: what cannot be done is not asked again. */
function takeBack() {
  kept.log.splice(kept.seen);
  for (const line of main.querySelectorAll(".pk-checking")) line.remove();
}

let transport = null;
let busy = false;
/** How many changes of the log the program was asked about; later ones may still be taken back. */
let sent = 0;

/** The program begins to load at the first sign of interest. */
const wanted = () => (transport ??= import("./transport.js"));

async function send() {
  checking();
  if (busy || kept.seen >= kept.log.length) return;
  busy = true;
  main.setAttribute("aria-busy", "true");
  try {
    const { reply } = await wanted();
    const log = [...kept.log];
    sent = log.length;
    const answer = await reply("course", { notebook, log, seen: kept.seen });
    if (answer.problems) {
      const [{ message, tip }] = answer.problems;
      takeBack();
      tell(`This change was not taken: ${message}.${tip ? ` ${tip}.` : ""}`, 10000);
    } else {
      kept.seen = log.length;
      Object.assign(kept.cells, answer.cells);
      show(answer.cells);
    }
  } catch {
    transport = null;
    takeBack();
    tell("The program does not answer. Your answers are kept; try once more.", 10000);
  }
  busy = false;
  sent = kept.seen;
  main.removeAttribute("aria-busy");
  keep();
  send();
}

/** A control was changed. Of a slider that moves on before it is asked about only the last place counts. */
function changed(control, raw) {
  const last = kept.log.at(-1);
  if (kept.log.length > sent && last[0] === control && raw !== null) last[1] = raw;
  else kept.log.push([control, raw]);
  send();
}

main.addEventListener("input", ({ target }) => target.type === "range" && changed(target.dataset.control, Number(target.value)));
main.addEventListener("change", ({ target }) => {
  if (target.dataset.control && target.type !== "range") changed(target.dataset.control, target.value);
  if (target.type !== "radio") return;
  kept.choices = [...main.querySelectorAll("input[type=radio]:checked")].map(({ id }) => id);
  keep();
});
main.addEventListener("click", ({ target }) => {
  const button = target.closest("button[data-control]");
  if (button) changed(button.dataset.control, null);
});
for (const sign of ["pointerenter", "focusin"]) main.addEventListener(sign, wanted, { once: true });
$("anew").addEventListener("click", () => {
  localStorage.removeItem(KEY);
  location.reload();
});

try {
  kept = { ...empty(), ...JSON.parse(localStorage.getItem(KEY)) };
  sent = kept.seen;
  kept.log.splice(sent); // what was not answered is not kept
  show(kept.cells);
  for (const radio of kept.choices.map($)) if (radio) radio.checked = true;
} catch {
  kept = empty();
}
offerToSave();
document.documentElement.toggleAttribute("data-ready", true);
