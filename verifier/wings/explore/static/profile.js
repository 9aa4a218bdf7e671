// The privacy profile: the smallest δ for each ε, as a drawing; a point on it asks the question. Numbers here only place marks.

import { $, SIGNS, fill, h, key, s, shown } from "./dom.js";
import { place, write, over } from "./fractions.js";
import { points } from "./extras.js";
import { button } from "./controls.js";
import { brief } from "./passport.js";
import { saving } from "./picture.js";
import { ask, store } from "./store.js";

const W = 560;
/** The height and the margins; on a phone the letters and the handles are larger. */
const [WIDE, SLIM] = [[232, 46, 26, 26, 30], [360, 64, 40, 44, 50]];
let [H, LEFT, RIGHT, TOP, BOTTOM] = WIDE;
const narrow = matchMedia("(max-width: 46rem)");
const LOGS = [1, 2, 3, 5, 10, 20, 50, 100, 300, 1000, 10000, 100000, 1000000];
const HEIGHTS = [[1, 1], [1, 2], [1, 5], [1, 10], [1, 20], [1, 50], [1, 100], [1, 200], [1, 500], [1, 1000]];
let view = null;
let held = false;
let current = null; // the answer that is drawn

const x = (e) => LEFT + (Math.min(e, view.widest) / view.widest) * (W - LEFT - RIGHT);
const y = (d) => TOP + (1 - Math.min(d / view.top, 1)) * (H - TOP - BOTTOM);

/** Exact values of ε on which the point can stand: breakpoints, and simple ln(p/q) between them. */
function epsilons(profile, widest) {
  const found = profile.breakpoints.filter((one) => one.x <= widest + 1e-9).map((one) => ({ text: one.epsilon, x: one.x, bend: true }));
  const step = widest / 72;
  for (let k = 0; k <= 72; k++) {
    const e = Math.exp(k * step);
    for (let q = 1; q <= 12; q++) {
      const p = Math.round(e * q);
      const where = Math.log(p / q);
      if (Math.abs(where - k * step) > step / 2 && q < 12) continue;
      if (where <= widest + 1e-9 && found.every((one) => Math.abs(one.x - where) > step / 4)) found.push({ text: p === q ? "0" : `ln(${write(over(p, q))})`, x: where });
      break;
    }
  }
  return found.sort((a, b) => a.x - b.x);
}

function deltas(top, special) {
  const [p, q] = top;
  const found = special.filter((text) => place(text) !== null).map((text) => ({ text, y: place(text), bend: true }));
  for (let k = 0; k <= 40; k++) {
    const text = write(over(k * p, 40 * q));
    if (!found.some((one) => one.text === text)) found.push({ text, y: place(text) });
  }
  const seen = new Set();
  return found.filter((one) => one.y <= p / q + 1e-12 && !seen.has(one.text) && seen.add(one.text)).sort((a, b) => a.y - b.y);
}

const nearest = (list, value, name, reach) => {
  const by = (one) => Math.abs(one[name] - value);
  const bends = list.filter((one) => one.bend && by(one) < reach);
  return (bends.length ? bends : list).reduce((best, one) => (by(one) < by(best) ? one : best));
};

function height(profile, e) {
  let found = profile.segments[0];
  for (const one of profile.segments) if (one.x <= e + 1e-12) found = one;
  return found ? Math.max(0, found.c + found.s * Math.exp(e)) : 0;
}

/** The server's exact texts with their decimals, as numbers for placing. */
function placed(given) {
  const number = (text) => (text === "inf" ? Infinity : Number(text));
  const segments = given.segments.map((one) => ({ ...one, from: one.from ?? one.from_epsilon, x: one.x ?? number(one.from_epsilon_decimal), y: number(one.delta_decimal),
    c: one.c ?? number(one.constant_decimal), s: one.s ?? -number(one.slope_decimal) })).filter((one) => Number.isFinite(one.x));
  const breakpoints = given.breakpoints?.length ? given.breakpoints : segments.map((one) => ({ epsilon: one.from, delta: one.delta, x: one.x, y: one.y }));
  return { ...given, segments, breakpoints, cut: given.cut ?? given.pieces > given.segments.length };
}

function curve(profile, widest) {
  const stops = [...profile.segments.map((one) => one.x), widest].filter((one) => one >= 0 && one <= widest);
  const points = [];
  for (let k = 0; k + 1 < stops.length; k++) {
    const segment = profile.segments[k];
    const many = stops.length > 60 ? 2 : 20;
    for (let j = 0; j < many; j++) {
      const e = stops[k] + (j / many) * (stops[k + 1] - stops[k]);
      points.push([x(e), y(Math.max(0, segment.c + segment.s * Math.exp(e)))]);
    }
  }
  points.push([x(widest), y(height(profile, widest))]);
  return points.map(([a, b]) => `${a.toFixed(1)} ${b.toFixed(1)}`).join(" L ");
}

