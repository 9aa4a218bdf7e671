// Folded parts that are asked for only when they are opened: acceptable normalizations, the answer item by item, single points of a curve.

import { copyText, fill, h, shown } from "./dom.js";
import { post } from "./api.js";
import { button } from "./controls.js";
import { epsilon, model, question, store } from "./store.js";

const LADDER = ["0", "ln(9/8)", "ln(5/4)", "ln(3/2)", "ln(7/4)", "ln(2)", "ln(5/2)", "ln(3)", "ln(4)", "ln(6)", "ln(10)"];

/** A table that the program made, with its notes. */
export const table = (sheet) => h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": sheet.title }, h("table", { class: "plain" }, h("caption", {}, sheet.title),
  h("thead", {}, h("tr", {}, sheet.columns.map((one) => h("th", { scope: "col" }, one)))), h("tbody", {}, sheet.rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, shown(cell))))))), (sheet.notes ?? []).map((one) => h("p", { class: "note" }, one)));

/** Is there an acceptable normalization (DMKB20, Definition 8)? Asked when it is opened. */
export function acceptable() {
  const body = h("div", {});
  let said = null;
  const look = async () => {
    if (!details.open || said === store.document) return;
    said = store.document;
    const answer = await post("acceptable", model());
    if (!answer || said !== store.document) return;
    fill(body, answer.problems ? h("p", { class: "note" }, answer.problems[0].message) : [answer.sheets.map(table),
      h("p", { class: "copy" }, button("LaTeX", () => copyText(answer.latex, "LaTeX of the table"), { class: "quiet", "aria-label": "Copy the acceptable normalizations as LaTeX" }), button("Markdown", () => copyText(answer.markdown, "Markdown of the table"), { class: "quiet", "aria-label": "Copy the acceptable normalizations as Markdown" }))]);
  };
  const details = h("details", { id: "acceptable", ontoggle: look }, h("summary", {}, "Acceptable normalizations"), body);
  return details;
}

/** The whole answer, item by item, as a report would print it. */
export const items = (lines, open) => (lines?.length ? h("details", { id: "lines", open }, h("summary", {}, "The whole answer, item by item"), h("dl", {}, lines.map(([name, text]) => [h("dt", {}, name), h("dd", {}, text)]))) : null);

/** Exact points where no whole curve is worked out; the answer gets them as a profile without segments. */
export async function points(answer) {
  const asked = JSON.stringify([store.question.definition, store.question.reading]);
  const before = store.document;
  const found = await post("profile", { ...question(), epsilons: [...new Set([...LADDER, ...(epsilon() === null || epsilon() === "inf" ? [] : [answer.epsilon])])] });
  if (!found || found.problems || store.document !== before || asked !== JSON.stringify([store.question.definition, store.question.reading])) return null;
  const known = found.points.filter((one) => one.delta !== null && one.delta !== undefined && one.epsilon !== "inf");
  if (!known.length) return null;
  const placed = known.map((one) => ({ epsilon: one.epsilon, epsilon_decimal: one.epsilon_decimal, delta: one.delta, delta_decimal: one.delta_decimal, x: one.x ?? Number(one.epsilon_decimal), y: one.y ?? Number(one.delta_decimal) })).sort((a, b) => a.x - b.x);
  return { segments: [], breakpoints: placed, delta_at_zero: placed[0].delta, delta_at_inf: "0", points: true };
}
