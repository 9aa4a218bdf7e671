// The passport: one row for each definition; a row is chosen by click, arrow keys or Enter.

import { $, copyText, cut, fill, h, mathml, shown, verdict } from "./dom.js";
import { button } from "./controls.js";
import { acceptable } from "./extras.js";
import { keepRows } from "./recheck.js";
import { ask, store } from "./store.js";

const none = () => h("span", { class: "none" }, "–");
/** An exact text that even the server cut, by its decimal; the whole answer, item by item, has more of it. */
const long = (text, decimal) => h("span", { class: "exact", title: text }, `≈ ${short(decimal)}`, h("small", {}, ` exact: ${/\(([\d,]+ digits)\)/.exec(text)?.[1] ?? "a long number"}`));
export const exact = (text, decimal) => (text === null || text === undefined ? none() : decimal && text.includes("…") ? long(text, decimal) : h("span", { class: "exact", title: decimal && decimal !== text ? `≈ ${decimal}` : null }, cut(math(text)), decimal && decimal !== text && text !== "inf" ? h("small", {}, ` ≈ ${short(decimal)}`) : null));

/** A number in a table: exact where that is short, else its decimal; the tip has both. */
export const brief = (row, name) => {
  const [text, decimal, rounded] = [row[name], row[`${name}_decimal`], row[`${name}_brief`] ?? row[`${name}_decimal`]];
  if (text === null || text === undefined) return none();
  return h("span", { class: "exact", title: decimal && decimal !== text ? `${text} ≈ ${decimal}` : null }, math(text).length > 14 && rounded ? `≈\u00a0${rounded}` : math(text));
};

/** An exact text as people write it. The text is not computed with. */
export const math = (text) => shown(text).replace(/^(-?)inf$/, (_, sign) => `${sign && "−"}∞`);
/** The first digits of a decimal that the server rounded. */
const short = (decimal) => shown(decimal);

export function choose(name, { focus = false } = {}) {
  ask({ definition: name, reading: null }, { soon: true });
  if (focus) $(`row-${name}`)?.focus();
}

function move(event, rows) {
  const names = rows.map((row) => row.key);
  const here = names.indexOf(event.currentTarget.dataset.key);
  const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: names.length - 1, Enter: here, " ": here }[event.key];
  if (to === undefined || !names[to]) return;
  event.preventDefault();
  choose(names[to], { focus: true });
}

let folded = null;
let shownFor = null;

/** The folded part stays as long as the document does. */
function fold() {
  if (shownFor === store.document) return;
  const open = folded?.open;
  folded = acceptable();
  folded.open = Boolean(open);
  shownFor = store.document;
}

/** Of a long list what is decided stands first; what is unsupported here follows. */
const decidedFirst = (rows) => [...rows.filter((row) => row.verdict !== "unsupported"), ...rows.filter((row) => row.verdict === "unsupported")];

let dimensions = [];

/** The dimensions of DP22, each with the number of definitions that change it; said once by the server. */
export function setDimensions(found) {
  dimensions = found;
  const place = $("dimension");
  if (place) place.replaceWith(chooser());
}

/** Which definitions are listed: those of the texts, or those of DP22 that change a dimension. */
const chooser = () => h("select", { id: "dimension", "aria-label": "Which definitions are listed", onchange: (event) => ask({ dimension: event.target.value, definition: null, reading: null }, { soon: true }) },
  [["", "definitions of the papers"], ...dimensions.map((one) => [one.letter, `${one.letter}: ${one.name} (${one.definitions})`])].map(([letter, words]) => h("option", { value: letter, selected: letter === store.question.dimension }, words)));

