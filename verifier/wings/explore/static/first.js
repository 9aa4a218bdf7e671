// The model that is open when nobody has chosen one: small, and every definition has something to say about it.

const ROW = (a, b, agree, differ) => ({ database: [a, b], outputs: { agree, differ } });

export const FIRST = {
  title: "Two friends who often agree",
  notes: "Two friends vote yes or no. They mostly vote alike. The attacker is the first of them: she knows her own vote, record 0. Published is whether the two agreed, but one time in four the answer is turned round. What does she learn about the other vote, record 1?\n\nTry this: untick record 0 under “What the attacker knows for certain”. The attacker then knows neither vote, and NP holds even at ε = 0: the answer tells nothing about either of them. CDP does not become 0. It compares with what would have been published if one friend had voted otherwise.",
  size: 2,
  values: ["no", "yes"],
  distribution: [{
    table: [
      { database: ["no", "no"], probability: "2/5" },
      { database: ["no", "yes"], probability: "1/10" },
      { database: ["yes", "no"], probability: "1/10" },
      { database: ["yes", "yes"], probability: "2/5" },
    ],
  }],
  knowledge: { records: [0] },
  mechanism: {
    table: [ROW("no", "no", "3/4", "1/4"), ROW("no", "yes", "1/4", "3/4"), ROW("yes", "no", "1/4", "3/4"), ROW("yes", "yes", "3/4", "1/4")],
  },
};

/** A new model: two records, of which the mechanism counts one value. */
export const BLANK = {
  size: 2,
  values: ["no", "yes"],
  distribution: [{ iid: { no: "1/2", yes: "1/2" } }],
  mechanism: { kind: "count", value: "yes" },
};
