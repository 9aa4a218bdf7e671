// The model that is open when nobody has chosen one: small, and every definition has something to say about it.

export const FIRST = {
  title: "Two friends who often agree",
  notes: "Two friends vote yes or no. They mostly vote alike: that is what the attacker believes beforehand. Published is only whether they agreed.\n\nTry this: tick record 0 under “What the attacker knows for certain”. Then move the probabilities until all four worlds are equally likely.",
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
  mechanism: {
    table: [
      { database: ["no", "no"], outputs: { agree: "4/5", differ: "1/5" } },
      { database: ["no", "yes"], outputs: { agree: "1/5", differ: "4/5" } },
      { database: ["yes", "no"], outputs: { agree: "1/5", differ: "4/5" } },
      { database: ["yes", "yes"], outputs: { agree: "4/5", differ: "1/5" } },
    ],
  },
};
