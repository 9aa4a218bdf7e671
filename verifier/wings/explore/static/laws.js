// Editors of laws: a value, its exact probability, and a slider that steps through exact fractions.

import { at, h, key, put_at, shown, idOf } from "./dom.js";
import { button, input } from "./controls.js";
import { balanced, grid, nearest, over, place, uniform, write } from "./fractions.js";
import { change, value } from "./store.js";

/** Values of a law that has a form: each of its sliders looks at all of them. */
const MOST = 250;
const steps = new Map();

/** How fine the sliders of one law are; stays while the law is edited. */
function fineness(name, texts) {
  if (!steps.has(name)) steps.set(name, grid(texts));
  return steps.get(name);
}

/** A slider for entry `which` of several that sum to 1. `paths` are their places in the document. */
export function slider(paths, which, name, owner) {
  const texts = () => paths.map((path) => shown(value(path) ?? "0"));
  const n = () => fineness(owner, texts());
  const thumb = h("input", {
    type: "range", min: 0, max: n(), step: 1, "data-kind": "slider", "data-path": key([...paths[which], "slider"]), id: `slide-${idOf(paths[which])}`, "aria-label": `${name}, slider`,
    oninput: () => {
      const found = balanced(texts(), which, thumb.value, n());
      if (!found) return;
      change((doc) => found.forEach((text, k) => {
        if (text !== "0" || at(doc, paths[k]) !== undefined) put_at(doc, paths[k], text);
      }), `slide ${key(paths[which])}`);
    },
  });
  thumb.refresh = () => {
    const text = texts()[which];
    const readable = texts().every((one) => place(one) !== null);
    thumb.max = n();
    thumb.disabled = !readable;
    if (readable) thumb.value = nearest(text, n());
    thumb.setAttribute("aria-valuetext", text);
    thumb.style.setProperty("--part", `${Math.min(100, 100 * (place(text) ?? 0))}%`);
  };
  thumb.refresh();
  return thumb;
}

/** The line below a law: its exact sum, filled in when the server has said it. */
export const sumLine = (path) => h("span", { class: "sum", "data-sum": key(path) }, "sum …");

/** { value: probability, … } over the values of the model. */
export function lawEditor(path, values, { name, id = null } = {}) {
  const law = value(path) ?? {};
  const keys = [...new Set([...values.map(shown), ...Object.keys(law)])];
  if (keys.length > MOST) return h("div", { class: "law", id: id ?? `law-${path.join("-")}`, "data-path": key(path) }, h("p", { class: "note" }, `A distribution over ${keys.length} values is edited in the TOML tab.`), h("div", { class: "under" }, sumLine(path)));
  const paths = keys.map((one) => [...path, one]);
  const even = () => change((doc) => uniform(values.length).forEach((part, k) => put_at(doc, paths[k], part)));
  return h("div", { class: "law", id: id ?? `law-${path.join("-")}`, role: "group", "aria-label": name, "data-path": key(path) },
    keys.map((one, k) => h("div", { class: "entry", "data-value": one, "data-law": key(path) },
      h("label", { for: idOf(paths[k]), class: "value" }, one), h("span", { class: "sides" }),
      slider(paths, k, `Probability of ${one}${name ? `, ${name}` : ""}`, key(path)),
      input(paths[k], { kind: "exact", name: `Probability of ${one}${name ? `, ${name}` : ""}`, size: 7 }))),
    h("div", { class: "under" }, sumLine(path), button("equal parts", even, { class: "quiet", "aria-label": `Equal parts${name ? `, ${name}` : ""}` }), fine(key(path), keys)));
}

function fine(owner, keys) {
  const n = steps.get(owner) ?? 20;
  const options = [...new Set([n, 10, 12, 20, 60, 100, 1000])].sort((a, b) => a - b);
  return h("label", { class: "fine" }, "slider steps of ", h("select", { "aria-label": "Slider steps", onchange: (event) => {
    steps.set(owner, Number(event.target.value));
    event.target.closest(".law, .sheetbox")?.querySelectorAll("input[data-kind=slider]").forEach((thumb) => thumb.refresh());
  } }, options.map((one) => h("option", { value: one, selected: one === n }, write(over(1, one))))));
}

/** What the server says of the sums, put beside the laws. */
export function showSums(sums) {
  for (const { path, sum, ok, missing } of sums ?? []) {
    const found = document.querySelector(`[data-sum='${CSS.escape(key(path))}']`);
    if (!found) continue;
    found.textContent = ok ? `✓ sum ${sum}` : `✗ sum ${sum}${missing ? (missing.startsWith("-") ? `, ${missing.slice(1)} too much` : `, ${missing} missing`) : ""}`;
    found.className = `sum ${ok ? "good" : "bad"}`;
  }
}
