// The privacy loss for each knowledge value: exact laws of the output given that the record is a, and given that it is b.

import { $, copyText, fill, h, s, shown } from "./dom.js";
import { button } from "./controls.js";
import { brief, math } from "./passport.js";
import { place } from "./fractions.js";
import { askLoss } from "./store.js";

const pick = (id, name, options, current, take) => h("div", { class: "field" }, h("label", { for: id }, name), h("select", { id, onchange: (event) => take(Number(event.target.value)) },
  options.map((one, k) => h("option", { value: k, selected: shown(one) === shown(current) }, shown(one)))));

/** A list of known values as people write it. */
function plain(known) {
  try {
    const found = JSON.parse(known);
    return Array.isArray(found) ? found.map(shown).join(", ") || "nothing" : shown(known);
  } catch {
    return shown(known);
  }
}

/** Bars: how likely each loss is when the record is a; at the right of 0 the output speaks for a, at the left for b. */
function bars(rows, widest, a, b) {
  const [w, t] = [360, 52];
  const x = (one) => (one.loss === "inf" ? w - 8 : one.loss === "-inf" ? 8 : w / 2 + (one.x / widest) * (w / 2 - 28));
  const tall = (one) => Math.max(1.5, place(one.probability_a) * (t - 4));
  const seen = rows.filter((one) => place(one.probability_a));
  const brief = (label) => (shown(label).length > 12 ? `${shown(label).slice(0, 11)}…` : shown(label));
  return s("svg", { class: "bars", viewBox: `0 0 ${w} ${t + 16}`, "aria-hidden": "true" },
    s("line", { x1: 0, x2: w, y1: t, y2: t, class: "axis" }), s("line", { x1: w / 2, x2: w / 2, y1: 2, y2: t, class: "grid" }),
    seen.map((one) => s("rect", { class: one.loss === "inf" ? "bar bad" : "bar", x: x(one) - 4, width: 8, y: t - tall(one), height: tall(one), rx: 1 })),
    s("text", { x: w / 2, y: t + 13, "text-anchor": "middle" }, "0"), s("text", { x: w, y: t + 13, "text-anchor": "end" }, `speaks for ${brief(a)}${rows.some((one) => one.loss === "inf") ? ", ∞" : ""} →`), s("text", { x: 0, y: t + 13 }, `← speaks for ${brief(b)}`));
}

export function drawLoss(answer) {
  const { record, records = [], domain = [] } = answer;
  const groups = answer.knowledge ?? [];
  const [a, b] = answer.values ?? [answer.a, answer.b];
  for (const row of groups.flatMap((one) => one.rows ?? [])) row.x ??= Number.isFinite(Number(row.loss_decimal)) ? Number(row.loss_decimal) : null;
  const widest = Math.max(0.1, ...groups.flatMap((one) => (one.rows ?? []).map((row) => (row.x === null || row.x === undefined ? 0 : Math.abs(row.x)))));
  const kept = document.activeElement?.id;
  fill($("loss"),
    h("div", { class: "heading" }, h("h2", {}, "Privacy loss, value by value"), h("span", { class: "copy" },
      answer.latex && button("LaTeX", () => copyText(answer.latex, "LaTeX of the loss table"), { class: "quiet", id: "copy-loss-latex", "aria-label": "Copy the loss table as LaTeX" }),
      answer.markdown && button("Markdown", () => copyText(answer.markdown, "Markdown of the loss table"), { class: "quiet", id: "copy-loss-markdown", "aria-label": "Copy the loss table as Markdown" }))),
    h("p", { class: "note" }, "How much more likely is each output if the record is a than if it is b? The loss is the logarithm of that ratio; 0 tells nothing, ∞ tells for certain."),
    h("div", { class: "row", id: "loss-question" },
      records.length ? pick("loss-record", "record", records, record, (k) => askLoss({ record: records[k], values: null })) : null,
      pick("loss-a", "a", domain, a, (k) => askLoss({ record, values: [domain[k], shown(domain[k]) === shown(b) ? a : b] })),
      pick("loss-b", "b", domain, b, (k) => askLoss({ record, values: [shown(domain[k]) === shown(a) ? b : a, domain[k]] }))),
    h("div", { class: "losses" }, groups.map((group, k) => one(group, k, { a, b, record, widest }))),
    answer.left_out ? h("p", { class: "note" }, `${answer.left_out} more knowledge values are not shown.`) : null);
  if (kept?.startsWith("loss-")) $(kept)?.focus({ preventScroll: true });
}

function one(group, k, { a, b, record, widest }) {
  const known = group.knowledge === null || group.knowledge === undefined || group.knowledge === "" ? "nothing known" : `attacker knows ${plain(group.knowledge)}`;
  const many = group.distribution && group.distribution !== "#1" ? `${group.distribution}: ` : "";
  const title = h("h3", { id: `loss-title-${k}` }, `${many}${known}`, group.probability ? h("small", {}, `, probability ${group.probability}`) : null);
  if (group.excludes?.length) return h("article", { class: "lossbox" }, title, h("p", { class: "note" }, `Nothing to compare: ${Array.isArray(group.excludes) ? `${group.excludes.map(shown).join(" and ")} cannot be` : group.excludes}.`));
  const of = record === null || record === undefined ? "" : `D(${record}) = `;
  return h("article", { class: "lossbox" }, h("div", { class: "heading" }, title, bars(group.rows, widest, a, b)),
    h("div", { class: "scroll", tabindex: 0, role: "group", "aria-labelledby": `loss-title-${k}` }, h("table", { class: "losses-table", "aria-labelledby": `loss-title-${k}` },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "output"), h("th", { scope: "col" }, `if ${of}${shown(a)}`), h("th", { scope: "col" }, `if ${of}${shown(b)}`), h("th", { scope: "col" }, "loss"))),
      h("tbody", {}, group.rows.slice(0, 200).map((row) => h("tr", {}, h("th", { scope: "row" }, shown(row.output)), h("td", { class: "n" }, brief(row, "probability_a")), h("td", { class: "n" }, brief(row, "probability_b")),
        h("td", { class: `n ${row.loss === "inf" || row.loss === "-inf" ? "sure" : ""}` }, brief(row, "loss"))))))),
    group.tight_epsilon ? h("p", { class: "note" }, `worst loss: ${math(group.tight_epsilon)}`) : null);
}
