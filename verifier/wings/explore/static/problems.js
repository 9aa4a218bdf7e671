// What the server refuses, shown where it is: in the cell, with the hint below it.

import { $, coded, count, h, key, fill, shown } from "./dom.js";
import { markLine, toPlace } from "./program.js";
import { lead } from "./resize.js";
import { store } from "./store.js";

const marked = new Set();

export function clearProblems() {
  for (const control of marked) {
    control.removeAttribute("aria-invalid");
    control.removeAttribute("aria-describedby");
    control.title = "";
  }
  marked.clear();
  markLine(null);
  document.querySelectorAll(".problem-row, p.problem").forEach((found) => found.remove());
  fill($("problems"));
  $("problems").hidden = true;
}

/** The text that the hint tells to write, as a button, where the problem is one text that a person typed: nothing is read as something else silently. */
function fix(problem, found) {
  if (!problem.fix || !found?.matches("input[type=text]")) return null;
  return h("button", { type: "button", class: "quiet fix", onclick: () => {
    found.value = problem.fix;
    for (const kind of ["input", "change"]) found.dispatchEvent(new Event(kind, { bubbles: true }));
    found.focus({ preventScroll: true });
  } }, `write ${problem.fix}`);
}

/** The line and the column of a program's text, as a button that leads there. */
const place = ({ place: at }) => at && [h("button", { type: "button", class: "quiet place", onclick: () => toPlace(at) }, `line ${at[0]}, column ${at[1]}`), " "];

const words = (problem, found = null) => [
  place(problem),
  h("strong", {}, coded(`${problem.message}.`)),
  problem.wanted ? h("span", {}, coded(` Expected ${problem.wanted}.`)) : null,
  fix(problem, found) ?? (problem.tip ? h("span", { class: "tip" }, coded(` Hint: ${problem.tip}`)) : null),
];

/** Cells of databases that name a value which is none, beside the one that the problem is about. */
function alike(target) {
  const known = new Set([store.document.values ?? []].flat().map(shown));
  const strange = (cell) => cell.matches("input.value") && !known.has(cell.value);
  return strange(target) ? [...document.querySelectorAll("#editors input.value")].filter((cell) => cell !== target && strange(cell)) : [];
}

const mark = (target, id, said) => {
  target.setAttribute("aria-invalid", "true");
  target.setAttribute("aria-describedby", id);
  target.title = said;
  marked.add(target);
};

/** The control that a path names, or the nearest thing around it. */
function control(path) {
  for (let length = path.length; length > 0; length--) {
    const all = [...document.querySelectorAll(`[data-path='${CSS.escape(key(path.slice(0, length)))}']`)];
    const found = all.find((one) => one.checkVisibility()) ?? all[0];
    if (found) return [found, length === path.length];
    const row = document.querySelector(`[data-row='${CSS.escape(key(path.slice(0, length)))}']`);
    if (row) return [row, false];
  }
  return [null, false];
}

const inSight = (target) => {
  const { top, bottom } = target.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
};

export function showProblems(problems) {
  clearProblems();
  const above = [];
  const inside = [];
  problems.forEach((problem, k) => {
    if (problem.place) markLine(problem.place);
    const id = `problem-${k}`;
    const [found, exact] = problem.path ? control(problem.path) : [null];
    if (!found || !found.closest("#editors, #program, #question, #title-line")) {
      above.push(h("li", { id }, problem.where ? h("span", { class: "where" }, `${problem.where}: `) : null, words(problem)));
      return;
    }
    const field = found.matches("input, select, textarea") ? found : found.querySelector(":scope > * input:not([type=checkbox])") ?? found;
    const target = found.matches("table, tr, .law, fieldset") ? found : field;
    const more = alike(target);
    for (const one of [target, ...more]) mark(one, id, [problem.message, problem.tip].filter(Boolean).join(" – "));
    const text = [words(problem, exact ? target : null), more.length ? ` ${count(more.length, "more cell")} of the tables ${more.length === 1 ? "names" : "name"} no value of the model.` : null];
    inside.push([target, problem]);
    const row = target.closest("tbody tr");
    if (row) {
      const wide = row.children.length;
      row.after(h("tr", { class: "problem-row" }, h("td", { colspan: wide, class: "problem", id, role: "alert" }, text)));
    } else {
      const place = target.matches("table") ? target.closest(".sheetbox") : target.closest(".field, .law") ?? target;
      const line = h("p", { class: "problem", id, role: "alert" }, text);
      place.matches(".sheetbox") ? place.querySelector(".scroll").after(line) : place.append(line);
    }
  });
  const [far] = inside.filter(([target]) => !inSight(target));
  if (far && !above.length) {
    const [target, problem] = far;
    above.push(h("li", {}, problem.where ? h("span", { class: "where" }, `${problem.where}: `) : null, h("strong", {}, problem.message), " ",
      h("button", { type: "button", class: "quiet", id: "first-problem", onclick: () => lead(target) }, "show it")));
  }
  if (above.length) {
    fill($("problems"), h("ul", {}, above));
    $("problems").hidden = false;
  }
}
