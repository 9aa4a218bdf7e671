// Exact fractions for what a person enters: a slider writes k/N, and another entry gives or takes the difference. BigInt only.

function gcd(a, b) {
  let [x, y] = [a < 0n ? -a : a, b];
  while (y) [x, y] = [y, x % y];
  return x;
}

const made = (p, q) => {
  const d = gcd(p, q) || 1n;
  return { p: p / d, q: q / d };
};

/** "1/3", "0.25", "2" as a fraction; null for anything else (an expression with parameters, a slip). */
export function read(text) {
  const given = String(text ?? "").trim();
  const ratio = /^(\d{1,300})(?:\s*\/\s*(\d{1,300}))?$/.exec(given);
  if (ratio) {
    const q = ratio[2] === undefined ? 1n : BigInt(ratio[2]);
    return q === 0n ? null : made(BigInt(ratio[1]), q);
  }
  const decimal = /^(\d{1,200})?\.(\d{1,200})$/.exec(given);
  if (!decimal) return null;
  return made(BigInt((decimal[1] ?? "0") + decimal[2]), 10n ** BigInt(decimal[2].length));
}

export const write = ({ p, q }) => (q === 1n ? String(p) : `${p}/${q}`);
export const over = (k, n) => made(BigInt(k), BigInt(n));
const minus = (a, b) => made(a.p * b.q - b.p * a.q, a.q * b.q);
const plus = (a, b) => made(a.p * b.q + b.p * a.q, a.q * b.q);

/** For placing a mark or a thumb, never for showing. */
export function place(text) {
  const found = read(text);
  if (!found) return null;
  const scale = 10n ** 15n;
  return Number((found.p * scale) / found.q) / 1e15;
}

/** The nearest k with k/n close to the text. */
export const nearest = (text, n) => Math.round((place(text) ?? 0) * n);

/** How many steps a slider has: every denominator of the law, and at least twenty. */
export function grid(texts) {
  let n = 1n;
  for (const text of texts) {
    const found = read(text);
    if (found) n = (n * found.q) / gcd(n, found.q);
    if (n > 1000n) return 1000;
  }
  let steps = Number(n);
  while (steps < 20) steps += Number(n);
  return steps;
}

/** Entry `which` becomes k/n; the next entries give or take, so that the sum stays what it was. Null where it cannot be done. */
export function balanced(texts, which, k, n) {
  const laws = texts.map((text) => read(text ?? "0"));
  if (laws.some((entry) => entry === null)) return null;
  const next = over(k, n);
  let rest = minus(next, laws[which]);
  laws[which] = next;
  for (let step = 1; step < laws.length && rest.p !== 0n; step++) {
    const other = (which + step) % laws.length;
    const left = minus(laws[other], rest);
    if (left.p >= 0n) {
      laws[other] = left;
      rest = over(0, 1);
    } else {
      laws[other] = over(0, 1);
      rest = made(-left.p, left.q);
    }
  }
  if (rest.p !== 0n) laws[which] = minus(laws[which], rest);
  return laws.map(write);
}

/** n equal parts of 1. */
export const uniform = (n) => Array.from({ length: n }, () => write(over(1, n)));
export { plus };
