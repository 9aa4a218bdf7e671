// The first worker, begun before the page's other scripts are there: Python takes longest to load.

export const begin = () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" });

const ahead = { thread: begin(), failed: false };
ahead.thread.addEventListener("error", () => { ahead.failed = true; });

/** The worker that was begun ahead, once; later ones are new. */
export function worker() {
  const { thread, failed } = ahead;
  ahead.thread = null;
  return { thread: thread ?? begin(), failed };
}
