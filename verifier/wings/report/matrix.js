// The page of the matrix: the question that is shown, the reason of a cell, search, and the size of the diagram.
"use strict";
(function () {
  const data = JSON.parse(document.getElementById("cells").textContent);
  const table = document.getElementById("matrix");
  const detail = document.getElementById("detail");
  const question = document.getElementById("question");
  const diagrams = Array.from(document.querySelectorAll("[data-level]"));
  const rows = Array.from(table.tBodies).flatMap((body) => Array.from(body.rows)).filter((row) => row.dataset.key);
  const size = data.keys.length;

  function level() {
    return data.levels[question.selectedIndex];
  }

  function show() {
    const cells = level().cells;
    rows.forEach((row, i) => {
      for (let j = 0; j < size; j += 1) {
        if (i === j) continue;
        const cell = cells[i * size + j], state = data.states[cell[0]], place = row.cells[j + 1];
        place.className = state.kind;
        place.textContent = state.mark;
        place.title = data.keys[i] + " ⟹ " + data.keys[j] + ": " + state.name;
      }
    });
    diagrams.forEach((each) => { each.hidden = each.dataset.level !== level().name; });
    detail.textContent = "";
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

  function explain(i, j) {
    const [state, chain, map, where, model, first, second, delta, checked] = level().cells[i * size + j];
    const heading = document.createElement("h3"), list = document.createElement("ul");
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
    if (!map && !model) list.append(line("both are decided on " + (checked || 0) + " of the " + data.looked + " models"));
    detail.replaceChildren(heading, list);
  }

  table.addEventListener("click", (event) => {
    const cell = event.target.closest("td"), row = event.target.closest("tr");
    if (cell && row && row.dataset.key && cell.cellIndex - 1 !== rows.indexOf(row)) explain(rows.indexOf(row), cell.cellIndex - 1);
  });
  question.addEventListener("change", show);

  document.getElementById("search").addEventListener("input", (event) => {
    const asked = event.target.value.trim().toLowerCase();
    const hit = (key) => asked !== "" && key.includes(asked);
    rows.forEach((row) => {
      row.hidden = asked !== "" && !hit(row.dataset.key);
      Array.from(row.cells).forEach((cell, j) => cell.classList.toggle("hit", j > 0 && hit(data.keys[j - 1])));
    });
    document.querySelectorAll("a.box").forEach((box) => {
      box.classList.toggle("hit", box.dataset.keys.split(" ").some(hit));
    });
  });

  let scale = 100;
  document.querySelectorAll("button[data-zoom]").forEach((button) => {
    button.addEventListener("click", () => {
      scale = Math.min(800, Math.max(25, Number(button.dataset.zoom) ? scale * (button.dataset.zoom > 0 ? 2 : 1 / 2) : 100));
      document.querySelectorAll("[data-level] svg").forEach((svg) => { svg.style.width = scale + "%"; });
    });
  });
  document.querySelectorAll("[hidden].script").forEach((each) => { each.hidden = false; });
  show();
})();
