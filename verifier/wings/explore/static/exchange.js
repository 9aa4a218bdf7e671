// What the guarantee of one definition is worth in another: the rate at one ε, or as a function, drawn and as tables.
// Of the model only the distributions and the knowledge count. Asked while the part is open; all texts come from the program.

import { $, copyText, fill, h, svg, verdict } from "./dom.js";
import { get } from "./api.js";
import { button, field } from "./controls.js";
import { table } from "./extras.js";
import { math } from "./passport.js";
import { saving } from "./picture.js";
import { model, store } from "./store.js";

const asked = { from: "np", to: "cdp", epsilon: "ln(2)", over: "" };
const OVER_EPSILON = "ε";
let listed = false;

export const asExchange = () => ({ ...model(), from: asked.from, to: asked.to, ...(asked.over ? { over: asked.over } : {}), ...(asked.over === OVER_EPSILON ? {} : { epsilon: asked.epsilon }) });
export const exchangeOpen = () => Boolean($("exchange-part")?.open);

const options = (lists, current) => [...lists].map(([name, found]) => h("optgroup", { label: name }, found.map((one) => h("option", { value: one.key, selected: one.key === current }, `${one.key}: ${one.title}`))));

/** All definitions that may be asked about, once. */
async function listNames() {
  if (listed) return;
  listed = true;
  const found = await get("names");
  if (!Array.isArray(found)) {
    listed = false;
    return;
  }
  const lists = grouped(found);
  for (const side of ["from", "to"]) fill($(`exchange-${side}`), options(lists, asked[side]));
}

function grouped(found) {
  const lists = new Map();
  for (const one of found) lists.set(one.list, [...(lists.get(one.list) ?? []), one]);
  return lists;
}

/** The function may be of ε, or of a parameter of the model that is open. */
export function offerParameters() {
  const parameters = Object.keys(store.document?.parameters ?? {});
  if (asked.over !== OVER_EPSILON && !parameters.includes(asked.over)) asked.over = "";
  fill($("exchange-over"), [["", "at one ε"], [OVER_EPSILON, "as a function of ε"], ...parameters.map((name) => [name, `as a function of ${name}`])].map(([value, words]) => h("option", { value, selected: value === asked.over }, words)));
  $("exchange-epsilon").disabled = asked.over === OVER_EPSILON;
}

/** The part with its question; `again` asks the program. */
export function buildExchange(again) {
  const take = (name) => (event) => {
    asked[name] = event.target.value.trim();
    $("exchange-epsilon").disabled = asked.over === OVER_EPSILON;
    again({ wait: name === "epsilon" ? 300 : 0 });
  };
  const first = (key) => h("option", { value: key }, key);
  const look = () => {
    if (!exchangeOpen()) return;
    listNames();
    again({ wait: 0 });
  };
  fill($("exchange"), h("details", { id: "exchange-part", ontoggle: look }, h("summary", {}, h("h2", {}, "What does it give in another definition?")),
    h("p", { class: "note" }, "Every mechanism that satisfies the first definition at ε satisfies the second at ε′. How large must ε′ be? This is about all mechanisms on the databases of the model; the one above plays no part."),
    h("div", { class: "row", id: "exchange-question" },
      field("from", h("select", { id: "exchange-from", onchange: take("from") }, first(asked.from))),
      field("to", h("select", { id: "exchange-to", onchange: take("to") }, first(asked.to))),
      field("how", h("select", { id: "exchange-over", onchange: take("over") }, h("option", { value: "" }, "at one ε"))),
      field("ε", h("input", { id: "exchange-epsilon", type: "text", value: asked.epsilon, autocomplete: "off", spellcheck: "false", oninput: take("epsilon") }))),
    h("div", { id: "exchange-answer" })));
}

export function drawExchange(answer) {
  const [problem] = answer.problems ?? [];
  if (problem) {
    fill($("exchange-answer"), h("p", { class: "note", role: "status" }, `No rate here: ${problem.message}.${problem.wanted ? ` Expected ${problem.wanted}.` : ""}${problem.tip ? ` Hint: ${problem.tip}.` : ""}`));
    return;
  }
  const decided = answer.verdict === "computed";
  fill($("exchange-answer"),
    decided && answer.tight_epsilon ? h("p", { class: "large", id: "exchange-rate" }, `ε′ = ${math(answer.tight_epsilon)}`, answer.tight_epsilon === "inf" || answer.tight_epsilon === answer.tight_epsilon_decimal ? null : h("small", {}, ` ≈ ${answer.tight_epsilon_decimal}`)) : null,
    h("p", { role: "status" }, decided ? null : [verdict(answer.verdict), ": "], answer.sentence),
    answer.drawing ? [h("div", { class: "plot", id: "exchange-plot" }, svg(answer.drawing)), saving(() => $("exchange-plot").firstElementChild, "conversion", "the conversion")] : null,
    decided ? answer.sheets.map(table) : null,
    decided ? h("p", { class: "copy" }, button("LaTeX", () => copyText(answer.latex, "LaTeX of the conversion"), { class: "quiet", "aria-label": "Copy the conversion as LaTeX" }), button("Markdown", () => copyText(answer.markdown, "Markdown of the conversion"), { class: "quiet", "aria-label": "Copy the conversion as Markdown" })) : null);
}
