// Other names for the values of a record, or for an output: tables, program and [policy] follow, so that a renamed model is the same model.

import { at, label, shown } from "./dom.js";

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

/** Fields of [policy]: values or databases at any depth; rows that begin with so many of them; tables with a key for each value, or each output. */
const DEEP = ["absent", "sensitive", "graph", "databases", "fixed", "pairs", "secrets"];
const ROWS = { scale: 1, statistic: 1, tailored: 2, distance: 2 };
const BY_VALUE = ["attributes", "bits", "prior"];
const BY_OUTPUT = ["tests", "leak", "image", "views"];

/** Whole texts in quotes, as a program spells a value that is a text. */
const QUOTED = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;
const unquoted = (text) => text.slice(1, -1).replace(/\\(.)/g, "$1");

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
      if (part.kind === "tables" && Array.isArray(part.tables)) part.tables.forEach((each) => isTable(each) && list(each, "cells"));
      if (isTable(part.generalizations)) Object.keys(part.generalizations).forEach((name) => keys(part.generalizations, name));
    }
    Object.values(part).forEach((entry) => walk(entry, inside));
  };
  for (const room of ["distribution", "knowledge", "mechanism", "sensitive"]) walk(doc[room], room);
  const deep = (part) => (Array.isArray(part) ? part.map(deep) : isTable(part) ? part : one(part));
  const policy = isTable(doc.policy) ? doc.policy : {};
  for (const name of DEEP) if (Object.hasOwn(policy, name)) policy[name] = deep(policy[name]);
  for (const [name, most] of Object.entries(ROWS)) {
    if (Array.isArray(policy[name])) policy[name] = policy[name].map((row) => (Array.isArray(row) ? [...row.slice(0, most).map(deep), ...row.slice(most)] : row));
  }
  for (const name of BY_VALUE) keys(policy, name);
  if (Array.isArray(policy.leak)) policy.leak.forEach((row) => isTable(row) && list(row, "database"));
  if (typeof doc.mechanism?.program === "string") {
    doc.mechanism.program = doc.mechanism.program.replace(QUOTED, (text) => {
      if (!names.has(unquoted(text))) return text;
      const next = one(unquoted(text));
      return typeof next === "string" ? JSON.stringify(next) : shown(next);
    });
  }
  return places;
}

/** Whether a program spells the values without quotes, so that they cannot be told from its own numbers. */
export const unspelled = (doc, names) => doc.mechanism?.program !== undefined && (doc.values ?? []).some((value) => typeof value !== "string" && names.has(shown(value)));

/** Rename an output of the table at `path`: in its rows, in the step that follows it, or in [policy]; how many places were changed. */
export function renamedOutput(doc, path, from, to) {
  let places = 0;
  const one = (value) => {
    if (shown(value) !== from) return value;
    places += 1;
    return label(to);
  };
  const keyed = (table) => Object.fromEntries(Object.entries(table).map(([key, part]) => (key === from ? [shown(one(key)), part] : [key, part])));
  const law = (value) => (isTable(value) ? keyed(value) : one(value));
  for (const row of at(doc, path)) {
    if (isTable(row.outputs)) row.outputs = keyed(row.outputs);
    if ("output" in row) row.output = one(row.output);
  }
  const owner = at(doc, path.slice(0, -1));
  if ("otherwise" in owner) owner.otherwise = law(owner.otherwise);
  const step = path.at(-3) === "then";
  const next = step ? at(doc, path.slice(0, -2))[path.at(-2) + 1] : owner.then?.[0];
  for (const row of next?.rows ?? []) row.input = one(row.input);
  if (!next && path[0] === "mechanism" && (path.length === 2 || path[1] === "then") && isTable(doc.policy)) {
    for (const name of BY_OUTPUT) {
      const given = doc.policy[name];
      if (isTable(given)) doc.policy[name] = keyed(given);
      else if (Array.isArray(given) && name !== "leak") doc.policy[name] = given.map((each) => (isTable(each) ? keyed(each) : each));
    }
  }
  return places;
}

const isTable = (part) => part !== null && typeof part === "object" && !Array.isArray(part);
