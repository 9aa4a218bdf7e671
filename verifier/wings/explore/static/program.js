// The Program tab: the text of the mechanism's program, templates, and the line that a refusal is about.

import { $, fill, h, key, shown } from "./dom.js";
import { firstOf } from "./channel.js";
import { change, value } from "./store.js";

/** Of each template its title; the server writes them here. */
export const TEMPLATES = {};
const PATH = ["mechanism", "program"];
const area = () => $("program-text");
let begun = {}; // the template that was chosen last, and its text
let wrong = null;

/** Bring the editor, and the program among the tables, in step with the document. */
export function drawProgram(anew) {
  const given = value(PATH);
  const text = shown(given);
  if ((anew || area() !== document.activeElement) && area().value !== text) area().value = text;
  if ($("program-shown")) $("program-shown").textContent = text;
  $("program-note").hidden = given !== undefined;
  $("program-template").value = begun.text === text ? begun.template : "";
  drawLines();
}

function drawLines() {
  const count = area().value.split("\n").length;
  area().rows = count + 2;
  fill($("program-lines"), Array.from({ length: count }, (_, k) => h("li", { class: wrong === k + 1 && "wrong" }, `${k + 1}`)));
}

/** Mark the line of a place in the text; null marks none. */
export function markLine(place) {
  wrong = place && place[0];
  drawLines();
}

/** Open the tab, with the cursor at a place of the text. */
export function toPlace([line, column]) {
  $("tab-program").click();
  const before = area().value.split("\n").slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  area().focus();
  area().setSelectionRange(before + column - 1, before + column - 1);
}

const write = (text) => change((doc) => {
  if (doc.mechanism?.program === undefined) doc.mechanism = {};
  doc.mechanism.program = text;
}, key(PATH));

/** A new line begins like the one before it, deeper after a colon. */
function indent(event) {
  if (event.key !== "Enter" || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const { selectionStart: from, selectionEnd: to } = area();
  const line = area().value.slice(0, from).split("\n").at(-1);
  area().setRangeText(`\n${line.match(/^ */)[0]}${/:\s*$/.test(line) ? "    " : ""}`, from, to, "end");
  write(area().value);
}

export function watchProgram() {
  fill($("program-template"), h("option", { value: "" }, "a template …"), Object.entries(TEMPLATES).map(([name, title]) => h("option", { value: name }, title)));
  $("program-template").addEventListener("change", async ({ target: { value: template } }) => {
    const first = template && await firstOf("program", { template });
    if (!first) return;
    begun = { template, text: first.program };
    change((doc) => { doc.mechanism = first; });
  });
  area().addEventListener("input", () => write(area().value));
  area().addEventListener("keydown", indent);
}
