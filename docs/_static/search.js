// The search of the site: what people ask first, then the pages by relevance. It changes two functions of Sphinx's own
// search (searchtools.js), which shows the results.
"use strict";

const MANY = 3; // answers before the pages
const ENOUGH = 0.6; // of the words of a query that an answer has to be about
const WEIGHT = { api: 0.5, atlas: 0.7, errata: 0.5, models: 0.3, proofs: 0.3, changelog: 0.2 }; // of pages beside the guide

// The words of a text as they are compared: stems, without the words that say nothing; ε is epsilon.
function stems(text) {
  const stemmer = new Stemmer();
  const letters = text.toLowerCase().replaceAll("ε", " epsilon ").replaceAll("δ", " delta ").replaceAll("é", "e");
  return new Set(splitQuery(letters).filter((word) => !stopwords.has(word)).map((word) => stemmer.stemWord(word)));
}

// The answers to a query, the best first: how much of the query each is about, then how much of the question is in it.
function answers(query, asked) {
  const wanted = stems(query);
  if (!wanted.size) return [];
  const found = [];
  for (const one of asked) {
    const own = stems(one.question);
    const met = new Set([...own].filter((word) => wanted.has(word)));
    const close = met.size / own.size;
    for (const phrase of one.words) {
      const parts = [...stems(phrase)];
      if (parts.length && parts.every((part) => wanted.has(part))) parts.forEach((part) => met.add(part));
    }
    const share = met.size / wanted.size;
    if (share >= ENOUGH) found.push({ ...one, score: share + close });
  }
  return found.sort((a, b) => b.score - a.score).slice(0, MANY);
}

// What stands on the page of the search.
function listed() {
  return [...document.querySelectorAll("#asked li")].map((item) => ({
    question: item.querySelector("a").textContent,
    address: item.querySelector("a").getAttribute("href"),
    answer: item.querySelector("span").textContent,
    words: item.dataset.words.split("|").filter(Boolean),
  }));
}

// A page has more weight for a word that few pages have, and need not have all words of the query.
const forOneWord = Search.performTermsSearch;
Search.performTermsSearch = (words, excluded) => {
  const best = new Map();
  for (const word of words) {
    const pages = forOneWord(new Set([word]), excluded);
    for (const page of pages) {
      const [name, , , , score] = page;
      const weight = score * Math.log(1 + Search._index.docnames.length / pages.length);
      best.set(name, [...page.slice(0, 4), (best.get(name)?.[4] ?? 0) + weight, ...page.slice(5)]);
    }
  }
  const most = Math.max(...[...best.values()].map((page) => page[4]));
  return [...best.values()].filter((page) => page[4] >= most / 3);
};
Scorer.score = ([name, , , , score, , kind]) => {
  if (kind === SearchResultKind.object) return 4 * score;
  return score * (kind === SearchResultKind.title ? 8 : 1) * (WEIGHT[name.split("/")[0]] ?? 1);
};

// Sphinx shows the last result first.
const everyPage = Search._performSearch;
Search._performSearch = (query, ...how) => {
  const first = answers(query, listed());
  document.getElementById("asked").hidden = true;
  const shown = first.map(({ question, address, answer }) => {
    const [page, place] = address.split("#");
    const name = page.replace(/\.html$/, "");
    return [name, question, place ? `#${place}` : "", answer, Infinity, name, "asked"];
  });
  const places = new Set(shown.map(([name, , place]) => name + place));
  return [...everyPage(query, ...how).filter(([name, , place]) => !places.has(name + place)), ...shown.reverse()];
};
