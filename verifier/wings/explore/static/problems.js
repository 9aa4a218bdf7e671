// What the server refuses, shown where it is: in the cell, with the hint below it.

import { $, h, key, fill } from "./dom.js";
import { lead } from "./resize.js";

const marked = new Set();

export function clearProblems() {
  for (const control of marked) {
    control.removeAttribute("aria-invalid");
    control.removeAttribute("aria-describedby");
    control.title = "";
  }
  marked.clear();
  document.querySelectorAll(".problem-row, p.problem").forEach((found) => found.remove());
  fill($("problems"));
  $("problems").hidden = true;
}

const words = (problem, id) => [
  h("strong", {}, `${problem.message}.`),
  problem.wanted ? h("span", {}, ` Expected ${problem.wanted}.`) : null,
  problem.tip ? h("span", { class: "tip" }, ` Hint: ${problem.tip}`) : null,
];

/** The control that a path names, or the nearest thing around it. */
function control(path) {
  for (let length = path.length; length > 0; length--) {
    const found = document.querySelector(`[data-path='${CSS.escape(key(path.slice(0, length)))}']`);
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
    const id = `problem-${k}`;
    const [found] = problem.path ? control(problem.path) : [null];
    if (!found || !found.closest("#editors, #question, #title-line")) {
      above.push(h("li", { id }, problem.where ? h("span", { class: "where" }, `${problem.where}: `) : null, words(problem, id)));
      return;
    }
    const field = found.matches("input, select, textarea") ? found : found.querySelector(":scope > * input:not([type=checkbox])") ?? found;
    const target = found.matches("table, tr, .law, fieldset") ? found : field;
    target.setAttribute("aria-invalid", "true");
    target.setAttribute("aria-describedby", id);
    target.title = [problem.message, problem.tip].filter(Boolean).join(" – ");
    marked.add(target);
    inside.push([target, problem]);
    const row = target.closest("tbody tr");
    if (row) {
      const wide = row.children.length;
      row.after(h("tr", { class: "problem-row" }, h("td", { colspan: wide, class: "problem", id, role: "alert" }, words(problem, id))));
    } else {
      const place = target.matches("table") ? target.closest(".sheetbox") : target.closest(".field, .law") ?? target;
      const text = h("p", { class: "problem", id, role: "alert" }, words(problem, id));
      place.matches(".sheetbox") ? place.querySelector(".scroll").after(text) : place.append(text);
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
