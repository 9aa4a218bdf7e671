// The page of every pair: the question that is shown, the reason of a pair, search, and the size of the diagram.
"use strict";
(function () {
  const data = JSON.parse(document.getElementById("cells").textContent);
  const table = document.getElementById("matrix");
  const detail = document.getElementById("detail");
  const question = document.getElementById("question");
  const [from, to] = ["from", "to"].map((id) => document.getElementById(id));
  const search = document.getElementById("search");
  const diagrams = Array.from(document.querySelectorAll("[data-level]"));
  const rows = Array.from(table.tBodies).flatMap((body) => Array.from(body.rows));
  const size = data.keys.length;

  const level = () => data.levels[question.selectedIndex];
  const cellOf = (i, j) => data.cells[level().cells[i * size + j]];

  function show() {
    rows.forEach((row, i) => {
      for (let j = 0; j < size; j += 1) {
        if (i === j) continue;
        const state = data.states[cellOf(i, j)[0]], place = row.cells[j + 1];
        place.className = state.kind;
        place.textContent = state.mark;
        place.title = data.keys[i] + " ⟹ " + data.keys[j] + ": " + state.name;
      }
    });
    diagrams.forEach((each) => { each.hidden = each.dataset.level !== level().name; });
    find();
    explain();
  }

  function line(text, link) {
    const item = document.createElement("li");
    item.append(text);
    if (link) {
      const code = document.createElement("code");
      code.textContent = link;
      item.append(" ", code);
    }
    return item;
  }

  /** Why the chosen pair is in its state. */
  function explain() {
    const [i, j] = [from, to].map((each) => data.keys.indexOf(each.value));
    if (i === j) return detail.replaceChildren("Choose two definitions.");
    const [state, chain, ...rest] = cellOf(i, j);
    const [map, where, model, first, second, delta] = rest.map((k) => data.texts[k]);
    const heading = document.createElement("h2"), list = document.createElement("ul");
    heading.textContent = data.keys[i] + " ⟹ " + data.keys[j] + ", " + level().words + ": " + data.states[state].name;
    if (map) list.append(line("with " + map + (where ? ", where " + where : "")));
    for (const k of chain || []) list.append(line(data.facts[k][0], data.facts[k][1]));
    if (map && !(chain || []).length) list.append(line("the two compare the same rows with the same measure"));
    if (model) {
      const least = second === "inf" ? "no finite ε" : "ε = " + second;
      const at = delta === "0" ? "" : " at δ = " + delta;
      const most = first === "vacuous" ? " vacuous, " : " with ε = " + first + ", ";
      list.append(line(data.keys[i] + most + data.keys[j] + " with " + least + at + ":", model));
    }
    if (!map && !model) list.append(line("both are decided on " + (rest[6] || 0) + " of the " + data.looked + " models"));
    detail.replaceChildren(heading, list);
  }

  /** The rows and columns that are searched: a definition named in full is meant alone, a part of a name is all that have it. */
  function find() {
    const asked = search.value.toLowerCase().split(/[\s,]+/).filter(Boolean);
    const hit = (key) => asked.some((one) => (data.keys.includes(one) ? key === one : key.includes(one)));
    rows.forEach((row) => {
      row.hidden = asked.length > 0 && !hit(row.id);
      Array.from(row.cells).forEach((cell, j) => cell.classList.toggle("hit", j > 0 && hit(data.keys[j - 1])));
    });
  }

  /** The definition that the address names: its row is shown, and its pairs are asked. */
  function named() {
    const key = decodeURIComponent(location.hash.slice(1));
    if (!data.keys.includes(key)) return;
    search.value = from.value = key;
    if (to.value === key) to.value = data.keys.find((other) => other !== key);
    show();
  }

  table.addEventListener("click", (event) => {
    const cell = event.target.closest("td"), i = rows.indexOf(event.target.closest("tr"));
    if (!cell || i < 0 || cell.cellIndex - 1 === i) return;
    [from.value, to.value] = [data.keys[i], data.keys[cell.cellIndex - 1]];
    explain();
    detail.scrollIntoView({ block: "nearest" });
  });
  question.addEventListener("change", show);
  for (const each of [from, to]) each.addEventListener("change", explain);
  search.addEventListener("input", find);
  addEventListener("hashchange", named);

  let scale = 100;
  document.querySelectorAll("button[data-zoom]").forEach((button) => {
    button.addEventListener("click", () => {
      scale = Math.min(800, Math.max(25, Number(button.dataset.zoom) ? scale * (button.dataset.zoom > 0 ? 2 : 1 / 2) : 100));
      document.querySelectorAll("[data-level] svg").forEach((svg) => { svg.style.width = scale + "%"; });
    });
  });
  document.querySelectorAll("[hidden].script").forEach((each) => { each.hidden = false; });
  [from.value, to.value] = ["np", "cdp"];
  show();
  named();
})();
