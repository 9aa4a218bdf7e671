// The menu of examples, and opening and saving of model files.

import { $, fill, h, tell } from "./dom.js";
import { complain, get, post } from "./api.js";
import { unasked } from "./asked.js";
import { FIRST } from "./first.js";
import { opening, store } from "./store.js";

let every = null;
const HERE = "Start here";
const PINNED = ["DMKB20/example-7-five-voters", "DMKB20/example-2-identity", "DMKB20/example-4-repaired", "DKM19/introduction-parity", "relations/randomized-response", "DMKB20/example-1-side", "DKM19/family-of-attackers"];

function draw(found) {
  const words = $("examples-search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = found.filter((one) => (!words.length || !one.pinned || one.id === "two-friends") && words.every((word) => `${one.title} ${one.id} ${one.group} ${one.source ?? ""}`.toLowerCase().includes(word)));
  const groups = [...new Set(fits.map((one) => one.group))];
  fill($("examples-list"), groups.map((group) => h("section", {}, h("h3", {}, group), h("ul", {}, fits.filter((one) => one.group === group).map((one) =>
    h("li", {}, h("button", { type: "button", "data-id": one.pinned ? null : one.id, "data-pinned": one.pinned ? one.id : null, onclick: () => openExample(one.id) }, h("span", { class: "title" }, one.title), h("small", {}, [one.source, one.size_note].filter(Boolean).join(" · ")))))))),
  fits.length ? null : h("p", { class: "note" }, "No example fits. Search for fewer words."));
}

/** Open an example by its name; whether there is one. */
export const openExample = (id, { visit = true } = {}) => opening(async (wanted, display) => {
  if (id === "two-friends") {
    $("examples").close();
    display(structuredClone(FIRST), "two-friends.toml", { visit });
    return true;
  }
  const answer = await get(`example?id=${encodeURIComponent(id)}`);
  if (!wanted()) return null;
  if (answer.problems) {
    complain(answer.problems, "Not opened");
    return false;
  }
  $("examples").close();
  display(answer.document, `${id.split("/").at(-1)}.toml`, { visit });
  tell("Opened. Undo brings the last model back.");
  return true;
});

export async function showExamples() {
  $("examples").showModal();
  $("examples-search").value = "";
  if (!every) {
    fill($("examples-list"), h("p", { class: "note" }, "Loading …"));
    const answer = await get("examples");
    if (answer.problems) return complain(answer.problems, "No examples");
    const pinned = answer.some((one) => one.group === HERE) ? [] : PINNED.map((id) => answer.find((one) => one.id === id)).filter(Boolean).map((one) => ({ ...one, group: HERE, pinned: true }));
    every = [{ id: "two-friends", pinned: true, group: HERE, title: FIRST.title, source: "", size_note: "2 records, the model of the first view" }, ...pinned, ...answer];
  }
  draw(every);
  $("examples-search").focus();
}

export function watchFiles() {
  $("examples-search").addEventListener("input", () => every && draw(every));
  $("examples-search").addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "Enter") {
      event.preventDefault();
      const first = $("examples-list").querySelector("button");
      if (event.key === "Enter") first?.click();
      else first?.focus();
    }
  });
  $("examples-list").addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = [...$("examples-list").querySelectorAll("button")];
    const next = all[all.indexOf(document.activeElement) + step];
    (next ?? $("examples-search")).focus();
  });
  $("file").addEventListener("change", async () => {
    const [file] = $("file").files;
    if (file) await readFile(file);
    $("file").value = "";
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer?.files ?? [];
    if (file) readFile(file);
  });
}

const readFile = (file) => opening(async (wanted, display) => {
  const answer = await post("read", { text: await file.text() });
  if (!wanted()) return null;
  if (answer.problems && !answer.document) {
    complain(answer.problems, `${file.name} was not opened`);
    return false;
  }
  try {
    display(answer.document, file.name);
  } catch {
    tell(`${file.name} was not opened: its tables have no form that the page can draw; pkdp check says what is wrong.`);
    return false;
  }
  tell(`Opened: ${file.name}`);
  return true;
});

export async function saveFile(model = unasked()) {
  const { name } = store; // another model may be open when the text is there
  const answer = await post("write", { document: model });
  if (answer.problems) return complain(answer.problems, "Not saved");
  const address = URL.createObjectURL(new Blob([answer.text], { type: "application/toml" }));
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
  tell(`Saved: ${name}`);
}
