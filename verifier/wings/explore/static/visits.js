// Back and Forward of the browser: each model that a person opened has its own entry, and the address holds what is seen.

import { keptQuestion } from "./asked.js";
import { toFragment } from "./link.js";
import { store } from "./store.js";

const LONGEST_LINK = 30000;
/** What was seen when the page was left stands here in the tab's own storage, for a reload. */
const LEFT = "pkdp-left";
/** What is seen at each entry of the history since this page was loaded; an older entry has its address. */
const seen = new Map();
let count = 0;
let entry = null;
let keeping = null;

const fresh = () => `${performance.timeOrigin} ${(count += 1)}`;

/** Remember what is seen now, for when the person comes back. */
export function remember() {
  const { document, name } = store;
  seen.set(entry, { document, name, question: { ...store.question }, loss: { ...store.loss }, set: { ...store.set }, asked: keptQuestion(), draft: store.draft });
}

/** Keep what is seen now at once: the address takes half a second and some work, and the page is being left. */
function leave() {
  if (!store.begun) return;
  remember();
  try {
    sessionStorage.setItem(LEFT, JSON.stringify({ address: location.href, ...seen.get(entry) }));
  } catch { /* private windows keep nothing, and nobody keeps a very large model */ }
}

/** What was seen when this page was left, where this is a reload of it; else null. */
export function left() {
  try {
    const found = JSON.parse(sessionStorage.getItem(LEFT));
    sessionStorage.removeItem(LEFT);
    return found?.address === location.href && performance.getEntriesByType("navigation")[0].type !== "navigate" ? found : null;
  } catch {
    return null;
  }
}

/** The entry that the browser shows is of what is seen now. */
export function adopt() {
  entry = fresh();
  history.replaceState({ entry }, "", location.href);
}

/** Another model was opened: it gets an entry of its own, so that Back leads to the one before. */
export function enter() {
  clearTimeout(keeping);
  entry = fresh();
  history.pushState({ entry }, "", location.href.split("#")[0]);
}

/** The address says what is seen, so that a reload brings it back. */
export function keep() {
  clearTimeout(keeping);
  keeping = setTimeout(async () => {
    const mine = entry;
    const fragment = await toFragment(store, keptQuestion());
    if (mine === entry && fragment.length < LONGEST_LINK) history.replaceState({ entry }, "", `#${fragment}`);
  }, 500);
}

/** Put what is seen into the address at once. */
export async function keepNow() {
  const fragment = await toFragment(store, keptQuestion());
  history.replaceState({ entry }, "", `#${fragment}`);
}

/** `restore` is given what was seen at an entry; `start` is called where an entry of an older visit has no model in its address. */
export function watchVisits({ holdsModel, restore, fromLink, start }) {
  let handled = null;
  window.addEventListener("pagehide", leave);
  document.addEventListener("visibilitychange", () => document.hidden && store.begun && leave());
  window.addEventListener("popstate", ({ state }) => {
    const before = seen.get(state?.entry);
    if (state?.entry === entry) handled = location.hash;
    else if (before) {
      entry = state.entry;
      handled = location.hash;
      restore(before);
    } else if (holdsModel()) handled = null; // the address says which: see below
    else if (location.hash) history.replaceState({ entry }, "", location.href); // a place in this page
    else {
      handled = location.hash;
      adopt();
      start();
    }
  });
  window.addEventListener("hashchange", () => {
    if (handled === location.hash || !holdsModel()) return;
    adopt();
    fromLink();
  });
}