function axes() {
  const [p, q] = view.ratio;
  const parts = [0, 1, 2, 3, 4].map((k) => [place(write(over(k * p, 4 * q))), write(over(k * p, 4 * q))]);
  const across = LOGS.filter((one, k) => Math.log(one) <= view.widest && (k === 0 || x(Math.log(one)) - x(Math.log(LOGS[k - 1])) > 30));
  return s("g", { class: "axes", "aria-hidden": "true" },
    parts.map(([where, text]) => [s("line", { x1: LEFT, x2: W - RIGHT, y1: y(where), y2: y(where), class: where === 0 ? "axis" : "grid" }), s("text", { x: LEFT - 7, y: y(where) + 4, "text-anchor": "end" }, text)]),
    across.map((one) => [s("line", { x1: x(Math.log(one)), x2: x(Math.log(one)), y1: y(0), y2: y(0) + 5, class: "axis" }), s("text", { x: x(Math.log(one)), y: y(0) + 9 + BOTTOM / 3, "text-anchor": "middle" }, one === 1 ? "0" : `ln(${one})`)]),
    s("text", { x: W - RIGHT + 9, y: H - 5, class: "name" }, "ε"), s("text", { x: LEFT - 7, y: TOP - 10, "text-anchor": "end", class: "name" }, "δ"));
}

const answerless = (answer) => ["unsupported", "vacuous"].includes(answer.verdict) || answer.about?.has_delta === false;

/** Without a whole curve: the reason, and single exact points of it. */
async function lacking(answer) {
  const reason = [h("h3", {}, "Privacy profile"), h("p", { class: "note" }, answer.profile_reason ?? "There is no curve for this definition.")];
  const work = async () => {
    const found = await points(answer);
    if (found && current === answer) drawProfile({ ...answer, profile: found });
  };
  if (!document.activeElement?.id?.startsWith("slider-")) {
    view = null;
    fill($("profile"), reason, answerless(answer) ? null : button("show single points", work, { class: "quiet", id: "ask-points" }));
  }
  if (!answerless(answer) && store.document.size <= 4) await work();
}

export function drawProfile(answer) {
  current = answer;
  if (!answer.profile) {
    if (!held) lacking(answer);
    return;
  }
  const profile = placed(answer.profile);
  if (!held) [H, LEFT, RIGHT, TOP, BOTTOM] = narrow.matches ? SLIM : WIDE;
  if (held) {
    view.verdict = answer.verdict;
    paint();
    return;
  }
  const focus = document.activeElement?.id;
  const asked = place(store.question.delta) ?? 0;
  const start = Math.max(place(profile.delta_at_zero) ?? 1, asked);
  const ratio = start === 0 ? [1, 1] : [...HEIGHTS].reverse().find(([p, q]) => p / q >= start * 1.08) ?? [1, 1];
  const here = answer.epsilon === null || answer.epsilon === undefined ? null : answer.epsilon === "inf" ? Infinity : roughly(answer);
  const widest = Math.max(Math.min(12, 1.15 * Math.max(...profile.breakpoints.map((one) => one.x))), Number.isFinite(here) && here < 12 ? 1.15 * here : 0, 1.3);
  view = { profile, widest, ratio, top: ratio[0] / ratio[1], verdict: answer.verdict };
  view.epsilons = epsilons(profile, widest);
  view.deltas = deltas(ratio, [answer.tight_delta, profile.delta_at_zero, profile.delta_at_inf].filter(Boolean));
  view.e = here === null || Number.isNaN(here) ? null : { text: store.question.epsilon, x: here };
  view.d = { text: shown(answer.delta ?? store.question.delta), y: asked };
  const line = profile.points ? null : curve(profile, widest);
  const svg = s("svg", { viewBox: `0 0 ${W} ${H}`, role: "group", "aria-label": "Privacy profile: the smallest δ for each ε. Drag the point to choose ε and δ.", id: "profile-plot" },
    line && s("path", { class: "below", d: `M ${x(0)} ${y(0)} L ${line} L ${x(widest)} ${y(0)} Z` }),
    axes(),
    line && regions(profile, widest),
    line && s("path", { class: "curve", d: `M ${line}` }),
    profile.breakpoints.slice(0, 120).filter((one) => one.x <= widest).map((one) => s("circle", { class: "bend", cx: x(one.x), cy: y(one.y), r: profile.breakpoints.length > 40 ? 2 : 3.4 }, s("title", {}, `ε = ${one.epsilon}: δ = ${one.delta}`))),
    s("line", { id: "guide-x", class: "guide" }), s("line", { id: "guide-y", class: "guide" }),
    thumb("epsilon", "ε"), thumb("delta", "δ"),
    s("g", { id: "profile-point", class: "point" }, s("circle", { r: 20, class: "reach" }), s("circle", { r: 9.5, class: "dot" }), s("text", { "text-anchor": "middle", y: 4 })));
  drags(svg);
  fill($("profile"), h("div", { class: "heading" }, h("h3", {}, "Privacy profile"), h("p", { class: "note" }, `${profile.points ? "Single points of the curve. " : ""}Drag the point, or the handles of ε and δ (arrow keys).`)), tiny(profile), h("div", { class: "plot" }, svg), saving(() => svg, "profile", "the privacy profile"), bends(profile));
  paint();
  if (focus === "slider-epsilon" || focus === "slider-delta") $(focus).focus({ preventScroll: true });
}

