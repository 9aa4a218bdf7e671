// Small helpers: elements, paths into the document, texts. No number that is shown is computed here.

const SVG = "http://www.w3.org/2000/svg";

function put(element, attrs, children) {
  for (const [name, value] of Object.entries(attrs)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "selected") element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(4).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

let allowed = Infinity;

/** Do some work that makes at most so many elements; one more is an error. */
export function within(most, work) {
  const before = allowed;
  allowed = most;
  try {
    return work();
  } finally {
    allowed = before;
  }
}

export function h(tag, attrs = {}, ...children) {
  if ((allowed -= 1) < 0) throw new RangeError("more elements than a form may have");
  return put(document.createElement(tag), attrs, children);
}
export const s = (tag, attrs = {}, ...children) => put(document.createElementNS(SVG, tag), attrs, children);
export const $ = (id) => document.getElementById(id);
export const fill = (element, ...children) => {
  element.replaceChildren(...children.flat(4).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
};

/** A text of the program, whose code is between backticks. */
export const coded = (text) => text.split("`").map((part, k) => (k % 2 ? h("code", {}, part) : part));

/** MathML made by the server, taken in as parsed nodes. */
export function mathml(text) {
  if (!text) return null;
  const parsed = [...new DOMParser().parseFromString(text, "text/html").body.childNodes];
  const kept = parsed.filter((node) => node.nodeType === Node.TEXT_NODE || node.nodeName.toLowerCase() === "math");
  return kept.length ? kept.map((node) => document.importNode(node, true)) : null;
}

/** A drawing made by the program, taken in as parsed nodes. */
export const svg = (text) => document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);

export const key = (path) => JSON.stringify(path);
export const idOf = (path) => `cell-${path.join("-").replace(/[^\p{L}\p{N}_-]/gu, (c) => `_${c.codePointAt(0)}_`)}`;
/** What stands at a path. A label may be "constructor" or "__proto__": only what the document itself has counts. */
export const at = (doc, path) => path.reduce((found, part) => (found !== null && typeof found === "object" && Object.hasOwn(found, part) ? found[part] : undefined), doc);

export function put_at(doc, path, value) {
  const last = path[path.length - 1];
  const owner = at(doc, path.slice(0, -1));
  if (value === undefined) {
    if (Array.isArray(owner)) owner.splice(last, 1);
    else delete owner[last];
  } else Object.defineProperty(owner, last, { value, writable: true, enumerable: true, configurable: true });
}

/** A label as a person types it: an integer where it looks like one, else a text. */
export const label = (text) => (/^-?(0|[1-9]\d{0,14})$/.test(text.trim()) ? Number(text.trim()) : text);
export const shown = (value) => (value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value));
export const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;
export const listed = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);
export const copy = (value) => structuredClone(value);

/** An exact text, cut where it is very long: it says so, and the whole stands in its tip and in copies. */
export const cut = (text, most = 44) => (shown(text).length <= most || shown(text).includes("…") ? shown(text) : h("span", { class: "cut", title: shown(text) }, `${shown(text).slice(0, most - 16)}… (${shown(text).length} characters)`));

/** Of each verdict its sign and its sentence; the server writes them here. */
export const SIGNS = {};
export const verdict = (word) => h("span", { class: `verdict ${word}`, title: SIGNS[word]?.sentence }, h("span", { "aria-hidden": "true" }, `${SIGNS[word]?.mark ?? "…"} `), word ?? "working");

let told = 0;
/** One quiet line for everybody, read out by screen readers; it stays for some milliseconds, or until the next. */
export function tell(text, milliseconds = 3500) {
  const place = $("told");
  place.textContent = text;
  place.classList.add("on");
  const mine = ++told;
  setTimeout(() => mine === told && place.classList.remove("on"), milliseconds);
}

export async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h("textarea", { value: text, class: "away" });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  tell(`${what} copied`);
}