export function drawPassport(answer) {
  fold();
  const rows = answer.dimension ? decidedFirst(answer.rows) : answer.rows;
  const scrolled = document.querySelector("#passport .many")?.scrollTop ?? 0;
  const chosen = store.question.definition;
  const kept = document.activeElement?.id;
  const open = $("tail-forms")?.getAttribute("aria-expanded") === "true" || chosen?.startsWith("tail-");
  const tails = rows.filter((row) => row.key.startsWith("tail-"));
  const line = (row, k) => {
    const on = row.key === chosen;
    return h("tr", {
      id: `row-${row.key}`, role: "row", "data-key": row.key, "aria-selected": String(on), tabindex: on || (k === 0 && !rows.some((one) => one.key === chosen)) ? 0 : -1,
      onclick: () => choose(row.key), onkeydown: (event) => move(event, open ? rows : rows.filter((one) => !tails.includes(one))),
    },
    h("th", { scope: "row", role: "rowheader", title: row.reason ?? null }, h("span", { class: "key" }, row.key.replace("tail-", "").toUpperCase(), row.key.startsWith("tail-") ? " tail" : ""), h("small", { title: row.title ?? null }, named(row.title ?? ""))),
    h("td", { role: "gridcell" }, verdict(row.verdict)),
    h("td", { role: "gridcell", class: "n" }, brief(row, "smallest_epsilon")),
    h("td", { role: "gridcell", class: "n" }, brief(row, row.delta_at_epsilon === null ? "delta_at_inf" : "delta_at_epsilon")));
  };
  fill($("passport"),
    h("div", { class: "heading" }, h("h2", {}, "3 · What can be inferred"), h("span", { class: "copy" },
      button("LaTeX", () => copyText(answer.latex, "LaTeX of the overview"), { class: "quiet", "aria-label": "Copy the overview as LaTeX", id: "copy-passport-latex" }),
      button("Markdown", () => copyText(answer.markdown, "Markdown of the overview"), { class: "quiet", "aria-label": "Copy the overview as Markdown", id: "copy-passport-markdown" }))),
    h("div", { class: "heading" }, h("p", { class: "note", id: "passport-note" }, "Each definition asks its own question. Choose one to see why. ", chooser()),
      tails.length ? button(open ? "hide the tail forms" : `${tails.length} tail forms`, (event) => {
        event.target.setAttribute("aria-expanded", String(!open));
        drawPassport(answer);
        $("tail-forms").focus();
      }, { class: "quiet", id: "tail-forms", "aria-expanded": String(Boolean(open)), title: "the probability that the loss is more than ε, instead of its excess" }) : null),
    h("div", { class: `scroll${answer.dimension ? " many" : ""}` }, h("table", { class: "passport", id: "passport-table", role: "grid", "aria-describedby": "passport-note" },
      h("thead", {}, h("tr", { role: "row" }, h("th", { scope: "col", role: "columnheader" }, "definition"),
        h("th", { scope: "col", role: "columnheader" }, asked()), h("th", { scope: "col", role: "columnheader" }, "smallest ε"), h("th", { scope: "col", role: "columnheader" }, store.question.epsilon === "" ? "δ at ε = ∞" : "smallest δ"))),
      h("tbody", {}, rows.filter((row) => !tails.includes(row)).map(line)),
      tails.length ? h("tbody", { id: "tails", hidden: !open }, tails.map((row) => line(row, -1))) : null)),
    keepRows(),
    answer.properties?.length ? h("p", { class: "note", id: "properties" }, answer.properties.join(" · ")) : null);
  fill($("about-model"), facts(answer), folded);
  const box = document.querySelector("#passport .many");
  if (box) box.scrollTop = scrolled;
  if (kept && (kept.startsWith("row-") || kept === "dimension")) $(kept)?.focus({ preventScroll: true });
}

const asked = () => {
  const { epsilon, delta } = store.question;
  return epsilon === "" ? `for some ε, δ = ${delta}?` : `ε = ${math(epsilon)}, δ = ${delta}?`;
};

function facts(answer) {
  if (!answer.facts?.length) return null;
  return h("details", { id: "facts", open: $("facts")?.open }, h("summary", {}, "Facts about this model"), h("dl", {}, answer.facts.map(([name, text]) => [h("dt", {}, name), h("dd", {}, text)])),
    (answer.notes ?? []).map((one) => h("p", { class: "note" }, one)),
    answer.milliseconds === undefined ? null : h("p", { class: "note" }, `answered in ${answer.milliseconds} ms`));
}

/** Mark the chosen row without asking again. */
export function markChosen() {
  for (const row of document.querySelectorAll("#passport-table tbody tr")) {
    const on = row.dataset.key === store.question.definition;
    row.setAttribute("aria-selected", String(on));
    row.tabIndex = on ? 0 : -1;
  }
}

/** The name beside its letters; the words that nearly all names end with are only read out. */
function named(title) {
  const [start, rest] = /^(.+)( differential privacy)$/.exec(title)?.slice(1) ?? [title, ""];
  return [start, rest && h("span", { class: "away" }, rest)];
}

export const formula = (row) => h("div", { class: "formula", id: "formula" }, row.mathml ? mathml(row.mathml) : h("code", {}, row.formula ?? ""));
