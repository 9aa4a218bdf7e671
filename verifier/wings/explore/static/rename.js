// Other names for the values of a record: the tables follow them, so that a renamed model is the same model.

import { shown } from "./dom.js";

/** The new name of each value that has one, or null: where values came, went or changed places it is no renaming. */
export function renaming(before, next) {
  if (before.length !== next.length) return null;
  const [old, fresh] = [before, next].map((list) => new Set(list.map(shown)));
  const names = new Map();
  for (const [k, value] of before.entries()) {
    if (shown(value) === shown(next[k])) continue;
    if (fresh.has(shown(value)) || old.has(shown(next[k]))) return null;
    names.set(shown(value), next[k]);
  }
  return fresh.size === next.length && names.size ? names : null;
}

/** Rename the values of a record wherever the document names one; how many places were changed. What is published keeps its names. */
export function renamed(doc, names) {
  let places = 0;
  const one = (value) => {
    if (!names.has(shown(value))) return value;
    places += 1;
    return names.get(shown(value));
  };
  const list = (owner, name) => { if (Array.isArray(owner[name])) owner[name] = owner[name].map(one); };
  const keys = (owner, name) => {
    if (isTable(owner?.[name])) owner[name] = Object.fromEntries(Object.entries(owner[name]).map(([key, part]) => [shown(one(key)), part]));
  };
  /** `part` is a table of the document; `inside` names the part of the model that it belongs to. */
  const walk = (part, inside) => {
    if (Array.isArray(part)) part.forEach((entry) => walk(entry, inside));
    if (!isTable(part)) return;
    list(part, "database");
    if (inside === "distribution") {
      const counts = "value" in part;
      if (counts) part.value = one(part.value);
      for (const name of counts ? [] : ["iid", "table", "start", "step"]) keys(part, name);
      if (isTable(part.step)) Object.keys(part.step).forEach((name) => keys(part.step, name));
      if (Array.isArray(part.independent)) part.independent.forEach((_, k) => keys(part.independent, k));
      list(part, "when");
    } else if ("kind" in part) {
      if ("value" in part) part.value = one(part.value);
      list(part, "values");
      keys(part, "generalization");
      if (isTable(part.generalizations)) Object.keys(part.generalizations).forEach((name) => keys(part.generalizations, name));
    }
    Object.values(part).forEach((entry) => walk(entry, inside));
  };
  for (const room of ["distribution", "knowledge", "mechanism", "sensitive"]) walk(doc[room], room);
  return places;
}

const isTable = (part) => part !== null && typeof part === "object" && !Array.isArray(part);
