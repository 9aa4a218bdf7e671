// The worlds of the model as a picture, of the case that the chosen answer is about, and the two laws that it compares;
// and the buttons that save a drawing of the page.

import { $, fill, h, svg } from "./dom.js";
import { saves } from "./save.js";

export const pictureOpen = () => Boolean($("picture-part")?.open);

/** The part with the picture; `again` asks the program. */
export function buildPicture(again) {
  fill($("picture"), h("details", { id: "picture-part", open: true, ontoggle: () => pictureOpen() && again() },
    h("summary", {}, h("h2", {}, "Picture: what can happen, what is published, what she believes")), h("div", { id: "picture-answer" })));
}

export function drawPicture(answer) {
  const reached = $("picture-answer").contains(document.activeElement) ? [...$("picture-answer").querySelectorAll("button, [tabindex]")].indexOf(document.activeElement) : -1;
  fill($("picture-answer"), answer.drawings?.length
    ? answer.drawings.map(figure)
    : h("p", { class: "note" }, `No picture here: ${answer.reason ?? answer.problems?.[0].message}.`));
  if (reached >= 0) $("picture-answer").querySelectorAll("button, [tabindex]")[reached]?.focus({ preventScroll: true });
}

function figure({ kind, svg: text, caption }) {
  const drawing = svg(text);
  return h("div", {}, h("figure", {}, drawing, h("figcaption", { class: "note" }, caption)), saving(() => drawing, kind, kind === "worlds" ? "the picture of the worlds" : "the bars"));
}

/** Buttons that save a drawing. */
export const saving = (find, name, what) => h("p", { class: "copy" }, saves(find, name, what));