/** Where the asked ε stands: of a breakpoint, of ln(p/q), or by its decimal. */
function roughly(answer) {
  const known = placed(answer.profile).segments.find((one) => one.from === answer.epsilon);
  if (known) return known.x;
  if (answer.epsilon_decimal) return Number(answer.epsilon_decimal);
  const ratio = /^(?:(\d+)(?:\/(\d+))?\*)?ln\((.+)\)$/.exec(answer.epsilon);
  if (ratio) return (Number(ratio[1] ?? 1) / Number(ratio[2] ?? 1)) * Math.log(place(ratio[3]) ?? 1);
  return place(answer.epsilon) ?? 0;
}

/** A curve that lies too low to be seen is said in words. */
function tiny(profile) {
  const start = place(profile.delta_at_zero);
  if (start === 0) return h("p", { class: "note", id: "profile-note" }, "The curve is 0 everywhere: ε = 0 and δ = 0 are enough.");
  if (start !== null && start < view.top / 50) return h("p", { class: "note", id: "profile-note" }, "The curve is above 0, but too low to be seen here. Its exact values stand in the list of breakpoints.");
  return null;
}

function bends(profile) {
  const some = profile.breakpoints.slice(0, 40);
  return h("details", { id: "breakpoints", open: $("breakpoints")?.open }, h("summary", {}, `${profile.points ? "Points" : "Breakpoints"} (${profile.breakpoints.length}${profile.cut ? " shown" : ""})`), h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Breakpoints" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "ε"), h("th", { scope: "col" }, "smallest δ"))),
    h("tbody", {}, some.map((one) => h("tr", {}, h("td", { class: "n" }, brief(one, "epsilon")), h("td", { class: "n" }, brief(one, "delta")))),
      profile.points ? null : h("tr", {}, h("td", {}, "∞"), h("td", { class: "n" }, brief(profile, "delta_at_inf")))))));
}

function thumb(name, letter) {
  return s("g", {
    id: `slider-${name}`, class: "thumb", role: "slider", tabindex: 0, "aria-label": letter, "aria-orientation": name === "epsilon" ? "horizontal" : "vertical", "aria-valuemin": 0,
    "aria-valuemax": (name === "epsilon" ? view.epsilons : view.deltas).length - 1, onkeydown: (event) => press(event, name),
  }, s("circle", { r: 18, class: "reach" }), s("path", { d: name === "epsilon" ? "M 0 1 L 8 -6 L 8 -20 L -8 -20 L -8 -6 Z" : "M -1 0 L 6 -8 L 20 -8 L 20 8 L 6 8 Z" }),
  s("text", { class: "letter", x: name === "epsilon" ? 0 : 12.5, y: name === "epsilon" ? -8.5 : 4.5, "text-anchor": "middle", "aria-hidden": "true" }, letter));
}

/** What the two sides of the curve mean; the lower word only where there is room for it. */
function regions(profile, widest) {
  const left = Math.min(widest, 0.35);
  const room = y(0) - y(height(profile, left));
  return s("g", { class: "regions", "aria-hidden": "true" }, s("text", { class: "region", x: x(widest) - 8, y: y(view.top * 0.88), "text-anchor": "end" }, store.question.definition === "dps" ? `${SIGNS.holds.mark} holds on and above it, where δ < β` : `${SIGNS.holds.mark} holds on the curve and above it`),
    room > 34 ? s("text", { class: "region", x: x(0) + 12, y: y(0) - Math.min(room / 2, 26) + 4 }, `${SIGNS.fails.mark} fails below it`) : null);
}

