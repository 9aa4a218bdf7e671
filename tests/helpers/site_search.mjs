// The search of the site, as its page runs it, without a browser: node site_search.mjs FOLDER < {index, items, queries}.
// FOLDER has Sphinx's own scripts and search.js. For each query it prints the addresses in the order of the page.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";

const [folder] = process.argv.slice(2);
const { index, items, queries } = JSON.parse(readFileSync(0, "utf8"));
const listed = items.map((one) => ({
  dataset: { words: one.words.join("|") },
  querySelector: (tag) => ({ textContent: tag === "a" ? one.question : one.answer, getAttribute: () => one.address }),
}));
const page = {
  getElementById: () => ({}),
  querySelectorAll: (which) => (which === "#asked li" ? listed : []),
};
const world = createContext({ document: page, console, _: (text) => text, _ready: () => {}, SPHINX_HIGHLIGHT_ENABLED: false });
world.window = world;
for (const name of ["searchtools.js", "language_data.js", "search.js"]) {
  runInContext(readFileSync(join(folder, name), "utf8"), world, { filename: name });
}
world.index = index;
world.queries = queries;
const found = runInContext(
  `Search._index = index;
   queries.map((query) => Search._performSearch(...Search._parseQuery(query)).reverse()
     .map(([name, title, place]) => ({ address: name + ".html" + place, title })))`,
  world,
);
console.log(JSON.stringify(found));
