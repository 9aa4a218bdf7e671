// How a question reaches the program: here, by the server of `pkdp explore` on this machine.

/** What is said where the program does not answer. */
export const away = { where: "the server", message: "it does not answer", wanted: "a running `pkdp explore`", tip: "start it again; what you entered is still here" };

/** The answer to a question; without a body it is a list, such as that of the examples. */
export async function reply(name, body, signal) {
  const question = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal };
  const answer = await fetch(new URL(`../api/${name}`, import.meta.url), { cache: "no-store", ...question });
  return answer.json();
}
