// Back and Forward of the browser: each model that a person opened has its own entry, and the address holds what is seen.

import { keptQuestion } from "./asked.js";
import { toFragment } from "./link.js";
import { store } from "./store.js";

const LONGEST_LINK = 30000;
/** What was seen when the page was left stands here in the tab's own storage, for a reload and for Back. */
const LEFT = "pkdp-left";
const MOST_LEFT = 12;
/** What is seen at each entry of the history: two entries may have one address, since a draft and a large model are not in it. */
const seen = new Map(stored());
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
  const last = [...seen].filter(([one]) => one !== entry).slice(1 - MOST_LEFT);
  for (let kept = [...last, [entry, seen.get(entry)]]; kept.length; kept = kept.slice(1)) {
    try {
      return sessionStorage.setItem(LEFT, JSON.stringify(kept));
    } catch { /* private windows keep nothing; of models that are too large together the last ones are kept */ }
  }
}

/** The entries of the pages before in this tab, each with what was seen. */
function stored() {
  try {
    return JSON.parse(sessionStorage.getItem(LEFT)) ?? [];
  } catch {
    return [];
  }
}

/** What was seen at this entry of the history when its page was left, as after a reload; null for a link that is opened. */
export const left = () => seen.get(history.state?.entry) ?? null;

/** The entry that the browser shows is of what is seen now. */
export function adopt() {
  entry = left() ? history.state.entry : fresh();
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