function where(name) {
  const [list, now, at] = name === "epsilon" ? [view.epsilons, view.e, "x"] : [view.deltas, view.d, "y"];
  if (!now) return [list, 0];
  const same = list.findIndex((one) => one.text === now.text);
  return [list, same >= 0 ? same : list.indexOf(nearest(list, now[at], at, 0))];
}

function press(event, name) {
  const [list, k] = where(name);
  const last = list.length - 1;
  const to = { ArrowRight: k + 1, ArrowUp: k + 1, ArrowLeft: k - 1, ArrowDown: k - 1, PageUp: k + 10, PageDown: k - 10, Home: 0, End: last }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  const one = list[Math.max(0, Math.min(last, to))];
  take(name === "epsilon" ? { e: one } : { d: one });
}

/** Stand at other exact values: draw at once, ask the server. */
function take({ e, d }) {
  const before = [view.e?.text, view.d.text];
  if (e) view.e = e;
  if (d) view.d = d;
  if (before[0] === view.e?.text && before[1] === view.d.text) return;
  paint({ waiting: true });
  ask({ ...(e ? { epsilon: e.text } : {}), ...(d ? { delta: d.text } : {}) }, { soon: true });
}

function paint({ waiting = false } = {}) {
  const e = view.e;
  const [px, py] = [x(e ? e.x : 0), y(view.d.y)];
  const point = $("profile-point");
  point.setAttribute("transform", `translate(${px} ${py})`);
  point.setAttribute("class", `point ${waiting ? "waiting" : view.verdict} ${e ? "" : "nowhere"}`);
  point.querySelector("text").textContent = waiting ? "" : SIGNS[view.verdict]?.mark ?? "?";
  const line = (id, a) => Object.entries(a).forEach(([name, value]) => $(id).setAttribute(name, value));
  line("guide-x", { x1: px, x2: px, y1: TOP, y2: y(0) });
  line("guide-y", { x1: LEFT, x2: W - RIGHT, y1: py, y2: py });
  for (const [name, at, text] of [["epsilon", [px, TOP], e ? `ε = ${e.text}` : "any finite ε"], ["delta", [W - RIGHT, py], `δ = ${view.d.text}`]]) {
    const mark = $(`slider-${name}`);
    mark.setAttribute("transform", `translate(${at[0]} ${at[1]})`);
    mark.setAttribute("aria-valuenow", where(name)[1]);
    mark.setAttribute("aria-valuetext", text);
  }
}

/** While the point is held, what stands above the drawing keeps its height, so that the drawing stays under the hand. */
function still(on) {
  $("answer").style.height = on ? `${$("answer").getBoundingClientRect().height}px` : "";
  $("answer").style.overflow = on ? "clip" : "";
}

function drags(svg) {
  let part = null;
  const at = (event) => {
    const box = svg.getBoundingClientRect();
    const px = ((event.clientX - box.left) / box.width) * W;
    const py = ((event.clientY - box.top) / box.height) * H;
    const e = ((px - LEFT) / (W - LEFT - RIGHT)) * view.widest;
    const d = (1 - (py - TOP) / (H - TOP - BOTTOM)) * view.top;
    const next = {};
    if (part !== "delta") next.e = nearest(view.epsilons, Math.max(0, Math.min(view.widest, e)), "x", (view.widest * 7) / (W - LEFT - RIGHT));
    if (part !== "epsilon") next.d = nearest(view.deltas, Math.max(0, Math.min(view.top, d)), "y", (view.top * 6) / (H - TOP - BOTTOM));
    take(next);
  };
  svg.addEventListener("pointerdown", (event) => {
    const mark = event.target.closest(".thumb");
    const point = event.target.closest(".point");
    if (!mark && !point && event.pointerType !== "mouse") return;
    part = mark ? mark.id.replace("slider-", "") : "both";
    held = true;
    still(true);
    svg.setPointerCapture(event.pointerId);
    event.preventDefault();
    mark?.focus({ preventScroll: true });
    at(event);
  });
  svg.addEventListener("pointermove", (event) => part && at(event));
  const stop = () => {
    if (!part) return;
    part = null;
    held = false;
    still(false);
    ask({}, { soon: true });
  };
  svg.addEventListener("pointerup", stop);
  svg.addEventListener("pointercancel", stop);
}
export { key };
